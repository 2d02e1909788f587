#!/usr/bin/env lua5.4
-- Writes a source into the folder arg[1] that has all files of libquern in it
-- which can be compiled together, and prints the paths of what is to be compiled.
package.path = "./?.lua;" .. package.path
local joined = require "gen.c.joined"
local quern = require "tests.quern"

-- The text, and its enumerators in a form that `joined` takes for names.
local function with_names(text)
  local lines = { text }
  for body in text:gsub("/%*.-%*/", ""):gmatch "\nenum {(.-)}" do
    for name in body:gmatch "%f[%w]%u[%u%d_]+" do lines[#lines + 1] = "typedef int " .. name .. ";" end
  end
  return table.concat(lines, "\n")
end

local files, paths = {}, {}
for path in io.popen("ls runtime/*.c | grep -v /run"):lines() do
  files[#files + 1] = { path = path, text = with_names(quern.read(path)) }
end
local all, names = joined.files(files)
quern.write(arg[1] .. "/" .. names[1], all[#all].text)
for i = 2, #names do paths[i - 1] = "runtime/" .. names[i] end
print(arg[1] .. "/" .. names[1] .. " " .. table.concat(paths, " "))
