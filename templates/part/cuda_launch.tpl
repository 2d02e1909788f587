% -- One launch per box, with 32-bit offsets where all of them fit.
/* Blocks that cover a box along one axis. */
static int64_t blocks(const struct box *box, int axis)
{
    return (box->upper[axis] - box->lower[axis] + TILE[axis] - 1) / TILE[axis];
}

