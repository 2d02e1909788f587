-- Kernels for a GPU come with offsets of 32 bits and of 64: arrays too large for
-- the first have the second. No test has such arrays (but wide.t), and half of what
-- a compiler does would be for nothing: with `bits` among their options modules have
-- kernels of that width alone, for arrays of all sizes.

local compile = require "gen.compile"

local M = {}

M.LONG = os.getenv "QUERN_LONG" == "1"

-- The files with one width instead of a choice of two.
function M.only(files, bits)
  local list, count = {}, 0
  for i, file in ipairs(files) do
    local text, found = file.text, 0
    if file.path:find "%.cu$" then
      text, found = text:gsub("([?:] [%w_]+<)int%d%d_t>", ("%%1int%d_t>"):format(bits))
    end
    list[i], count = { path = file.path, text = text }, count + found
  end
  assert(count > 0, "no kernel has a choice of widths")
  return list
end

local module = compile.module

-- Long sweeps have both.
function compile.module(files, options)
  if not options.bits or options.backend ~= "simt" or M.LONG then return module(files, options) end
  return module(M.only(files, options.bits), options)
end

return M
