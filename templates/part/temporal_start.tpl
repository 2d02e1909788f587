% -- Before the first turn: barriers, and the first planes of every ring.
/* Every ring is filled once before the first turn. */
if (leader) {
% for _, f in ipairs(fulls) do
    for (int i = 0; i < ${f.slots}; i++)
        quern_barrier_init(&s.${f.name}[i], 1);
% end
    quern_barrier_publish();
% for _, f in ipairs(fulls) do
    for (int i = 0; i < min(${f.slots}, planes + ${f.more}); i++)
        ${f.start}
% end
}
% if sent_first[1] then

/* And the first planes of what is outside. */
% for _, send in ipairs(sent_first) do
if (outside != 0)
    $send
quern_fetch_close();
% end
% end
