% -- The steps of a walk whose sums are made at once, from a window and rings of planes.
    $counters
    for (int p = 0; p < planes; p++) {
% if lockstep then
        const bool at_mark = $in_first_warp && company.size > 0 && $mark_here;
        unsigned long long said = 0;
        if (at_mark && quern_elected())
            said = quern_mark_step(&s.$own, $mark);

% end
        /* The planes furthest ahead have come: advance the window. */
        $waits
        $slots
        $advance
% if newest[1] then
#pragma unroll
        for (int j = 0; j < $rows; j++) {
            $newest
        }
% end

#pragma unroll
        for (int j = 0; j < $rows; j++) {
% if space then
            if (!($near && $in_row))
                continue;
% end
% for _, sum in ipairs(sums) do
            /* ${sum.comment} */
            ${sum.declared}
% end
% for _, part in ipairs(parts) do
            ${part.reads}
#pragma unroll
            for (int e = 0; e < $vector; e++) {
                ${part.lines}
            }

% end
            $reads
            $results
% if long_body then
            bool odd = false;
% end
#pragma unroll
            for (int e = 0; e < $vector; e++) {
                $body
            }
% if long_body then
            if (odd) {
                /* A divisor or a dividend is out of the short way's range. */
#pragma unroll
                for (int e = 0; e < $vector; e++) {
                    $long_body
                }
            }
% end
% if space then
            $writes
% else
            if ($near && $in_row) {
                $writes
            }
% end
        }

        /* This warp reads the oldest planes no more; when none does, others take their place. */
        __syncwarp();
        if ($first_of_warp)
            quern_barrier_arrive(&s.${freed}[$turn]);
        if ($in_first_warp && quern_elected()) {
% if lockstep then
            if (at_mark)
                quern_await_step(&s.$own, $mark, said);
% end
            quern_barrier_wait(&s.${freed}[$turn], $turn_phase);
% for _, f in ipairs(fulls) do
            if (p + ${f.slots} < ${f.planes})
                ${f.refill}
% end
        }
        $onward
    }
