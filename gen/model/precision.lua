-- The precision of a spec, and the name of the instance that its params make.

local number = require "gen.model.number"

-- Bytes of an element of each type.
local M = { BYTES = { float = 4, double = 8, half = 2, bfloat16 = 2, int = 4 } }

local COMPUTE = { float = "float", double = "double", half = "float",
  bfloat16 = "float" }

local function value_text(value)
  local text = type(value) == "number" and number.text(value)
    or tostring(value)
  return (text:gsub("[-.+]", { ["-"] = "m", ["."] = "p", ["+"] = "" }))
end

-- `<spec>[_<short><value>..]`, all params in order.
local function instance_of(decls)
  local words = { decls.name }
  for _, param in ipairs(decls.params) do
    words[#words + 1] = (param.short or param.name) .. value_text(param.value)
  end
  return table.concat(words, "_")
end

function M.build(b)
  b.model.instance = instance_of(b.decls)
  for _, item in ipairs(b.decls.items) do
    if item.kind == "precision" then
      b.model.storage = item.names[1].name
      b.model.compute = item.keys.compute or COMPUTE[b.model.storage]
      if not COMPUTE[b.model.compute] or b.model.compute ~= "float"
         and b.model.compute ~= "double" then
        b.report(item.key_pos.compute or item.pos, "found compute = \"%s\", "
          .. "wanted \"float\" or \"double\": 16-bit types are for storage",
          b.model.compute)
      end
    end
  end
  if not b.model.storage then
    b.report({ source = b.decls.sources[1], offset = 1 }, "no precision is "
      .. "declared, wanted one: precision { \"float\" }")
    b.model.storage, b.model.compute = "float", "float"
  end
end

return M
