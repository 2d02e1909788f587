-- The values of templates/split.tpl.

local kernel_view = require "gen.emit.kernel"

local M = {}

function M.view(plan, lowered)
  local values = kernel_view.view(plan, lowered)
  values.pieces = {}
  for i, piece in ipairs(plan.helpers) do values.pieces[i] = piece.name end
  table.insert(values.more_checks, "part/split_check")
  return values
end

return M
