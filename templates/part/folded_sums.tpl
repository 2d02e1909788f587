% -- One level of one point of a tile: the sums over its neighbours.
% if mine then
const int mine = item * $threads + thread;
% end
% for _, r in ipairs(results) do
$compute ${r.name} = 0;
% end
% for _, g in ipairs(groups) do

/* ${g.note} */
#pragma unroll
for (int of = 0; of < ${g.count}; of++) {
% if not g.own then
    const int at = quern_place(near_of[item], ${g.first} + of);
% end
    const int c = ${g.coefficients} + ${g.step} * of;
% for i, input in ipairs(g.inputs) do
    const $compute value_$i = ${input.element};
% for _, term in ipairs(input.terms) do
    ${term.sum} = $fma(coefficient_of[item][c + ${term.index}], value_$i, ${term.sum});
% end
% end
}
% end

if ($points[item] >= 0) {
    const index_t $point = $points[item];
% for _, r in ipairs(results) do
    ${r.target} = ${r.value};
% end
}
