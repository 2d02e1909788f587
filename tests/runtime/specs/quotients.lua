-- Quotients of fields and of numbers: divisors on both sides of where simt's
-- short way ends.
precision { "float" }
grid { "x", "y", "z" }
field { "u", "q" }
field { "c", range = { 0.25, 4 } }

kernel { "divide", [[ q = (u[x-1] - u[x+1])/c + 3/(c + 1) + 1/c ]] }
