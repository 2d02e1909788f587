-- Any word of our own texts, of the headers and of the languages may be a name
-- in a spec: all of them at once as fields, as scalars, as locals, and what
-- comes out compiles without a warning, whatever the shape.

local emitted = require "tests.golden.emitted"
local lowering = require "tests.lowering"
local names = require "gen.spec.names"
local quern = require "tests.quern"
local words = require "gen.c.words"

local LONG = os.getenv "QUERN_LONG" == "1"
local MOST = 60
local KEYWORDS = "int float double char long short signed unsigned void const static extern struct union enum auto "
  .. "register restrict volatile inline for while do if else switch case default goto break continue return sizeof "
  .. "class template typename namespace using public private protected virtual operator new delete this friend bool "
  .. "true false nullptr try catch throw explicit mutable typeid and_eq bitor compl xor alignas asm constexpr noexcept "
  .. "index grid count list a b n d s p q in tx ty col row u_at u_y x_begin inside near plane current front1 behind1"

-- What the kernels and launchers of the CUDA shapes call their own.
local OWN = "index index_t grid count list a b n tx ty col row u u_at u_y x_begin x_end inside near plane current "
  .. "front1 behind1 x_below x_above first last domain boxes arrays arguments queue run error stream box tile "
  .. "u_tile tz halo layer turn s p planes share_u wide high from up allowed shared_planes dynamic_shared"

-- What those of planes that are copied ahead have besides.
local OWN_PLANES = "s p j e tx ty box boxes number row lead leader planes blocks lead_of tensor_of shared_planes "
  .. "dynamic_shared points_full slot fetch_u behind1 current tiled list count all error height company resident column"

-- What two steps at once have.
local OWN_TWICE = "s p j e i tx ty box boxes number row lead leader planes reach within beside column works turn "
  .. "middle_ring middle_slot middle_back middle_current result in_box in_planes make_step u_rows u_row u_place "
  .. "u_back current behind1 front1 u_current fetch_u shared_planes tensor_of lead_of dynamic_shared step2 all list"

local HEAD = [[
precision { "float" }
grid { "x", "y", spacing = { "hx", "hy" } }
scalar { "width", type = "int", range = { 0, 3 } }
field { "target" }
region { "rim", shell = "width" }
region { "core", rest = true }
]]

-- Beyond the faces of some fields.
local FACES = [[
boundary { %s, x = { low = { "even", about = "face", slope = "hx" }, high = "halo" },
  y = { low = { "constant", value = 3 }, high = { "odd", about = "point", value = "2*hx" } } }
]]

-- What declares a name of the specs here, so that no word can.
local TAKEN = { x = true, y = true, hx = true, hy = true, width = true, target = true, k = true, rim = true,
  core = true, origin = true }

-- The macros of a program that includes `headers`, those of a name's form.
local function macros(compiler, headers)
  local lines, list = {}, {}
  for i, header in ipairs(headers) do lines[i] = ("#include <%s>\n"):format(header) end
  local folder = quern.folder()
  quern.write(folder .. "/all.h", table.concat(lines))
  local code, out = quern.shell(compiler .. " '" .. folder .. "/all.h'")
  quern.remove(folder)
  assert(code == 0)
  for name in out:gmatch("#define (%a[%w_]*)") do list[#list + 1] = name end
  return list
end

local function text_of(files)
  local parts = {}
  for _, file in ipairs(files) do
    parts[#parts + 1] = file.path:find("_k_") and file.text
  end
  return table.concat(parts, "\n")
end

local function rendered(text, backend, shape, params)
  return emitted.render(lowering.lower(text), backend, shape, params)
end

local function kernel(before, sum)
  return ("kernel { \"k\", rim = [[ %s target = %s ]], core = [[ target = 1 ]] }\n"):format(before, sum)
end

local SMALL = HEAD .. "field { \"u\", \"faced\" }\n" .. FACES:format('"faced"')
  .. kernel("", "u[x-2] + u[y+1] + u*hx + faced[x-1, y+1]")

-- The texts of every shape for a small spec.
local function own_texts()
  local parts = {}
  for i, shape in ipairs { { "c" }, { "reference" }, { "simt" }, { "simt", "st_reg_shft" },
                          { "simt", "st_smem" }, { "simt", "smem_u" } } do
    parts[i] = text_of(rendered(SMALL, shape[1], shape[2]))
  end
  return table.concat(parts, "\n")
end

-- All words that a spec may declare, each once, in lists of up to MOST without
-- two that differ by case only.
local function list_for(lists, lower)
  for _, list in ipairs(lists) do
    if #list < MOST and not list[lower] then return list end
  end
  lists[#lists + 1] = {}
  return lists[#lists]
end

local function all_words()
  local seen, lists = {}, {}
  for name in (KEYWORDS .. " " .. own_texts():gsub("/%*.-%*/", " ")):gmatch("[%a_][%w_]*") do
    local stem, lower = name:match("^(.*)_%l+$"), name:lower()
    local clashes = stem and (seen[stem] or TAKEN[stem])
    if not (seen[name] or TAKEN[lower] or clashes or names.problem(name)) then
      local list = list_for(lists, lower)
      seen[name], list[lower], list[#list + 1] = true, true, name
    end
  end
  return lists
end

local function terms(list, form)
  local parts = {}
  for i, name in ipairs(list) do parts[i] = form:gsub("N", name) end
  return table.concat(parts, " + ")
end

local function quoted(list) return '"' .. table.concat(list, '", "') .. '"' end

local SPECS = {
  fields = function(list)
    return HEAD .. "field { " .. quoted(list) .. " }\n" .. FACES:format(quoted(list))
      .. kernel("", terms(list, "N[x-1]*N[y+1]"))
  end,
  -- Of lower order than one.
  lower = function(list)
    return HEAD .. "field { \"origin\", " .. quoted(list) .. " }\n"
      .. kernel("", "origin[x-2] + " .. terms(list, "N[x-1]*N[y+1]"))
  end,
  scalars = function(list)
    return HEAD .. "field { \"origin\" }\nscalar { " .. quoted(list) .. " }\n"
      .. FACES:format('"origin"') .. kernel("", terms(list, "N*origin[x-1]*origin[y+1]"))
  end,
  locals = function(list)
    local before = {}
    for i, name in ipairs(list) do before[i] = ("%s = %d*origin[x-1] + origin[y+1]^2"):format(name, i + 1) end
    return HEAD .. "field { \"origin\" }\n" .. FACES:format('"origin"')
      .. kernel(table.concat(before, "\n") .. "\n", terms(list, "N*N"))
  end,
}

local C = "for f in *.c; do gcc -std=c11 -Wall -Wextra -Werror -Wshadow -Wconversion -Wstrict-prototypes "
  .. "-fsyntax-only $f; done"
-- What stands in for the device is parsed once.
local folder = quern.folder()
local CXX = ("g++ -I'%s' -I'%s/runtime' -std=c++17 -fopenmp "):format(folder, quern.root)
local SIMT = "for f in *rim*.cu; do " .. CXX .. "-include simt/first.h -x c++ -Wall -Wextra -Wno-unknown-pragmas "
  .. "-Werror -fsyntax-only $f; done"
describe("a macro", function()
  local C_HEADERS = { "math.h", "stdarg.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h" }

  local function renamed(compiler, headers)
    local list = macros(compiler, headers)
    assert.is_true(#list > 100)
    for _, name in ipairs(list) do assert.not_equal(name, words.name(name)) end
  end

  it("of the C headers is no name of ours", function()
    renamed("gcc -std=c11 -x c -dM -E", C_HEADERS)
  end)

  it("of simt is no name of ours", function()
    renamed("g++ -std=c++17 -x c++ -Iruntime -dM -E", { "simt.h", table.unpack(C_HEADERS) })
  end)

  it("of CUDA is no name of ours", function()
    local nvcc = quern.nvcc()
    if not nvcc then return pending("nvcc is not here") end
    renamed(nvcc .. " -std=c++17 -x cu -Xcompiler -dM -E", { "cuda_runtime.h", table.unpack(C_HEADERS) })
  end)
end)

describe("a word of generated text may be the name of", function()
  local lists = all_words()
  setup(function()
    quern.shell(("mkdir simt; %s -x c++-header -c '%s/runtime/simt/first.h' -o simt/first.h.gch"):format(CXX,
      quern.root), folder)
  end)
  teardown(function() quern.remove(folder) end)

  -- The texts of both write all names by the same rules.
  for _, case in ipairs { { "fields", "c", "reference" }, { "scalars", "c", LONG and "reference" },
                          { "locals", "reference", LONG and "c" } } do
    it(case[1] .. " in the C shapes", function()
      assert.is_true(#lists > 2)
      for _, list in ipairs(lists) do
        for i = 2, 3 do
          if case[i] then emitted.silent({ rendered(SPECS[case[1]](list), case[i]) }, C) end
        end
      end
    end)
  end

  -- Also: what a thread reads in its own column may end before what it reads beside it.
  local PLANES = [[
precision { "float" }
grid { "A", "B", "C" }
field { "target", FIELDS }
boundary { FIELDS, A = "periodic" }
kernel { "rim", [=[ target = SUM ]=] }
]]

  local function planes(axes, list)
    local values = { A = axes[1], B = axes[2], C = axes[3], FIELDS = quoted(list),
      SUM = terms(list, (("N[A+1] + N[B-2] + N[C-1] + N[C+1]"):gsub("[ABC]",
        { A = axes[1], B = axes[2], C = axes[3] }))) }
    local params = { block = "8x8", rows = "1", stages = "1", chunk = "0", lockstep = "2", fit = "1" }
    return rendered(PLANES:gsub("%f[%w]%u+%f[%W]", values), "simt", "st_tma", params)
  end

  it("fields and axes in planes that are copied ahead", function()
    local list = {}
    for name in OWN_PLANES:gmatch("%S+") do list[#list + 1] = name end
    emitted.silent({ planes({ "x", "y", "z" }, list), planes({ "s", "leader", "planes" }, { "u" }) },
      SIMT:gsub("-Wall", "-Wall -Wno-unknown-pragmas"))
  end)

  it("fields, scalars and axes in two steps at once", function()
    local list = {}
    for name in OWN_TWICE:gmatch("%S+") do list[#list + 1] = name end
    local function twice(axes, declared, own)
      local text = ([[
precision { "float" }
grid { "A", "B", "C" }
field { "u", time = { 0, 1 } }
DECLARED { FIELDS }
kernel { "rim", [=[ u.next = u[A+1] + u[B-1] + u[C-1] + SUM ]=] }
]]):gsub("%f[%w]%u+%f[%W]", { A = axes[1], B = axes[2], C = axes[3], DECLARED = declared, FIELDS = quoted(own),
        SUM = terms(own, "N*u") })
      return rendered(text, "simt", "temporal", { block = "8x8", rows = "1", stages = "1" })
    end
    emitted.silent({ twice({ "x", "y", "z" }, "scalar", list) }, SIMT)
    emitted.silent({ twice({ "x", "y", "z" }, "field", table.move(list, 1, 30, 1, {})) }, SIMT)
    emitted.silent({ twice({ "column", "leader", "planes" }, "field", { "turn" }) }, SIMT)
  end)

  -- Of the words those that stand in the shape's own text.
  local function words_in(shape, params)
    local own, list = {}, {}
    for name in text_of(rendered(SMALL, "simt", shape, params)):gmatch("[%a_][%w_]*") do own[name] = true end
    for name in OWN:gmatch("%S+") do list[#list + 1] = own[name] and name or nil end
    assert.is_true(#list > 10)
    return list
  end

  for _, case in ipairs { { "fields" }, { "fields", "st_reg_shft", { block = "8" } },
                          { "fields", "st_smem", { block = "8" } }, { "fields", "smem_u" },
                          { "lower", "smem_eta_1", { block = "4x2" } } } do
    it(("%s in CUDA, shape %s"):format(case[1], case[2] or "gmem"), function()
      local text = SPECS[case[1]](words_in(case[2], case[3]))
      emitted.silent({ rendered(text, "simt", case[2], case[3]) }, SIMT)
    end)
  end
end)
