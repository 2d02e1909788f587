-- load: the environment of a spec, the normal forms, positions, hashes; and
-- what a hostile spec can not do.

local diag = require "gen.diag"
local dump = require "gen.dump"
local formula = require "gen.formula"
local sandbox = require "gen.spec.sandbox"
local schema = require "gen.spec.schema"
local spec = require "gen.spec"
local specs = require "tests.specs"

local SHARED = os.getenv "QUERN_SHARED" or "../shared"
local HEAD = 'precision { "float" }\n'

local function loaded(text, set)
  local decls, problems = specs.load(text, set)
  assert.is_nil(problems and specs.printed(problems))
  return decls
end

-- What a piece of Lua leaves in `out`, as text.
local function value(code)
  local decls = loaded(HEAD .. "local out\n" .. code
    .. "\ndefine(tostring(out))")
  return decls.items[2].keys.text.text
end

-- Calls f with a budget that tests can afford to use up often.
local function less_budget(f)
  local before = sandbox.INSTRUCTIONS
  sandbox.INSTRUCTIONS = 200000
  f()
  sandbox.INSTRUCTIONS = before
end

local function item(text, kind)
  for _, it in ipairs(loaded(HEAD .. text).items) do
    if it.kind == kind then return it end
  end
end

local function read_file(path)
  local file = io.open(path, "rb")
  local text = file and file:read("a")
  if file then file:close() end
  return text
end

local EXAMPLES = { "acoustic_density", "acoustic_iso", "column", "elastic",
  "fesom_pi", "gauss_seidel", "gravity", "heat", "icon", "lbm_d3q19",
  "lennard_jones", "maxwell", "mixed_precision", "shallow_water", "tti",
  "weights" }

local function example(name)
  return ("%s/spec-examples/%s.lua"):format(SHARED, name)
end

local function test_example(name, f)
  if read_file(example(name)) then it(name, f)
  else pending(name .. ": ../shared is absent") end
end

describe("the design's examples load and parse:", function()
  for _, name in ipairs(EXAMPLES) do
    test_example(name, function()
      local decls, problems = spec.load { spec = example(name) }
      decls, problems = decls and formula.parse(decls), problems
      assert.is_nil(problems and diag.format(problems))
      assert.are.equal(name, decls.name)
      assert.is_true(#decls.items > 5)
    end)
  end
  test_example("lbm_d3q19", function()
    local decls = formula.parse(spec.load { spec = example "lbm_d3q19" })
    local kernel = decls.items[#decls.items]
    assert.are.equal(19 + 9 + 38, #kernel.keys.blocks[1].text.statements)
  end)
  test_example("acoustic_iso", function()
    local decls = spec.load { spec = example "acoustic_iso",
                              set = { radius = "8" } }
    assert.are.equal(8, decls.params[1].value)
    for _, it in ipairs(decls.items) do
      if it.names[1] and it.names[1].name == "dd" then
        assert.are.equal(16, it.keys.order)
      end
    end
  end)
end)

describe("the environment", function()
  it("pairs goes in the order of keys", function()
    assert.are.equal("1a 2b 10c ad bc true", value [[
      local t = { b = "c", [10] = "c", a = "d", "a", "b" }
      out = ""
      for k, v in pairs(t) do out = out .. k .. v .. " " end
      out = out .. "true"]])
  end)
  it("pairs allows to remove what it visits", function()
    assert.are.equal("3", value [[
      local t, n = { a = 1, b = 2, c = 3 }, 0
      for k in pairs(t) do t[k] = nil n = n + 1 end
      out = n]])
  end)
  it("sort is stable", function()
    assert.are.equal("b1d1a2c2", value [[
      local t = { "a2", "b1", "c2", "d1" }
      table.sort(t, function(a, b) return a:sub(2) < b:sub(2) end)
      out = table.concat(t)]])
  end)
  it("sort sorts any number of values", function()
    assert.are.equal("", value [[
      out = ""
      for n = 0, 70 do
        local t, s = {}, 7
        for i = 1, n do s = (s * 16807) % 2147483647 t[i] = s % 50 end
        table.sort(t)
        for i = 2, n do if t[i - 1] > t[i] then out = "bad" end end
        if #t ~= n then out = "lost" end
      end]])
  end)
  it("sort ends with a comparison that contradicts itself", function()
    assert.are.equal("50", value [[
      local t = {}
      for i = 1, 50 do t[i] = i end
      table.sort(t, function() return true end)
      out = #t]])
  end)
  it("table functions are Lua's", function()
    assert.are.equal("a-b-c 3 c 2 xab 1 2 nil", value [[
      local t = { "a", "b", "c" }
      out = table.concat(t, "-") .. " " .. table.pack(1, nil, 3).n
      out = out .. " " .. table.remove(t) .. " " .. #t
      table.insert(t, 1, "x")
      out = out .. " " .. table.concat(t)
      local a, b = table.unpack({ 1, 2 })
      out = out .. " " .. a .. " " .. b .. " " .. tostring(table.remove({}))]])
  end)
  it("string functions are Lua's, as methods too", function()
    assert.are.equal("98 ab 3 abc ABC b xx,xx %+05d +0003 1.50 s true nil",
      value [[
      out = ("abc"):byte(2) .. " " .. string.char(97, 98) .. " "
        .. ("abc"):len() .. " " .. ("ABC"):lower() .. " " .. ("abc"):upper()
        .. " " .. ("abc"):sub(2, 2) .. " " .. ("xx"):rep(2, ",")
        .. (" %%+05d %+05d %.2f %s %s %s"):format(3, 1.5, "s", true, nil)]])
  end)
  it("byte counts from the end too, in strings of any length", function()
    assert.are.equal("99 98 99 2", value [[
      local s = ("x"):rep(20000) .. "abc"
      out = s:byte(-1) .. " " .. table.concat({ s:byte(-2, -1) }, " ") .. " "
        .. select("#", s:byte(20002, 30000))]])
  end)
  it("math is Lua's", function()
    assert.are.equal("7", value "out = math.max(1, math.floor(7.9))")
  end)
  it("fill puts values for $name and ${name}", function()
    assert.are.equal("a1b_2c3", value
      [[out = fill("$a$b${c}_$d$e", { a = "a", b = 1, c = "b", d = 2,
                                     e = "c3" })]])
  end)
  it("string methods are whole again afterwards, whatever happened", function()
    specs.load(HEAD .. "error('x')")
    assert.are.equal("b", ("a"):gsub("a", "b"))
    less_budget(function() specs.load(HEAD .. "while true do end") end)
    assert.are.equal("b", ("a"):gsub("a", "b"))
    assert.is_nil(debug.gethook())
  end)
  it("one spec cannot leave anything to the next", function()
    specs.load(HEAD .. "string.sub = nil math.floor = nil table.x = 1")
    assert.are.equal("b", value [[out = ("abc"):sub(2, 2)]])
    assert.are.equal("1", value "out = math.floor(1.5)")
  end)
  it("budget errors pass through every library function", function()
    for _, code in ipairs {
      "table.sort({ 1, 2 }, function() while true do end end)",
      "for k in pairs({ 1 }) do while true do end end",
      "local function f() while true do end end f()" } do
      less_budget(function()
        local _, problems = specs.load(HEAD .. code)
        assert.matches("more than 200000 instructions",
                       specs.printed(problems))
      end)
    end
  end)
  it("a fault of Quern's own is an error, no diagnostic", function()
    local rule = schema.constructors.param
    local keys = rule.keys
    rule.keys = nil
    local ok, message = pcall(specs.load, HEAD .. 'param { "R", default = 1 }')
    rule.keys = keys
    assert.is_false(ok)
    assert.matches("gen/spec/session.lua:%d+: .*\nstack traceback:", message)
    assert.is_nil(debug.gethook())
    assert.are.equal("b", ("a"):gsub("a", "b"))
  end)
  it("the time budget holds", function()
    local seconds = sandbox.SECONDS
    sandbox.SECONDS = 0.05
    local _, problems = specs.load(HEAD .. "while true do end")
    sandbox.SECONDS = seconds
    assert.matches("s.lua:2:1: the spec ran for more than",
                   specs.printed(problems))
  end)
end)

describe("params", function()
  local R = HEAD
    .. 'local R = param { "R", default = 4, min = 1, short = "r" }\n'
    .. 'operator { "d", derivative = 1, order = 2 * R }'
  it("give their default", function()
    local decls = loaded(R)
    assert.are.equal(4, decls.params[1].value)
    assert.are.equal("r", decls.params[1].short)
    assert.are.equal(8, decls.items[2].keys.order)
  end)
  it("give what is set, of the type of the default", function()
    local decls = loaded(R, { R = "8" })
    assert.are.equal("integer", math.type(decls.params[1].value))
    assert.are.equal(16, decls.items[2].keys.order)
  end)
  it("are texts and booleans too", function()
    local text = HEAD .. 'param { "T", default = "a", values = { "a", "b" } }\n'
      .. 'param { "B", default = false }\nparam { "F", default = 0.5 }'
    local params = loaded(text, { T = "b", B = "true", F = "2" }).params
    assert.are.same({ "b", true, 2 },
                    { params[1].value, params[2].value, params[3].value })
    assert.are.equal("T", params[1].short)
  end)
end)

describe("normal forms", function()
  it("a kernel's formula", function()
    local k = item('kernel { "k", [[ u = 1 ]], compute = "double" }', "kernel")
    assert.are.equal("double", k.keys.compute)
    assert.are.equal(" u = 1 ", k.keys.blocks[1].text.text)
    assert.is_nil(k.keys.blocks[1].name)
  end)
  it("a kernel's regions, in the order written", function()
    local k = item('kernel { "k", top = "u = 1", inner = "u = 2", '
      .. 'bottom = "u = 3" }', "kernel")
    local names = {}
    for i, b in ipairs(k.keys.blocks) do
      names[i] = b.name .. b.name_pos.offset .. b.text.text
    end
    assert.are.same({ "top37u = 1", "inner52u = 2", "bottom69u = 3" }, names)
  end)
  it("bounds and shells", function()
    local r = item('region { "r", x = { 0, "n - 1" } }', "region")
    assert.are.equal("0", r.keys.ranges.x[1].text)
    assert.are.equal("n - 1", r.keys.ranges.x[2].text)
    r = item('region { "r", shell = "w" }', "region")
    assert.are.equal("w", r.keys.shell.text)
    r = item('region { "r", shell = { y = { 1, "w" } } }', "region")
    assert.are.equal("w", r.keys.shell.y[2].text)
  end)
  it("taps and weights; numbers are their shortest decimal", function()
    local o = item('operator { "o", taps = { { 0, -1.0, "w/2" }, '
      .. '{ 1, 0, 0.1 } } }', "operator")
    assert.are.same({ 0, -1 }, o.keys.taps[1].offsets)
    assert.are.equal("integer", math.type(o.keys.taps[1].offsets[2]))
    assert.are.equal("w/2", o.keys.taps[1].weight.text)
    assert.are.equal("0.1", o.keys.taps[2].weight.text)
    o = item('operator { "o", derivative = 1, offsets = { 0, 1/2 }, '
      .. 'weights = { -1, 1e-30 } }', "operator")
    assert.are.equal("-1", o.keys.weights[1].text)
    assert.are.equal("1e-30", o.keys.weights[2].text)
  end)
  it("boundaries, one side or both", function()
    local b = item('boundary { "u", "v", x = "periodic", '
      .. 'y = { low = { "odd", about = "face", value = "w" } }, '
      .. 'z = { "even", about = "point", slope = 2 } }', "boundary")
    local axes = b.keys.axes
    assert.are.same({ "u", "v" }, { b.names[1].name, b.names[2].name })
    assert.are.equal("periodic", axes.x.low.kind)
    assert.are.equal("periodic", axes.x.high.kind)
    assert.are.equal("odd", axes.y.low.kind)
    assert.are.equal("w", axes.y.low.value.text)
    assert.are.equal("halo", axes.y.high.kind)
    assert.are.equal("point", axes.z.high.about)
    assert.are.equal("2", axes.z.high.slope.text)
  end)
  it("whole numbers have no point", function()
    local o = item('operator { "o", derivative = 1, order = 8 / 2 }',
                   "operator")
    assert.are.equal("integer", math.type(o.keys.order))
  end)
  it("what a table held at the call stays", function()
    local decls = loaded(HEAD .. 'local t = { "u" }\nfield(t)\nt[1] = "v"\n'
      .. 't.time = 3\nfield { "w" }')
    assert.are.equal("u", decls.items[2].names[1].name)
    assert.is_nil(decls.items[2].keys.time)
  end)
  it("what is declared: names, and spacings once", function()
    local g = item('grid { "x", "y", spacing = { "h", "h" } }', "grid")
    local names = {}
    for i, d in ipairs(g.declares) do names[i] = d.name end
    assert.are.same({ "x", "y", "h" }, names)
  end)
end)

describe("positions", function()
  local function places(text, kind)
    local found, out = item(text, kind), {}
    out.item = diag.where(found.pos)
    for _, n in ipairs(found.names) do out[n.name] = diag.where(n.pos) end
    for k, p in pairs(found.key_pos) do out[k] = diag.where(p) end
    for w, p in pairs(found.word_pos) do out[":" .. w] = diag.where(p) end
    for k, p in pairs(out) do out[k] = p:match("%d+:%d+$") end
    return out
  end
  it("of names, keys and words", function()
    assert.are.same({ item = "2:1", u = "2:10", v = "3:4", on = "3:8",
      at = "4:3", [":k"] = "3:16", [":edge"] = "3:21", [":x"] = "4:10" },
      places('field { "u",\n  "v", on = { "k", "edge" },\n'
        .. '  at = { x = 1/2 } }', "field"))
  end)
  it("of calls with round brackets", function()
    assert.are.same({ item = "2:1", u = "2:10", time = "2:14" },
      places('field({ "u", time = { 0, 1 } })', "field"))
  end)
  it("of a call inside a function", function()
    assert.are.same({ item = "3:3", u = "3:12" },
      places('local function f()\n  field { "u" }\nend\nf()', "field"))
  end)
  it("not of comments or strings that look like it", function()
    assert.are.same({ item = "3:8", u = "4:13" },
      places('-- field { "u" }\n--[[]] field --[==[ { "u" }\n"u" ]==] { "u" }',
             "field"))
    assert.are.same({ item = "3:20", u = "3:29" },
      places('-- x\nlocal s = "field{" field { "u" }', "field"))
  end)
  it("of a call that is hidden: its line", function()
    assert.are.same({ item = "3:3", u = "3:3" },
      places('local f = field\n  f { "u" }', "field"))
  end)
  it("with line ends of other systems", function()
    local decls = loaded('precision { "float" }\r\nfield { "u" }\r\n'
      .. 'kernel { "k", [[\r\n u = 1 ]] }')
    local k = decls.items[3]
    assert.are.equal("3:11", diag.where(k.names[1].pos):match("%d+:%d+$"))
    assert.is_nil(k.keys.blocks[1].text.source.from)
  end)
end)

describe("include", function()
  it("reads a file once, below its own folder, recorded in order", function()
    local decls = loaded { ["s.lua"] = HEAD .. 'include "a.lua"\n'
      .. 'include "sub/b.lua"\ninclude "a.lua"\nfield { "s" }',
      ["a.lua"] = 'field { "a" }', ["sub/b.lua"] = 'include "c.lua"',
      ["sub/c.lua"] = 'field { "c" }' }
    local names, sources = {}, {}
    for i, it in ipairs(decls.items) do names[i] = it.names[1].name end
    for i, s in ipairs(decls.sources) do sources[i] = s.name:match("[^/]*$") end
    assert.are.same({ "float", "a", "c", "s" }, names)
    assert.are.same({ "s.lua", "a.lua", "b.lua", "c.lua" }, sources)
  end)
  it("may go round in circles", function()
    local decls = loaded { ["s.lua"] = HEAD .. 'include "a.lua"',
      ["a.lua"] = 'include "s.lua" include "a.lua" field { "a" }' }
    assert.are.equal(2, #decls.items)
  end)
  it("declares in the same words once", function()
    local same = 'local R = param { "R", default = 2 }\n'
      .. 'grid { "x", spacing = { "h" } }\ndefine [[ f(a) = a ]]\n'
    local decls = loaded { ["s.lua"] = HEAD .. same .. 'include "a.lua"',
                           ["a.lua"] = HEAD .. same .. "assert(R == 2)" }
    assert.are.equal(1, #decls.params)
    assert.are.equal(3, #decls.items)
  end)
  it("refuses what differs", function()
    local _, problems = specs.load { ["s.lua"] = HEAD
      .. 'field { "u" }\ninclude "a.lua"',
      ["a.lua"] = 'field { "u", constant = true }' }
    assert.matches("^a.lua:1:10: 'u' is declared twice",
                   specs.printed(problems))
  end)
end)

describe("the hash", function()
  local function hash(files, set) return loaded(files, set).hash end
  local A = HEAD .. 'param { "R", default = 4 }\nfield { "u" }'
  it("is the same for the same texts and values", function()
    assert.are.equal(hash(A), hash(A))
    assert.are.equal(hash(A), hash(A, { R = "4" }))
    assert.matches("^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", hash(A))
  end)
  it("changes with any text, value or included text", function()
    local seen = {}
    local function new(h)
      assert.is_nil(seen[h])
      seen[h] = true
    end
    new(hash(A))
    new(hash(A .. " "))
    new(hash(A, { R = "5" }))
    new(hash { ["s.lua"] = A .. 'include "b.lua"', ["b.lua"] = "" })
    new(hash { ["s.lua"] = A .. 'include "b.lua"', ["b.lua"] = " " })
  end)
  it("is 64-bit FNV-1a of lengths and bytes", function()
    local of = require("gen.spec.hash").of
    assert.are.equal("cbf29ce484222325", of {})
    assert.are_not.equal(of { "ab", "c" }, of { "a", "bc" })
  end)
end)

describe("dumps", function()
  local SCRIPT = [[
    package.path = "./?.lua;" .. package.path
    os.setlocale(os.getenv "TEST_LOCALE")
    local decls = require("gen.spec").load { spec = arg[1] }
    io.write(require("gen.dump").text(require("gen.formula").parse(decls)))]]

  it("are the same bytes in two processes and two locales", function()
    local text = HEAD .. 'grid { "x", "y", spacing = { "hx", 0.5 } }\n'
      .. 'for k, v in pairs { b = 1, a = 2.5, ["c"] = 3, [1] = 4 } do\n'
      .. '  field { "f" .. k, at = { x = 1/2, y = -1/2 }, '
      .. 'range = { 0, v * 1.1 } }\nend\n'
      .. 'region { "r", x = { 0.25, 2 }, y = { 0, "n" } }\n'
      .. 'kernel { "k", ["r" .. ""] = "fa = 0.1*fb[x+1]", rest = "fb = 1" }'
    specs.with_files({ ["s.lua"] = text, ["run.lua"] = SCRIPT }, function(dir)
      local function run(locale)
        local pipe = io.popen(("TEST_LOCALE=%s lua5.4 %s/run.lua %s/s.lua 2>&1")
          :format(locale, dir, dir))
        local out = pipe:read("a")
        pipe:close()
        return out
      end
      local first = run "C"
      assert.matches("^{\n  file = ", first)
      assert.are.equal(first, run "C")
      assert.are.equal(first, run "C.UTF-8")
      assert.are.equal(first, run "de_DE.UTF-8")
    end)
  end)
end)

describe("whatever is written,", function()
  local TIMES = os.getenv "QUERN_LONG" == "1" and 3 or 1

  -- Loads and parses; only values and diagnostics may come of it.
  local function try(text)
    local decls, problems = specs.parse(text)
    if decls then return assert.is_string(dump.text(decls)) end
    assert.is_true(#problems > 0)
    assert.is_string(diag.format(problems))
  end

  it("random bytes and words are refused, never a fault", function()
    math.randomseed(21)
    local words = { "field", "kernel", "{", "}", '"u"', "=", "1", ",", "[[",
      "]]", "time", "param", "(", ")", "\n", "define", "\0", "grid", "--",
      "region", "nil", "operator", "taps", "function", "end", "boundary" }
    less_budget(function()
      for _ = 1, 100*TIMES do
        local out = {}
        for i = 1, math.random(30) do out[i] = words[math.random(#words)] end
        try(HEAD .. table.concat(out, " "))
      end
    end)
  end)

  local BASE = HEAD .. [=[
local R = param { "R", default = 2, min = 1, max = 4, short = "r" }
grid { "x", "y", spacing = { "hx", 0.5 }, dims = 2 }
scalar { "w", type = "int", range = { 0, 4 }, per = "request" }
field { "u", on = { "x", "y" }, at = { x = 1/2 }, time = { 0, 1 },
        halo = { x = 1 } }
boundary { "u", x = "periodic",
           y = { low = { "odd", about = "face", value = "w" } } }
domain { "v", "e" } list { "l", of = "v" } levels { "k" }
neighbours { "v2e", from = "v", to = "e", count = 3, skip = -1 }
operator { "d", derivative = 1, order = { x = 2, y = 4 } }
operator { "o", taps = { { 0, 1, "w" }, { 1, 0, 0.5 } } }
define [[ lap(f) = sum(a in axes, d(d(f, a), a)) ]]
region { "edge", shell = { x = { "w", 1 } } } region { "low", y = { 0, "n-1" } }
region { "mid", rest = true }
kernel { "k1", colours = { "(x + y) % 2" }, edge = [[ u.next = u^2 ]],
         mid = "u.next = lap(u)" }
request { "q", l = [[ f += sum(j in l, where(same(j), 1, 2)) ]] }
fuse { "c", "k1", "k1", drop = { "u" } }
step { "c" }
]=]

  it("mutated specs are refused or loaded, never a fault", function()
    assert.is_table((specs.parse(BASE)))
    math.randomseed(22)
    local pieces = { "nil", "{}", "1", '"x"', "true", "{ 1, 2 }", "1/0", "-1",
      "{ a = {} }", "", "(", "}", "'", "function() end", '"sum"', "1e308",
      "{ { } }", '"\\0"', "0.5", "R", "w", "[[ u = ]]" }
    local values = {}
    for at, word in BASE:gmatch('()([%w_".]+)') do
      values[#values + 1] = { at, #word }
    end
    less_budget(function()
      for _ = 1, 200*TIMES do
        local v = values[math.random(#values)]
        try(BASE:sub(1, v[1] - 1) .. pieces[math.random(#pieces)]
            .. BASE:sub(v[1] + v[2]))
      end
    end)
  end)

  it("cut specs are refused or loaded, never a fault", function()
    less_budget(function()
      for cut = 1, #BASE, 7 do try(BASE:sub(1, cut)) end
    end)
  end)
end)
