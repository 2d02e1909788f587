-- What came of requests: which applied somewhere, and why others did not.

local diag = require "gen.diag"

local M = {}

-- Notes in `outcome` whether a request applied, and the first kernel and region
-- where it did not, with the reason.
function M.note(outcome, request, made, why, kernel, region)
  local noted = outcome[request] or {}
  noted.applies = noted.applies or made ~= nil
  if why and not noted.why then
    noted.why, noted.kernel, noted.region = why, kernel.name, region
  end
  outcome[request] = noted
end

-- Why a request did not apply; of several kernels or regions, in which of them,
-- unless the sentence says so itself or is about the request alone.
local function reason_of(noted, kernels)
  local single = #kernels == 1 and #kernels[1].blocks < 2
  local said = noted.why:find("kernel " .. noted.kernel, 1, true)
    or noted.why:find("no param '", 1, true)
    or noted.why:find(": wanted ", 1, true)
  if single or said then return noted.why end
  return ("%s (kernel %s%s)"):format(noted.why, noted.kernel,
    noted.region and ", region " .. noted.region or "")
end

-- The requests that applied nowhere, as diagnostics; the default shape is a
-- request too.
function M.failures(outcome, requests, kernels)
  local list = {}
  for _, request in ipairs(requests) do
    local noted = outcome[request]
    if noted and not noted.applies then
      list[#list + 1] = diag.new(nil, "%s", reason_of(noted, kernels))
    end
  end
  return list
end

return M
