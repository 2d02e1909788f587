-- What the assembler says of the kernels of a file under `ptxas -v`.

local M = {}

-- "_Z12laplace_kernelIiEv.." -> "laplace_kernel", 32: the bits of its indices,
-- nil where it is no template over them. int64_t is a long, or a long long.
local BITS = { i = 32, l = 64, x = 64 }

local function demangled(symbol)
  local length, rest = symbol:match("^_Z(%d+)(.*)$")
  if not length then return symbol end
  local name = rest:sub(1, tonumber(length))
  return name, BITS[rest:sub(#name + 1):match("^I(%l)E")]
end

local ENTRY = "Compiling entry function '(.-)' for '(.-)'"

-- What the lines about a kernel say; those about functions that it calls add to
-- it.
local FACTS = {
  { "(%d+) bytes stack frame, (%d+) bytes spill stores, (%d+) bytes spill "
    .. "loads", "stack", "stores", "loads" },
  { "Used (%d+) registers", "registers" },
  { "(%d+) bytes smem", "shared" },
  { "Compile time = ([%d.]+) ms", "milliseconds" },
}

local function add_facts(kernel, line)
  for _, fact in ipairs(FACTS) do
    local found = { line:match(fact[1]) }
    for i, value in ipairs(found) do
      local name = fact[i + 1]
      kernel[name] = (kernel[name] or 0) + tonumber(value)
    end
  end
end

-- -> { { name, bits, arch, registers, stack, stores, loads, shared (bytes, of
-- its own text), milliseconds (nil before CUDA 12) }.. }, in order of name,
-- architecture and bits.
function M.read(text)
  local list, kernel = {}, nil
  for line in text:gmatch("[^\n]+") do
    local symbol, arch = line:match(ENTRY)
    if symbol then
      kernel = { arch = arch, shared = 0 }
      kernel.name, kernel.bits = demangled(symbol)
      list[#list + 1] = kernel
    elseif kernel then
      add_facts(kernel, line)
    end
  end
  table.sort(list, function(a, b)
    if a.name ~= b.name then return a.name < b.name end
    if a.arch ~= b.arch then return a.arch < b.arch end
    return (a.bits or 0) < (b.bits or 0)
  end)
  return list
end

return M
