% -- The oracle's loop over all points; pass by pass where points depend on others.
int ${plan}${pass.suffix}_launch(
    const struct $args *a, ${pass.parameter}void *stream)
{
    struct inputs in = { .a = a, .n = { $extents } };
    const int64_t lower[RANK] = { $from };
    const int64_t upper[RANK] = { $to };
    struct point p$zero;
    (void)stream;
    if (${pass.refused}${plan}_check(a, NULL, 0))
        return 1;
% if placed then
    % include "part/placed"
    in.a = a;
% end
% if count > 0 then
    evaluate_constants(&in);
% end
% for _, o in ipairs(outputs) do
    for (int64_t i = 0; i < ${o.size}; i++)
        a->${o.field}_bound[i] = -1;
% end
% for _, s in ipairs(sums) do
    in.${s.field}_sum = calloc((size_t)(${s.size}) + 1, sizeof(struct number));
    if (!in.${s.field}_sum)
        return 1;
% end
% for _, l in ipairs(loops) do local k = l.axis
    ${l.indent}for (p.at[$k] = lower[$k]; p.at[$k] < upper[$k]; p.at[$k]++)
% end
% if wanted then
    ${inner}if ($wanted)
    ${inner}    assign(&in, p);
% else
    ${inner}assign(&in, p);
% end
% for _, s in ipairs(sums) do
    for (int64_t i = 0; i < ${s.size}; i++)
        set(a->${s.field}_value, a->${s.field}_bound, i,
            add(exact((double)a->${s.member}[i * a->${s.field}_stride[0]]),
                in.${s.field}_sum[i]), 0, 0);
    free(in.${s.field}_sum);
% end
    return 0;
}
% if passes then

int64_t ${plan}_passes(
    const struct $args *a)
{
    (void)a;
    return ${passes.count};
}

/* Only pass by pass: nobody puts the results of one into the fields before the next. */
int ${plan}_launch(
    const struct $args *a, void *stream)
{
    (void)a, (void)stream;
    return 1;
}
% end
