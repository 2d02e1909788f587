% -- What the formulas of a reference choose between.
% if list[1] then

extern unsigned char ${name}_sides[];
static const struct quern_choice choices_$number[] = {
% for _, c in ipairs(list) do
    { "${c.word}", "${c.place}" },
% end
};
% end
