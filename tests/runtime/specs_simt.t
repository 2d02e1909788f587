#!/usr/bin/env lua5.4
-- The CUDA text of shipped specifications, run by the detectors of simt: what is
-- special in each of them; all in the long sweeps.
package.path = "./?.lua;" .. package.path
require("tests.sweep").run(require("tests.sweep_cases").list("simt"), "simt")
