% -- The tile of a block, and which of its levels (struct quern_turns).
/* The tile of a block, and which of its levels: all of them in whole waves. */
const int row = (int)blockIdx.y, wave = row < turns.waves ? row : turns.waves;
const int tile = wave * turns.side + (int)blockIdx.x;
const index_t part = (index_t)turns.levels, first = $k_begin + (row - wave) * part;
const index_t last = wave == turns.waves && first + part < $k_end ? first + part : $k_end;
if (tile >= turns.tiles)
    return;
