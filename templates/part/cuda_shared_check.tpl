% -- Part of check: shared memory that the device has for a block.
if (quern_check_shared(sizeof(shared_planes), most_shared(), why, size))
    return 1;
