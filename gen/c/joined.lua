-- One source in place of several in C, where they are compiled to be tested:
-- most of what a compiler does for a small kernel is to begin and to read
-- headers. Names that several have for themselves end in a number, by macros.

local lists = require "gen.list"

local M = {}

local NAME = "all.c"            -- all others have a _ in theirs

-- What stands in front of a name that is a file's own, and of a member of a
-- structure, which macros must leave alone.
local OWN = { "\nstatic ([^(%[=;]*)", "\nQUERN_INLINE ([^(%[=;]*)",
              "\nstruct ([%w_]+) {", "\ntypedef ([^;]*);" }
local MACRO = "\n#define ([%w_]+)"
local MEMBER = "[%.>]([%a_][%w_]*)"

-- The last words of what the patterns find in a text: a list and a set.
local function words_of(text, patterns)
  local words = {}
  for _, pattern in ipairs(patterns) do
    for found in ("\n" .. text):gmatch(pattern) do
      local word = found:match "([%w_]+)%s*$"
      if word and not words[word] then
        words[word], words[#words + 1] = true, word
      end
    end
  end
  return words
end

-- The names of `own` that others have as well; nil where one of them cannot be
-- changed.
local function shared_by(own, taken, members)
  local names = {}
  for _, name in ipairs(own) do
    if taken[name] and members[name] then return nil end
    if taken[name] then names[#names + 1] = name end
  end
  return names
end

-- Includes a file with names of its own.
local function add(lines, file, names, number)
  lines[#lines + 1] = "#pragma GCC push_options"
  for _, name in ipairs(names) do
    lines[#lines + 1] = ("#define %s %s_%d_"):format(name, name, number)
  end
  lines[#lines + 1] = ('#include "%s"'):format(file.path:match "[^/]+$")
  for _, name in ipairs(names) do lines[#lines + 1] = "#undef " .. name end
  for _, name in ipairs(words_of(file.text, { MACRO })) do
    lines[#lines + 1] = "#undef " .. name
  end
  lines[#lines + 1] = "#pragma GCC pop_options"
end

-- Headers come before all files, so that no name in them is changed.
local function headers_of(files)
  local lines = {}
  for _, file in ipairs(files) do
    for line in ("\n" .. file.text):gmatch "\n(#include [^\n]*)" do
      if not lines[line] then lines[line], lines[#lines + 1] = true, line end
    end
  end
  return lines
end

-- The .c files among the files: first the module's, as what it calls its own
-- are members as well.
local function sources_of(files)
  local sources = {}
  for _, file in ipairs(files) do
    if file.path:find "_module%.c$" then
      table.insert(sources, 1, file)
    elseif file.path:find "%.c$" then
      sources[#sources + 1] = file
    end
  end
  return sources
end

-- The files with one more, which includes the .c files, and the names of what
-- is then to be compiled: of that one, and of any that cannot be with others.
function M.files(files)
  local sources = sources_of(files)
  local lines, names, taken = headers_of(sources), { NAME }, {}
  for number, file in ipairs(sources) do
    local own = words_of(file.text, OWN)
    local changed = shared_by(own, taken, words_of(file.text, { MEMBER }))
    if changed then
      add(lines, file, changed, number)
      for _, name in ipairs(own) do taken[name] = true end
    else
      names[#names + 1] = file.path:match "[^/]+$"
    end
  end
  local text = table.concat(lines, "\n") .. "\n"
  return lists.joined(files, { { path = NAME, text = text } }), names
end

return M
