-- The errors of functions that specs/README.md promises, as tests want them:
-- lines of a function's name and how many units in the last place it may be off.

local quern = require "tests.quern"

local M = {}

local COLUMN = { glibc_float = 1, glibc_double = 2, cuda_float = 3, cuda_double = 4 }
local EXACT = { "abs", "floor", "ceil", "sign" }

-- Numbers in a row of the table behind its functions.
local function numbers_of(rest)
  local list = {}
  for number in rest:gmatch "| (%d+) " do list[#list + 1] = tonumber(number) end
  return list
end

-- Published errors by function, in the order of the table; `names` beside.
local function published(column)
  local errors, names = {}, {}
  for functions, rest in quern.read("specs/README.md"):gmatch "\n| (`[%w` ]+`) (| %d[%d |]*)|" do
    for fn in functions:gmatch "%w+" do
      names[#names + 1] = fn
      errors[fn] = numbers_of(rest)[column]
    end
  end
  return errors, names
end

-- The largest published error of any function anywhere.
function M.most()
  local most = 0
  for _, column in pairs(COLUMN) do -- any order
    local errors, names = published(column)
    for _, fn in ipairs(names) do most = math.max(most, errors[fn]) end
  end
  return most
end

-- library = "glibc" or "cuda". A published error is beyond half a unit, that
-- of the rounding; whole powers are rounded as often as they have operations.
function M.bounds(library, type)
  local errors, names = published(COLUMN[library .. "_" .. type])
  local lines = {}
  for _, fn in ipairs(EXACT) do lines[#lines + 1] = fn .. " 0" end
  for _, fn in ipairs(names) do lines[#lines + 1] = ("%s %g"):format(fn, errors[fn] + 0.5) end
  for _, n in ipairs { 2, 3, 7, -1, -2, -5 } do
    local operations = n > 0 and n - 1 or -n
    lines[#lines + 1] = ("to_%s %g"):format(n < 0 and "m" .. -n or n, operations)
  end
  return table.concat(lines, "\n") .. "\n"
end

return M
