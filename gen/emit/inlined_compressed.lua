-- The values of templates/inlined_compressed.cu.tpl; in C those of blocked.

local block_lines = require "gen.c.block"
local c_names = require "gen.c.names"
local kloop = require "gen.emit.kloop"
local lists = require "gen.list"
local place_of = require "gen.emit.place"
local rows = require "gen.c.rows"
local text = require "gen.c.text"

local M = {}

-- The names of the composed tables that a block picks from.
local function composed(block)
  local list = lists.joined(block.regular, {})
  for _, other in ipairs(block.near_regular) do
    if not lists.contains(list, other.table) then
      list[#list + 1] = other.table
    end
  end
  return list
end

-- "const int v2e2c2v_pattern[6][4] = { { 0, 1, 2, 3 }, .. };"
function M.patterns(context)
  local lines = {}
  for _, name in ipairs(composed(context.block)) do
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
  return tests[1] and table.concat(tests, " && ") or "true"
end

-- The lines that look at the rows of a point's neighbours as well: `name` is
-- whether all follow.
local function near_tests(context, name)
  local r, claim = context.names.rows, context.names.claim
  local slot, near = claim "i", claim "near"
  local lines = { ("bool %s = %s;"):format(name, regular(context)) }
  for _, other in ipairs(context.block.near_regular) do
    local of, from = r.of[other.table], r.of[other.near.table]
    local first, last = other.near.slot or 0, (other.near.slot
      or from.count - 1) + 1
    lists.append(lines, {
      ("for (int %s = %d; %s < %d; %s++) {"):format(slot, first, slot, last,
        slot),
      ("    const index_t %s = %s;"):format(near, rows.entry(from,
        r.axis[from.from], slot, r)),
      ("    %s = %s && %s >= 0 && %s >= 0;"):format(name, name, near,
        rows.entry(of, near, "0", r)), "}" })
  end
  return lines
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
  local nearby = context.block.near_regular[1] ~= nil
  values.regular = nearby and context.names.claim "regular"
    or regular(context)
  values.tests = nearby and near_tests(context, values.regular) or {}
  local add = nearby and kloop.add_unkept or kloop.add_levels
  add(values, context, plan, lowered)
  values.patterns = M.patterns(context)
  values.others = M.other_rows(plan, lowered, context,
    plan.kernel.blocks[1])
  return values
end

return M
