-- From noted calls to items: every name and key checked, with its position.

local agree = require "gen.spec.agree"
local diag = require "gen.diag"
local locate = require "gen.spec.locate"
local names = require "gen.spec.names"
local normal = require "gen.spec.normal"
local schema = require "gen.spec.schema"
local types = require "gen.spec.types"

local M = {}

-- How many items stand at 1, 2, ..; second: a key that is neither an item nor
-- a word, if there is one; of several always the same.
local function count_items(argument)
  local n, odd = 0, nil
  while argument[n + 1] ~= nil do n = n + 1 end
  for key in next, argument do
    local item = math.type(key) == "integer" and key >= 1 and key <= n
    if not item and type(key) ~= "string"
       and (odd == nil or tostring(key) < tostring(odd)) then odd = key end
  end
  return n, odd
end

-- Is the last item of a kernel its formula?
local function name_count(kind, n)
  return kind == "kernel" and math.min(n, 1) or n
end

local function check_count(kind, rule, n, finder, report)
  if n < rule.least then
    report(diag.new(finder.pos, "%s: found %d names, wanted %s%d", kind, n,
                    rule.most == rule.least and "" or "at least ", rule.least))
  elseif rule.most and n > rule.most then
    report(diag.new(finder.pos, "%s: found %d items, wanted at most %d", kind,
                    n, rule.most))
  end
end

local function name_problem(kind, rule, value)
  if type(value) ~= "string" then
    return string.format("%s: found %s, wanted a name", kind,
                         types.show(value))
  elseif rule.item then
    if not rule.item.accept(value) then
      return string.format("%s: found %s, wanted %s%s", kind,
        types.show(value), rule.item.wanted, diag.hint(value, rule.item.words))
    end
    return nil
  end
  return names.problem(value)
end

local function read_names(kind, rule, argument, finder, report)
  local n, odd = count_items(argument)
  local list = {}
  check_count(kind, rule, n, finder, report)
  if odd ~= nil then
    report(diag.new(finder.pos, "%s: found the key %s, wanted a name", kind,
                    types.show(odd)))
  end
  for i = 1, name_count(kind, n) do
    local pos = locate.item(finder, argument[i])
    local problem = name_problem(kind, rule, argument[i])
    if problem then report(diag.new(pos, "%s", problem))
    else list[#list + 1] = { name = argument[i], pos = pos } end
  end
  return list
end

-- The type of a key; nil if it has no such key.
local function type_of(rule, key)
  return rule.keys[key] or rule.other
end

local function unknown_key(kind, rule, key, pos)
  local known = #rule.order > 0 and table.concat(rule.order, ", ") or "none"
  local near = diag.hint(key, rule.order)
  return diag.new(pos, "%s has no key '%s'%s", kind, key,
                  near ~= "" and near or "; its keys: " .. known)
end

local function wrong_type(rule, key, value, wanted, pos)
  local near = not rule.keys[key] and diag.hint(key, rule.order)
    or wanted.words and type(value) == "string"
    and diag.hint(value, wanted.words) or ""
  return diag.new(pos, "'%s': found %s, wanted %s%s", key, types.show(value),
                  wanted.wanted, near)
end

-- The value with 4.0 as 4, so that nobody prints the point.
local function whole_numbers(value)
  if type(value) == "number" then return math.tointeger(value) or value end
  if type(value) ~= "table" then return value end
  local out = {}
  for key, item in next, value do out[key] = whole_numbers(item) end
  return out
end

local function sorted_words(argument)
  local keys = {}
  for key in next, argument do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

-- The keys that are well typed, and the positions of all.
local function read_keys(kind, rule, argument, finder, report)
  local keys, key_pos, sound = {}, {}, true
  for _, key in ipairs(sorted_words(argument)) do
    local value, pos = argument[key], locate.key(finder, key)
    local wanted = type_of(rule, key)
    if not wanted then
      report(unknown_key(kind, rule, key, pos))
    elseif not wanted.accept(value) then
      report(wrong_type(rule, key, value, wanted, pos))
      sound = false
    elseif rule.keys[key] then
      keys[key] = kind == "param" and value or whole_numbers(value)
    end
    key_pos[key] = pos
  end
  for _, key in ipairs(schema.needed[kind] or {}) do
    if argument[key] == nil then
      report(diag.new(finder.pos, "%s wants the key '%s'", kind, key))
    end
  end
  return keys, key_pos, sound
end

local function check_agreement(item, finder, report)
  local check = agree[item.kind]
  if not check then return end
  local key, problem = check(item.keys, item.names)
  if problem then
    report(diag.new(key and item.key_pos[key] or finder.pos, "%s", problem))
  end
end

local function check_kernel_word(item, report)
  if item.kind ~= "region" and item.kind ~= "list" then return end
  for _, name in ipairs(item.names) do
    for _, word in ipairs(schema.kernel_words) do
      if name.name == word then
        report(diag.new(name.pos, "'%s' is a key of kernels: a %s needs "
                        .. "another name", word, item.kind))
      end
    end
  end
end

-- The names that an item declares: { name, pos }.
local function declared(item, rule, finder)
  local list = {}
  if rule.declares == "all" then list = table.move(item.names, 1,
                                                   #item.names, 1, {}) end
  if rule.declares == "first" then list = { item.names[1] } end
  if item.kind == "grid" then
    local seen = {}
    for _, s in ipairs(item.keys.spacing or {}) do
      if type(s) == "string" and not seen[s] then
        seen[s] = true
        table.insert(list, { name = s,
                             pos = locate.word(finder, s, "spacing") })
      end
    end
  end
  return list
end

-- Word -> position, for the strings and keys inside the values of keys.
local function words_of(argument, finder)
  local out = {}
  local function visit(value, key)
    if type(value) == "string" and names.problem(value) == nil then
      out[value] = out[value] or locate.word(finder, value, key)
    elseif type(value) == "table" then
      for _, inner in ipairs(sorted_words(value)) do
        visit(inner, key)
        visit(value[inner], key)
      end
      for _, inner in ipairs(value) do visit(inner, key) end
    end
  end
  for _, key in ipairs(sorted_words(argument)) do visit(argument[key], key) end
  return out
end

local function text_item(call, finder, report)
  local item = { kind = call.kind, pos = finder.pos, names = {}, keys = {},
                 key_pos = {}, declares = {}, word_pos = {} }
  if type(call.argument) ~= "string" then
    report(diag.new(finder.pos, "%s: found %s, wanted a text [[ .. ]]",
                    call.kind, types.show(call.argument)))
    return nil
  end
  item.keys.text = locate.text(finder, call.argument)
  return item
end

-- The item of a noted call, or nil; what is wrong is reported.
function M.item(call, finder, report)
  local kind, argument = call.kind, call.argument
  local rule = schema.constructors[kind]
  if (call.given or 1) > 1 then
    report(diag.new(finder.pos, "%s: found %d values, wanted one", kind,
                    call.given))
  end
  if rule.text then return text_item(call, finder, report) end
  if type(argument) ~= "table" then
    report(diag.new(finder.pos, "%s: found %s, wanted %s { \"name\", .. }",
                    kind, types.show(argument), kind))
    return nil
  end
  local item = { kind = kind, pos = finder.pos }
  item.names = read_names(kind, rule, argument, finder, report)
  local sound
  item.keys, item.key_pos, sound =
    read_keys(kind, rule, argument, finder, report)
  if sound then
    normal.apply(kind, finder, argument, item.keys, rule.keys, report)
    check_agreement(item, finder, report)
  end
  check_kernel_word(item, report)
  item.declares = declared(item, rule, finder)
  item.word_pos = words_of(argument, finder)
  return item
end

return M
