-- The headers that all instances of a folder share, by their names there, and
-- the files that they are copies of. No instance is called so, none has them in
-- its manifest.

return { ["quern_abi.h"] = "runtime/abi.h",
         ["quern_launch.h"] = "templates/quern_launch.h",
         ["quern_mesh.h"] = "templates/quern_mesh.h",
         ["quern_async.h"] = "templates/quern_async.h",
         ["quern_boxes.h"] = "templates/quern_boxes.h",
         ["quern_requests.h"] = "templates/quern_requests.h",
         ["quern_tiles.h"] = "templates/quern_tiles.h",
         ["quern_steps.h"] = "templates/quern_steps.h",
         ["quern_together.h"] = "templates/quern_together.h",
         ["quern_turned.h"] = "templates/quern_turned.h",
         ["quern_types.h"] = "templates/quern_types.h",
         ["quern_vector.h"] = "templates/quern_vector.h" }
