-- Every kind of boundary on the low and on the high face of each axis, with
-- others along the next axis: `all` reads beyond the faces, and where two and
-- three of them meet. `part` reads a few fields in regions, along the axes only.
-- In three dimensions every fourth field will do. Images have to be there at
-- extent 1 + reach.
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }
local D = param { "dims", default = 3, min = 1, max = 3, short = "d" }
local R = param { "reach", default = 1, min = 1, max = 4, short = "r" }

precision { T }
grid { "x", "y", "z", dims = D, spacing = { "hx", 0.25, "hz" } }
scalar { "wall", "inflow" }
scalar { "width", type = "int", range = { 0, 3 } }
local AXES = { "x", "y", "z" }

local KINDS = {
  "halo",
  { "constant", value = "wall" },
  { "constant", value = 0 },
  { "even", about = "face" },
  { "even", about = "face", slope = "inflow" },
  { "even", about = "point" },
  { "even", about = "point", slope = 0.3 },
  { "odd", about = "face", value = "2*wall - 1/3" },
  { "odd", about = "face" },
  { "odd", about = "point" },
  { "odd", about = "point", value = 0.1 },
}
local COUNT = #KINDS

-- Field i has kinds i, i + 1, .. along x, y, z; some go around.
local names = {}
for i = 1, COUNT + 2, D == 3 and 4 or 1 do
  local name = "u" .. i
  names[#names + 1] = name
  field { name }
  local sides = {}
  for k = 1, D do
    local at = i + 3 * k
    sides[AXES[k]] = { low = KINDS[at % COUNT + 1],
                       high = KINDS[(at + 1 + k) % COUNT + 1] }
    if i == COUNT + k or i == COUNT - 2 * k then sides[AXES[k]] = "periodic" end
  end
  boundary { name, x = sides.x, y = sides.y, z = sides.z }
end

-- The sum of a formula over some fields, each with a weight of its own.
local function over(list, formula)
  local terms = {}
  for i, name in ipairs(list) do
    terms[i] = fill("$i/8*(" .. formula .. ")", { i = i, u = name, r = R })
  end
  return table.concat(terms, " + ")
end

-- Along the axes, then at two corners.
local star, up, down = {}, {}, {}
for k = 1, D do
  star[k] = fill("2*$u[$a-$r] - $k*$u[$a+$r]",
    { u = "$u", r = "$r", a = AXES[k], k = k + 2 })
  up[k] = AXES[k] .. (k == 2 and "-1" or "+1")
  down[k] = AXES[k] .. (k == 3 and "+1" or "-1")
end
star = table.concat(star, " + ")
local corners = (" - 5*$u[%s] + $u[%s]/3"):format(table.concat(up, ", "),
  table.concat(down, ", "))

field { "a", "b" }
kernel { "all", "a = " .. over(names, star .. corners) }
region { "rim", shell = "width" }
region { "middle", rest = true }
local few = { names[1], names[2], names[4] }
kernel { "part", rim = "b = " .. over(few, star),
         middle = "b = " .. over(few, star .. " - $u") }
