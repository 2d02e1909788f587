% -- Part of check: a grid that the device can launch.
for (int b = 0; b < count; b++)
    for (int axis = 0; axis < $rank; axis++)
        if (blocks(&list[b], axis) > GRID[axis])
            return refuse(why, size, "%lld blocks along %s, the device's limit is %lld",
                          (long long)blocks(&list[b], axis), AXIS[axis],
                          (long long)GRID[axis]);
