-- The `quern` command: finds the modules, reads the command line, runs one
-- subcommand and turns its outcome into an exit code.
--
--   0 well                        1 the spec or its data is at fault
--   2 the command line or the output place is at fault
--   3 a kernel is wrong, the device failed, or a tool is missing or fails
--   4 a bug in Quern

local root = arg[0]:match("^(.*)/gen/main%.lua$") or "."
package.path = root .. "/?.lua;" .. package.path

local function complain(text)
  io.stderr:write(text, text:sub(-1) == "\n" and "" or "\n")
end

local lost                      -- why a line could not be written, or nil

-- Lua's own does not look.
rawset(_G, "print", function(...)
  local words = table.pack(...)
  for i = 1, words.n do words[i] = tostring(words[i]) end
  local file, why = io.write(table.concat(words, "\t"), "\n")
  if file then file, why = file:flush() end
  lost = lost or not file and why
end)

-- Says which library is missing, in one sentence, before anything needs it.
local function libraries_missing()
  local missing = {}
  for _, library in ipairs { { "lpeg", "lua-lpeg" },
      { "argparse", "lua-argparse" }, { "lfs", "lua-filesystem" } } do
    if not pcall(require, library[1]) then
      missing[#missing + 1] = library[2]
    end
  end
  if #missing == 0 then return nil end
  local names = table.concat(missing, " ")
  return ("quern: needs %s; on Debian: apt-get install %s")
    :format(table.concat(missing, ", "), names)
end

local function main()
  local missing = libraries_missing()
  if missing then
    complain(missing)
    return 3
  end
  local options, message = require("gen.command.arguments").read(arg, root)
  if not options then
    complain("quern: " .. message)
    return 2
  end
  local status, text = require("gen.command." .. options.command).run(options)
  if text then complain(text) end
  return status
end

local finished, status = xpcall(main, debug.traceback)
if not finished then
  complain("quern: this is a bug in Quern\n" .. tostring(status))
  status = 4
end
if lost then
  complain("quern: what it says cannot be written: " .. lost)
  status = status == 0 and 2 or status
end
os.exit(status, true)
