% -- Part of check: arrays that the tensor unit copies.
if (quern_check_sixteen(&domain, all, $array_count, why, size))
    return 1;
