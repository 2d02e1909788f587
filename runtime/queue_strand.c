/* Strands of the ring: producers string requests together for the poller. */
#include "queue.h"

/* False if one of them is not there yet. */
static bool string(struct qn_queue *queue, size_t first,
                   struct qn__strand *strand)
{
    struct qn_request *before = NULL;
    strand->blocks = strand->items = 0;
    for (size_t at = first; at < first + QN_STRAND; at++) {
        struct qn_request *const request =
            atomic_load(qn__queue_slot(queue, at));
        if (!request)
            return false;
        if (before)
            before->next = request;
        strand->blocks += qn__request_blocks(request);
        strand->items += qn__request_items(request);
        before = request;
    }
    strand->last = before;
    return true;
}

/* While it is being strung no poller passes it, so none of its requests ends.
 * Its slots hold nothing older: who has the number has seen room for it, so
 * what was in all slots before it a round ago has been taken out. */
void qn__strand_string(struct qn_queue *queue, size_t number)
{
    const size_t first = number / QN_STRAND * QN_STRAND - QN_STRAND;
    if (number < QN_STRAND || queue->settings.policy == QN_OCCUPANCY)
        return;
    struct qn__strand *const strand = qn__queue_strand(queue, first);
    size_t state = first + QN_LOOSE;
    if (!atomic_compare_exchange_strong(&strand->state, &state,
                                        first + QN_STRINGING))
        return;
    const bool strung = string(queue, first, strand);
    atomic_store(&strand->state, first + (strung ? QN_STRUNG : QN_LOOSE));
}

enum qn__stringing qn__strand_begin(struct qn_queue *queue, size_t first)
{
    struct qn__strand *const strand = qn__queue_strand(queue, first);
    size_t state = first + QN_LOOSE;
    if (atomic_compare_exchange_strong(&strand->state, &state,
                                       first + QN_BEGUN))
        return QN_BEGUN;
    return (enum qn__stringing)(state - first);
}

void qn__strand_leave(struct qn_queue *queue, size_t end)
{
    struct qn__strand *const strand = qn__queue_strand(queue, end - QN_STRAND);
    atomic_store(&strand->state, end - QN_STRAND + queue->mask + 1 + QN_LOOSE);
}
