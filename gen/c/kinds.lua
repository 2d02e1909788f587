-- Rows of one kind in C: the members of the args struct that tell kinds apart,
-- and how a kernel finds neighbours by strides.

local M = {}

-- How many kinds the plans tell apart, at most, of each table: { [name] = n }.
function M.most(plans)
  local most = {}
  for _, plan in ipairs(plans) do
    for _, name in ipairs(plan.strides and plan.strides.tables or {}) do
      most[name] = math.max(most[name] or 0, plan.strides.kinds)
    end
  end
  return most
end

-- Members of the args struct, after those of the table.
function M.members(of, kinds)
  return {
    "/* by strides, slot s of a row of kind q: row / pace[0] * pace[1]"
      .. " + ahead[q][s] */",
    ("const int8_t *%s_kind;"):format(of.name)
      .. (" "):rep(math.max(1, 13 - #of.name)) .. "/* of each row; -1: none */",
    ("int64_t %s_pace[2];"):format(of.name),
    ("int32_t %s_ahead[%d][%d];"):format(of.name, kinds, of.count),
  }
end

function M.member_names(of)
  return { of.name .. "_kind", of.name .. "_pace", of.name .. "_ahead" }
end

-- What a descriptor says of them; `offset(member)` is its place.
function M.entry(of, kinds, offset)
  return { (".kinds = %d, .kind = %s,"):format(kinds, offset(of.name
    .. "_kind")), (".pace = %s, .ahead = %s,"):format(
    offset(of.name .. "_pace"), offset(of.name .. "_ahead")) }
end

-- Claims the names of what a plan reads by strides, and hands it to the kernel:
-- from then on names.rows finds neighbours so. names.rows.strides = { [table] =
-- { of, kinds, kind, every, step, ahead, own, from, at }.. }, names all, and
-- own_slot = the name of a slot there.
function M.claim(names, plan)
  local rows, wanted = names.rows, plan.strides
  rows.strides = {}
  rows.own_slot = wanted and names.claim "of_slot"
  for _, name in ipairs(wanted and wanted.tables or {}) do
    local of = { of = rows.of[name], kinds = wanted.kinds }
    for _, part in ipairs { "kind", "every", "step", "ahead", "own", "from",
                            "at" } do
      of[part] = names.claim(name .. "_" .. part)
    end
    rows.strides[name] = of
    for _, part in ipairs {
      { type = "int8_t", name = of.kind, member = name .. "_kind" },
      { name = of.every, member = name .. "_pace[0]" },
      { name = of.step, member = name .. "_pace[1]" },
      { struct = ("quern_ahead_%dx%d"):format(wanted.kinds, of.of.count),
        sizes = { wanted.kinds, of.of.count }, name = of.ahead,
        member = name .. "_ahead" },
    } do table.insert(rows.handed, part) end
  end
end

-- The structs that kernels are handed, as lines: named by their sizes, so that
-- a name means the same in all files of a module.
function M.structs(names)
  local lines, seen = {}, {}
  for _, part in ipairs(names.rows.handed) do
    if part.struct and not seen[part.struct] then
      seen[part.struct] = true
      lines[#lines + 1] = ("struct %s { int32_t of[%d][%d]; };"):format(
        part.struct, part.sizes[1], part.sizes[2])
    end
  end
  return lines
end

-- The lines that a kernel begins with: for each table a function of a slot.
-- `entry(of)` is the text of an entry in rows.own_slot of the thread's row.
function M.lines(names, plan, entry)
  local rows, lines = names.rows, {}
  for _, name in ipairs(plan.strides and plan.strides.tables or {}) do
    local of = rows.strides[name]
    local row = rows.axis[of.of.from]
    for _, line in ipairs {
      ("const unsigned %s = (unsigned)%s[%s];"):format(of.own, of.kind, row),
      ("const index_t %s = %s / %s * %s;"):format(of.from, row, of.every,
        of.step),
      ("const auto %s = [&](int %s) -> index_t {"):format(of.at,
        rows.own_slot),
      ("    return %s < %d ? %s + %s.of[%s][%s]"):format(of.own, of.kinds,
        of.from, of.ahead, of.own, rows.own_slot),
      (" "):rep(#of.own + 15 + #tostring(of.kinds)) .. (": %s;"):format(
        entry(of.of)),
      "};",
    } do lines[#lines + 1] = line end
  end
  return lines
end

-- The launcher's copies of what it hands over.
function M.copies(names)
  local lines = {}
  for _, part in ipairs(names.rows.handed) do
    if part.struct then
      lines[#lines + 1] = ("%s %s;"):format(part.struct, part.name)
      lines[#lines + 1] = ("memcpy(&%s, a->%s, sizeof %s);"):format(part.name,
        part.member, part.name)
    end
  end
  return lines
end

-- Rows of struct quern_mesh_kinds, for `check`.
function M.rows(plan)
  local lines = {}
  for i, name in ipairs(plan.strides and plan.strides.tables or {}) do
    lines[i] = ('{ "%s", a->%s_kind, a->%s_pace[0] },'):format(name, name,
      name)
  end
  return lines
end

return M
