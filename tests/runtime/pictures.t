#!/usr/bin/env lua5.4
-- The pictures of specifications are what their kernels draw: two of them here,
-- all in the long tests; and the README shows each.
package.path = "./?.lua;" .. package.path
local quern = require "tests.quern"
local shell = require "gen.shell"

local LONG = os.getenv "QUERN_LONG" == "1"
local KEPT = "specs/pictures"
local folder = quern.folder()
local number = 0

local function ok(well, name, why)
  number = number + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if not well and why then print("# " .. tostring(why):gsub("\n", "\n# ")) end
end

local function lines(command)
  local list = {}
  for line in io.popen(command):lines() do list[#list + 1] = line end
  return list
end

-- The mean difference of two pictures' colours, and how far the first one's are
-- from their mean.
local function compare(first, second)
  local _, output = shell.run(shell.command("out/pictures/picture", { "compare", first, second }))
  local difference, contrast = output:match "^(%S+) (%S+)\n$"
  return tonumber(difference), tonumber(contrast)
end

local kept = lines("cd " .. KEPT .. " && ls *.png")
local drawn = LONG and "" or " heat shallow_water"
local well, output = shell.run(("make -s all && '%s' tests/pictures/make.lua %s%s")
  :format(os.getenv "LUA" or "lua5.4", folder, drawn))
ok(well, "pictures are drawn", output)

local readme = quern.read "README.md"
for _, name in ipairs(lines("cd specs && ls *.lua")) do
  local path = ("%s/%s.png"):format(KEPT, name:match "^(.*)%.lua$")
  ok(readme:find(("](specs/%s)"):format(name), 1, true) ~= nil, name .. " is in the README")
  ok(readme:find(('<img src="%s"'):format(path), 1, true) ~= nil and io.open(path) ~= nil,
    path .. " is there and in the README")
end
for _, name in ipairs(lines("cd " .. folder .. " && ls")) do
  local difference, contrast = compare(folder .. "/" .. name, KEPT .. "/" .. name)
  ok(difference < 1, name .. " is as it was", difference)
  ok(contrast > 20, name .. " is not blank", contrast)
end
ok(#lines("ls " .. folder) == (LONG and #kept or 2), "and these are all")
ok(compare(KEPT .. "/heat.png", KEPT .. "/shallow_water.png") > 50, "others differ")
print("1.." .. number)
quern.remove(folder)
