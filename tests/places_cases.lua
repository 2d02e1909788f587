-- Specs of fields at different places and of faces without a halo, as text.

local M = {}

local GRID = [[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
]]

-- { what, text }: staggered fields and operators.
M.STAGGERED = {
  { "velocity and stress", GRID .. [==[
      scalar { "dt", range = { 0, 0.1 } }
      field { "vx", at = { x = 1/2 } }
      field { "vy", at = { y = 1/2 } }
      field { "sxx", "syy", "b", "lambda" }
      field { "mu", range = { 0.5, 1 } }
      field { "sxy", at = { x = 1/2, y = 1/2 } }
      operator { "D", derivative = 1, order = 4, staggered = true }
      operator { "mean", derivative = 0, order = 2, staggered = true }
      define [[ edge_mu = 1/mean(mean(1/mu, x), y) ]]
      kernel { "velocity", [[
        vx = vx + dt*mean(b, x)*(D(sxx, x) + D(sxy, y))
        vy = vy + dt*mean(b, y)*(D(sxy, x) + D(syy, y)) ]] }
      kernel { "stress", [[
        ex = D(vx, x)   ey = D(vy, y)
        sxx = sxx + dt*((lambda + 2*mu)*ex + lambda*ey)
        syy = syy + dt*(lambda*ex + (lambda + 2*mu)*ey)
        sxy = sxy + dt*edge_mu*(D(vx, y) + D(vy, x)) ]] }
      step { "velocity", "stress" }
    ]==] },
  { "a target half a point below", GRID .. [==[
      field { "u", at = { x = -1/2, z = 1/2 } }
      field { "v", "w" }
      operator { "D", derivative = 1, order = 6, staggered = true }
      operator { "mean", derivative = 0, order = 4, staggered = true }
      kernel { "k", [[ u = mean(D(v, x), z) - mean(D(w, z), x) + v[x+1/2, z-1/2] ]] }
    ]==] },
  { "half steps between whole points", GRID .. [==[
      field { "u", "b", "v" }
      operator { "D", derivative = 1, order = 4, staggered = true }
      operator { "mean", derivative = 0, order = 2, staggered = true }
      kernel { "k", [[ v = D(mean(b, x)*D(u, x), x) + D(D(u, y), y) ]] }
    ]==] },
  { "half shifts of expressions", GRID .. [==[
      field { "h", range = { 1, 2 } }
      field { "u", at = { x = 1/2 } }
      field { "flux", at = { x = 1/2 } }
      field { "d" }
      define [[ slope(f) = f[x+1] - f[x-1]
                edge(f)  = where(u > 0, f[x-1/2] + slope(f)[x-1/2]/2,
                                        f[x+1/2] - slope(f)[x+1/2]/2) ]]
      kernel { "k", [[ flux = u*edge(h) ]] }
      kernel { "m", [[ f = u*edge(h)   d = d - (f[x+1/2] - f[x-1/2]) ]] }
      step { "k", "m" }
    ]==] },
  { "a staggered box of weights", GRID .. [==[
      field { "c", at = { x = 1/2, y = 1/2 } }
      field { "u" }
      operator { "mean", derivative = 0, order = 2, staggered = true }
      kernel { "k", [[ c = mean(mean(u, x), y) + mean(mean(u[z+1], y), x) ]] }
    ]==] },
  { "profiles at half points", GRID .. [==[
      field { "e", on = { "x" } }
      field { "eh", on = { "x" }, at = { x = 1/2 } }
      field { "u" }
      field { "v", at = { x = 1/2 } }
      operator { "D", derivative = 1, order = 2, staggered = true }
      kernel { "k", [[ v = eh*D(u, x) + D(e, x) ]] }
    ]==] },
}

-- Kinds of boundary; each with low and high, and every other on the next axis.
local KINDS = {
  [["halo"]], [["periodic"]], [[{ "constant", value = "wall" }]],
  [[{ "constant", value = 0 }]],
  [[{ "even", about = "face" }]],
  [[{ "even", about = "face", slope = "inflow" }]],
  [[{ "even", about = "point", slope = 0.3 }]],
  [[{ "odd", about = "face", value = "2*wall - 1/3" }]],
  [[{ "odd", about = "point" }]],
  [[{ "odd", about = "point", value = 0.1 }]],
}

local PERIODIC = 2

-- A periodic axis is periodic on both sides.
local function sides(low, high)
  if low == PERIODIC or high == PERIODIC then return KINDS[PERIODIC] end
  return ("{ low = %s, high = %s }"):format(KINDS[low], KINDS[high])
end

local FACES = [==[
precision { "float" }
grid { "x", "y", spacing = { "hx", 0.25 } }
scalar { "wall", "inflow" }
field { "u", "v", "w" }
field { "s", at = { x = 1/2 } }
field { "p", on = { "y" } }
boundary { "u", x = %s, y = %s }
boundary { "s", x = %s, y = "periodic" }
boundary { "p", y = %s }
operator { "d", derivative = 1, order = 2 }
operator { "D", derivative = 1, order = 2, staggered = true }
kernel { "k", [[
  v = u[x-2, y+1] - u[x+1, y-1]*p[y+1] + d(u, x)*p[y-1] + d(u, y) + u
  w = D(s, x)*u[x+1, y+1] + s[x+3/2] + wall*inflow ]] }
]==]

-- Every kind on the low side of x with every kind on the high side; along y
-- others, so that all meet in corners.
function M.faces()
  local list, n = {}, #KINDS
  for low = 1, n do
    for high = 1, n do
      local x = sides(low, high)
      local y = sides((low + 3 * high) % n + 1, (3 * low + high) % n + 1)
      local p = sides((low + high) % n + 1, low)
      list[#list + 1] = { ("x = %s, y = %s"):format(x, y),
        FACES:format(x, y, sides(high, low), p) }
    end
  end
  return list
end

return M
