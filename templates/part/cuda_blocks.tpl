% -- How many blocks a launch takes.
/* Blocks that cover a box along one axis. */
static int64_t blocks(const struct box *box, int axis)
{
    return (box->upper[axis] - box->lower[axis] + TILE[axis] - 1) / TILE[axis];
}

