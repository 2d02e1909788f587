% -- The reference's results have a place.
% for _, o in ipairs(outputs) do
if (a->${o.field}_value == NULL || a->${o.field}_bound == NULL)
    return quern_refuse(why, size, "${o.field}: value and bound are null");
% end
