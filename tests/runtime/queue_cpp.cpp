/* The public header from C++, of the first standard on: objects are made, used and freed. */
#include "quern.h"

static int launches;

static enum qn_status launch(void *, struct qn_batch *batch)
{
    launches += batch->count == 2;
    return QN_OK;
}

int main()
{
    struct qn_queue_settings settings = qn_queue_settings();
    struct qn_launcher launcher = qn_launcher();
    struct qn_request requests[2] = { qn_request(), qn_request() };
    struct qn_queue *queue;
    struct qn_queue_stats stats;
    settings.policy = QN_FIXED;
    launcher.launch = launch;
    if (qn_queue_create(&settings, &launcher, &queue) != QN_OK
        || qn_queue_submit(queue, &requests[0]) != QN_OK
        || qn_queue_submit(queue, &requests[1]) != QN_OK || qn_queue_drain(queue) != QN_OK)
        return 1;
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    return launches == 1 && stats.completed == 2 && stats.by[QN_BY_FLUSH] == 1 ? 0 : 1;
}
