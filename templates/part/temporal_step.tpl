% -- One step of the points of a thread: both steps of a sweep are calls of it.
/* One step of the points of a thread, of which $at has the place in a plane with rows of PITCH
 * points, and the rest is at hand. */
template <int PITCH>
static __device__ __forceinline__ void make_step(
    $step_parameters)
{
% if column then
    /* The rows around those of the thread, and its own. */
    ${column.type} ${column.name}[${column.height}][$vector];
#pragma unroll
    for (int i = 0; i < ${column.below}; i++)
        quern_read(${column.name}[i], $at + (i - ${column.below}) * PITCH);
#pragma unroll
    for (int i = 0; i < $rows; i++)
#pragma unroll
        for (int e = 0; e < $vector; e++)
            ${column.name}[${column.below} + i][e] = ${column.own}[i][e];
#pragma unroll
    for (int i = ${column.above_from}; i < ${column.above_to}; i++)
        quern_read(${column.name}[${column.below} + i], $at + i * PITCH);

% end
#pragma unroll
    for (int j = 0; j < $rows; j++) {
        $line
        $fronts
#pragma unroll
        for (int e = 0; e < $vector; e++) {
            $body
        }
    }
}
