-- What kernels take of a multiprocessor: what ptxas says is read, how many
-- blocks fit is counted as NVIDIA's own header counts, and a build can refuse
-- kernels that spill.

local device = require "gen.schedule.device"
local ptxas = require "gen.ptxas"
local quern = require "tests.quern"

local KERNEL = "_Z44laplace_r1_d3_float_apply_gmem_32x4x4_kernelIlEvPfPKf"
local SAID = [[
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function ']] .. KERNEL .. [[' for 'sm_90'
ptxas info    : Function properties for ]] .. KERNEL .. [[

    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Function properties for __internal_slow_path
    40 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 56 bytes cumulative stack size, 4608 bytes smem
ptxas info    : Compile time = 12.500 ms
ptxas info    : Compiling entry function '_Z4pairPf' for 'sm_80'
ptxas info    : Function properties for _Z4pairPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 368 bytes cmem[0]
]]

describe("what ptxas says", function()
  it("is read kernel by kernel, with the functions that they call", function()
    local list = ptxas.read(SAID)
    assert.same({
      { name = "laplace_r1_d3_float_apply_gmem_32x4x4_kernel", bits = 64, arch = "sm_90", stack = 56,
        stores = 8, loads = 16, registers = 40, shared = 4608, milliseconds = 12.5 },
      { name = "pair", arch = "sm_80", stack = 0, stores = 0, loads = 0, registers = 8, shared = 0 },
    }, list)
  end)

  it("knows kernels in a namespace", function()
    local list = ptxas.read("ptxas info    : Compiling entry function '_ZN6thin_x8p_kernelIiEEv14CUtensorMap_st'"
      .. " for 'sm_90'\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n")
    assert.same({ { name = "p_kernel", space = "thin_x", bits = 32, arch = "sm_90", stack = 0, stores = 0, loads = 0,
                    shared = 0 } }, list)
  end)

  it("is nothing where nothing was compiled for a device", function()
    assert.same({}, ptxas.read("nvcc warning : something else\n"))
  end)
end)

describe("occupancy", function()
  local function of(arch, threads, registers, shared)
    return device.occupancy(arch, { threads = threads, registers = registers, shared = shared })
  end

  it("names every limit that binds", function()
    assert.same({ blocks = 4, share = 1.0, binds = { "registers", "threads" } }, of("sm_90", 512, 32, 0))
    assert.same({ blocks = 2, share = 0.25, binds = { "registers", "shared memory" } },
      of("sm_90a", 256, 128, 84992))
    assert.same({ "blocks" }, of("sm_86", 32, 16, 0).binds)
    assert.same({ blocks = 0, share = 0.0, binds = { "registers" } }, of("sm_90", 1024, 72, 0))
    assert.same({ blocks = 0, share = 0.0, binds = { "shared memory" } }, of("sm_86", 64, 32, 101377))
  end)

  local HEADER = "/usr/local/cuda/include/cuda_occupancy.h"

  -- One line of numbers for each use, as the header counts.
  local PROGRAM = [[
#include <climits>
#include <cstddef>
#include <cstdio>
#include "cuda_occupancy.h"
int main() {
    int major, minor, warps, shared, optin, reserved, threads, registers, bytes;
    while (scanf("%d %d %d %d %d %d %d %d %d", &major, &minor, &warps, &shared, &optin, &reserved, &threads,
                 &registers, &bytes) == 9) {
        cudaOccDeviceProp p;
        p.computeMajor = major; p.computeMinor = minor; p.warpSize = 32; p.numSms = 1;
        p.maxThreadsPerBlock = 1024; p.maxThreadsPerMultiprocessor = 32 * warps;
        p.regsPerBlock = p.regsPerMultiprocessor = 65536;
        p.sharedMemPerBlock = 49152; p.sharedMemPerMultiprocessor = shared;
        p.sharedMemPerBlockOptin = optin; p.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes f;
        f.maxThreadsPerBlock = 1024; f.numRegs = registers; f.sharedSizeBytes = 0;
        f.partitionedGCConfig = PARTITIONED_GC_OFF; f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        f.maxDynamicSharedSizeBytes = bytes; f.numBlockBarriers = 1;
        cudaOccDeviceState s;
        s.cacheConfig = CACHE_PREFER_NONE; s.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccResult r;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, threads, bytes) != CUDA_OCC_SUCCESS) return 1;
        printf("%d\n", r.activeBlocksPerMultiprocessor);
    }
}
]]
  local DEVICES = { { 7, 0, 64, 96 }, { 7, 5, 32, 64 }, { 8, 0, 64, 164 }, { 8, 6, 48, 100 }, { 8, 7, 48, 164 },
    { 8, 9, 48, 100 }, { 9, 0, 64, 228 }, { 10, 0, 64, 228 }, { 11, 0, 48, 228 }, { 12, 0, 48, 100 } }

  it("is what NVIDIA's header counts", function()
    if not io.open(HEADER) then return pending("needs " .. HEADER) end
    local folder = quern.folder()
    local lines, wanted = {}, {}
    for _, d in ipairs(DEVICES) do
      local arch = ("sm_%d%d"):format(d[1], d[2])
      for _, threads in ipairs { 1, 32, 96, 128, 256, 416, 512, 1024 } do
        for _, registers in ipairs { 16, 33, 64, 72, 128, 255 } do
          for _, bytes in ipairs { 0, 1, 4608, 33000, 50000, 98304, device.shared(arch) } do
            if bytes <= device.shared(arch) then
              local reserved = d[1] < 8 and 0 or 1024
              lines[#lines + 1] = table.concat({ d[1], d[2], d[3], d[4] * 1024, d[4] * 1024 - reserved, reserved,
                threads, registers, bytes }, " ")
              wanted[#wanted + 1] = ("%d"):format(of(arch, threads, registers, bytes).blocks)
            end
          end
        end
      end
    end
    quern.write(folder .. "/t.cpp", PROGRAM)
    quern.write(folder .. "/in", table.concat(lines, "\n"))
    local code, out, err = quern.shell("g++ -w -I/usr/local/cuda/include t.cpp -o t && ./t <in", folder)
    quern.remove(folder)
    assert.equal(0, code, err)
    local n = 0
    for count in out:gmatch("%d+") do
      n = n + 1
      assert.equal(wanted[n], count, lines[n])
    end
    assert.equal(#lines, n)
  end)
end)

describe("explain --resources", function()
  local folder
  before_each(function() folder = quern.folder() end)
  after_each(function() quern.remove(folder) end)

  local SPEC = quern.root .. "/specs/laplace.lua"

  -- With a compiler that says what it is told.
  local function explain(said, more)
    quern.write(folder .. "/said", said)
    quern.write(folder .. "/nvcc", "#!/bin/sh\ncase \"$*\" in *Xptxas=-v*.cu*) cat '" .. folder .. "/said' ;; esac\n")
    return quern.shell(("chmod +x nvcc && NVCC='%s/nvcc' '%s' explain '%s' %s"):format(folder, quern.quern, SPEC, more),
      folder)
  end

  local ONE = SAID:match("^(.-)ptxas info    : Compiling entry function '_Z4pair")

  it("prints registers, spills, shared memory and what binds", function()
    local code, out, err = explain(ONE, "--resources")
    assert.equal(0, code, err)
    assert.truthy(out:find("laplace_r1_d3_float_apply_gmem_32x4x4_kernel  sm_90  64 bits  registers +40 +24 +4608 +512"
      .. " +3 +75 %% +12\n"), out)
  end)

  it("fails on spills with the kernel and its bytes, when told to", function()
    local code, _, err = explain(ONE, "--fail-on spills")
    assert.equal(3, code)
    assert.equal("laplace_r1_d3_float_apply_gmem_32x4x4_kernel, offsets of 64 bits, sm_90: spills 24 bytes "
      .. "(8 stored, 16 loaded)\n", err)
    code, _, err = explain(ONE:gsub("[%d]+ bytes spill", "0 bytes spill"), "--fail-on spills")
    assert.equal(0, code, err)
    assert.equal("", err)
  end)

  it("says that nvcc is missing", function()
    local code, _, err = quern.shell(("NVCC=no-such-nvcc '%s' explain '%s' --resources"):format(quern.quern, SPEC))
    assert.equal(3, code)
    assert.truthy(err:find("^no%-such%-nvcc: cannot be run %(set NVCC%)"), err)
  end)

  it("is about cuda alone", function()
    local code, _, err = quern.run(("explain '%s' --resources --backend c"):format(SPEC))
    assert.equal(2, code)
    assert.equal("quern: --resources: ptxas knows them, wanted backend cuda, found c\n", err)
  end)

  it("knows the threads and the shared memory of every kernel that the tensor unit serves", function()
    if quern.shell('command -v "${NVCC:-nvcc}" >/dev/null') ~= 0 then return pending("needs nvcc") end
    if os.getenv "QUERN_LONG" ~= "1" then return pending("QUERN_LONG=1") end
    local code, out, err = quern.run("explain specs/acoustic_iso.lua --resources --set radius=1 --shape st_tma",
      quern.root)
    assert.equal(0, code, err)
    local count = 0
    for shared, threads, blocks in out:gmatch("_st_tma_.-kernel .-  %d+ +%d+ +(%d+) +(%d+) +(%d+) +%d+ %%") do
      count = count + 1
      assert.is_true(tonumber(shared) > 16000 and tonumber(threads) >= 128 and tonumber(blocks) >= 1, out)
    end
    assert.equal(8, count, out)
  end)

  it("is what ptxas says of the real kernels", function()
    if quern.shell('command -v "${NVCC:-nvcc}" >/dev/null') ~= 0 then return pending("needs nvcc") end
    local code, out, err = quern.run(("explain '%s' --fail-on spills --arch sm_80 --arch sm_90"):format(SPEC))
    assert.equal(0, code, err)
    for _, arch in ipairs { "sm_80", "sm_90" } do
      for _, bits in ipairs { 32, 64 } do
        assert.truthy(out:find(("gmem_32x4x4_kernel  %s  %d bits  [%%a, ]+%%d+ +0 +0 +512 +4 +100 %%%% +%%d+\n")
          :format(arch, bits)), out)
      end
    end
  end)
end)
