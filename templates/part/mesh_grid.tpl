% -- Part of check: a turned grid that the device can launch.
if (quern_check_turned_grid(&domain, list, count, TILE, why, size))
    return 1;
