% -- Gathers by the processor, where points of a mesh are contiguous and no neighbour is missing.
/* gcc builds vectors of scattered values one by one on processors that it does not know: with
 * AVX-512 their own gathers are faster, but on AMD's. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__znver3__) \
    && !defined(__znver4__) && !defined(__znver5__)
#pragma GCC target("tune=skylake-avx512,prefer-vector-width=512")
#endif
