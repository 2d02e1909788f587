/* What a survey leaves open, settled from the model; what cannot be, refused; its
 * wavelet and its damping. */
#include <math.h>

#include "shot.h"

/* Sum of |weights| of the order-8 second derivative that the Makefile asks for:
 * 205/72 + 2*(8/5 + 1/5 + 8/315 + 1/560). */
static const double WEIGHT_SUM = 205.0 / 72 + 2 * (8.0 / 5 + 1.0 / 5 + 8.0 / 315
                                                   + 1.0 / 560);

/* Von Neumann: u.next = 2u - u.prev + (v dt)^2 lap(u) is stable while
 * (v dt)^2 S <= 4, S being the largest value of -lap on the grid. */
static double stability_limit(const struct model *model, double fastest)
{
    double sum = 0;

    for (int a = 0; a < model->axes; a++)
        sum += WEIGHT_SUM / (model->h[a] * model->h[a]);
    return 2 / (sqrt(sum) * fastest);
}

static double coarsest(const struct model *model)
{
    double h = 0;

    for (int a = 0; a < model->axes; a++)
        h = fmax(h, model->h[a]);
    return h;
}

/* A Ricker wavelet has little above 2.5 times its peak; an order-8 scheme wants
 * four points of the coarsest spacing in the shortest wave. */
static double highest_peak(const struct model *model, double slowest)
{
    return slowest / (2.5 * 4 * coarsest(model));
}

static int settle_step(struct survey *survey, const struct model *model,
                       double fastest, struct failure *failure)
{
    const double limit = stability_limit(model, fastest);

    if (survey->dt == 0)
        survey->dt = 0.8 * limit;
    if (!(survey->dt > 0) || survey->dt > limit)
        return fail(failure, "a time step of %g s is not stable: it must be positive"
                    " and at most %.6g s", survey->dt, limit);
    return 0;
}

static int settle_wavelet(struct survey *survey, const struct model *model,
                          double slowest, struct failure *failure)
{
    const double highest = highest_peak(model, slowest);

    if (survey->frequency == 0)
        survey->frequency = highest;
    if (!(survey->frequency > 0) || survey->frequency > 2 * highest)
        return fail(failure, "a wavelet of %g Hz cannot be carried by this grid: the"
                    " peak must be positive and at most %.4g Hz", survey->frequency,
                    2 * highest);
    return 0;
}

static int settle_source(struct survey *survey, const struct model *model,
                         struct failure *failure)
{
    static const char *const name[2][3] = { { "x", "depth", "" }, { "x", "y", "depth" } };
    const int last = model->axes - 1;

    if (!survey->has_source) {
        for (int a = 0; a < last; a++)
            survey->source[a] = floor((double)(model->n[a] - 1) / 2) * model->h[a];
        survey->source[last] = model->n[last] > 2 ? 2 * model->h[last] : 0;
    }
    for (int a = 0; a < model->axes; a++) {
        const double end = (double)(model->n[a] - 1) * model->h[a];
        if (!(survey->source[a] >= 0 && survey->source[a] <= end))
            return fail(failure, "the source lies outside the model: %s = %g m, wanted"
                        " 0 to %g m", name[model->axes - 2][a], survey->source[a], end);
    }
    const double bottom = (double)(model->n[last] - 1) * model->h[last];
    if (!(survey->receiver_depth >= 0 && survey->receiver_depth <= bottom))
        return fail(failure, "the receivers lie outside the model: depth = %g m, wanted"
                    " 0 to %g m", survey->receiver_depth, bottom);
    return 0;
}

int survey_settle(struct survey *survey, const struct model *model,
                  struct failure *failure)
{
    float slowest, fastest;

    model_range(model, &slowest, &fastest);
    if (settle_step(survey, model, (double)fastest, failure)
        || settle_wavelet(survey, model, (double)slowest, failure)
        || settle_source(survey, model, failure))
        return -1;
    if (survey->duration == 0) {            /* down to the base and back, and across */
        const int last = model->axes - 1;
        const double across = (double)model->n[0] * model->h[0] / 2;
        const double down = 2 * (double)model->n[last] * model->h[last];
        survey->duration = 2 * hypot(across, down) / (double)(slowest + fastest)
                           + 2 / survey->frequency;
    }
    if (!(survey->duration >= survey->dt) || survey->duration > 1e6 * survey->dt)
        return fail(failure, "a duration of %g s cannot be: wanted between one and"
                    " 1,000,000 steps of %g s", survey->duration, survey->dt);
    if (survey->width < 1 || survey->width > 1000)
        return fail(failure, "a PML of %lld points cannot be: wanted 1 to 1000",
                    (long long)survey->width);
    if (survey->snapshots < 0 || survey->snapshots > 100)
        return fail(failure, "%d snapshots cannot be: wanted 0 to 100",
                    survey->snapshots);
    return 0;
}

double survey_ricker(double t, double f)
{
    const double a = M_PI * f * (t - 1.2 / f);
    return (1 - 2 * a * a) * exp(-a * a);
}

double survey_damping(const struct survey *survey, int64_t i, int64_t n, double h,
                      double fastest)
{
    const int64_t width = survey->width, in = i < n - 1 - i ? i : n - 1 - i;
    const double most = 1.5 * fastest * log(1000) / ((double)width * h);
    const double depth = (double)(width - 1 - in) / (double)width;
    return in < width ? most * depth * depth * survey->dt : 0;
}
