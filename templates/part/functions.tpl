% if signs then

/* -1, 0 or 1; 0 for what is not a number. */
$sign_prefix $compute ${sign_name}($compute value)
{
    return ($compute)((value > 0) - (value < 0));
}
% end
