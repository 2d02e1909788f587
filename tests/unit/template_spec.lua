-- The template engine: what it copies, what it refuses, where its errors point.

local template = require "gen.template"

local function render(text, values)
  return template.render("here", values or {}, text)
end

local function refusal(text, values)
  local well, message = pcall(render, text, values)
  assert.is_false(well)
  return message
end

describe("the template engine", function()
  it("copies what is neither Lua nor a dollar", function()
    assert.equal("a % b; \"c\" \\ [[d]]\n\n  e\n", render("a % b; \"c\" \\ [[d]]\n\n  e"))
  end)

  it("inserts names, expressions and dollars", function()
    assert.equal("u4 = u3; $x\n", render("u$r = u${r - 1}; $$x", { r = 4 }))
  end)

  it("takes whole lines as Lua, at any indentation", function()
    assert.equal("    behind2 = behind1;\n    behind1 = behind0;\n",
      render("% for r = radius, 1, -1 do\n    behind$r = behind${r - 1};\n    % end", { radius = 2 }))
  end)

  it("keeps the indentation of every line of a value", function()
    assert.equal("    a;\n    b;\n", render("    $lines", { lines = { "a;", "b;" } }))
  end)

  it("lines a value up under the column where it stands", function()
    assert.equal("call(one,\n     two);\n", render("call($list);", { list = { "one,", "two" } }))
  end)

  it("leaves no line where an empty list stands alone", function()
    assert.equal("a\nb\n", render("a\n    $none\nb", { none = {} }))
  end)

  it("leaves no blanks at the end of a line", function()
    assert.equal("    a\n\n    b\n", render("    $text", { text = "a\n\nb" }))
  end)

  it("includes parts at the indentation of the line that asks", function()
    local text = render("% if true then\n        % include \"part/cuda_grid\"\n% end", {})
    assert.truthy(text:find("^        if %(quern_check_grid"))
    for line in text:gmatch("[^\n]+") do assert.truthy(line:find("^        ")) end
  end)

  it("refuses an undefined value, with the template's line", function()
    assert.truthy(refusal("a\nb $c"):find("templates/here.tpl:2: undefined value 'c'", 1, true))
  end)

  it("refuses an undefined field of a value", function()
    assert.truthy(refusal("a\n\n${s.t}", { s = {} }):find("templates/here.tpl:3: cannot insert a nil", 1, true))
  end)

  it("refuses a float, even one without a fraction", function()
    assert.truthy(refusal("$x", { x = 2.0 }):find("templates/here.tpl:1: cannot insert a float", 1, true))
    assert.truthy(refusal("${x/2}", { x = 4 }):find("cannot insert a float", 1, true))
  end)

  it("refuses a value that is never asked for", function()
    assert.truthy(refusal("$a", { a = 1, spare = 2 }):find("unused value 'spare'", 1, true))
  end)

  it("refuses a lone dollar, with its line", function()
    assert.truthy(refusal("a\n$ b"):find("templates/here.tpl:2: a lone '$'", 1, true))
  end)

  it("says where Lua itself fails: one template line is one Lua line", function()
    assert.truthy(refusal("a\n% for x"):find("templates/here.tpl:2:", 1, true))
    assert.truthy(refusal("a\nb\nc\n% local x = nil + 1"):find("templates/here.tpl:4:", 1, true))
  end)

  it("gives templates no library to reach the system with", function()
    assert.truthy(refusal("% os.exit()"):find("undefined value 'os'", 1, true))
  end)
end)

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function template_paths()
  local list, pipe = {}, io.popen("find templates -name '*.tpl' | LC_ALL=C sort")
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

-- Levels of Lua that are open at once.
local function depth_of(text)
  local depth, most = 0, 0
  for line in text:gmatch("[^\n]+") do
    local code = line:match("^%s*%%%s*(.*)$")
    if code and not code:find("^%-%-") then
      if code:find("^for ") or code:find("^if ") then depth = depth + 1 end
      if code:find("^end") then depth = depth - 1 end
      most = math.max(most, depth)
    end
  end
  return most
end

describe("the templates", function()
  for _, path in ipairs(template_paths()) do
    it("keep logic out: " .. path, function()
      local text = read(path)
      local _, lines = text:gsub("\n", "")
      assert.is_true(depth_of(text) <= 3, "more than three levels of Lua")
      assert.is_true(lines <= 170, lines .. " lines")
      for expression in text:gmatch("%$(%b{})") do
        local _, operators = expression:gsub(" [-+*/.]+ ", "")
        assert.is_true(operators <= 1, "more than one operator: $" .. expression)
      end
    end)

    it("start by saying what they are: " .. path, function()
      assert.truthy(read(path):find("^%% %-%- "))
    end)
  end
end)
