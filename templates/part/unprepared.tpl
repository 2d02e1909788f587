% -- What is offered by a kernel that prepares nothing.
size_t ${plan}_workspace(
    const struct $args *a)
% if placed then
{ return ${workspace}(a); }
% else
{ (void)a; return 0; }
% end

int ${plan}_prepare(
    const struct $args *a, void *stream)
{ (void)a; (void)stream; return 0; }
