-- What the assembler says of the kernels of a file under `ptxas -v`.

local M = {}

-- int64_t is a long, or a long long.
local BITS = { i = 32, l = 64, x = 64 }

-- "_Z14laplace_kernelIiEv.." -> "laplace_kernel", 32: the bits of its indices,
-- nil where it is no template over them; "_ZN6thin_x14laplace_kernelIiEEv.." ->
-- and "thin_x", the namespace that it is in.
local function demangled(symbol)
  local words, rest = {}, symbol:match("^_ZN?(%d.*)$")
  while rest and rest:find("^%d") do
    local length, more = rest:match("^(%d+)(.*)$")
    words[#words + 1] = more:sub(1, tonumber(length))
    rest = more:sub(tonumber(length) + 1)
  end
  if not rest then return symbol end
  return words[#words], BITS[rest:match("^I(%l)E")], words[#words - 1]
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

-- -> { { name, bits, space, arch, registers, stack, stores, loads, shared
-- (bytes of its text), milliseconds (nil before CUDA 12) }.. }, in order of
-- name, namespace, architecture and bits.
function M.read(text)
  local list, kernel = {}, nil
  for line in text:gmatch("[^\n]+") do
    local symbol, arch = line:match(ENTRY)
    if symbol then
      kernel = { arch = arch, shared = 0 }
      kernel.name, kernel.bits, kernel.space = demangled(symbol)
      list[#list + 1] = kernel
    elseif kernel then
      add_facts(kernel, line)
    end
  end
  table.sort(list, function(a, b)
    if a.name ~= b.name then return a.name < b.name end
    if a.space ~= b.space then return (a.space or "") < (b.space or "") end
    if a.arch ~= b.arch then return a.arch < b.arch end
    return (a.bits or 0) < (b.bits or 0)
  end)
  return list
end

return M
