-- What `check` says of branches: a side of a `where`, `min` or `max` that no
-- data have taken, at any size, is not checked.

local M = {}

local ALWAYS = { -- by what the condition never did
  where = { held = "the condition of this 'where' never held",
            failed = "the condition of this 'where' always held" },
  min = { held = "this 'min' never took a later argument",
          failed = "this 'min' always took a later argument" },
  max = { held = "this 'max' never took a later argument",
          failed = "this 'max' always took a later argument" },
}

-- Adds what one answer says of a choice. Those of one place, as of a define
-- that stands for several axes, are as many choices: each is checked.
local function add(kernel, number, choice)
  local known = kernel[number]
  if not known then
    known = { word = choice.word, place = choice.place, held = false,
      failed = false }
    kernel[number] = known
  end
  known.held = known.held or choice.held
  known.failed = known.failed or choice.failed
end

local function sentence(choice)
  local says = ALWAYS[choice.word] or ALWAYS.where
  if not choice.held and not choice.failed then
    return ("%s: this '%s' was never decided"):format(choice.place,
      choice.word)
  end
  return ("%s: %s"):format(choice.place,
    says[choice.held and "failed" or "held"])
end

-- The sentences about all answers, each once, in the order of the kernels and
-- of their choices. `names[i]`: the kernel and region that answer i is about.
function M.untaken(names, answers)
  local kernels, list, said = {}, {}, {}
  for i, answer in ipairs(answers) do
    local name = names[i]
    if not kernels[name] then
      kernels[name] = {}
      kernels[#kernels + 1] = kernels[name]
    end
    for number, choice in ipairs((answer.points or 0) > 0 and answer.choices
      or {}) do
      add(kernels[name], number, choice)
    end
  end
  for _, kernel in ipairs(kernels) do
    for _, choice in ipairs(kernel) do
      local text = not (choice.held and choice.failed) and sentence(choice)
      if text and not said[text] then list[#list + 1] = text end
      said[text or ""] = true
    end
  end
  return list
end

return M
