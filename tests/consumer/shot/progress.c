/* One line on the terminal: how far, how long still. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "shot.h"

double wall_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(struct progress *progress)
{
    progress->shown = isatty(STDERR_FILENO);
    progress->start = progress->last = wall_seconds();
}

void progress_show(struct progress *progress, int64_t done, int64_t all)
{
    static const char full[] = "##############################";
    const double now = progress->shown ? wall_seconds() : 0;

    if (!progress->shown || (now - progress->last < 0.1 && done < all))
        return;
    const double left = (now - progress->start) * (double)(all - done) / (double)done;
    const int width = (int)sizeof full - 1, bar = (int)(width * done / all);
    fprintf(stderr, "\r[%-*.*s] %3d %%  step %lld of %lld, %.0f s left ", width, bar,
            full, (int)(100 * done / all), (long long)done, (long long)all, left);
    progress->last = now;
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
