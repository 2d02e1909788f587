#!/usr/bin/env lua5.4
-- Every shipped specification on the CPU, at sizes that break tilings.
package.path = "./?.lua;" .. package.path
require("tests.sweep").run(require("tests.sweep_cases").list("c"), "c")
