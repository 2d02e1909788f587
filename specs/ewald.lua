-- Charges in a box that repeats along all axes, after P. P. Ewald (Annalen der Physik 369,
-- 253, 1921): each is screened by a cloud of the other sign, 1/alpha wide, so that its own
-- potential ends nearby, and the clouds together are a few waves. The potential q/r and its
-- gradient: charges feel its opposite, masses fall along it.
--
-- `near` has what a bucket's charges are near to, themselves too, moved to an image by shift:
-- a charge is rid of its own cloud. Waves are half of all, (kx, ky, kz) for its opposite
-- too; what is said of w: 8 pi/V exp(-k^2/(4 alpha^2))/k^2, and -pi/(V alpha^2) of the wave
-- k = 0, which is an even background that makes a box of masses neutral.
precision { "double" }
domain { "particle", "wave" }
scalar { "alpha", range = { 0.5, 2 } }
scalar { "shift_x", "shift_y", "shift_z", per = "request", range = { -1, 1 } }
field { "px", "py", "pz", on = { "particle" } }
field { "q", on = { "particle" }, range = { -1, 1 } }
field { "v", "gx", "gy", "gz", on = { "particle" } }
field { "kx", "ky", "kz", on = { "wave" }, range = { -3, 3 } }
field { "w", on = { "wave" } }
field { "even", "odd", on = { "wave" } }               -- sums of q cos, q sin
list { "bucket", "near", of = "particle" }
list { "waves", of = "wave" }

define [[
  slope      = 1.1283791670955126*alpha                -- 2/sqrt(pi)
  x(j)       = px[j] + shift_x - px
  y(j)       = py[j] + shift_y - py
  z(j)       = pz[j] + shift_z - pz
  r2(j)      = x(j)^2 + y(j)^2 + z(j)^2
  screened(s) = erfc(alpha*sqrt(s))/sqrt(s)
  height(s)  = where(s > 0, screened(s), -slope)
  pull(s)    = where(s > 0, (screened(s) + slope*exp(-alpha^2*s))/s, 0)
  phase(k)   = kx[k]*px + ky[k]*py + kz[k]*pz
  climb(k)   = w[k]*(odd[k]*cos(phase(k)) - even[k]*sin(phase(k)))
]]
request { "density",
  waves = [[
    even += sum(j in bucket, q[j]*cos(kx*px[j] + ky*py[j] + kz*pz[j]))
    odd  += sum(j in bucket, q[j]*sin(kx*px[j] + ky*py[j] + kz*pz[j])) ]] }
request { "short",
  bucket = [[
    v  += sum(j in near, q[j]*height(r2(j)))
    gx += sum(j in near, q[j]*pull(r2(j))*x(j))
    gy += sum(j in near, q[j]*pull(r2(j))*y(j))
    gz += sum(j in near, q[j]*pull(r2(j))*z(j)) ]] }
request { "long",
  bucket = [[
    v  += sum(k in waves, w[k]*(even[k]*cos(phase(k)) + odd[k]*sin(phase(k))))
    gx += sum(k in waves, climb(k)*kx[k])
    gy += sum(k in waves, climb(k)*ky[k])
    gz += sum(k in waves, climb(k)*kz[k]) ]] }
