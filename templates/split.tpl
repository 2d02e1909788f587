% -- split: a chain in pieces, each a kernel in a file of its own; what one hands on to the next
% -- lies in memory.
% include "part/head"
#include "$header"
% include "part/launch_header"

#include <string.h>

% include "part/boxes"

% include "part/entry"

% include "part/points"

int ${plan}_launch(
    const struct $args *a, void *stream)
{
    /* Nothing is launched where anything is refused. */
    if (${plan}_check(a, NULL, 0))
        return 1;
    int error = 0;
% for _, piece in ipairs(pieces) do
    if (error == 0)
        error = ${piece}_launch(a, stream);
% end
    return error;
}
