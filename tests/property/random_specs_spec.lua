-- Specifications at random, through every pass and every shape: they generate,
-- twice the same; what comes out compiles without a warning, agrees with the
-- reference under the detectors, and has the same bits whatever the shape.
-- QUERN_LONG=1 tries more of them.

local driver = require "gen.driver"
local modules = require "gen.command.modules"
local quern = require "tests.quern"
local random_shapes = require "tests.random_shapes"
local random_spec = require "tests.random_spec"
local runner = require "gen.runner"

local LONG = os.getenv "QUERN_LONG" == "1"
local GENERATED = LONG and 150 or 6
local WITH_FACES = LONG and { 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15 } or { 7 }
local COMPILED = LONG and { 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 18, 19, 20, 24 } or { 4 }

-- So many of the shapes that apply are compiled for one specification.
local MOST = LONG and #random_shapes.NAMES or 2
local SIZES = { { { 1 }, { 17 }, { 130 } },
                { { 1, 7 }, { 33, 13 }, { 2, 65 } },
                { { 1, 2, 7 }, { 13, 5, 3 }, { 3, 17, 5 } } }

local function shapes_of(options, rank, seed, most)
  if options.backend == "reference" then return {} end
  if options.backend == "c" then
    return { random_shapes.shape("blocked", rank, seed), { name = "blocked", params = {} } }
  end
  return random_shapes.drawn(random_shapes.applicable(options, rank, seed), seed, most)
end

describe("a specification at random", function()
  local folder, variables
  setup(function()
    folder = quern.folder()
    variables = { CC = "gcc -Wall -Wextra -Werror", CXX = "g++ -Wall -Wextra -Werror -Wno-unknown-pragmas" }
  end)
  teardown(function() quern.remove(folder) end)

  local function options_of(seed, backend, fp, most, faces)
    local text, rank = random_spec.make(seed, faces)
    local path = ("%s/random%d.lua"):format(folder, faces and seed + 1000 or seed)
    quern.write(path, text)
    local options = { root = quern.root, spec = path, set = {}, backend = backend, fp = fp, arch = "sm_90",
                      out = folder .. "/out", detect = backend == "simt", stop_after = "emit" }
    options.shapes = shapes_of(options, rank, seed, most)
    return options, rank, text
  end

  local function generated(seed, backend)
    local options, _, text = options_of(seed, backend, "strict", #random_shapes.NAMES)
    local state, problem = random_shapes.served(options, function(o)
      local made, problems = driver.run(o)
      return made, problems and problems[1].message
    end)
    assert(state, problem and problem .. "\n" .. text)
    local parts = {}
    for i, file in ipairs(state.files) do parts[i] = file.path .. "\n" .. file.text end
    return table.concat(parts)
  end

  it("generates for every backend, twice the same", function()
    for seed = 1, GENERATED do
      for _, backend in ipairs { "c", "simt", "reference" } do
        assert.equal(generated(seed, backend), generated(seed, backend))
      end
    end
  end)

  -- Compilers that take no warning, for what is done here.
  local function made_of(options)
    local getenv = os.getenv
    os.getenv = function(name) return variables[name] or getenv(name) end -- luacheck: ignore
    local made, problem = random_shapes.served(options, function(o)
      local one, _, why = modules.make(o)
      return one, why
    end)
    os.getenv = getenv -- luacheck: ignore
    return assert(made, problem)
  end

  local function checks(list, made, context, rank)
    for _, plan in ipairs(made.state.plans) do
      for _, size in ipairs(SIZES[rank]) do
        list[#list + 1] = { ["do"] = "check", context = context, module = made.module, reference = made.reference,
                            kernel = plan.name, size = size, seed = 1 }
      end
    end
  end

  local function buffers(lowered, form)
    local list = {}
    for _, field in ipairs(lowered.fields) do
      for _, stored in ipairs(field.stored) do
        list[#list + 1] = { field = field.name, level = stored.level, file = (form):format(stored.name) }
      end
    end
    return list
  end

  -- Files of numbers for every buffer, the same for every module.
  local function inputs(lowered, size)
    local list, extent = buffers(lowered, folder .. "/in_%s.raw"), {}
    for i, axis in ipairs(lowered.model.axes) do extent[axis] = size[i] end
    for i, item in ipairs(list) do
      local field = lowered.model.fields[item.field]
      local count, values = 1, {}
      for _, axis in ipairs(field.axes) do count = count * extent[axis] end
      for n = 1, count do
        values[n] = string.pack(field.type == "double" and "<d" or "<f", 0.25 + (n * n * 7 + n * i) % 101 / 101)
      end
      quern.write(item.file, table.concat(values))
    end
    return list
  end

  -- All but those that sum in an order of their own.
  local function in_one_order(plans)
    local list = {}
    for _, plan in ipairs(plans) do list[#list + 1] = plan.shape ~= "semi" and plan or nil end
    return list
  end

  -- One launch of every kernel from the same numbers; the files it leaves.
  local function runs(list, written, made, context, rank)
    local lowered = made.state.lowered
    local size, extend, scalars = SIZES[rank][2], {}, nil
    local read = inputs(lowered, size)
    for i, field in ipairs(lowered.fields) do extend[i] = field.name end
    for _, scalar in ipairs(lowered.scalars) do
      scalars = scalars or {}
      scalars[scalar.name] = scalar.type == "int" and 1 or 0.7
    end
    for _, plan in ipairs(in_one_order(made.state.plans)) do
      local write = buffers(lowered, folder .. "/" .. context .. plan.shape .. #list .. "_%s.raw")
      local key = plan.kernel.name .. "/" .. (plan.block.region or "")
      list[#list + 1] = { ["do"] = "run", context = context, module = made.module, kernel = plan.name,
                          size = size, read = read, extend = extend, scalars = scalars, write = write }
      written[#written + 1] = { key = key, files = write, name = plan.name, request = list[#list] }
    end
  end

  -- Too small an image is refused, by every shape.
  local function is_refused(answer)
    return answer.status == "refused" and answer.problem:find(" points beyond the %a+ face, its %a+ image has ")
  end

  local function same_bits(written)
    local first = {}
    for _, launch in ipairs(written) do
      local parts = {}
      for i, file in ipairs(launch.files) do parts[i] = quern.read(file.file) end
      local bits = table.concat(parts)
      first[launch.key] = first[launch.key] or bits
      assert.truthy(first[launch.key] == bits, "other bits: " .. launch.name)
    end
  end

  local function validate(seed, fp, faces)
    local requests, written, options = {}, {}, nil
    for _, backend in ipairs { "c", "simt" } do
      local rank
      options, rank = options_of(seed, backend, fp, MOST, faces)
      options.stop_after = nil
      local made, context = made_of(options), backend == "c" and "cpu" or "simt"
      checks(requests, made, context, rank)
      runs(requests, written, made, context, rank)
    end
    local launched, refused = {}, {}
    for n, answer in ipairs(assert(runner.run(requests, options))) do
      if not (faces and is_refused(answer)) then
        assert.equal("ok", answer.status, requests[n].kernel .. ": " .. tostring(answer.problem))
      end
      refused[requests[n]] = answer.status == "refused"
    end
    for _, launch in ipairs(written) do
      launched[#launched + 1] = not refused[launch.request] and launch or nil
    end
    assert.truthy(launched[1], "nothing could be launched")
    same_bits(launched)
  end

  for i, seed in ipairs(COMPILED) do
    it("validates with the same bits in every shape: seed " .. seed, function()
      validate(seed, i % 2 == 1 and "strict" or "unfused")
    end)
  end

  for i, seed in ipairs(WITH_FACES) do
    it("validates with boundaries: seed " .. seed, function()
      validate(seed, i % 2 == 0 and "strict" or "unfused", true)
    end)
  end
end)
