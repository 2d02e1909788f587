-- Runs the command as a user would, from tests.

local M = {}

local here = io.popen("pwd -P"):read("l")

M.root = here
M.quern = here .. "/gen/quern"

-- A temporary folder; `M.remove` takes it away.
function M.folder()
  local folder = io.popen("mktemp -d"):read("l")
  return folder
end

function M.remove(folder)
  assert(folder:find("^/tmp/") or folder:find(os.getenv("TMPDIR") or "/tmp/", 1, true))
  os.execute("rm -rf '" .. folder .. "'")
end

function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

function M.write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Runs a shell command in a folder. Gives its exit code, what it wrote, and
-- what it complained.
function M.shell(command, folder)
  local out, err = os.tmpname(), os.tmpname()
  local _, _, code = os.execute(("cd '%s' && { %s\n} >'%s' 2>'%s'")
    :format(folder or here, command, out, err))
  local text, complaint = M.read(out), M.read(err)
  os.remove(out)
  os.remove(err)
  return code, text, complaint
end

-- nvcc, or the program that NVCC names; nil where there is none.
function M.nvcc()
  local name = os.getenv "NVCC" or "nvcc"
  return M.shell(("command -v '%s'"):format(name)) == 0 and name or nil
end

-- Runs quern with arguments as a shell would read them.
function M.run(arguments, folder)
  return M.shell(("'%s' %s"):format(M.quern, arguments), folder)
end

return M
