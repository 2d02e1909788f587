-- Builds the program that compares generated kernels with loops by hand, both
-- compiled with one set of flags, and runs it:
--
--     lua5.4 tests/bench/by_hand.lua SECONDS [MOST]
package.path = "./?.lua;" .. package.path

local compile = require "gen.compile"
local diag = require "gen.diag"
local driver = require "gen.driver"
local output = require "gen.output"
local shell = require "gen.shell"

local SPECS = { "heat", "acoustic_iso", "elastic" }
local OUT = "out/bench"
local WARNINGS = { "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wstrict-prototypes" }

local function stop(problem)
  io.stderr:write(problem)
  os.exit(1)
end

local function options_of(spec)
  local root = io.popen("pwd -P"):read("l")
  return { root = root, spec = "specs/" .. spec .. ".lua", set = {}, backend = "c",
           fp = "strict", arch = "sm_90", out = root .. "/" .. OUT }
end

-- The path of the spec's module; its header is then in OUT.
local function module_of(spec)
  local options = options_of(spec)
  local state, problems = driver.run(options)
  if not state then stop(diag.format(problems)) end
  local written
  written, problems = output.write(state.files, options, state.decls.sources)
  if not written then stop(diag.format(problems)) end
  local path, problem = compile.module(state.files, options)
  return path or stop(problem)
end

local function program()
  local words = compile.flags(options_of "heat")
  table.move(WARNINGS, 1, #WARNINGS, #words + 1, words)
  for _, word in ipairs { "-I" .. OUT .. "/c", "-o", OUT .. "/by_hand" } do
    words[#words + 1] = word
  end
  for _, name in ipairs { "bench", "arrays", "heat", "acoustic", "elastic" } do
    words[#words + 1] = "tests/bench/" .. name .. ".c"
  end
  words[#words + 1] = "-ldl"
  words[#words + 1] = "-lm"
  local well, problem = shell.run(shell.command(os.getenv "CC" or "gcc", words))
  return well and OUT .. "/by_hand" or stop(problem)
end

local command = { arg[1] or "1", arg[2] or "0" }
for _, spec in ipairs(SPECS) do command[#command + 1] = module_of(spec) end
local well = os.execute(shell.command(program(), command))
os.exit(well or 1)
