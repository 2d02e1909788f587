% -- The steps of a walk whose sums are split: a plane that comes begins those of its points, with
% -- what is beside and behind them, and is read no more; what is ahead completes them. Values and
% -- sums stay where they are, k says whose turn it is.
    $counters
    for (int start = -$ahead; start < planes; start += $period) {
#pragma unroll
        for (int k = 0; k < $period; k++) {
            const int p = start + k;
            if (p == planes)
                break;
% if lockstep then
            const bool at_mark = $in_first_warp && company.size > 0 && $mark_here;
            unsigned long long said = 0;
            if (at_mark && quern_elected())
                said = quern_mark_step(&s.$own, $mark);
% end

            /* The newest plane has come: the sums of its points begin. */
            $waits
#pragma unroll
            for (int j = 0; j < $rows; j++) {
                $newest
                $begun
% for _, part in ipairs(forward) do

                ${part.reads}
#pragma unroll
                for (int e = 0; e < $vector; e++) {
                    ${part.lines}
                }
% end
            }

            /* Those that began $before are completed. */
            if (p >= 0) {
                $point_waits
#pragma unroll
                for (int j = 0; j < $rows; j++) {
                    $point_reads
                    $results
#pragma unroll
                    for (int e = 0; e < $vector; e++) {
                        $body
                    }
                    if ($near && $in_row) {
                        $writes
                    }
                }
            }

            /* This warp reads these planes no more; when none does, others take their place. */
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
                if (${f.since}p + ${f.slots} < planes)
                    ${f.refill}
% end
            }
            $onward
            if (p >= 0) {
                $point_onward
            }
        }
    }
