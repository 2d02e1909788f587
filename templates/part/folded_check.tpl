% -- Part of check: the workspace is there.
if (a->workspace == NULL)
    return quern_refuse(why, size, "the workspace is null: coefficients and neighbours need %llu "
                        "bytes of it", (unsigned long long)folded_of(a).end);
