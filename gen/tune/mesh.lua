-- The mesh that tuning is about: what quern-run is told of it, of which pattern
-- it is, how many points it has, and on which candidates are validated.

local lists = require "gen.list"
local meshed = require "gen.command.meshed"
local shell = require "gen.shell"
local sizes = require "gen.command.sizes"

local M = {}

-- Of each kind that is made, one that cuts tiles and is soon validated.
local SMALL = { torus = "torus:70x64", plane = "plane:70x64",
                icosahedron = "icosahedron:R2B3" }

-- What meshes whose numbering is alike have in common: the kind of those that
-- are made, the name of the file of others; nil without a mesh.
function M.pattern(options)
  local text = options.mesh
  local kind = text and text:match("^(%a+):")
  return SMALL[kind] and kind or text and text:match("[^/]+")
    and text:gsub("/+$", ""):match("[^/]+$")
end

-- What a folder says of it: { mesh, check_mesh, pattern }, for the keys of
-- tune.json; a file is carried along, so that a run finds it anywhere. Empty
-- without a mesh. nil and a text where it cannot be copied.
function M.carry(options, folder)
  local pattern = M.pattern(options)
  if not pattern then return {} end
  if SMALL[pattern] then
    return { mesh = options.mesh, check_mesh = SMALL[pattern],
      pattern = pattern }
  end
  local to = shell.quote(folder .. "/mesh")
  local well, text = shell.run(("mkdir -p %s && rm -rf %s && cp -RL %s %s")
    :format(shell.quote(folder), to, shell.quote(sizes.mesh(options)), to))
  if not well then return nil, "quern: " .. text end
  return { mesh = "mesh", check_mesh = "mesh", pattern = pattern }
end

-- The extents of the module's axes, those of the mesh in the place of `size`'s;
-- nil and a sentence where there is no such mesh.
function M.size(options, lowered, size)
  if not options.mesh then return size end
  local answer, _, problem = meshed.ask(options, {})
  if not answer then return nil, problem end
  local extents = lists.copy(size)
  for i, axis in ipairs(lowered.axes) do
    extents[i] = math.tointeger(answer.extents[axis]) or size[i]
  end
  return extents
end

return M
