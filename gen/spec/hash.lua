-- A hash of everything that decides what is generated: 64-bit FNV-1a over
-- lengths and bytes, as 16 hexadecimal digits.

local M = {}

local PRIME = 0x100000001b3

local function add(hash, text)
  text = #text .. ":" .. text
  for i = 1, #text do
    hash = (hash ~ string.byte(text, i)) * PRIME
  end
  return hash
end

function M.of(texts)
  local hash = 0xcbf29ce484222325
  for _, text in ipairs(texts) do hash = add(hash, text) end
  return string.format("%016x", hash)
end

return M
