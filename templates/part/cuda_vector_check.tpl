% -- Part of check: rows that are aligned for vectors.
if (quern_check_vectors(&domain, all, $array_count, $vector_bytes, why, size))
    return 1;
