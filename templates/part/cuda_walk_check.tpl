% -- Part of check: arrays that the tensor unit copies, tiles and memory that launches take.
if (quern_check_tensors(&domain, all, $array_count, why, size))
    return 1;
% if walks[2] then
struct quern_box some[$most_boxes];
% end
% for _, walk in ipairs(walks) do
% if walk.space then
const int ${walk.space}_count = quern_thin_boxes(list, count, ${walk.thin}, some);
if (${walk.space}::refuse_boxes(some, ${walk.space}_count, lead_of(&all[0]), why, size))
    return 1;
% else
if (refuse_boxes(list, count, lead_of(&all[0]), why, size))
    return 1;
% end
% end
