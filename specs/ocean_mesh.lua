-- Finite volumes on a triangular mesh of the ocean, after FESOM: gradients on
-- triangles and at nodes, and the Laplacian from all nodes around one.
--
-- What is dry takes no part: wet is 1 where a triangle has water at a level.
precision { "double" }
domain { "node", "elem" }
levels { "k" }
neighbours { "elem_nodes", from = "elem", to = "node", count = 3 }
neighbours { "node_elems", from = "node", to = "elem", count = 10, skip = -1 }
neighbours { "node_nodes", from = "node", to = "node", ragged = true }

field { "tracer", on = { "node", "k" } }
field { "tx", "ty", on = { "elem", "k" } }             -- its gradient
field { "sx", "sy", on = { "node", "k" } }             -- .. and at nodes
field { "lap", on = { "node", "k" } }
field { "wet", on = { "elem", "k" }, type = "int", range = { 0, 1 } }
field { "area", on = { "elem" }, constant = true, range = { 0.5, 1 } }
field { "gx", "gy", on = { "elem", "elem_nodes" }, constant = true }
field { "weight", on = { "node", "node_nodes" }, constant = true }

-- gx, gy: of the function that is 1 at one corner of a triangle, 0 at others.
kernel { "elem_gradient", [[
  tx = sum(n in elem_nodes, gx[n]*tracer[n])
  ty = sum(n in elem_nodes, gy[n]*tracer[n]) ]] }
-- The mean over the triangles around a node, weighted by their areas.
kernel { "node_gradient", [[
  around = sum(e in node_elems, wet[e]*area[e])
  sx = where(around > 0, sum(e in node_elems, wet[e]*area[e]*tx[e])/around, 0)
  sy = where(around > 0, sum(e in node_elems, wet[e]*area[e]*ty[e])/around, 0)
]] }
kernel { "laplacian", [[
  lap = sum(m in node_nodes, weight[m]*(tracer[m] - tracer)) ]] }

fuse { "gradient", "elem_gradient", "node_gradient", drop = { "tx", "ty" } }
