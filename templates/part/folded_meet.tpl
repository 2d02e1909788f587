% -- Distinct neighbours of a row, as they are met.
/* Adds a neighbour to those of a row that have been met, once. There are `most` places; who
 * finds none is counted. */
% if on_host then
static void meet(
% else
static __device__ __forceinline__ void meet(
% end
    int32_t *list, int *met, const int most, const int32_t at)
{
    for (int i = 0; i < *met && i < most; i++)
        if (list[i] == at)
            return;
    if (*met < most)
        list[*met] = at;
    ++*met;
}
