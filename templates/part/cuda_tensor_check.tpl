% -- Part of check: arrays that the tensor unit copies, tiles that one launch takes.
if (quern_check_tensors(&domain, all, $array_count, why, size))
    return 1;
quern_tilings<$most_boxes> tilings;
const int64_t blocks = quern_tile_boxes(&tilings, list, count, TILE, lead_of(&all[0]), $sector);
if (quern_check_blocks(blocks, why, size))
    return 1;
