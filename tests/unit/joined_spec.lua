-- Sources in C as one: each still has names of its own.

local joined = require "gen.c.joined"
local quern = require "tests.quern"

describe("sources in C as one", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  local HEADER = { path = "c/one.h", text = "#pragma once\nstruct args { int size; };\n"
    .. "int first(struct args a);\nint second(struct args a);\n" }

  -- What `main` of a module gives, compiled from the sources to be compiled.
  local function run(files)
    local all, names = joined.files(files)
    for _, file in ipairs(all) do quern.write(folder .. "/" .. file.path:match "[^/]+$", file.text) end
    local code, _, err = quern.shell("gcc -std=c11 -Wall -Wextra -Werror -o run " .. table.concat(names, " "), folder)
    assert.equal("", err)
    assert.equal(0, code)
    return quern.shell("./run", folder), names
  end

  local function source(name, text) return { path = "c/one_" .. name .. ".c", text = '#include "one.h"\n' .. text } end

  local MAIN = source("module", "static int own(void) { return 1; }\n\nint main(void)\n{\n"
    .. "    struct args a = { 2 };\n    return own() + first(a) + second(a);\n}\n")

  it("each has functions, types and macros of its own", function()
    local text = "#define TIMES %d\nstruct pair { int %s; };\ntypedef %s real;\nstatic inline\n"
      .. "int own(struct pair p)\n"
      .. "{\n    return TIMES * p.%s;\n}\n\nint %s(struct args a)\n{\n    real x = 0.5;\n"
      .. "    struct pair p = { a.size };\n"
      .. "    return own(p) + (x == 0);\n}\n"
    local code, names = run { HEADER, source("first", text:format(10, "left", "int", "left", "first")),
      source("second", text:format(30, "right", "double", "right", "second")), MAIN }
    assert.equal(1 + 20 + 1 + 60, code)
    assert.same({ "all.c" }, names)
  end)

  it("one is compiled alone where a member is called like what it has in common with another", function()
    local text = "static int %s(int n) { return n + 1; }\n\nint %s(struct args a)\n{\n    return %s(a.size);\n}\n"
    local code, names = run { HEADER, source("first", text:format("size", "first", "size")),
      source("second", text:format("size", "second", "size")), MAIN }
    assert.equal(1 + 3 + 3, code)
    assert.same({ "all.c", "one_second.c" }, names)
  end)

  it("what a header declares keeps its name", function()
    local header = { path = "c/far.h", text = "#pragma once\nstruct far { int own; };\n" }
    local text = '#include "far.h"\nstatic int own(void) { return 3; }\n\nint %s(struct args a)\n{\n'
      .. "    struct far f = { a.size };\n    return own() + *(int *)&f;\n}\n"
    assert.equal(1 + 5 + 5, (run { HEADER, header, source("first", text:format "first"),
      source("second", text:format "second"), MAIN }))
  end)

  it("options that one sets are not the next one's", function()
    local text = "#pragma GCC diagnostic ignored \"-Wunused\"\n#pragma GCC optimize(\"%s\")\nint %s(struct args a)\n"
      .. "{\n    return a.size;\n}\n"
    local all = joined.files { source("first", text:format("O1", "first")),
      source("second", text:format("O2", "second")) }
    local _, pushed = all[3].text:gsub("#pragma GCC push_options", "")
    local _, popped = all[3].text:gsub("#pragma GCC pop_options", "")
    assert.same({ 2, 2 }, { pushed, popped })
  end)
end)
