% -- After a step the time levels move on: pointers only.
static void turn(struct ${instance}_args *a)
{
% for i, turn in ipairs(turns) do
% if i > 1 then

% end
    /* ${turn.field}: its buffers move on by one time level. */
    ${turn.lines}
% end
}
