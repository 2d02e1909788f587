-- Starting other programs: compilers, make, quern-run; files for them to read.

local M = {}

-- Quern bounds its own memory; what it starts may use what the user may.
local LIFT = 'ulimit -S -v "$(ulimit -H -v)" && '

-- `text` as one word of a shell command.
function M.quote(text)
  if text:find("^[%w_./=+,:-]+$") then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- A list of words as a command. Strings that begin with a program's name may
-- hold several words (CC="ccache gcc"), so the first stays as it is.
function M.command(program, words)
  local quoted = { program }
  for i, word in ipairs(words) do quoted[i + 1] = M.quote(word) end
  return table.concat(quoted, " ")
end

-- Starts a command; its output and errors can be read from what this gives.
function M.start(command)
  return assert(io.popen("{ " .. LIFT .. command .. "; } 2>&1", "r"))
end

-- Waits for a started command. Gives whether it went well, and its output.
function M.finish(handle)
  local output = handle:read("a")
  return handle:close() == true, output
end

function M.run(command)
  return M.finish(M.start(command))
end

-- Runs a command that speaks for itself. Gives its exit code.
function M.show(command)
  io.stdout:flush()
  local _, how, code = os.execute("{ " .. LIFT .. command .. "; }")
  return how == "exit" and code or 3
end

-- Runs commands in a folder, a few at a time. Gives nil and what the first one
-- that failed said.
function M.all(folder, commands)
  local jobs = tonumber(os.getenv("QUERN_JOBS")) or 2
  local enter = "cd " .. M.quote(folder) .. " && "
  local problem
  for first = 1, #commands, jobs do
    local last = math.min(first + jobs - 1, #commands)
    local started = {}
    for i = first, last do started[i] = M.start(enter .. commands[i]) end
    for i = first, last do
      local well, output = M.finish(started[i])
      if not well then problem = problem or commands[i] .. "\n" .. output end
    end
    if problem then return nil, problem end
  end
  return true
end

-- Writes a file whole. A fault is an error: these are files of Quern's own.
function M.write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

return M
