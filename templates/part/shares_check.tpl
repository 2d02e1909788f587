% -- Part of check: blocks of requests that have been counted, and lists that they can count.
if (quern_check_shares(a->$firsts, a->$blocks, why, size))
    return 1;
% for _, l in ipairs(lists) do
if (quern_check_list("${l.name}", ${l.entries}, why, size))
    return 1;
% end
