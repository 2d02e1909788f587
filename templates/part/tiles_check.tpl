% -- Part of check: tiles that have been made, shared memory that the device has for a block.
if (quern_check_tiles(a->$tiles, a->${tile_count}, why, size))
    return 1;
