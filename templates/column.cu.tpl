% -- column: a sweep. One thread has one column and marches along it; what it has just computed
% -- and reads at the next level stays in registers.
% --
% --        ^  k   cc_km1 = cc_new        a thread, its column, and what it carries
% --        |  +---------------+
% --        |  |  cc[k]  = ..  |  cc_km1
% --        |  +---------------+    ^
% --        |  |  cc[k-1]      | ---+
% --           +---------------+
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

% if edge then
% include "part/edge_reads"

% end
/* One thread updates one column, $direction along $axis. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
% if edge then
    $parameters,
    const ${edge.type} edge)
% else
    $parameters)
% end
{
% if outside then
    $coordinates
    if ($outside)
        return;

% end
% if start[1] then
    $start

% end
    $loop {
        $offsets

        $body
    }
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

/* Launches the kernel on boxes, one after the other. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, const struct quern_box *list, int count, cudaStream_t stream)
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end
% if edge then
    ${edge.type} edge = {
        ${edge.values}
    };
% end

    for (int b = 0; b < count; b++) {
        $bounds
        void *arguments[] = {
% if edge then
            $addresses,
            &edge
% else
            $addresses
% end
        };
        const dim3 grid(
            $grid);
        const cudaError_t error = cudaLaunchKernel(
            ${plan}_kernel<index_t>,
            grid, dim3($block), arguments, 0, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* Do the offsets of all threads, idle ones too, fit into 32 bits? */
static bool fits_32_bits(
    const struct $args *a)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_array all[$array_count];
    arrays(a, all);
    return quern_fits_32_bits(&domain, all, $array_count, MARGIN);
}

/* Boxes in the order of the sweep, where $axis is from lower to upper. */
int ${plan}_range_launch(
    const struct $args *a, int64_t lower, int64_t upper, void *stream)
{
% if placed then
    % include "part/placed"
% end
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    int count = $boxes_call;
    count = quern_slice(&domain, list, count, $position, lower, upper);
% if most_boxes > 1 then
    quern_order(list, count, $position, $up);
% end
    return fits_32_bits(a) ? run<int32_t>(a, list, count, queue)
                           : run<int64_t>(a, list, count, queue);
}

% include "part/range"
