-- The values of templates/inlined_compressed.cu.tpl; in C those of blocked.

local block_lines = require "gen.c.block"
local c_names = require "gen.c.names"
local kloop = require "gen.emit.kloop"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- "const int v2e2c2v_pattern[6][4] = { { 0, 1, 2, 3 }, .. };"
function M.patterns(context)
  local lines = {}
  for _, name in ipairs(context.block.regular) do
    local pattern, words = context.names.rows.of[name].pattern, {}
    for i, row in ipairs(pattern) do
      words[i] = "{ " .. table.concat(row, ", ") .. " }"
    end
    lines[#lines + 1] = ("const int %s[%d][%d] = {"):format(
      context.names.value(name .. "_pattern"), #pattern, #pattern[1])
    lines[#lines + 1] = "    " .. table.concat(words, ", ")
    lines[#lines + 1] = "};"
  end
  return lines
end

-- Rows whose composed tables have all neighbours: "v2e2c2v[vertex] >= 0".
local function regular(context)
  local tests = {}
  for i, name in ipairs(context.block.regular) do
    local near = { table = name, slot = 0, name = name }
    tests[i] = rows.neighbour(near, context.names.rows) .. " >= 0"
  end
  return table.concat(tests, " && ")
end

-- The lines of a level of a block without composed tables, in a scope of its
-- own. `index`: the type of an index.
function M.other_rows(plan, lowered, context, block, index)
  local names = c_names.new(lowered, context.arrays, block, context.axes,
    plan.kept)
  names.rows.index = index or "index_t"
  local own = lists.copy(context)
  own.block, own.names = block, names
  local lines = text.offsets(rows.direct_fields(own), names,
    "const " .. names.rows.index)
  return lists.append(lines, block_lines.join(block_lines.lines(lowered,
    plan.kernel, block, names, place_of.direct(own))))
end

function M.view(plan, lowered)
  if plan.backend == "c" then
    return require("gen.emit.blocked").view(plan, lowered)
  end
  local values, context = kloop.context(plan, lowered)
  values.apart = nil
  values.regular = regular(context)
  kloop.add_levels(values, context, plan, lowered)
  values.patterns = M.patterns(context)
  values.others = M.other_rows(plan, lowered, context,
    plan.kernel.blocks[1])
  return values
end

return M
