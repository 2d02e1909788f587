% -- Part of check: what the pieces of a chain ask for.
% for _, piece in ipairs(pieces) do
if (${piece}_check(a, why, size))
    return 1;
% end
