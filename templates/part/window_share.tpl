% -- How a step fills a shared plane: with its threads' values, and from memory what has not been
% -- copied ahead.
$own
% if stages == 0 then
% include "part/window_fill"
% end
