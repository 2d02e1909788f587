% -- What the first steps share from memory is copied before the walk begins.

/* What the first steps share is copied ahead. */
% for _, p in ipairs(primed) do
if (${p.condition}) {
    ${p.copies}
}
quern_fetch_close();
% end
