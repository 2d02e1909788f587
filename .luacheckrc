std = "lua54"
max_line_length = 80
exclude_files = { "tests/**/specs/*" }
files["tests"] = {
  max_line_length = 120,
  read_globals = { "describe", "it", "before_each", "after_each", "setup",
                   "teardown", "pending", "spy", "finally",
                   assert = { other_fields = true, fields = {} } },
}
