#!/usr/bin/env lua5.4
-- The CUDA text of every shipped specification, run by the detectors of simt.
package.path = "./?.lua;" .. package.path
require("tests.sweep").run(require("tests.sweep_cases").list("simt"), "simt")
