-- Names that generated text cannot take as they stand: what C, C++, CUDA and
-- their headers reserve, and the words of our own templates. A spec may use
-- them; `name` renames them the same way everywhere.

local M = {}

local LISTS = {
  c = [[auto break case char const continue default do double else enum extern
    float for goto if inline int long register restrict return short signed
    sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn
    _Static_assert _Thread_local asm fortran typeof]],
  cpp = [[alignas alignof and and_eq bitand bitor bool catch char8_t char16_t
    char32_t class compl concept consteval constexpr constinit const_cast
    co_await co_return co_yield decltype delete dynamic_cast explicit export
    false friend import module mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public reinterpret_cast
    requires static_assert static_cast template this thread_local throw true
    try typeid typename using virtual wchar_t xor xor_eq std]],
  cuda = [[threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 int2 int3
    int4 float2 float3 float4 double2 double3 double4 half half2 index_t
    clock clock64 saturate min max rsqrt rsqrtf norm norm3d norm4d cospi
    sinpi sincos sincospi exp10 rhypot rcbrt erfcx erfinv erfcinv normcdf
    normcdfinv umin umax llmin llmax mul24 tex1D tex2D tex3D printf assert]],
  headers = [[abs acos acosf acosh asin asinf asinh atan atan2 atan2f atanf
    atanh bool cbrt ceil ceilf copysign cos cosf cosh erf erfc erff exp exp2
    expf expm1 fabs fabsf fdim floor floorf fma fmaf fmax fmin fmod frexp
    gamma hypot ilogb int8_t int16_t int32_t int64_t intptr_t isfinite isinf
    isnan j0 j1 jn labs ldexp lgamma llabs log log10 log1p log2 logb logf
    lrint lround malloc free memcpy memset modf nan nearbyint nextafter NULL
    offsetof pow powf ptrdiff_t remainder remquo rint round scalb scalbn
    signgam signbit sin sinf sinh size_t snprintf sqrt sqrtf strlen tan tanf
    tanh tgamma trunc uint8_t uint16_t uint32_t uint64_t uintptr_t y0 y1 yn
    exit abort index rindex read write open close link pipe select time
    signal wait random rand div ldiv main stdin stdout stderr errno unix
    linux I M_PI EOF FILE INFINITY NAN]],
  macros = [[alloca assert be16toh be32toh be64toh htobe16 htobe32 htobe64
    htole16 htole32 htole64 le16toh le32toh le64toh BUFSIZ CUDARTAPI MAXFLOAT
    NFDBITS NZERO SNAN SNANF SNANL WCONTINUED WEXITED WEXITSTATUS WIFCONTINUED
    WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG
    WTERMSIG WUNTRACED fpclassify isalnum_l isalpha_l isascii isascii_l
    isblank_l iscntrl_l isdigit_l isgraph_l isgreater isgreaterequal isless
    islessequal islessgreater islower_l isnormal isprint_l ispunct_l isspace_l
    issubnormal isunordered isupper_l isxdigit_l math_errhandling
    assert_perror strdupa strndupa toascii toascii_l va_arg va_copy va_end
    va_start va_list]],
  members = [[n lower upper workspace struct_size]],
  ours = [[a addend all arguments arrays b box boxes col count domain domain_of
    edge edge_boxes error every exact first fits_32_bits grid hollow hollow_of
    image index_t inside interior_boxes last list pass queue row run seen
    seen_from size skipped stream tables tile update why LIBRARY
    MARGIN RANK SHIFTED SLACK TILE TINY UNIT]],
}

-- Families of macros: ours, those of CUDA, and capitals with an underscore.
local PATTERNS = { "^[Qq][Uu][Ee][Rr][Nn]_", "^cuda", "^[MLP]_", "^SNANF%d",
                   "^[A-Z][A-Z0-9]*_[A-Z0-9_]*$" }

local RESERVED, MEMBERS = {}, {}
for _, list in ipairs { "c", "cpp", "cuda", "headers", "macros", "ours" } do
  for word in LISTS[list]:gmatch("%S+") do RESERVED[word] = true end
end
for word in LISTS.members:gmatch("%S+") do MEMBERS[word] = true end

local function is_reserved(name)
  if RESERVED[name] then return true end
  for _, pattern in ipairs(PATTERNS) do
    if name:find(pattern) then return true end
  end
  return false
end

-- The name as the args struct spells it.
function M.name(name)
  return (is_reserved(name) or MEMBERS[name]) and name .. "_" or name
end

-- A function that gives each name of one scope its own spelling: reserved
-- words and names taken before gain underscores.
function M.scope()
  local taken = {}
  return function(name)
    local spelling = is_reserved(name) and name .. "_" or name
    while taken[spelling] do spelling = spelling .. "_" end
    taken[spelling] = true
    return spelling
  end
end

return M
