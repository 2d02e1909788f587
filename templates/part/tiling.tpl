% -- What the tiles of one plan are made of.
/* The tiles of $name: stages, lists, and ways that lead to them. */
% for _, f in ipairs(fans) do
static const int ${f.name}_number[] = { ${f.number} };
static const int ${f.name}_centres[] = { ${f.centres} };
static const struct quern_tile_fan ${f.name} = {
    .way = ${f.way}, .count = ${f.count}, .centres = ${f.name}_centres,
    .number = ${f.name}_number };
% end
static const struct quern_tile_stage tiling_${number}_stages[] = {
    $stages
};
% if lists[1] then
static const struct quern_tile_list tiling_${number}_lists[] = {
    $lists
};
% end
% if ways[1] then
$slots
static const struct quern_tile_way tiling_${number}_ways[] = {
    $ways
};
% end
static const struct quern_tile_form tiling_$number = {
    .threads = $threads, .words = $words, .strips = $strips,
    .stage_count = ${#stages}, .stages = tiling_${number}_stages,
% if lists[1] then
    .list_count = ${#lists}, .lists = tiling_${number}_lists,
% end
% if ways[1] then
    .way_count = ${#ways}, .ways = tiling_${number}_ways,
% end
};
