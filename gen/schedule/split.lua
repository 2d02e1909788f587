-- Chains in pieces: fused=2x1 makes one kernel of the first two stages, and
-- another of the third. A piece of one stage is that stage's own kernel.

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

-- The ways to cut a chain in which some piece has several stages, as texts:
-- that in one piece first.
local function cuts(count)
  local list = {}
  local function add(left, text, several)
    if left == 0 and several then list[#list + 1] = text end
    for size = left, 1, -1 do
      add(left - size, (text == "" and "%s%d" or "%sx%d"):format(text, size),
        several or size > 1)
    end
  end
  add(count, "", false)
  return list
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
function M.pieces(name, params, lowered, kernel)
  local list, total, whole = sizes(params.fused), 0, lists.copy(params)
  whole.fused = nil
  if not list then
    return nil, nil, WANTED:format(name, params.fused,
      cuts(#kernel.stages)[2] or tostring(#kernel.stages))
  end
  local pieces = {}
  for i, size in ipairs(list) do
    pieces[i] = total + size <= #kernel.stages
      and (size == #kernel.stages and kernel
        or piece_of(lowered, kernel, total + 1, total + size)) or nil
    total = total + size
  end
  if total ~= #kernel.stages then
    return nil, nil, SUM:format(name, params.fused, kernel.name,
      #kernel.stages, total)
  end
  for _, piece in ipairs(pieces) do
    if piece.why then
      return nil, nil, ("%s: fused=%s: %s"):format(name, params.fused,
        piece.why)
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
function M.plan(name, params, lowered, kernel, block, list)
  local notes = {}
  for i, piece in ipairs(list) do
    if piece.prepares then
      return nil, PREPARED:format(name, params.fused, piece.shape)
    end
    notes[i] = ("piece %d    %s"):format(i, piece.name)
  end
  local first = list[1].kernel.chain and list[1] or list[2]
  local own = first.name:sub(#lowered.instance + #first.kernel.name + 3)
  return { name = ("%s_%s_%s_fused%s"):format(lowered.instance, kernel.name,
      own, params.fused), template = "split", view = "split", notes = notes,
    helpers = list, tile = first.tile, threads = first.threads,
    pieces = params.fused, also = handed_between(list, block) }
end

-- "fused=3", what a chain that can be cut is where nobody says it; else nil.
function M.default(kernel)
  local stages = kernel.chain and kernel.stages or {}
  return #stages > 2 and ("fused=%d"):format(#stages) or nil
end

-- Each combination of params with each way to cut the chain, or the one that is
-- `asked` for: first those of the whole chain. Where a shape has none for the
-- whole, it may do for pieces as it is `given`.
function M.combinations(all, given, kernel, asked)
  local stages = kernel.chain and kernel.stages or {}
  local wanted = asked and { asked } or #stages > 2 and cuts(#stages) or {}
  if #wanted == 0 then return all end
  local list = {}
  for i, fused in ipairs(wanted) do
    local whole = not asked and i == 1
    for _, params in ipairs(not whole and #all == 0 and { given } or all) do
      local more = lists.copy(params)
      more.fused = not whole and fused or nil
      list[#list + 1] = more
    end
  end
  return list
end

return M
