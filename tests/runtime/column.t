#!/usr/bin/env lua5.4
-- Columns: the kernels of specs/column.lua give the bits of a loop written by
-- hand, in both orders in memory, on the CPU and as GPU kernels, and mistakes
-- planted in their texts are seen.
package.path = "./?.lua;" .. package.path
local compile = require "gen.compile"
local driver = require "gen.driver"
local quern = require "tests.quern"
require "tests.widths"

local LONG = os.getenv "QUERN_LONG" == "1"
local folder, number, failed = quern.folder(), 0, false
local program = folder .. "/column"

local function ok(well, name, why)
  number, failed = number + 1, failed or not well
  print(("%s %d - %s"):format(well and "ok" or "not ok", number, name))
  if why and why ~= "" then print("# " .. why:gsub("\n$", ""):gsub("\n", "\n# ")) end
end

local function run(command)
  local code, text, complaint = quern.shell(command)
  return code == 0, text .. complaint
end

local function texts(backend, order)
  return assert(driver.run { root = quern.root, spec = "specs/column.lua", set = { order = order },
    shapes = {}, backend = backend, fp = "unfused", arch = "", out = folder,
    stop_after = "emit" }).files
end

local FLAGS = "-O0 -fexpensive-optimizations -march=native -ffp-contract=off -fopenmp -fPIC -Iruntime "
local objects, count = {}, 0            -- by text, so that each is made once

local function object(file)
  if not objects[file.text] then
    count = count + 1
    objects[file.text] = ("%s/%d.o"):format(folder, count)
    local well, why = run(("gcc -std=c11 %s -c %s/%s -o %s"):format(FLAGS, folder, file.path,
      objects[file.text]))
    assert(well, why)
  end
  return objects[file.text]
end

local function linked(files, backend)
  if backend == "simt" then
    return assert(compile.module(files, { root = quern.root, backend = backend, fp = "unfused", arch = "",
      out = folder, detect = true, bits = 64 }))
  end
  local list, module = {}, folder .. "/module.so"
  for _, file in ipairs(files) do
    if not file.path:find "%.h$" then list[#list + 1] = object(file) end
  end
  os.remove(module)
  local well, why = run(("gcc -shared -fopenmp -Wl,-Bsymbolic %s -o %s"):format(
    table.concat(list, " "), module))
  assert(well, why)
  return module
end

-- Makes a change in the files of that name, everywhere in them; it must apply.
local function changed(files, mistake)
  local list, found = {}, 0
  for i, file in ipairs(files) do
    local text = file.text
    if file.path:find(mistake.file) then
      local times
      text, times = text:gsub(mistake.from, mistake.to)
      found = found + times
    end
    list[i] = { path = file.path, text = text }
  end
  assert(found > 0, mistake.what .. ": nothing to change")
  return list
end

local function tried(backend, order, mistake)
  local files = texts(backend, order)
  if mistake then files = changed(files, mistake) end
  for _, file in ipairs(files) do
    quern.write(folder .. "/" .. file.path, file.text)
  end
  return run(("QUERN_RUNTIME=out/runtime %s %s %s %s"):format(program, linked(files, backend),
    backend == "c" and "cpu" or backend, order))
end

local MISTAKES = {
  c = {
    { what = "a sweep goes down, not up", file = "eliminate_between", from = "k = tile%->lower%[(%d)%]; k < "
      .. "tile%->upper%[%d%]; k%+%+", to = "k = tile->upper[%1] - 1; k >= tile->lower[%1]; k--" },
    { what = "pieces in the wrong order", file = "module", from = "&place%[pieces %- 1 %- piece%]",
      to = "&place[piece]" },
    { what = "the lid is left out", file = "module",
      from = "error = [%w_]+_eliminate_lid_[%w_]+_range_launch%([^;]+;", to = "error = 0;" },
    { what = "what is carried is a level old", file = "eliminate_between",
      from = "c_km1 = c_new;", to = "", order = "kxy" },
    { what = "what is carried is another column's", file = "substitute_between",
      from = "u%[first %+ x %* u_x", to = "u[first + tile->lower[1] * u_x", order = "kxy" },
    { what = "temporaries lie in each other", file = "module",
      from = "begin %+= quern_bytes", to = "begin += 0 * quern_bytes", says = "c and d overlap" },
  },
  simt = {
    { what = "what is carried is a level old", file = "eliminate_between",
      from = "d_km1 = d_new;", to = "" },
    { what = "the first level carries another column's", file = "substitute_between",
      from = "u%[x %+ y %* u_y %+ first", to = "u[x_begin + y * u_y + first" },
  },
}

local made, why = run(("gcc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Wconversion -Iruntime "
  .. "tests/runtime/column.c out/runtime/libquern.a -o %s -ldl -lm -lpthread -fopenmp"):format(program))
ok(made, "the loop by hand compiles", why)
for _, backend in ipairs { "c", "simt" } do
  os.execute(("mkdir -p '%s/%s'"):format(folder, backend))
  for _, order in ipairs { "xyk", "kxy" } do
    if LONG or backend == "c" or order == "xyk" then
      local well, text = tried(backend, order)
      ok(well, ("%s, %s: the bits of a loop by hand"):format(backend, order), text)
    end
  end
  for _, mistake in ipairs(MISTAKES[backend]) do
    local well, text = tried(backend, mistake.order or "xyk", mistake)
    ok(not well and text:find(mistake.says or "^other bits than by hand"), ("%s: seen: %s"):format(backend,
      mistake.what), text)
  end
end
quern.remove(folder)
print("1.." .. number)
os.exit(not failed, true)
