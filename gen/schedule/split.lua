-- Chains in pieces: fused=2x1 makes one kernel of the first two stages, and
-- another of the third. A piece of one stage is that stage's own kernel. Where
-- nobody says it pieces have two stages: what a kernel computes around its
-- points grows with every stage, until two arrays that go through memory cost
-- less (tests/device/RESULTS.md).

local lists = require "gen.list"

local M = {}

local SUM = "%s: fused=%s: %s has %d stages, the pieces have %d"
local WANTED =
  "%s: fused=%s: wanted how many stages each piece has, such as %s"
local PREPARED = "%s: fused=%s: a piece in the shape %s is prepared "
  .. "beforehand, which only whole chains are"

-- "2x1" -> { 2, 1 }, or nil.
local function sizes(text)
  local list = {}
  for part in (text .. "x"):gmatch "(.-)x" do
    local size = tonumber(part:match "^[1-9]%d?%d?$")
    if not size then return nil end
    list[#list + 1] = size
  end
  return list
end

-- The ways to cut a chain, as texts: that in one piece first, stage by stage
-- last.
local function cuts(count)
  local list = {}
  local function add(left, text)
    if left == 0 then list[#list + 1] = text end
    for size = left, 1, -1 do
      add(left - size, (text == "" and "%s%d" or "%sx%d"):format(text, size))
    end
  end
  add(count, "")
  return list
end

-- "2x1", how a shape cuts a chain where nobody says it; nil: it does not.
function M.default(kernel, shape)
  local count = kernel.chain and not kernel.why and not shape.whole
    and #kernel.stages or 0
  if count < 3 then return nil end
  return ("2x"):rep(count // 2 - 1) .. (count % 2 == 0 and "2" or "2x1")
end

-- The kernel of some stages of a chain.
local function piece_of(lowered, kernel, first, last)
  if first == last then
    return lists.find(lowered.kernels, "name", kernel.stages[first])
  end
  return lists.find(lowered.pieces, "name", ("%s_%dto%d"):format(kernel.name,
    first, last))
end

-- The kernels that params.fused asks for and the params without it, or nil, nil
-- and a sentence; one kernel, the chain, where it asks for all stages.
function M.pieces(name, fused, params, lowered, kernel)
  local list, total, whole = sizes(fused), 0, lists.copy(params)
  whole.fused = nil
  if not list then
    return nil, nil, WANTED:format(name, fused, cuts(#kernel.stages)[2])
  end
  local pieces = {}
  for i, size in ipairs(list) do
    pieces[i] = total + size <= #kernel.stages
      and (size == #kernel.stages and kernel
        or piece_of(lowered, kernel, total + 1, total + size)) or nil
    total = total + size
  end
  if total ~= #kernel.stages then
    return nil, nil, SUM:format(name, fused, kernel.name,
      #kernel.stages, total)
  end
  for _, piece in ipairs(pieces) do
    if piece.why then
      return nil, nil, ("%s: fused=%s: %s"):format(name, fused, piece.why)
    end
  end
  return pieces, whole
end

-- What pieces hand on to others, by buffer: what they store and the chain as a
-- whole does not.
local function handed_between(list, block)
  local handed = {}
  for _, piece in ipairs(list) do
    for _, store in ipairs(piece.block.stores) do
      handed[store.buffer] = { read = true, written = true, handed = true }
    end
  end
  for _, store in ipairs(block.stores) do handed[store.buffer] = nil end
  return handed
end

-- The plan that launches the plans of pieces; or nil and a sentence.
function M.plan(name, fused, lowered, kernel, block, list)
  local notes = {}
  for i, piece in ipairs(list) do
    if piece.prepares then
      return nil, PREPARED:format(name, fused, piece.shape)
    end
    notes[i] = ("piece %d    %s"):format(i, piece.name)
  end
  local first = list[1].kernel.chain and list[1] or list[2]
  local own = first.name:sub(#lowered.instance + #first.kernel.name + 3)
  return { name = ("%s_%s_%s_fused%s"):format(lowered.instance, kernel.name,
      own, fused), template = "split", view = "split", notes = notes,
    helpers = list, tile = first.tile, threads = first.threads,
    pieces = fused, also = handed_between(list, block) }
end

-- The ways that are tried: what is `asked` for, else all, first the default.
local function tried(kernel, shape, asked)
  if not kernel.chain or kernel.why then return {} end
  if asked or shape.whole then return { asked or tostring(#kernel.stages) } end
  local default, list = M.default(kernel, shape), {}
  for _, fused in ipairs(cuts(#kernel.stages)) do
    table.insert(list, fused == default and 1 or #list + 1, fused)
  end
  return list
end

-- How a chain may be cut, for `quern list`: as settings of shapes are, of
-- texts; nil where it is not.
function M.setting(kernel, shape)
  if not kernel.chain or #kernel.stages < 2 then return nil end
  local choices = {}
  for i, fused in ipairs(tried(kernel, shape)) do choices[i] = { fused } end
  return { name = "fused", bounds = "stages of pieces", choices = choices,
    default = { M.default(kernel, shape) or tostring(#kernel.stages) } }
end

-- Each combination of params with each way to cut the chain. Where a shape has
-- none for the whole, it may do for pieces as it is `given`.
function M.combinations(all, given, kernel, shape, asked)
  local ways, list = tried(kernel, shape, asked), {}
  if #ways == 0 then return all end
  for _, fused in ipairs(ways) do
    local whole = fused == tostring(#kernel.stages)
    for _, params in ipairs(not whole and #all == 0 and { given } or all) do
      local more = lists.copy(params)
      more.fused = fused
      list[#list + 1] = more
    end
  end
  return list
end

return M
