% -- How the planes of a step come into shared memory: they have been copied ahead.
% if first then

/* This step's planes have come, nobody reads the last one's oldest any more: another takes
 * its place. */
% end
quern_fetch_wait<$behind>();
__syncthreads();
if ($walk + $stages < last) {
    $newest
}
quern_fetch_close();
