-- The command line: what may be said, and the one table of options that it
-- becomes. Every command has its own help.

local argparse = require "argparse"
local diag = require "gen.diag"
local values = require "gen.command.values"

local M = {}

local function is_whole(text) return text:find("^%d+$") ~= nil end

-- As far as `qn_module_align` goes.
local function is_index(text)
  return is_whole(text) and tonumber(text) <= 1 << 20
end

local function is_count(text)
  return is_whole(text) and tonumber(text) > 0
end

local function is_count_or_all(text)
  return text == "all" or is_count(text)
end

local function is_positive(text)
  local value = tonumber(text)
  return value ~= nil and value > 0 and value < math.huge
end

-- An option that is given once: of two values neither is meant.
local function single(parser, name)
  return parser:option(name):overwrite(false)
end

-- An option whose value is a number that satisfies `is`, which `wanted` says.
local function number(parser, name, argument, is, wanted, description)
  return single(parser, name):argname(argument):description(description)
    :convert(function(text)
      local value = tonumber(text)
      if is(text) then return math.tointeger(value) or value or text end
      return nil, ("%s %s: wanted %s"):format(name, text, wanted)
    end)
end

local function one_of(parser, name, choices, default, description)
  return single(parser, name):choices(choices):default(default)
    :description(description)
end

local function listed(parser, name, argument, description)
  local option = parser:option(name):count("*"):description(description)
  return argument and option:argname(argument) or option
end

local function spec_options(command)
  command:argument("spec"):description("The specification, a Lua file.")
  listed(command, "--set", "NAME=VALUE", "Gives a param its value.")
end

local BACKENDS = { "cuda", "simt", "c", "reference" }
local COMPARED = { "cuda", "simt", "c" }        -- with the reference
local DEFAULT_BACKEND = { gen = "cuda", dump = "cuda", check = "c",
                          bench = "c", explain = "cuda", tune = "c" }

-- Options that repeat have no default in argparse: `complete` knows it.
local function target_options(command, backend, backends)
  listed(command, "--kernel", "NAME", "Only this kernel; may be repeated.")
  listed(command, "--shape", "SHAPE",
    "[REGION:]NAME[:PARAM=V,..], as `quern list` shows; may be repeated.")
  listed(command, "--backend", nil, "What the kernels are written for; may "
    .. "be repeated. (default: " .. backend .. ")"):choices(backends)
  one_of(command, "--fp", { "strict", "unfused", "fast" }, "strict",
    "Whether multiply-adds are spelled, absent, or left to the compiler.")
  listed(command, "--arch", "sm_NN",
    "The CUDA architecture; may be repeated. (default: sm_90)")
end

local function plan_options(command, backend, backends)
  target_options(command, backend, backends)
  single(command, "-o --out"):argname("DIR"):default("out")
    :description("Where everything generated goes.")
end

local function tuned_option(command, description)
  single(command, "--tuned"):argname("DIR"):target("tuned_folder")
    :description(description
      .. " (default: $QUERN_TUNED, else tuned/ beside the output)")
end

local function run_options(command)
  listed(command, "--size", "X,Y,Z", "Extents to run at; may be repeated.")
  number(command, "--device", "N", is_whole, "a whole number",
    "Which CUDA device."):default("0")
end

local function reorder_option(command)
  single(command, "--reorder"):argname("HOW"):convert(values.reorder)
    :description("Other numbers for "
    .. "the points of the mesh: near (curve or else rcm), rcm, curve (through "
    .. "the places of vertices) or random, of vertices or, rcm:edge, of others "
    .. "which the rest follows; several, one after the other, by commas.")
end

local function mesh_option(command)
  single(command, "--mesh"):argname("MESH"):description("The domains and "
    .. "tables: torus:LONxLAT, plane:LONxLAT, icosahedron:RnBk, or a grid of "
    .. "ICON, a mesh of MPAS or the folder of one of FESOM. (default: drawn)")
    :convert(function(text) return values.mesh(text, "--mesh " .. text) end)
  reorder_option(command)
end

-- The mesh that a command is about.
local function mesh_argument(command)
  command:argument("mesh"):description("torus:LONxLAT, plane:LONxLAT, "
    .. "icosahedron:RnBk, or a file or folder.")
    :convert(function(text) return values.mesh(text, "mesh " .. text) end)
end

-- What the time of a kernel may depend on beside its size.
local function timed_options(command)
  listed(command, "--scalar", "NAME=VALUE",
    "Gives a scalar its value; may be repeated. (default: drawn)")
  number(command, "--align", "N", is_index, "a whole number from 0 to "
    .. "1048576", "The index of each row that is on 256 bytes."):default("0")
end

local function tune_options(command)
  plan_options(command, DEFAULT_BACKEND.tune, COMPARED)
  run_options(command)
  mesh_option(command)
  number(command, "--repeats", "N", is_count, "a whole number above 0",
    "Batches of launches to time."):default("7")
  timed_options(command)
  number(command, "--most", "N", is_count_or_all, "a whole number above 0 or "
    .. "all", "Times at most so many of each kernel's candidates. (default: a "
    .. "tenth, at least 12)")
  tuned_option(command, "Where records go.")
  command:mutex(
    single(command, "--prepare"):argname("FOLDER"):description("Only generates "
      .. "and compiles into this folder; FOLDER/run times it, also elsewhere."),
    single(command, "--record"):argname("FOLDER"):description("Only writes the "
      .. "records of what FOLDER/run measured."),
    -- What a folder's own `make` says: compile this candidate.
    single(command, "--make"):argname("PLAN"):hidden(true))
end

local COMMANDS = {
  { name = "gen", description = "Writes the kernels of a specification.",
    options = function(command)
      plan_options(command, DEFAULT_BACKEND.gen, BACKENDS)
      single(command, "--depfile"):argname("FILE")
        :description("Writes what the output depends on, for Make.")
      command:flag("--timing"):description("Says what each pass took.")
      tuned_option(command, "Where records of `quern tune` are.")
      command:flag("--no-tune"):description("Uses no record.")
      listed(command, "--size", "X,Y,Z", "Of records, those near this size.")
      single(command, "--mesh"):argname("MESH"):description("Of records, those "
        .. "of such a mesh: torus:.., or a file of this name.")
      single(command, "--for-device"):argname("NAME")
        :description("Of records, those of this device.")
    end },
  { name = "check",
    description = "Generates, compiles and compares with the reference.",
    options = function(command)
      plan_options(command, DEFAULT_BACKEND.check, COMPARED)
      run_options(command)
      mesh_option(command)
      number(command, "--seed", "N", is_whole, "a whole number",
        "Draws other data; the next size has the next seed."):default("1")
      single(command, "--fail-on"):choices { "untaken" }:description(
        "Fails where no data took a side of a where, min or max.")
    end },
  { name = "bench", description = "Times the kernels of a specification.",
    options = function(command)
      plan_options(command, DEFAULT_BACKEND.bench, COMPARED)
      run_options(command)
      mesh_option(command)
      number(command, "--repeats", "N", is_count, "a whole number above 0",
        "Launches to time."):default("20")
      timed_options(command)
      command:flag("--step"):description("Times whole steps too: their "
        .. "kernels one after the other.")
    end },
  { name = "tune",
    description = "Finds the fastest shape and its parameters; `gen` uses it.",
    options = tune_options },
  { name = "pattern", plain = true,
    description = "How two tables of a mesh compose, as a declaration, and "
      .. "which rows are of one kind.",
    options = function(command)
      mesh_argument(command)
      command:argument("first"):description("The first table, such as v2e.")
      command:argument("second"):description("The second, such as e2c2v; "
        .. "without it: how the rows of the first are numbered."):args "?"
      reorder_option(command)
    end },
  { name = "mesh", plain = true,
    description = "What is odd about the tables of a mesh, and how far apart "
      .. "in memory neighbours are.",
    options = function(command)
      mesh_argument(command)
      reorder_option(command)
    end },
  { name = "list",
    description = "Params, fields, kernels, and the shapes that apply.",
    options = function(command)
      one_of(command, "--backend", BACKENDS, "cuda", "What the shapes are for.")
    end },
  { name = "dump", description = "Shows what a pass gives, as stable text.",
    options = function(command)
      plan_options(command, DEFAULT_BACKEND.dump, BACKENDS)
      single(command, "--after"):argname("PASS"):count(1)
        :choices { "load", "parse", "build", "lower", "schedule", "emit" }
        :description("The pass: load parse build lower schedule emit.")
    end },
  { name = "explain",
    description = "Taps, footprint, costs and the bound of each kernel.",
    options = function(command)
      target_options(command, DEFAULT_BACKEND.explain, BACKENDS)
      number(command, "--bandwidth", "GB/S", is_positive, "a positive number",
        "Memory bandwidth, in 10^9 bytes per second.")
      number(command, "--peak", "GFLOPS", is_positive, "a positive number",
        "Arithmetic peak, in 10^9 operations per second.")
      command:flag("--timing"):target("timed"):description(
        "Says what generating and compiling take of a processor.")
      command:flag("--resources"):target("surveyed"):description(
        "Says what each kernel takes of a multiprocessor; needs nvcc.")
      single(command, "--fail-on"):choices { "spills" }:description(
        "The same, and fails where a kernel spills registers.")
    end },
}

local function parser()
  local usages = {}
  local quern = argparse("quern",
    "Grinds stencil specifications into kernels.",
    "Exit codes: 0 well; 1 the specification or its data is at fault; 2 the "
    .. "command line or the output place; 3 a kernel is wrong, the device or a "
    .. "tool failed; 4 a bug in Quern.")
  quern:command_target("command")
  for _, command in ipairs(COMMANDS) do
    local added = quern:command(command.name, command.description)
      :summary(command.description)
    if not command.plain then spec_options(added) end
    command.options(added)
    usages[command.name] = added:get_usage()
  end
  return quern, usages
end

-- The backends and architectures asked for. Passes take one backend at a time.
local function complete_targets(options)
  if type(options.backend) ~= "string" then
    local default = DEFAULT_BACKEND[options.command] or "cuda"
    options.backends = values.distinct(options.backend, default)
    options.backend = options.backends[1]
  end
  local arches, message = values.each(options.arch, values.arch)
  if not arches then return nil, message end
  options.arch = table.concat(values.distinct(arches, "sm_90"), ",")
  return options
end

local function complete(options)
  local message
  options.set, message = values.settings(options.set, "--set")
  if not options.set then return nil, message end
  options.scalars, message = values.settings(options.scalar, "--scalar")
  if not options.scalars then return nil, message end
  options.shapes, message = values.each(options.shape, values.shape)
  if not options.shapes then return nil, message end
  options.sizes, message = values.each(options.size, values.size)
  if not options.sizes then return nil, message end
  local well
  well, message = complete_targets(options)
  if not well then return nil, message end
  if options.out == "" then return nil, "--out: wanted a folder" end
  options.fp = options.fp or "strict"
  options.kernels = options.kernel and options.kernel[1] and options.kernel
  return options
end

-- The sentence of argparse on one line, with the nearest known word also where
-- it has no tip of its own. A command's usage holds every word that it knows.
local function hinted(message, usage)
  if message == "a command is required" then
    return message .. ": quern --help lists them"
  end
  local what, word = message:match("^unknown (%a+) '([^']+)'$")
  if not what then return (message:gsub("\nDid", "; did")) end
  local known = {}
  for name in usage:gmatch("%-%-[%l-]+") do known[#known + 1] = name end
  if what == "command" then
    for i, command in ipairs(COMMANDS) do known[i] = command.name end
  end
  return message .. diag.hint(word, known)
end

-- Reads the arguments. Gives the options that every pass takes, or nil and
-- one sentence.
function M.read(arguments, root)
  local quern, usages = parser()
  local well, options = quern:pparse(arguments)
  if not well then return nil, hinted(options, usages[arguments[1]] or "") end
  options.root, options.words = root, arguments
  return complete(options)
end

return M
