local M = {}
function M.check() end
return M
