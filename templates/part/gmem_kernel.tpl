% -- The kernel of gmem, or the function that updates a region's points so.
% if ends then
/* One thread updates one point. */
% else
/* One thread updates $rows points, next to each other along $along. */
% end
template <typename index_t>
$entry
    $parameters)
{
    $coordinates
% if ends then
    if ($outside)
        return;
% end

% if offsets[1] then
    $offsets

% end
    $body
}
