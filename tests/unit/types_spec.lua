-- The one place of 16-bit conversions, by itself: see types.c. Mistakes that
-- kernels of other projects have made are planted in it, and found.

local quern = require "tests.quern"

local LONG = os.getenv "QUERN_LONG" == "1"
local MORE = LONG and " -DRANDOM=5000000" or ""
local FLAGS = "-Wall -Wextra -Wshadow -Wconversion -Werror "

-- Runs types.c with the header in `folder`. Gives its exit code and its words.
local function try(compiler, folder)
  local _, _, complaint = quern.shell(("%s %s -I '%s' tests/unit/types.c -o '%s/t' -lm")
    :format(compiler, FLAGS, folder, folder))
  assert.equal("", complaint)
  return quern.shell(("'%s/t'"):format(folder))
end

local function agrees(compiler)
  compiler = compiler .. MORE
  local folder = quern.folder()
  quern.shell(("cp templates/quern_types.h '%s'"):format(folder))
  local code, out = try(compiler, folder)
  quern.remove(folder)
  assert.truthy(out:find("^%d%d%d%d%d%d%d+ numbers\n$"), out)
  assert.equal(0, code)
end

local MISTAKES = {
  { "a double is rounded twice", "quern_odd%(value%)%)", "(float)value)" },
  { "half: cut off, not rounded", "size %+ 0xfff %+ %(%(size >> 13%) & 1%)", "size" },
  { "half: ties go up", "0xfff %+ %(%(size >> 13%) & 1%)", "0x1000" },
  { "half: subnormals are flushed", "0x38800000, small", "0x38800000, 0" },
  { "half: no infinity", "half < 0x7c00, half", "half < 0x8000, half" },
  { "half: read without subnormals", "quern_bits%(small%),", "0," },
  { "bfloat16: cut off, not rounded", "bits %+ 0x7fff %+ %(%(bits >> 16%) & 1%)", "bits" },
  { "bfloat16: a NaN runs over", "0x7fff, upper", "upper, upper" },
}

describe("quern_types.h", function()
  it("rounds once, to the nearest, in C11", function()
    agrees("gcc -std=c11 -O3 -march=native")
  end)

  it("gives the same bits without vectors, in C++17, sanitized", function()
    agrees("g++ -x c++ -std=c++17 -O1 -fsanitize=undefined -fno-sanitize-recover=all")
  end)

  it("has conversions that gcc vectorises", function()
    local loops = {}
    for _, verb in ipairs { "half_to_float", "float_to_half", "float_to_bfloat16", "double_to_half",
                            "double_to_bfloat16" } do
      local to, from = "float", "uint16_t"
      if not verb:find("to_float") then to, from = "uint16_t", verb:match("^%a+") end
      loops[#loops + 1] = ("void %s(%s *restrict to, const %s *restrict from, int n) { for (int i = 0; i < n; i++) "
        .. "to[i] = quern_%s(from[i]); }"):format(verb, to, from, verb)
    end
    local code, _, said = quern.shell(("printf '%%s\\n' '#include \"quern_types.h\"' '%s' | gcc -std=c11 -O3 -mavx2 "
      .. "-fopt-info-vec -Itemplates -x c -c - -o /dev/null"):format(table.concat(loops, "' '")))
    assert.equal(0, code)
    for i = 1, #loops do assert.truthy(said:find(("<stdin>:%d:[^\n]*loop vectorized"):format(i + 1)), said) end
  end)

  it("compiles by nvcc without a warning", function()
    if quern.shell("command -v nvcc") ~= 0 then return pending("nvcc is not here") end
    local code, out, complaint = quern.shell("nvcc -std=c++17 -arch=sm_90 -Xcompiler -Wall,-Wextra,-fopenmp "
      .. "-Werror all-warnings -Itemplates -c tests/device/types.cu -o /dev/null")
    assert.equal("", out .. complaint)
    assert.equal(0, code)
  end)

  for i, mistake in ipairs(MISTAKES) do
    local test = (LONG or i % 3 == 1) and it or pending
    test("is found out where " .. mistake[1], function()
      local folder = quern.folder()
      local text, count = quern.read("templates/quern_types.h"):gsub(mistake[2], mistake[3])
      assert.is_true(count > 0)
      quern.write(folder .. "/quern_types.h", text)
      local code, out = try("gcc -std=c11 -O1 -Wno-unused", folder)
      quern.remove(folder)
      assert.equal(1, code)
      assert.truthy(out:find("gives %x%x%x%x\n"), out)
    end)
  end
end)
