% -- A launch is all passes.
int64_t ${plan}_passes(
    const struct $args *a)
{ (void)a; return ${colours.passes}; }

int ${plan}_launch(
    const struct $args *a, void *stream)
{
    int error = 0;
    for (int64_t pass = 0; error == 0 && pass < ${colours.passes}; pass++)
        error = ${plan}_pass_launch(a, pass, stream);
    return error;
}
