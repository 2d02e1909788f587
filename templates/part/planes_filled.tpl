% -- How the planes of a step come into shared memory: threads fill the newest.
% if first then

/* The newest plane takes the place of the one that is not read any more. */
% end
$newest
__syncthreads();
