-- Rows of texts in columns as wide as their widest cell.

local M = {}

-- `numbers` = how many columns stand left-aligned before the right-aligned
-- numbers; all are left-aligned without it.
function M.print(rows, margin, numbers)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, utf8.len(cell))
    end
  end
  for _, row in ipairs(rows) do
    local line = {}
    for i, cell in ipairs(row) do
      local blanks = (" "):rep(widths[i] - utf8.len(cell))
      line[i] = numbers and i > numbers and blanks .. cell or cell .. blanks
    end
    print(((margin .. table.concat(line, "  ")):gsub(" +$", "")))
  end
end

return M
