% -- The edge kernel: the same code, point by point, next to faces without a halo.
% include "part/edge_reads"

/* Updates a box of points next to a face; its rows are shared among the threads. */
static void run_edge(const struct $args *a, ${pass.parameter}const struct quern_box *box)
{
% if colours then
    ${colours.values}
% end
    ${edge.hosts}
    ${edge.locals}
    const struct edge edge = {
        ${edge.values}
    };

#ifdef _OPENMP
#pragma omp for collapse(${edge.rows}) schedule(static) nowait
#endif
% for _, axis in ipairs(edge.loops) do
    ${axis.pad}${axis.text}
% end
    ${edge.inner}    ${edge.offsets}

    ${edge.inner}    ${edge.body}
    ${edge.inner}}
}
