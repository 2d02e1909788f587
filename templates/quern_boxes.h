/* One launch for several boxes: which of them a block of threads works on. The generator copies
 * this header beside those that need it. Change QUERN_BOXES when anything below changes its
 * meaning. */
#ifndef QUERN_BOXES_H
#define QUERN_BOXES_H

#define QUERN_BOXES 1

/* Of `count` boxes, box[0] .. each of which says the number of its `first` block. */
template <typename boxes, typename number>
static __device__ __forceinline__ const auto &quern_find(const boxes &of, number block)
{
    int b = 0;
    while (b + 1 < of.count && block >= of.box[b + 1].first)
        b++;
    return of.box[b];
}

#endif
