-- Emitted files: they compile without a warning wherever they are meant to,
-- check what a launch assumes, say what a point costs, and are always the same.

local driver = require "gen.driver"
local emit = require "gen.emit"
local emitted = require "tests.golden.emitted"
local fixture = require "tests.golden.lowered"
local lists = require "gen.list"
local quern = require "tests.quern"
local schedule = require "gen.schedule"

local num, val, op = fixture.num, fixture.val, fixture.op

local options, render, text_of = emitted.options, emitted.render, emitted.text_of
local compiled, silent = emitted.compiled, emitted.silent

-- A point-wise kernel with every sort of expression and awkward names.
local function awkward()
  local block = fixture.new_block()
  local a, i = block.load("int", 0, "int"), block.load("n", 0, "n")
  local low = op("compare", num(0), a)
  low.cmp = "<"
  block.host = { { name = "index",
    value = { op = "call", fn = "sign", { op = "scalar", name = "stream" } } } }
  block.code = { { name = "x_end", value = { op = "call", fn = "sign", op("add", a, i) } } }
  block.stores = { { field = "class", level = 0, buffer = "class",
    value = { op = "select", low, op("mul", val "x_end", { op = "host", name = "index" }), i } } }
  fixture.finish(block, 3, 2, 1)
  local fields = {}
  for k, name in ipairs { "int", "n", "class" } do
    fields[k] = fixture.field(name, 2, 0, { { level = 0, name = name } })
  end
  return fixture.lowered_of("awkward", 2, fields,
    { { name = "stream", type = "double", range = { 0, 1 } } },
    { { name = "mix", compute = "float", blocks = { block } } })
end

local LONG = os.getenv "QUERN_LONG" == "1"
local C_FLAGS = ("gcc -std=c11 %s -Wall -Wextra -Werror -Wshadow -Wconversion "
  .. "-Wstrict-prototypes -ffp-contract=off -c "):format(LONG and "-O2" or "-O1")

describe("emitted C", function()
  it("compiles without a warning, with and without OpenMP", function()
    local list = { render(fixture.acoustic(4), "c"), render(fixture.acoustic(2, 2), "c"),
                   render(fixture.wave(0, 1), "c"), render(awkward(), "c") }
    silent(list, "for f in *.c; do " .. C_FLAGS .. "-fopenmp $f -o /dev/null; done")
    silent({ list[1] }, "for f in *.c; do " .. C_FLAGS .. "$f -o /dev/null; done")
  end)

  it("needs nothing of Quern but for the descriptor, which guards its version", function()
    local files = render(fixture.wave(1), "c")
    silent({ files }, "rm quern_abi.h *_module.c; for f in *.c; do " .. C_FLAGS .. "$f -o /dev/null; done")
    local code, _, complaint = compiled({ files },
      "sed -i 's/QUERN_ABI [0-9]*/QUERN_ABI 999/' quern_abi.h; gcc -std=c11 -c *_module.c -o /dev/null")
    assert.not_equal(0, code)
    assert.truthy(complaint:find("#error.*regenerate"))
  end)

  it("vectorises the innermost loop", function()
    local _, out = compiled({ render(fixture.wave(4), "c") },
      "gcc -std=c11 -O3 -march=native -fopenmp -ffp-contract=off -fno-math-errno "
      .. "-fopt-info-vec-optimized -c wave*blocked*.c -o /dev/null 2>&1; grep -n 'x++' wave*blocked*.c")
    local loop = tonumber(out:match("(%d+):[^\n]*x%+%+"))
    local found = false
    for line, bytes in out:gmatch(":(%d+):%d+: optimized: loop vectorized using (%d+) byte") do
      found = found or tonumber(line) - loop >= 0 and tonumber(line) - loop < 24 and tonumber(bytes) >= 16
    end
    assert.is_true(found, out)
  end)
end)

describe("emitted CUDA", function()
  local function instances()
    local list = { render(fixture.wave(0), "simt", "st_reg_shft"),
             render(fixture.acoustic(2), "simt", "st_smem", { rows = "2" }),
             render(fixture.acoustic(2), "simt", "st_reg_fixed"),
             render(fixture.wave(2), "simt", "st_reg_fixed", { stages = "2", rows = "2" }),
             render(fixture.acoustic(2, 2), "simt", "gmem", { rows = "2" }),
             render(awkward(), "simt"), render(awkward(), "simt", "st_reg_shft"),
             render(fixture.acoustic(3), "simt", "smem_u"), render(fixture.acoustic(5, 2), "simt", "smem_eta_1"),
             render(fixture.wave(7, 1), "simt", "smem_u", { block = "5" }) }
    return not LONG and list or lists.append(list, {
             render(fixture.acoustic(4), "simt", "st_reg_shft"), render(fixture.wave(16), "simt", "st_reg_shft"),
             render(fixture.wave(1, 2), "simt", "st_reg_shft"),
             render(fixture.wave(4), "simt", "st_reg_shft", { block = "2x2" }),
             render(fixture.wave(8), "simt", "st_smem"),
             render(fixture.wave(1, 2), "simt", "st_reg_fixed"), render(fixture.wave(3, 1), "simt"),
             render(fixture.wave(8), "simt", "smem_u") })
  end

  it("compiles as C++ without a warning", function()
    local simt = "'" .. quern.root .. "/runtime'"       -- parsed once for all of them
    silent(instances(), "CXX='g++ -std=c++17 -fopenmp -Wall -Wextra -Wno-unknown-pragmas -Werror -I. -I '" .. simt
      .. "; mkdir simt; $CXX -x c++-header -c " .. simt .. "/simt/first.h -o simt/first.h.gch; for f in *.cu; do "
      .. "echo \"#include \\\"$f\\\"\" | $CXX -include simt/first.h -x c++ -fsyntax-only -; done")
  end)

  it("compiles by nvcc without a warning", function()
    local nvcc = quern.nvcc()
    if not nvcc then return pending("nvcc is not here") end
    local long = LONG and render(fixture.acoustic(8), "cuda", "smem_u")
    silent({ render(fixture.acoustic(1), "cuda", "st_smem", { stages = "1" }),
             LONG and render(fixture.acoustic(2), "cuda", "smem_eta_1") or nil, long or nil,
             long and render(fixture.acoustic(4), "cuda", "st_reg_shft") or nil },
      "for f in *pml*.cu; do " .. nvcc .. " -arch=sm_90 -std=c++17 -fmad=false -Xcompiler -Wall,-Wextra "
      .. "-Werror all-warnings -c $f -o /dev/null; done")
  end)

  it("is the same text for both backends", function()
    local cuda, simt = render(fixture.acoustic(4), "cuda"), render(fixture.acoustic(4), "simt")
    for i, file in ipairs(cuda) do
      if not file.path:find("_module.c$") then assert.equal(file.text, simt[i].text) end
    end
  end)

  it("takes 32-bit offsets only where all of them fit", function()
    local code, out, complaint = compiled({ render(fixture.wave(2), "simt") },
      "g++ -std=c++17 -fopenmp -DKERNEL_FILE='\"wave_r2_step_gmem_32x4x4.cu\"' -I. -I'" .. quern.root
      .. "/runtime' '" .. quern.root .. "/tests/unit/emit_index.cpp' -o t && ./t")
    assert.equal(0, code, complaint)
    assert.equal("100: 32\n566: 32\n1200: 32\n1290: 64\n1295: 64\n3000: 64\nwide stride: 64\n", out)
  end)

  it("never returns before a barrier, and never launches by <<<>>>", function()
    for _, shape in ipairs { "st_reg_shft", "smem_u", "smem_eta_1" } do
      local text = text_of(render(fixture.acoustic(4), "cuda", shape), "pml.*%.cu$")
      local kernel = text:match("\n__global__.-\n}\n")
      assert.truthy(kernel:find("__syncthreads"))
      assert.is_nil(kernel:find("return"))
      assert.is_nil(text:find("<<<", 1, true))
    end
  end)
end)

describe("all shapes and backends", function()
  local folder = quern.folder()
  local FLAGS = " -march=native -ffp-contract=off -fopenmp"
  local SIMT = ("g++ -I%s -I'%s/runtime' -std=c++17"):format(folder, quern.root)
  setup(function()        -- parsed once for all of them
    quern.shell(("mkdir simt && %s%s -x c++-header -c '%s/runtime/simt/first.h' -o simt/first.h.gch")
      :format(SIMT, FLAGS, quern.root), folder)
  end)
  teardown(function() quern.remove(folder) end)

  local function hash(compiler, ...)
    local code, out, complaint = compiled({ render(fixture.acoustic(3), ...) },
      "for f in *step_*.c*; do " .. compiler .. FLAGS .. " -I. -c $f -o $f.o || exit 1; done; gcc -I. '" .. quern.root
      .. "/tests/unit/emit_bits.c' *_module.c *.o -o t -fopenmp -lstdc++ -lm && ./t")
    assert.equal(0, code, complaint)
    return out
  end

  it("give the same bits after three steps", function()
    local wanted = hash("gcc -std=c11 -O0", "c")
    assert.truthy(wanted:find("^%x+\n$"))
    assert.equal(wanted, hash("gcc -std=c11 -O0", "c", "blocked", { block = "5x3x2" }))
    for _, case in ipairs { { "gmem", { block = "4x2x2", rows = "3" } },
                            { "st_reg_shft", { block = "4x2", chunk = "5", rows = "2",
                            stages = "1", vec = "1" } },
                            { "smem_u", { block = "4x2x3" } }, { "smem_eta_3", { block = "4x2x3" } } } do
      assert.equal(wanted, hash(SIMT .. " -include simt/first.h -x c++", "simt", table.unpack(case)))
    end
  end)
end)

describe("a generated check", function()
  local lines = {}
  setup(function()
    local code, out, complaint = compiled({ render(fixture.wave(2), "c") },
      "gcc -std=c11 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=all -I. '"
      .. quern.root .. "/tests/unit/emit_check.c' wave_r2_step*.c -o t -lm && ./t")
    assert(code == 0, complaint)
    for name, what in out:gmatch("([^\n]-): ([^\n]*)\n") do lines[name] = what end
  end)

  local WANTED = {
    { "good", "ok" }, { "1295 cubed", "ok" }, { "points", tostring(1295 ^ 3 // 1 | 0) },
    { "empty range", "ok" }, { "no points", "ok" }, { "inputs may be shared", "ok" },
    { "narrow halo, inner range", "ok" },
    { "extent", "the extent along y is -1, wanted 0 to 1099511627776" },
    { "extent beyond all", "the extent along x is 9223372036854775807, wanted 0 to 1099511627776" },
    { "range below", "the range along x is -1 to 10 of 10 points" },
    { "range beyond", "the range along z is 0 to 11 of 10 points" },
    { "range crossed", "the range along y is 5 to 4 of 10 points" },
    { "null", "u: the pointer is null" },
    { "alignment", "vp2dt2: the pointer is not aligned to 4 bytes" },
    { "stride 0", "u_prev: the stride along x is 2, wanted 1" },
    { "rows overlap", "u_prev: the stride along y is 13, wanted at least 14" },
    { "planes overlap", "u_prev: the stride along z is 195, wanted at least 196" },
    { "halo", "u: the halo along z is 1, this kernel reads 2" },
    { "halo negative", "u_prev: the halo along z is -1, wanted 0 to 1099511627776" },
    { "same array", "u_prev and u overlap" },
    { "last row overlaps", "u_prev and u overlap" },
    { "beyond 64 bits", "u_prev: more elements than 64 bits can count" },
    { "null arguments", "1" }, { "launch refuses", "1" },
  }
  for _, case in ipairs(WANTED) do
    it(case[1] .. ": " .. case[2], function() assert.equal(case[2], lines[case[1]]) end)
  end

  it("knows another header's arguments", function()
    assert.truthy(lines.struct_size:find("struct_size is not that of this header: 8, wanted %d+"))
  end)
end)

describe("regions", function()
  it("update each point once, in the first region that has it", function()
    local lowered = fixture.regions(3, {
      { name = "low", ranges = { x = { 0, 1 } } },
      { name = "rim", shell = { y = { "w", "v" }, z = { 2, "w" } } },
      { name = "hole", ranges = { x = { "w", fixture.from_end(2) }, z = { 1, "v" } } },
      { name = "skin", shell = { x = { 2, 2 }, y = { 2, 2 }, z = { 2, 2 } } },
      { name = "mid", rest = true } })
    local code, out, complaint = compiled({ render(lowered, "c", "blocked", { block = "3x2x4" }) },
      "gcc -std=c11 -O0 -fsanitize=undefined,address -fno-sanitize-recover=all -I. '" .. quern.root
      .. "/tests/unit/emit_regions.c' regions_mark_*.c -o t -lm && ./t")
    assert.equal("8575 cases agree\n", out, complaint)
    assert.equal(0, code)
  end)

  it("are refused where they fall into too many boxes", function()
    local list = {}
    for i = 1, 5 do
      list[i] = { name = "r" .. i, ranges = { x = { i, i + 1 }, y = { i, i + 1 }, z = { i, i + 1 } } }
    end
    list[6] = { name = "mid", rest = true }
    local lowered, o = fixture.regions(3, list), options "c"
    local files, problems = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.is_nil(files)
    assert.equal("kernel mark: region r5 may fall into 1296 boxes, the limit is 1024", problems[1].message)
  end)
end)

describe("the head of a kernel file", function()
  it("says what a point costs, as counted", function()
    local lowered = fixture.acoustic(4)
    for _, block in ipairs(lowered.kernels[1].blocks) do
      local counts = block.counts
      local text = text_of(render(lowered, "cuda"), "_" .. block.region .. "_.*%.cu$")
      assert.truthy(text:find(("per point  %d loads, %d store"):format(counts.loads, counts.stores), 1, true))
      assert.truthy(text:find((", %d flops\n"):format(counts.flops), 1, true))
      assert.truthy(text:find(("%d bytes: %d arrays read, %d array"):format(counts.bytes,
        counts.reads, counts.writes), 1, true))
    end
  end)

  it("says threads and shared bytes of a block", function()
    local text = text_of(render(fixture.wave(4), "cuda", "st_reg_shft",
      { block = "64x8", rows = "1", stages = "0", vec = "1" }), "%.cu$")
    assert.truthy(text:find("64x8 = 512 threads, 64 z planes, 4608 bytes of shared memory", 1, true))
    assert.truthy(text:find("__shared__ float plane[16][72];", 1, true))
    assert.equal(4608, 4 * 16 * 72)
  end)

  it("names the spec and its parameters, no place and no date", function()
    local text = text_of(render(fixture.wave(4), "cuda"), "%.cu$")
    assert.truthy(text:find("Generated by Quern from wave.lua (radius = 4); do not edit.", 1, true))
    assert.is_nil(text:find("20%d%d%-"))
    assert.is_nil(text:find(quern.root, 1, true))
  end)
end)

describe("emit", function()
  it("gives the same bytes every time", function()
    assert.same(render(fixture.acoustic(4), "cuda", "st_reg_shft"),
      render(fixture.acoustic(4), "cuda", "st_reg_shft"))
  end)

  it("keeps lines within 100 columns", function()
    for _, list in ipairs { render(fixture.acoustic(8), "cuda", "st_reg_shft"),
                            render(fixture.acoustic(8), "cuda", "smem_u"),
                            render(fixture.acoustic(8), "cuda", "smem_eta_1"),
                            render(fixture.acoustic(4), "cuda"), render(fixture.acoustic(4), "c") } do
      for _, file in ipairs(list) do
        for line in file.text:gmatch("[^\n]+") do
          assert.is_true(#line <= 100, file.path .. ": " .. line)
          assert.is_nil(line:find("%s$"))
        end
      end
    end
  end)

  it("refuses names that clash in generated code", function()
    local lowered = awkward()
    lowered.scalars[1].name = "int_"
    local o = options "c"
    local files, problems = emit.render(schedule.choose(lowered, o), lowered, o)
    assert.is_nil(files)
    assert.truthy(problems[1].message:find("'int' and 'int_' are both called int_", 1, true))
  end)

  it("refuses a number that the compute type cannot hold", function()
    local lowered, o = fixture.wave(1), options "c"
    lowered.kernels[1].blocks[1].stores[1].value = num("1" .. ("0"):rep(40))
    local files, problems = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.is_nil(files)
    assert.equal("kernel step: a number of 41 digits is beyond float", problems[1].message)
  end)

  it("refuses more parameters than a launch takes", function()
    local lowered, o = fixture.wave(1), options "cuda"
    local block = lowered.kernels[1].blocks[1]
    for i = 1, 4096 do block.host[#block.host + 1] = { name = "w" .. i, value = num(i) } end
    local files, problems = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.is_nil(files)
    assert.truthy(problems[1].message:find("bytes of parameters, the limit is 32764", 1, true))
  end)

  it("is quick: one kernel in 100 ms, every shape at radius 16 in 1 s", function()
    local started = os.clock()
    render(fixture.wave(4), "cuda")
    assert.is_true(os.clock() - started < 0.1)
    started = os.clock()
    render(fixture.acoustic(16), "cuda")
    render(fixture.acoustic(16), "cuda", "st_reg_shft")
    render(fixture.acoustic(16), "c")
    assert.is_true(os.clock() - started < 1)
  end)
end)

describe("the descriptor", function()
  it("says where the points of a field lie, if not at the grid's", function()
    local lowered = fixture.wave(1)
    lowered.fields[2].at.y = -1
    local text = text_of(render(lowered, "c"), "_module%.c$")
    local _, count = text:gsub("%.at = ", "")
    assert.equal(1, count)
    assert.truthy(text:find(('"%s".-%%.at = { 0, %%-1'):format(lowered.fields[2].name)))
  end)
end)

describe("the time step", function()
  it("launches every region of a kernel, then turns the buffers", function()
    local text = text_of(render(fixture.acoustic(2), "c"), "_module%.c$")
    local kernel = text:match("int acoustic_iso_r2_d3_step_launch%b()%s*(%b{})")
    assert.truthy(kernel:find("step_pml_blocked_512x16x16_launch.*step_inner_blocked_512x16x16_launch"))
    local step = text:match("int acoustic_iso_r2_d3_step%b()%s*(%b{})")
    assert.truthy(step:find("acoustic_iso_r2_d3_step_check(a, NULL, 0)", 1, true))
    assert.truthy(step:find("acoustic_iso_r2_d3_step_launch(a, stream)", 1, true))
    assert.truthy(step:find("launch%(a, stream%);.*turn%(a%);"))
    local turn = text:match("static void turn%b()%s*(%b{})")
    assert.truthy(turn:find("a%->u_prev = a%->u;.*a%->u = u_oldest;"))
    assert.is_nil(turn:find("phi"))
  end)

  it("has names that no shape changes: the first of each block is called", function()
    local lowered, o = fixture.wave(1), options "c"
    o.shapes = { { name = "blocked", params = { block = "8x2x2" } }, { name = "blocked", params = {} } }
    local files = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    local head = text_of(files, lowered.instance .. "%.h$")
    for _, name in ipairs { "_step_launch", "_step_check" } do
      assert.truthy(head:find(("int %s%s(\n"):format(lowered.instance, name), 1, true))
    end
    local kernel = text_of(files, "_module%.c$"):match("_step_launch%b()%s*(%b{})")
    assert.truthy(kernel:find("_step_blocked_8x2x2_launch(a, stream)", 1, true))
    assert.is_nil(kernel:find("512", 1, true))
  end)

  it("goes over all regions of a kernel with colours in each pass", function()
    local state = assert(driver.run { root = quern.root, spec = "tests/runtime/specs/colours.lua",
      set = {}, shapes = {}, backend = "c", fp = "strict", stop_after = "emit" })
    local kernel = text_of(state.files, "_module%.c$"):match("mixed_launch%b()%s*(%b{})")
    assert.truthy(kernel:find("pass < 6; pass%+%+%) (%b{})"))
    local body = kernel:match("pass < 6; pass%+%+%) (%b{})")
    assert.truthy(body:find("mixed_rim_blocked_512x4_pass_launch(a, pass, stream)", 1, true))
    assert.truthy(body:find("mixed_core_blocked_512x4_pass_launch(a, pass, stream)", 1, true))
  end)

  it("is refused for a kernel that is called like a plan of another", function()
    local lowered, o = fixture.wave(1), options "c"
    lowered.kernels[2] = { name = "step_blocked_512x16x16", compute = "float",
      blocks = { fixture.wave(1).kernels[1].blocks[1] } }
    local files, problems = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.is_nil(files)
    assert.truthy(problems[1].message:find("kernel step_blocked_512x16x16 are called like those of", 1, true))
    lowered.kernels[2], lowered.chains = nil, { { name = "step_blocked_512x16x16_range", stages = { "step" } } }
    files, problems = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.is_nil(files)
    assert.truthy(problems[1].message:find("chain step_blocked_512x16x16_range are called like those of", 1, true))
  end)

  it("is not offered where a kernel of it was not asked for", function()
    local lowered = fixture.acoustic(2)
    lowered.kernels[2] = { name = "other", compute = "float", blocks = { fixture.wave(1).kernels[1].blocks[1] } }
    lowered.step = { "step", "other" }
    local o = options "c"
    o.kernels = { "step" }
    local files = emit.render(assert(schedule.choose(lowered, o)), lowered, o)
    assert.truthy(text_of(files, "_module%.c$"):find(".step = NULL", 1, true))
    assert.is_nil(text_of(files, "_d3%.h$"):find("_step(", 1, true))
  end)
end)
