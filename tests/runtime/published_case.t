#!/usr/bin/env lua5.4
-- The published case: its numbers come out of a program written by hand (and
-- so are understood).
dofile "tests/helper.lua"
local quern = require "tests.quern"

local long = os.getenv "QUERN_LONG" == "1"
local WANTED = {
  [300] = { min = -267.5157, max = 123.2804, l2 = 34119.753, within = 1e-5 },
  [1000] = { min = -0.178076, max = 0.114176, l2 = 24.98555, within = 2e-3 },
}

local folder = quern.folder()
local tests = 0

local function ok(well, name, why)
  tests = tests + 1
  print(("%s %d - %s"):format(well and "ok" or "not ok", tests, name))
  if not well and why then print("# " .. why:gsub("\n", "\n# ")) end
  return well
end

local function run(command)
  local code, text, complaint = quern.shell(command, quern.root)
  return code == 0 and text or nil, complaint
end

-- "min max l2" against the published numbers.
local function check(name, steps, text, complaint)
  local wanted, found = WANTED[steps], {}
  for word in (text or ""):gmatch("%S+") do
    found[#found + 1] = tonumber(word)
  end
  for i, key in ipairs { "min", "max", "l2" } do
    local value, goal = found[i], wanted[key]
    local close = value and math.abs(value - goal) <= wanted.within * math.abs(goal)
    ok(close, ("%s, %d steps: %s is %s"):format(name, steps, key, goal),
      ("found %s %s"):format(value, complaint or ""))
  end
end

local FLAGS = "-std=c11 -O2 -march=native -Itests/runtime"

local function by_hand(type)
  local program = folder .. "/by_hand_" .. type
  local built, why = run(("%s %s -DREAL=%s tests/runtime/published_case.c -o %s -lm")
    :format(os.getenv "CC" or "gcc", FLAGS, type, program))
  if not ok(built, "the program by hand compiles, " .. type, why) then return end
  for _, steps in ipairs(long and { 300, 1000 } or { 300 }) do
    check("by hand, " .. type, steps,
      run(("%s %d %s/%s_%d"):format(program, steps, folder, type, steps)))
  end
end

by_hand "float"
by_hand "double"

print("1.." .. tests)
quern.remove(folder)
