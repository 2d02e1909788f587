% -- Part of check: a grid that the device can launch.
if (quern_check_grid(&domain, list, count, TILE, why, size))
    return 1;
