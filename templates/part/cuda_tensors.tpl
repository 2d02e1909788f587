% -- The tensors that a launch hands to its kernel.
/* The tensor of an array with what is read around the domain; a row begins `lead` points
 * before the first, as what is read there is rounded up to 16 bytes. */
static cudaError_t tensor_of(
    quern_tensor *tensor, const struct quern_domain *domain, const struct quern_array *array,
    int lead, int width, int height)
{
    int64_t extent[3], before = lead;
    for (int i = 0; i < 3; i++) {
        const int64_t below = i == 0 ? lead : array->along[i][QUERN_BELOW];
        extent[i] = below + domain->n[array->axis[i]] + array->along[i][QUERN_ABOVE];
        if (i > 0)
            before += below * array->stride[i];
    }
    const int box[2] = { width, height };
    return quern_tensor_make(tensor, (int)array->size,
                             static_cast<const char *>(array->data) - before * array->size,
                             extent, array->stride + 1, box);
}
