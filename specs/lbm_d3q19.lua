-- Flow of a nearly incompressible fluid as a gas on a lattice: 19 populations a
-- point, each at one of the velocities of D3Q19, relax toward equilibrium with
-- one rate (BGK). The viscosity is (1/omega - 1/2)/3 in lattice units.
-- The body force is Guo's (Guo, Zheng and Shi, Discrete lattice effects on the
-- forcing term in the lattice Boltzmann method, Phys. Rev. E 65, 046308, 2002):
-- half of it counts in the velocity, and no error of second order is left.
-- A population that would come from a solid is the one that the point itself
-- sent there (bounce-back: walls lie half-way between the points). What the
-- populations of a solid are means nothing.
local F = param { "faces", default = "halo", values = { "halo", "periodic" },
                  short = "" }
local T = param { "type", default = "float", values = { "float", "double" },
                  short = "" }

precision { T }
grid { "x", "y", "z" }
scalar { "omega", range = { 0.5, 1.9 } }
scalar { "force_x", "force_y", "force_z", range = { -0.001, 0.001 } }
field { "solid", type = "int", range = { 0, 1 } }
field { "rho", "jx", "jy", "jz" }                    -- density and momentum

-- The velocity of f0 is 0; f1 and f2 are opposite, f3 and f4, and so on.
local C = { [0] = { 0, 0, 0 } }
for _, c in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
    { 1, 1, 0 }, { 1, -1, 0 }, { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 1 },
    { 0, 1, -1 } } do
  table.insert(C, c)
  table.insert(C, { -c[1], -c[2], -c[3] })
end
local WEIGHT = { [0] = "1/3", "1/18", "1/36" }       -- by the square of c

for i = 0, #C do field { "f" .. i, time = { 0, 1 }, range = { 0.02, 0.06 } } end
if F == "periodic" then
  local fields = { "solid", x = "periodic", y = "periodic", z = "periodic" }
  for i = 1, #C do fields[#fields + 1] = "f" .. i end
  boundary(fields)
end

-- The text with what belongs to each velocity, one after the other.
local function each(text, first)
  local lines = {}
  for i = first or 0, #C do
    local x, y, z = C[i][1], C[i][2], C[i][3]
    lines[#lines + 1] = fill(text, { i = i, x = x, y = y, z = z,
      back = i % 2 == 1 and i + 1 or i - 1, w = WEIGHT[x*x + y*y + z*z],
      from = ("[x%+d, y%+d, z%+d]"):format(-x, -y, -z) })
  end
  return table.concat(lines, "\n")
end

local function sums(f)                              -- of f over the velocities
  return { all = each(" + " .. f .. "$i"), x = each(" + $x*" .. f .. "$i"),
           y = each(" + $y*" .. f .. "$i"), z = each(" + $z*" .. f .. "$i") }
end

define [[ dot(x1, y1, z1, x2, y2, z2) = x1*x2 + y1*y2 + z1*z2 ]]

kernel { "collide", "g0 = f0\n" ..
  each("g$i = where(solid$from == 1, f$back, f$i$from)", 1) .. fill([[

  density = 0 $all
  ux = (force_x/2 $x)/density
  uy = (force_y/2 $y)/density
  uz = (force_z/2 $z)/density
  square = 3/2*dot(ux, uy, uz, ux, uy, uz)
  power  = 3*dot(ux, uy, uz, force_x, force_y, force_z)
]], sums "g") .. each [[
  c$i = 3*dot($x, $y, $z, ux, uy, uz)
  p$i = 3*dot($x, $y, $z, force_x, force_y, force_z)
  f$i.next = g$i + omega*($w*density*(1 + c$i + c$i^2/2 - square) - g$i)
           + (1 - omega/2)*$w*(p$i*(1 + c$i) - power) ]] }

-- Not in the step: what the populations mean, when somebody asks.
kernel { "moments", fill([[
  rho = 0 $all
  jx  = 0 $x - force_x/2
  jy  = 0 $y - force_y/2
  jz  = 0 $z - force_z/2 ]], sums "f") }
step { "collide" }
