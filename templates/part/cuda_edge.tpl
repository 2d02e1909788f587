% -- The edge kernel: the same code, one thread per point, next to faces without a halo.
% include "part/edge_reads"

/* One thread updates one point next to a face. */
template <typename index_t>
__global__ void __launch_bounds__(${edge.threads})
${plan}_edge(
    ${edge.parameters},
    const ${edge.type} edge)
{
    ${edge.coordinates}
    if (${edge.outside})
        return;

    ${edge.offsets}

    ${edge.body}
}
