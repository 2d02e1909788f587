-- What came of requests: which applied somewhere, and why others did not.

local diag = require "gen.diag"

local M = {}

-- Notes in `outcome` whether a request applied, and each kernel and region
-- where it did not, with the reason.
function M.note(outcome, request, made, why, kernel, region)
  local noted = outcome[request] or { refusals = {} }
  noted.applies = noted.applies or made ~= nil
  if why then
    table.insert(noted.refusals, { why = why, kernel = kernel.name,
      region = region })
  end
  outcome[request] = noted
end

-- Does the sentence say itself where it is so, or is it about the request
-- alone?
local function says_where(refusal)
  local why = refusal.why
  return why:find("kernel " .. refusal.kernel, 1, true)
    or why:find("no param '", 1, true) or why:find(": wanted ", 1, true)
end

-- { { why, the refusals for that reason.. }.. }, as they came.
local function by_reason(refusals)
  local list, of = {}, {}
  for _, refusal in ipairs(refusals) do
    if not of[refusal.why] then
      of[refusal.why] = { why = refusal.why }
      list[#list + 1] = of[refusal.why]
    end
    table.insert(of[refusal.why], refusal)
  end
  return list
end

-- "kernels a, b", or "kernel a, region r; kernel b" where regions are asked.
local function places_of(refusals)
  local whole, places = {}, {}
  for i, refusal in ipairs(refusals) do
    whole[#whole + 1] = not refusal.region and refusal.kernel or nil
    places[i] = ("kernel %s%s"):format(refusal.kernel,
      refusal.region and ", region " .. refusal.region or "")
  end
  return #whole == #refusals and #whole > 1
    and "kernels " .. table.concat(whole, ", ") or table.concat(places, "; ")
end

-- The reasons why a request did not apply, each once; of several kernels or
-- regions, in which of them.
local function reasons_of(noted, kernels)
  local single = #kernels == 1 and #kernels[1].blocks < 2
  local list = by_reason(noted.refusals)
  for i, reason in ipairs(list) do
    list[i] = (single or says_where(reason[1])) and reason.why
      or ("%s (%s)"):format(reason.why, places_of(reason))
  end
  return list
end

-- The requests that applied nowhere, as diagnostics; the default shape is a
-- request too.
function M.failures(outcome, requests, kernels)
  local list = {}
  for _, request in ipairs(requests) do
    local noted = outcome[request]
    if noted and not noted.applies then
      for _, reason in ipairs(reasons_of(noted, kernels)) do
        list[#list + 1] = diag.new(nil, "%s", reason)
      end
    end
  end
  return list
end

return M
