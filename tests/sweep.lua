-- Validates specifications against the reference at sizes that break tilings,
-- and prints TAP: one line for each specification, params and kernel.

local check = require "gen.command.check"
local lists = require "gen.list"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local runner = require "gen.runner"
local sides = require "gen.command.sides"
local sizes = require "gen.command.sizes"
require "tests.widths"

local M = {}

-- Outside the long sweeps kernels see few sizes.
local LONG = os.getenv("QUERN_LONG") and os.getenv("QUERN_LONG") ~= ""
local LENGTHS = LONG and { 1, 7, 13, 17, 33, 63, 65, 130 } or { 1, 7, 13, 17, 33, 130 }
local SMALL = { 3, 4, 5, 3 }
local EVEN = { 64, 8, 4, 4 }
local SHARE = 6         -- cases that one process of a long sweep tries

-- Each length on each axis once, and no point there, the others small; then one
-- point, extents below any radius, and a box that tiles evenly.
-- (`few`: each length on one axis, in turn, and one beyond a block on each.)
local function sizes_for(rank, few)
  local list = {}
  for axis = 1, rank do
    for i = few and axis or 1, #LENGTHS, few and rank or 1 do
      local size = table.move(SMALL, 1, rank, 1, {})
      size[axis] = LENGTHS[i]
      list[#list + 1] = size
    end
    list[#list + 1] = table.move(SMALL, 1, rank, 1, {})
    list[#list][axis] = 0
    if few then
      list[#list + 1] = table.move(SMALL, 1, rank, 1, {})
      list[#list][axis] = 65
    end
  end
  for _, length in ipairs { 1, 2 } do
    local size = {}
    for axis = 1, rank do size[axis] = length end
    list[#list + 1] = size
  end
  list[#list + 1] = table.move(EVEN, 1, rank, 1, {})
  return list
end

local function label(case)
  local words = { case.spec:match("([^/]+)%.lua$") }
  for _, setting in ipairs(case) do words[#words + 1] = setting end
  return table.concat(words, " ")
end

-- Small arrays never need kernels with offsets of 64 bits: every second case has
-- these, and those of 32 bits are the others'.
local function options_for(case, backend, number)
  local set = {}
  for _, setting in ipairs(case) do
    local name, value = setting:match("^(%w+)=(.*)$")
    set[name] = value
  end
  return { root = quern.root, spec = case.spec, set = set, shapes = case.shapes or {}, kernels = case.kernels,
           backend = backend, fp = "strict", arch = "sm_90", out = "out/check",
           device = 0, seed = 1, detect = backend == "simt", bits = number % 2 == 1 and 32 or 64 }
end

-- Launches on a part of the domain: some points, and none along each axis.
local function ranges_for(rank)
  local part = table.move({ { 2, 31 }, { 1, 6 }, { 3, 4 }, { 0, 2 } }, 1, rank, 1, {})
  local list = { part }
  for axis = 1, rank do
    local empty = table.move(part, 1, rank, 1, {})
    empty[axis] = { 2, 2 }
    list[#list + 1] = empty
  end
  return list
end

local function range_requests(made, options, rank)
  local requests = {}
  local size = table.move({ 33, 7, 5, 3 }, 1, rank, 1, {})
  for _, range in ipairs(ranges_for(rank)) do
    for _, request in ipairs(check.requests(made, { size }, options)) do
      request.range = range
      requests[#requests + 1] = request
    end
  end
  return requests
end

-- Appends the requests of one case; gives nil and a text when there are none.
local function add_requests(requests, case, backend, number)
  local options = options_for(case, backend, number)
  local made, _, problem = modules.make(options)
  if not made then return nil, problem end
  local rank = #made.state.lowered.axes
  local list = sizes_for(rank, case.few or not LONG)
  if case.multiple then lists.append(list, sizes.fitting(list, made.state.lowered)) end
  local all = lists.append(check.requests(made, list, options), range_requests(made, options, rank))
  local blocks = check.blocks(all, made.state.plans)
  for i, sent in ipairs(all) do
    requests[#requests + 1] = { case = case, sent = sent, block = blocks[i] }
  end
  return true
end

local UNFIT = { "this kernel reads %d+ points beyond the %a+ face, its %a+ image has %d+ ",
                "the extent along %a+ is %d+, this kernel needs at least %d+",
                "%w+: it is periodic along %a+, where its colours need an extent that is a multiple" }

local function unfit(case, size)
  for _, extent in ipairs(size) do
    if extent < (case.least or 0) or extent % (case.multiple or 1) ~= 0 then return true end
  end
  return false
end

-- Is it right that a kernel did not run? Below the least extent of its case an
-- image is too small for what it reads, or levels are too few; around a ring
-- colours go on at multiples only.
local function rightly_refused(case, request, answer)
  if answer.status ~= "refused" or not unfit(case, request.size) then return false end
  for _, sentence in ipairs(UNFIT) do
    if answer.problem:find(sentence) then return true end
  end
end

-- What went wrong with one kernel of a case at its worst, or nil.
local function fault(case, request, answer)
  if answer.status == "ok" or rightly_refused(case, request, answer) then return nil end
  return ("# %s at %s: %s"):format(request.kernel, table.concat(request.size, "x"),
    answer.problem or answer.status)
end

-- A kernel that had no point at any size was not tried at all; where extents
-- are too small it has to say so.
local function untried(case, points, refused)
  local faults = {}
  for _, kernel in ipairs(points) do
    if points[kernel] == 0 then faults[#faults + 1] = "# " .. kernel .. " had no point at any size" end
  end
  if (case.least or case.multiple) and refused == 0 then faults[#faults + 1] = "# nothing was refused" end
  return faults
end

-- The line of one case: "ok" where every kernel validated at every size, and
-- branches were taken both ways.
local function report(number, case, requests, answers)
  local count, refused, faults, points = 0, 0, {}, {}
  local names, own = {}, {}
  for i, request in ipairs(requests) do
    if request.case == case then
      local kernel = request.sent.kernel
      count = count + 1
      names[count], own[count] = request.block, answers[i]
      faults[#faults + 1] = fault(case, request.sent, answers[i])
      refused = refused + (answers[i].status == "refused" and 1 or 0)
      if not points[kernel] then points[#points + 1] = kernel end
      points[kernel] = (points[kernel] or 0) + (answers[i].points or 0)
    end
  end
  lists.append(faults, untried(case, points, refused))
  for _, text in ipairs(sides.untaken(names, own)) do
    if not (case.never and text:find(case.never, 1, true)) then faults[#faults + 1] = "# " .. text end
  end
  local well = count > 0 and #faults == 0
  print(("%s - case %d, %s: %d runs agree with the reference")
    :format(well and "ok" or "not ok", number, label(case), count))
  for i = 1, math.min(#faults, 5) do print(faults[i]) end
  return well
end

-- Validates a share of the cases and prints their lines. One quern-run answers
-- all requests. Gives whether all is well.
local function validate(cases, backend, first, last)
  local requests, sent = {}, {}
  for number = first, last do
    local added, problem = add_requests(requests, cases[number], backend, number)
    if not added then print("# " .. problem:gsub("\n", "\n# ")) end
  end
  for i, request in ipairs(requests) do sent[i] = request.sent end
  local answers, problem = runner.run(sent, { root = quern.root, out = "." })
  if not answers then print("# " .. problem:gsub("\n", "\n# ")) end
  local well = true
  for number = first, last do
    well = report(number, cases[number], answers and requests or {}, answers) and well
    io.stdout:flush()
  end
  return well
end

-- The same script once for each share of the cases, a few side by side, as each
-- compiles one module after another. Gives whether all is well.
local function share_out(count)
  return os.execute(("seq 1 %d %d | QUERN_JOBS=1 xargs -n 1 -P %d %s"):format(SHARE, count,
    tonumber(os.getenv "QUERN_JOBS") or 2, arg[0])) == true
end

-- Validates every case and prints TAP; of `arg[1]` on, one share of them. Lines
-- come as shares end, so they have no numbers that prove would want in order.
function M.run(cases, backend)
  local first = tonumber(arg[1])
  local well
  if first then
    well = validate(cases, backend, first, math.min(first + SHARE - 1, #cases))
  else
    print("1.." .. #cases)
    io.stdout:flush()
    if LONG then well = share_out(#cases) else well = validate(cases, backend, 1, #cases) end
  end
  os.exit(well and 0 or 1, true)
end

return M
