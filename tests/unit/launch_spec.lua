-- The header that all launchers share, by itself: see launch.c.

local quern = require "tests.quern"

local FLAGS = "-O1 -Wall -Wextra -Wshadow -Wconversion -Werror -fsanitize=undefined,address "
  .. "-fno-sanitize-recover=all -Itemplates "

local function run(compiler)
  local folder = quern.folder()
  local code, out, complaint = quern.shell(compiler .. " tests/unit/launch.c -o '" .. folder .. "/t' && '"
    .. folder .. "/t'")
  quern.remove(folder)
  assert.equal("", complaint)
  assert.equal("2000 cases\n", out)
  assert.equal(0, code)
end

describe("quern_launch.h", function()
  it("does as it says in C11, without a warning", function()
    run("gcc -std=c11 -Wstrict-prototypes " .. FLAGS)
  end)

  it("does as it says in C++17, without a warning", function()
    run("g++ -x c++ -std=c++17 " .. FLAGS)
  end)

  it("compiles by nvcc without a warning", function()
    local nvcc = quern.nvcc()
    if not nvcc then return pending("nvcc is not here") end
    local code, out, complaint = quern.shell(nvcc .. " -x cu -std=c++17 -Xcompiler -Wall,-Wextra,-Wshadow "
      .. "-Werror all-warnings -Itemplates -c tests/unit/launch.c -o /dev/null")
    assert.equal("", out .. complaint)
    assert.equal(0, code)
  end)

  it("has as many axes as a module may have", function()
    local code = quern.shell("printf '#include \"runtime/abi.h\"\\n#include \"templates/quern_launch.h\"\\n"
      .. "_Static_assert(QUERN_AXES == (int)QUERN_MAX_RANK, \"\");' | gcc -std=c11 -I. -fsyntax-only -x c -")
    assert.equal(0, code)
  end)

  it("is refused in another version", function()
    local folder = quern.folder()
    assert.equal(0, (quern.run(("gen '%s/specs/laplace.lua' --backend c"):format(quern.root), folder)))
    local code, _, complaint = quern.shell("cd '" .. folder .. "/out/c' && sed -i 's/QUERN_LAUNCH "
      .. "[0-9]*/QUERN_LAUNCH 999/' quern_launch.h && gcc -std=c11 -fsyntax-only *_apply_*.c")
    quern.remove(folder)
    assert.not_equal(0, code)
    assert.truthy(complaint:find("#error.*regenerate"))
  end)
end)
