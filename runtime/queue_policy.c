/* When what waits becomes a batch: pure functions of what the poller sees. */
#include "queue.h"

#include <math.h>

/* Blocks worth a launch on a device of which nothing is known. */
enum { FEW = 1024 };

/* Batches that fill a device, at least, and seconds that launching one of them
 * may keep the poller: launching takes 4 to 11 us, whatever is in it, so with
 * more batches the device waits for launches; where it takes time for each
 * request, as tables do, the device waits for its first batch. */
static const double fewest = 3, brief = 2e-5;

/* --- the policies -------------------------------------------------------- */

static const struct qn__decision never = { .due = INFINITY };

static struct qn__decision at_once(size_t count, enum qn_reason reason)
{
    return (struct qn__decision){ count, reason, INFINITY };
}

/* All of them at that time, or now if it has come. */
static struct qn__decision at(double due, enum qn_reason reason,
                              const struct qn__view *view)
{
    if (view->now >= due)
        return at_once(view->waiting, reason);
    return (struct qn__decision){ .due = due };
}

static struct qn__decision fixed(const struct qn_queue_settings *settings,
                                 int64_t resident, const struct qn__view *view)
{
    (void)resident;
    return view->waiting >= settings->count
        ? at_once(settings->count, QN_BY_SIZE) : never;
}

/* All that waits: a batch of more than are resident is no slower a request. */
static struct qn__decision occupancy(const struct qn_queue_settings *settings,
                                     int64_t resident,
                                     const struct qn__view *view)
{
    (void)settings;
    if (view->blocks >= resident)
        return at_once(view->waiting, QN_BY_SIZE);
    return at(view->newest + 2 * view->longest, QN_BY_PAUSE, view);
}

static struct qn__decision deadline(const struct qn_queue_settings *settings,
                                    int64_t resident,
                                    const struct qn__view *view)
{
    (void)settings;
    (void)resident;
    (void)view;
    return never;               /* but for max_delay */
}

static double device_blocks(int64_t resident)
{
    return resident > 0 ? (double)resident : 16 * FEW;
}

double qn__queue_launching(int64_t resident, int64_t blocks, double seconds,
                           double before)
{
    return 16 * (double)blocks < device_blocks(resident) ? before
         : seconds / (double)blocks;
}

/* Batches that fill the device, by what launching them takes. */
static double fillings(const struct qn_queue_settings *settings, double device,
                       const struct qn__view *view)
{
    const double all = settings->flights;
    return view->launching > 0
        ? fmin(all, fmax(fewest, device * view->launching / brief)) : all;
}

/* A batch is as large as what is in flight: the device begins at once, and is
 * busy while the next one is formed. It is half of what waits, or a 16th of
 * the device: when the last one ends few are left to be told. And it is half a
 * device at most: the results of a larger one come no sooner than those of its
 * last block, and the next can fill what it leaves. But the first few flights
 * together fill the device. */
static double idle_blocks(const struct qn_queue_settings *settings,
                          int64_t resident, const struct qn__view *view)
{
    const double device = device_blocks(resident);
    const double half = resident > 0 ? ceil(device / 2) : INFINITY;
    const double each = view->waiting > 0
        ? (double)view->blocks / (double)view->waiting : 1;
    const double left =
        fmax(1, fillings(settings, device, view) - view->in_flight);
    const double least = (device - view->flying) / left;
    const double end = fmax(device / 16, each * (double)view->behind / 2);
    const double wanted = fmin(view->flying, end);
    return fmax(1, fmin(half, fmax(least, wanted)));
}

/* With what waits, too: a batch would end with the longest of its requests, and
 * there is room for each to be one. */
static bool nearly_empty(int64_t resident, const struct qn__view *view)
{
    return view->flying + (double)view->blocks <= (double)resident / 64;
}

static struct qn__decision idle(const struct qn_queue_settings *settings,
                                int64_t resident, const struct qn__view *view)
{
    const double most = idle_blocks(settings, resident, view);
    const bool empty = nearly_empty(resident, view);
    const int flights = empty ? 2 * settings->flights : settings->flights;
    if (view->in_flight >= flights)
        return never;
    if (empty && view->waiting <= (size_t)(flights - view->in_flight))
        return at_once(1, QN_BY_IDLENESS);
    if ((double)view->blocks <= most)
        return at_once(view->waiting, QN_BY_IDLENESS);
    const double part = most / (double)view->blocks;
    return at_once((size_t)ceil(part * (double)view->waiting), QN_BY_IDLENESS);
}

int64_t qn__queue_most(const struct qn_queue_settings *settings,
                       int64_t resident, const struct qn__view *view)
{
    if (settings->policy != QN_IDLE)
        return INT64_MAX;
    const double most = idle_blocks(settings, resident, view);
    return most < 0x1p62 ? (int64_t)ceil(most) : INT64_MAX;
}

/* By enum qn_policy; delay: the default of max_delay. */
static const struct {
    struct qn__decision (*decide)(const struct qn_queue_settings *settings,
                                  int64_t resident,
                                  const struct qn__view *view);
    double delay;
} policies[] = {
    [QN_IDLE] = { idle, 1e-2 },
    [QN_FIXED] = { fixed, INFINITY },
    [QN_OCCUPANCY] = { occupancy, 1e-2 },
    [QN_DEADLINE] = { deadline, 1e-4 }
};

/* A flush comes first, then what a policy knows, then age. */
struct qn__decision qn__queue_decide(const struct qn_queue_settings *settings,
                                     int64_t resident,
                                     const struct qn__view *view)
{
    if (view->flushed > 0)
        return at_once(view->flushed, QN_BY_FLUSH);
    const struct qn__decision own =
        policies[settings->policy].decide(settings, resident, view);
    if (own.count > 0)
        return own;
    struct qn__decision aged =
        at(view->oldest + settings->max_delay, QN_BY_AGE, view);
    aged.due = fmin(aged.due, own.due);
    return aged;
}

/* --- settings ------------------------------------------------------------ */

static enum qn_status check(const struct qn_queue_settings *settings,
                            const struct qn_launcher *launcher)
{
    if (settings->policy < QN_IDLE || settings->policy > QN_DEADLINE)
        return qn__fail(QN_INVALID, "a queue of policy %d: there are 0 to %d",
                        (int)settings->policy, (int)QN_DEADLINE);
    if (!launcher || !launcher->launch)
        return qn__fail(QN_INVALID, "a queue needs a launcher that launches");
    if (!(settings->max_delay >= 0))
        return qn__fail(QN_INVALID, "a queue whose max_delay is %g: it is 0"
                        " (the policy's own) or more", settings->max_delay);
    if (settings->flights < 0 || settings->most_flights < 0)
        return qn__fail(QN_INVALID, "a queue of %d batches in flight: at least"
                        " one, 0: as is usual",
                        settings->flights < 0 ? settings->flights
                                              : settings->most_flights);
    if (settings->capacity > SIZE_MAX / 64)
        return qn__fail(QN_INVALID, "a queue of %zu requests: at most %zu",
                        settings->capacity, SIZE_MAX / 64);
    if (settings->policy == QN_OCCUPANCY && launcher->resident <= 0)
        return qn__fail(QN_INVALID, "policy OCCUPANCY needs to know how many"
                        " blocks are resident: the launcher says %lld",
                        (long long)launcher->resident);
    return QN_OK;
}

/* A batch that the queue can never hold would never be launched. */
static enum qn_status check_count(const struct qn_queue_settings *settings)
{
    if (settings->policy == QN_FIXED && settings->count > settings->capacity)
        return qn__fail(QN_INVALID, "batches of %zu requests in a queue of %zu",
                        settings->count, settings->capacity);
    return QN_OK;
}

enum qn_status qn__queue_settle(struct qn_queue_settings *settings,
                                const struct qn_launcher *launcher)
{
    const enum qn_status status = check(settings, launcher);
    if (status != QN_OK)
        return status;
    if (settings->capacity == 0)
        settings->capacity = 65536;
    if (settings->count == 0)
        settings->count = 100;
    if (settings->most_flights == 0)
        settings->most_flights = 64;
    if (settings->flights == 0)
        settings->flights = 8;
    if (settings->max_delay == 0)
        settings->max_delay = policies[settings->policy].delay;
    if (settings->policy == QN_OCCUPANCY && settings->bare)
        settings->max_delay = INFINITY;
    return check_count(settings);
}
