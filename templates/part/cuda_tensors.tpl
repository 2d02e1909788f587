% -- The tensors that a launch hands to its kernel.
/* How many elements before index 0 the rows of all tensors begin: on a sector of 32 bytes, and
 * no later than what is read there. */
static int lead_of(
    const struct quern_array *array)
{
    const int64_t place = (int64_t)((uintptr_t)array->data / (uintptr_t)array->size % $sector);
    return $reach + (int)((place + $sector - $reach % $sector) % $sector);
}

/* The tensor of an array with what is read around the domain, its axes in some order. */
static cudaError_t tensor_of(
    quern_tensor *tensor, const struct quern_domain *domain, const struct quern_array *array,
    const int *order, int lead, int width, int height)
{
    int64_t extent[3], stride[3], before = lead;
    for (int i = 0; i < 3; i++) {
        const int k = order[i];
        const int64_t below = i == 0 ? lead : array->along[k][QUERN_BELOW];
        extent[i] = below + domain->n[array->axis[k]] + array->along[k][QUERN_ABOVE];
        stride[i] = array->stride[k];
        if (i > 0)
            before += below * stride[i];
    }
    const int box[2] = { width, height };
    const char *const first = static_cast<const char *>(array->data) - before * array->size;
    extent[0] = quern_whole_sectors(first, extent[0], stride, array->size);
    return quern_tensor_make(tensor, (int)array->size, first, extent, stride + 1, box);
}
