-- Reads across faces that have no halo: lowered blocks give the numbers that the
-- language defines, at every point of small and large domains.

local boundaries = require "tests.boundaries"
local lowering = require "tests.lowering"
local values = require "tests.lowering_values"
local places = require "tests.places_cases"

-- Domains that are smaller than what is read, and larger. What is fused makes no
-- difference at faces: of the second mode fewer.
local LONG = os.getenv "QUERN_LONG" == "1"
local EXTENTS = { strict = LONG and { 1, 2, 3, 7 } or { 1, 2, 5 }, unfused = { 1, 2, 5 } }

local function close(wanted, got, where)
  assert.is_true(math.abs(wanted - got) <= 1e-10 * (1 + math.abs(wanted)),
    ("%s: wanted %.17g, got %.17g"):format(where, wanted, got))
end

-- Calls visit(point, n) for every point of every domain of two axes.
local function each_point(extents, visit)
  for _, nx in ipairs(extents) do
    for _, ny in ipairs(extents) do
      local n = { x = nx, y = ny }
      for x = 0, nx - 1 do
        for y = 0, ny - 1 do visit({ x = x, y = y }, n) end
      end
    end
  end
end

-- Compares a block with its model; gives how many points had all images.
local function compare(what, lowered, extents)
  local block = lowered.kernels[1].blocks[1]
  local assign, tried = lowered.model.kernels[1].blocks[1].assign, 0
  each_point(extents, function(point, n)
    if not boundaries.has_images(block, n) then return end
    tried = tried + 1
    local got = values.stored(lowered.model, block, point, { n = n })
    for i, a in ipairs(assign) do
      close(values.written(lowered.model, a, point, { n = n }), got[i],
        ("%s at %d, %d of %d x %d"):format(what, point.x, point.y, n.x, n.y))
    end
  end)
  return tried
end

describe("beyond the faces", function()
  for _, fp in ipairs { "strict", "unfused" } do
    it("every kind of boundary meets every other, under " .. fp, function()
      for i, case in ipairs(places.faces()) do
        if LONG or fp == "strict" or i % 3 == 1 then
          local tried = compare(case[1], lowering.lower(case[2], { fp = fp }), EXTENTS[fp])
          assert.is_true(tried > 20, case[1] .. ": hardly any point")
        end
      end
    end)
  end
end)

-- Whether a load of the block crosses a face that has no halo, at a point.
local function crosses(lowered, block, point, n)
  for _, l in ipairs(block.loads) do
    for _, field in ipairs(lowered.fields) do
      for _, axis in ipairs(field.name == l.field and field.axes or {}) do
        local i, sides = point[axis] + (l.offset[axis] or 0),
          field.boundary[axis] or {}
        if i < 0 and sides.low or i >= n[axis] and sides.high then
          return true
        end
      end
    end
  end
  return false
end

describe("the edge of a block", function()
  it("is where some load crosses a face, and no wider", function()
    for _, case in ipairs(places.faces()) do
      local lowered = lowering.lower(case[2])
      local block, n = lowered.kernels[1].blocks[1], { x = 9, y = 9 }
      local middle = { x = 4, y = 4 }
      for axis in pairs(n) do
        for i = 0, 8 do
          local point = { x = middle.x, y = middle.y }
          point[axis] = i
          local edge = block.edge and block.edge[axis] or { 0, 0 }
          assert.equal(i < edge[1] or i >= 9 - edge[2],
            crosses(lowered, block, point, n), case[1] .. " at " .. i)
        end
      end
    end
  end)

  it("is nowhere where all is a stored halo", function()
    local block = lowering.lower [==[
      precision { "float" }
      grid { "x" }
      field { "u", "v" }
      boundary { "v", x = "periodic" }
      kernel { "k", [[ v = u[x-1] ]] }]==].kernels[1].blocks[1]
    assert.is_nil(block.edge)
    assert.is_nil(block.faces)
    assert.same({}, block.images)
  end)
end)

describe("storage", function()
  it("has a halo only where a side is one", function()
    local lowered = lowering.lower [==[
      precision { "float" }
      grid { "x", "y" }
      field { "u", "v" }
      boundary { "u", x = { low = "halo", high = { "constant", value = 1 } },
                      y = { "odd", about = "point" } }
      kernel { "k", [[ v = u[x-3] + u[x+2] + u[y-1] + u[y+1] ]] }]==]
    local u = lowered.fields[1]
    assert.same({ x = { 3, 0 }, y = { 0, 0 } }, u.reach)
    assert.same({ x = { high = { kind = "constant" } },
      y = { low = { kind = "odd", about = "point" },
            high = { kind = "odd", about = "point" } } }, u.boundary)
    local block = lowered.kernels[1].blocks[1]
    assert.same({ x = { 0, 2 }, y = { 1, 1 } }, block.edge)
    assert.same({ { field = "u", axis = "y", side = "low", kind = "odd",
      about = "point", reach = 1, extra = 0 }, { field = "u", axis = "y", side = "high",
      kind = "odd", about = "point", reach = 1, extra = 0 } }, block.images)
  end)
end)

describe("what faces add", function()
  local function faces(boundary)
    local block = lowering.lower(([==[
      precision { "float" }
      grid { "x", "y", spacing = { "hx", 0.5 } }
      scalar { "a" }
      field { "u", "v" }
      boundary { "u", %s }
      kernel { "k", [[ v = u[x-1] + u[y+2] + a ]] }]==]):format(boundary))
      .kernels[1].blocks[1]
    return block.faces, lowering.text(block)
  end

  it("is computed by the host, slopes per point", function()
    local list, text = faces
      [[x = { "even", about = "face", slope = "2*a" }]]
    assert.matches("host u_low_x = %(%(2%*a%)%*hx%)", text)
    assert.same({ op = "host", name = "u_low_x" }, list[1].axes[1].low.slope)
    assert.is_true(list[1].added)
    assert.is_false(list[1].signed)
  end)

  it("is a number where the spec has numbers", function()
    local list = faces [[y = { "even", about = "point", slope = 3 }]]
    assert.same({ op = "literal", n = "3", d = "2" },
      list[1].axes[1].high.slope)
    assert.is_nil(list[1].axes[1].low)
  end)

  it("is nothing where it is 0", function()
    local list = faces [[x = { "odd", about = "face" },
      y = { "even", about = "face", slope = 0 }]]
    assert.same({ { field = "u", signed = true, added = false, axes = {
      { axis = "x", low = { kind = "odd", about = "face" } },
      { axis = "y", high = { kind = "even", about = "face" } } } } }, list)
  end)
end)
