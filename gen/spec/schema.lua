-- The constructors: how many names each takes, which of them it declares,
-- and its keys with their types.
--   least, most   number of positional items
--   declares      "all", "first" or nil: which items are new names
--   emitted       the names reach generated code: they differ by more than case
--   keys          key -> type; `order` lists them for messages
--   other         the type of any further key (an axis, a region, a list)
--   once          at most one declaration per spec

local types = require "gen.spec.types"

local M = {}

local STORAGE = types.one_of("float", "double", "half", "bfloat16")
-- Build says why not one of 16 bits.
local COMPUTE = types.one_of("float", "double")
COMPUTE.accept = STORAGE.accept
local TRUE = types.one_of(true)

-- Boundaries are checked where they are put into their normal form.
local ANY = { accept = function() return true end }

local SWEEP = { wanted = '"<axis> up" or "<axis> down"',
  accept = function(value)
    local way = type(value) == "string"
      and string.match(value, "^%s*%a[%w_]*%s+(%a+)%s*$")
    return way == "up" or way == "down"
  end }

M.constructors = {
  param = { least = 1, most = 1, declares = "all", keys = {
    default = types.value, min = types.number, max = types.number,
    values = types.values, short = types.name } },
  precision = { least = 1, most = 1, once = true, item = STORAGE,
    keys = { compute = COMPUTE } },
  grid = { least = 1, declares = "all", emitted = true, once = true, keys = {
    dims = types.at_least(1), spacing = types.spacing } },
  levels = { least = 1, declares = "all", emitted = true, keys = {} },
  domain = { least = 1, declares = "all", emitted = true, keys = {} },
  scalar = { least = 1, declares = "all", emitted = true, keys = {
    type = types.one_of("int", "double"), range = types.range,
    per = types.one_of("request") } },
  field = { least = 1, declares = "all", emitted = true, keys = {
    on = types.names, at = types.position, extra = types.widths,
    time = types.levels, buffers = types.at_least(1),
    type = types.one_of("float", "double", "half", "bfloat16", "int"),
    constant = types.boolean, temporary = types.boolean, only = types.name,
    packed = types.boolean, halo = types.widths, range = types.range } },
  boundary = { least = 1, keys = {}, other = ANY, others = "an axis" },
  neighbours = { least = 1, declares = "all", emitted = true, keys = {
    from = types.name, to = types.name, count = types.at_least(1),
    ragged = types.boolean, skip = types.one_of(-1, 0),
    affine = types.boolean, contiguous = types.one_of("row", "slot"),
    through = types.chained_names, pattern = types.pattern } },
  list = { least = 1, declares = "all", emitted = true, keys = {
    of = types.name } },
  operator = { least = 1, most = 1, declares = "all", keys = {
    derivative = types.at_least(0), order = types.order,
    offsets = types.offsets, weights = types.formulas,
    staggered = types.boolean, taps = types.taps } },
  define = { text = true },
  region = { least = 1, most = 1, declares = "all", emitted = true,
    keys = { shell = types.shell, rest = TRUE }, other = types.bounds,
    others = "an axis" },
  kernel = { least = 1, most = 2, declares = "first", emitted = true,
    keys = { compute = COMPUTE, sweep = SWEEP, colours = types.formulas,
      setup = types.boolean },
    other = types.formula, others = "a region" },
  request = { least = 1, most = 1, declares = "first", emitted = true,
    keys = { compute = COMPUTE }, other = types.formula, others = "a list" },
  fuse = { least = 2, declares = "first", emitted = true, keys = {
    drop = types.names } },
  step = { least = 1, once = true, keys = {} },
  include = { text = true },
}

-- Keys that a declaration must have.
M.needed = { param = { "default" }, list = { "of" } }

M.names = {}                    -- of the constructors, sorted
for name, c in next, M.constructors do
  M.names[#M.names + 1] = name
  c.order = {}
  for key in next, c.keys or {} do c.order[#c.order + 1] = key end
  table.sort(c.order)
end
table.sort(M.names)

-- Words that a kernel's keys use: a region or a list of that name could have
-- no formula.
M.kernel_words = { "colours", "compute", "setup", "sweep" }

return M
