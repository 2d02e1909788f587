-- The specs that lower's tests share, as text.

local M = {}

M.GRID = [[
precision { "float" }
grid { "x", "y", "z", spacing = { "hx", "hy", "hz" } }
]]
M.CUBE = [[
precision { "float" }
grid { "x", "y", "z", spacing = { "h", "h", "h" } }
]]
M.LINE = [[
precision { "float" }
grid { "x", spacing = { "h" } }
]]

local GRID, CUBE, LINE = M.GRID, M.CUBE, M.LINE

function M.laplace(order, grid)
  return (grid or GRID) .. ([[
    field { "u", "v" }
    operator { "dd", derivative = 2, order = %d }
    define %s lap(f) = sum(a in axes, dd(f, a)) %s
    kernel { "k", %s v = lap(u) %s }
  ]]):format(order, "[[", "]]", "[[", "]]")
end

function M.wave(order, grid)
  return (grid or GRID) .. ([[
    field { "u", time = { -1, 0, 1 }, buffers = 2 }
    field { "c2" }
    operator { "dd", derivative = 2, order = %d }
    define %s lap(f) = sum(a in axes, dd(f, a)) %s
    kernel { "step", %s u.next = 2*u - u.prev + c2*lap(u) %s }
  ]]):format(order, "[[", "]]", "[[", "]]")
end

M.PML = GRID .. [==[
  scalar { "width", type = "int", range = { 0, 4 } }
  field { "u", time = { -1, 0, 1 }, buffers = 2 }
  field { "phi", time = { 0, 1 }, buffers = 1 }
  field { "c2" }
  field { "eta", range = { 0, 0.5 } }
  operator { "d",  derivative = 1, order = 2 }
  operator { "dd", derivative = 2, order = 8 }
  define [[ lap(f) = sum(a in axes, dd(f, a)) ]]
  region { "pml", shell = "width" }
  region { "inner", rest = true }
  kernel { "step",
    inner = [[ u.next = 2*u - u.prev + c2*lap(u) ]],
    pml   = [[ u.next = ((2 - eta^2 + 2*eta)*u - u.prev + c2*(lap(u) + phi))
                        / (1 + 2*eta)
               phi.next = (phi - sum(a in axes, d(eta, a)*d(u, a)))
                        / (1 + eta) ]] }
]==]

-- One spec per idea: { what, text }.
M.ALL = {
  { "star, order 8", M.laplace(8) },
  { "star, equal spacings", M.laplace(4, CUBE) },
  { "star, numbers as spacings", M.laplace(4, [[
      precision { "double" }
      grid { "x", "y", "z", spacing = { 0.5, 0.5, 0.25 } }
    ]]) },
  { "wave in place of the oldest level", M.wave(4) },
  { "perfectly matched layer", M.PML },
  { "one axis", LINE .. [==[
      field { "u", "v" }
      operator { "d", derivative = 3, order = 4 }
      kernel { "k", [[ v = d(u, x) ]] }
    ]==] },
  { "radius per axis, none along z", GRID .. [==[
      field { "u", "v" }
      operator { "dd", derivative = 2, order = { x = 8, y = 2 } }
      kernel { "k", [[ v = sum(a in (x, y), dd(u, a)) ]] }
    ]==] },
  { "box with run-time weights", CUBE .. [==[
      scalar { "w0", "w1", "w2", "w3" }
      field { "u", "v" }
      local taps = {}
      for k = -1, 1 do for j = -1, 1 do for i = -1, 1 do
        taps[#taps + 1] = { i, j, k,
          "w" .. math.abs(i) + math.abs(j) + math.abs(k) }
      end end end
      operator { "box", taps = taps }
      kernel { "k", [[ v = box(u) ]] }
    ]==] },
  { "taps in no order, some alike", GRID .. [==[
      scalar { "w" }
      field { "u", "v" }
      operator { "odd", taps = { { 2, 0, -1, "w/3" }, { 0, 0, 3, "-w/3" },
        { -2, 0, 1, "-w/3" }, { 0, 1, 0, "1/7" }, { 0, 0, 0, "w^2 - 1" } } }
      kernel { "k", [[ v = odd(u) ]] }
    ]==] },
  { "weights that cancel at some taps", GRID .. [==[
      scalar { "w" }
      field { "u", "v" }
      operator { "some", taps = { { 1, 0, 0, "w - w" }, { 0, 1, 0, "w/2" },
        { 0, -1, 0, "(w - 1)/2 + 1/2" } } }
      kernel { "k", [[ v = some(u) + some(u)[y+1] - w/2*u ]] }
    ]==] },
  { "one-sided", GRID .. [==[
      field { "u", "v" }
      operator { "right", derivative = 1, offsets = { 0, 1, 2 } }
      operator { "left",  derivative = 1, offsets = { -2, -1, 0 } }
      kernel { "k", [[ v = where(u > 0, left(u, x), right(u, x)) ]] }
    ]==] },
  { "a derivative of a derivative", GRID .. [==[
      field { "u", "v" }
      operator { "d", derivative = 1, order = 4 }
      kernel { "k", [[ v = d(d(u, x), y) + d(d(u, z), z) ]] }
    ]==] },
  { "a derivative of a Laplacian", GRID .. [==[
      field { "u", "v" }
      operator { "d", derivative = 1, order = 2 }
      operator { "dd", derivative = 2, order = 2 }
      kernel { "k", [[ v = d(3*sum(a in axes, dd(u, a)), x) ]] }
    ]==] },
  { "a derivative of a product and its shifts", GRID .. [==[
      field { "u", "b", "v" }
      operator { "d", derivative = 1, order = 4 }
      kernel { "k", [[ flux = b*d(u, x)
                       v = d(flux, x) + flux[x+1] - (b*u)[y-2] ]] }
    ]==] },
  { "flux form", GRID .. [==[
      scalar { "dt", range = { 0, 0.1 } }
      field { "c", time = { 0, 1 } }
      field { "k", range = { 0.5, 2 } }
      define [[ upper(a, h) = (k + k[a+1])/2 * (c[a+1] - c)/h
                net(a, h) = (upper(a, h) - upper(a, h)[a-1])/h ]]
      kernel { "k1", [[ c.next = c + dt*(net(x, hx) + net(y, hy)) ]] }
    ]==] },
  { "scaled applies of one field", GRID .. [==[
      scalar { "ax", "ay" }
      field { "u", "v" }
      operator { "dd", derivative = 2, order = 4 }
      kernel { "k", [[ v = ax*dd(u, x) - 3*ay*dd(u, y)/1 + u/ax ]] }
    ]==] },
  { "operators that other terms use too", GRID .. [==[
      field { "p", "q", "ax", "ay", "v", "w" }
      operator { "d", derivative = 1, order = 4 }
      operator { "dd", derivative = 2, order = 4 }
      define [[ along(f) = ax^2*dd(f, x) + ay^2*dd(f, y) + 2*ax*ay*d(d(f, x), y)
                across(f) = sum(a in axes, dd(f, a)) - along(f) ]]
      kernel { "k", [[ v = across(p)   w = along(p) + across(p - q) ]] }
    ]==] },
  { "profiles", GRID .. [==[
      field { "px", on = { "x" } }
      field { "pyz", on = { "y", "z" } }
      field { "u", "v" }
      operator { "d", derivative = 1, order = 2 }
      kernel { "k", [[ v = d(px*u, x) + px[x+1]*d(pyz, y) + pyz^3*px^-2 ]] }
    ]==] },
  { "choices and conditions", GRID .. [==[
      scalar { "s" }
      field { "u", "w", "v" }
      kernel { "k", [[
        a = max(u, w, s)   b = min(abs(u), sqrt(abs(w)))
        v = where(a > b and not (u < 0 or w >= s), a*b, a/(2 + b))
          + where(s > 1/2, u, w)*where(s < 1, s, 2*s) ]] }
    ]==] },
  { "calls and powers", GRID .. [==[
      scalar { "s" }
      field { "u", range = { 0.5, 2 } }
      field { "v" }
      kernel { "k", [[ v = exp(-u^2) + sin(s)*u^7 - pow(u, s)/u^3 + s^-2 ]] }
    ]==] },
  { "several results, one used by the next", GRID .. [==[
      field { "u", "v", "w" }
      kernel { "k", [[ u = u + v*w   v = u^2 - v   w = (u + v)*w ]] }
    ]==] },
  { "whole scalars", GRID .. [==[
      scalar { "m", type = "int", range = { 1, 4 } }
      field { "u", "v" }
      kernel { "k", [[ v = m*u - u/m + 2*m ]] }
    ]==] },
  { "radius 16", M.laplace(32) },
}

for _, case in ipairs(require("tests.places_cases").STAGGERED) do
  M.ALL[#M.ALL + 1] = case
end

function M.named(what)
  for _, case in ipairs(M.ALL) do
    if case[1] == what then return case[2] end
  end
  error("no case " .. what)
end

return M
