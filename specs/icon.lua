-- Kernels of an icosahedral model of the atmosphere: nabla4 on edges, its
-- interpolation to vertices, and from vertices to cells.
--
-- Tables count from 0; a vertex of a pentagon, or at a rim, has fewer than six
-- edges. ecv: the four vertices around an edge, one slot after the other.
local ORDER = param { "contiguous", default = "horizontal",
                      values = { "horizontal", "k" }, short = "" }
local STORED = param { "type", default = "double", short = "",
                       values = { "double", "float" } }
local COEFFICIENTS = param { "coefficients", default = "double", short = "",
                             values = { "double", "float" } }
local function on(domain)
  return ORDER == "k" and { "k", domain } or { domain, "k" }
end

precision { STORED, compute = "double" }
domain { "vertex", "edge", "cell", "ecv" }
levels { "k" }

neighbours { "e2c2v", from = "edge",   to = "vertex", count = 4 }
neighbours { "e2ecv", from = "edge",   to = "ecv",    count = 4,
             affine = true }
neighbours { "v2e",   from = "vertex", to = "edge",   count = 6, skip = -1 }
-- The vertices around a vertex: itself and those of its edges, which have four.
neighbours { "v2e2c2v", through = { "v2e", "e2c2v" }, count = 7, pattern = {
  { 0, 1, 2, 3 }, { 1, 4, 5, 6 }, { 3, 1, 0, 6 }, { 1, 5, 2, 4 },
  { 1, 6, 4, 3 }, { 2, 1, 5, 0 } } }
neighbours { "c2v",   from = "cell",   to = "vertex", count = 3 }
-- Around a cell there are 15 edges, of its three vertices, and 12 vertices.
neighbours { "c2v2e", through = { "c2v", "v2e" }, count = 15 }
neighbours { "c2v2e2c2v", through = { "c2v", "v2e", "e2c2v" }, count = 12 }

field { "u_vert", "v_vert", on = on "vertex" }
field { "z_nabla2_e", "z_nabla4_e2", on = on "edge" }
field { "p_u", "p_v", on = on "vertex" }
field { "p_c", on = on "cell" }

-- Of the geometry, the same at all levels..
field { "primal_normal_v1", "primal_normal_v2", on = { "ecv" },
        type = COEFFICIENTS, constant = true }
field { "inv_vert_vert_length", "inv_primal_edge_length", on = { "edge" },
        type = COEFFICIENTS, constant = true, range = { 0.5, 1.5 } }
field { "c1", "c2", on = { "vertex", "v2e" }, type = COEFFICIENTS,
        constant = true }
field { "d1", "d2", on = { "cell", "c2v" }, type = COEFFICIENTS,
        constant = true }

-- .. and another at each of them.
field { "normal_v1_k", "normal_v2_k", on = on "ecv", constant = true }
field { "inv_vert_vert_length_k", "inv_primal_edge_length_k", on = on "edge",
        constant = true, range = { 0.5, 1.5 } }

-- The wind at a vertex around an edge, along a normal with components n1, n2;
-- from the ends (slots 0 and 1) and from across (2 and 3) second differences.
define [[
  wind(s, n1, n2) = u_vert[e2c2v(s)]*n1[e2ecv(s)] + v_vert[e2c2v(s)]*n2[e2ecv(s)]
  tang(n1, n2) = wind(0, n1, n2) + wind(1, n1, n2)
  norm(n1, n2) = wind(2, n1, n2) + wind(3, n1, n2)
  nabla4_of(n1, n2, vert_vert, edge_length) =
      4*((norm(n1, n2) - 2*z_nabla2_e)*vert_vert^2
       + (tang(n1, n2) - 2*z_nabla2_e)*edge_length^2) ]]

kernel { "nabla4", [[
  z_nabla4_e2 = nabla4_of(primal_normal_v1, primal_normal_v2,
                          inv_vert_vert_length, inv_primal_edge_length) ]] }
kernel { "nabla4_vertical", [[
  z_nabla4_e2 = nabla4_of(normal_v1_k, normal_v2_k,
                          inv_vert_vert_length_k, inv_primal_edge_length_k)
]] }
kernel { "interpolate", [[
  p_u = sum(e in v2e, c1[e]*z_nabla4_e2[e])
  p_v = sum(e in v2e, c2[e]*z_nabla4_e2[e]) ]] }
kernel { "verts2cells", [[
  p_c = sum(v in c2v, d1[v]*p_u[v] + d2[v]*p_v[v]) ]] }

fuse { "nabla4_interpolate", "nabla4", "interpolate",
       drop = { "z_nabla4_e2" } }
fuse { "nabla4_vertical_interpolate", "nabla4_vertical", "interpolate",
       drop = { "z_nabla4_e2" } }
fuse { "nabla4_interpolate_verts2cells", "nabla4", "interpolate",
       "verts2cells", drop = { "z_nabla4_e2", "p_u", "p_v" } }
