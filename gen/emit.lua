-- From plans to the texts of all files of an instance.

local check = require "gen.emit.check"
local header = require "gen.emit.header"
local headers = require "gen.headers"
local helpers = require "gen.schedule.helpers"
local kernel_view = require "gen.emit.kernel"
local lists = require "gen.list"
local module = require "gen.emit.module"
local template = require "gen.template"
local temporaries = require "gen.emit.temporaries"

local M = {}

-- The shapes that copy ahead.
local ASYNC = { st_tma = true, temporal = true }
local EXTENSION = { cuda = "cu", simt = "cu", c = "c", reference = "c" }

-- A plan's values: gen/emit/<shape>.lua knows them, or <view>.lua.
local function kernel_text(plan, lowered, options)
  local view = require("gen.emit." .. (plan.view or plan.shape)).view
  local values = view(plan, lowered, options)
  return template.render(plan.template, values)
end

-- The text of a header that all instances share.
local function shared_text(name, options)
  local file = assert(io.open((options.root or ".") .. "/" .. headers[name],
    "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function shared_names(plans, lowered)
  local names = { "quern_abi.h", "quern_launch.h" }
  if kernel_view.uses_types(lowered.fields) then
    names[#names + 1] = "quern_types.h"
  end
  if kernel_view.uses_mesh(plans) then names[#names + 1] = "quern_mesh.h" end
  if lists.any(plans, "tiling") then names[#names + 1] = "quern_tiles.h" end
  if lists.any(plans, "shares") then names[#names + 1] = "quern_requests.h" end
  local async, vectors = false, false
  for _, plan in ipairs(plans) do
    local wide = (plan.vec or 1) > 1
    vectors = vectors or wide
    async = async or wide or ASYNC[plan.shape] or plan.tiling
      or (plan.stages or 0) > 0
  end
  if lists.any(plans, "turned") then names[#names + 1] = "quern_turned.h" end
  if async then lists.append(names, { "quern_async.h", "quern_steps.h" }) end
  if vectors then names[#names + 1] = "quern_vector.h" end
  local together = lists.find(plans, "view", "together")
  if together then names[#names + 1] = "quern_together.h" end
  if async or together then names[#names + 1] = "quern_boxes.h" end
  return names
end

-- What plans put into the workspace before they are launched lies there one
-- after the other, behind the temporaries: each begins where the one before
-- ends, plan.behind, a text.
local function chain_workspaces(plans, lowered)
  local behind = temporaries.of_module(lowered)[1]
    and temporaries.functions(lowered).workspace .. "(a)" or "0"
  for _, plan in ipairs(plans) do
    if plan.prepares then
      plan.behind, behind = behind, plan.name .. "_workspace(a)"
    end
  end
end

-- { { path = "cuda/<name>.cu", text }.. } sorted by path, or nil and
-- diagnostics; of the plans asked for and those that these launch.
function M.render(asked, lowered, options)
  local plans = helpers.all(asked)
  local problems = check.problems(plans, lowered)
  if #problems > 0 then return nil, problems end
  chain_workspaces(plans, lowered)
  local files = {}
  local function add(name, text)
    files[#files + 1] = { path = options.backend .. "/" .. name, text = text }
  end
  for _, plan in ipairs(plans) do
    add(plan.name .. "." .. EXTENSION[options.backend],
      kernel_text(plan, lowered, options))
  end
  add(lowered.instance .. ".h",
    template.render("header.h", header.view(plans, lowered, options)))
  add(lowered.instance .. "_module.c",
    template.render("module.c", module.view(plans, lowered, options)))
  for _, name in ipairs(shared_names(plans, lowered)) do
    add(name, shared_text(name, options))
  end
  table.sort(files, function(a, b) return a.path < b.path end)
  return files
end

return M
