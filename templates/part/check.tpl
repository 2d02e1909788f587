% -- What a launch assumes, tested: the arrays of the kernel stand in a table.
/* One array of this kernel. */
struct array {
    const char *name;
    const void *data;           /* the point (0, ..) */
    int64_t size;               /* bytes of an element */
    int written, rank;
    int axis[$rank];                /* its axes among those of a box, contiguous first */
    const int64_t *stride, *halo;
    int64_t reach[$rank][2];        /* points read below and above, per axis of the array */
};

/* The arrays of this kernel; returns how many. */
static int arrays(const struct $args *a, struct array *list)
{
    const struct array all[$array_count] = {
        $array_rows
    };
    memcpy(list, all, sizeof all);
    return $array_count;
}

/* Elements from the lowest stored one to one past the highest, -1 if they cannot be counted. */
static int64_t span(const struct array *array, const int64_t *n)
{
    int64_t elements = 1;
    for (int i = 0; i < array->rank; i++) {
        const int64_t points = n[array->axis[i]] + 2 * array->halo[i];
        if (array->stride[i] > INT64_MAX / 64 / (points + 1))
            return -1;
        elements += (points - 1) * array->stride[i];
    }
    return elements;
}

/* The address of the lowest stored element; one past the highest. */
static uintptr_t lowest(const struct array *array)
{
    int64_t elements = 0;
    for (int i = 0; i < array->rank; i++)
        elements += array->halo[i] * array->stride[i];
    return (uintptr_t)array->data - (uintptr_t)(elements * array->size);
}

static int refuse(char *why, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (why != NULL && size > 0)
        vsnprintf(why, size, format, values);
    va_end(values);
    return 1;
}

/* One array by itself: pointer, strides, and a halo as wide as the boxes read. */
static int check_array(const struct array *array, const int64_t *n, const struct box *list,
                       int count, char *why, size_t size)
{
    const char *name = array->name;
    if (array->data == NULL)
        return refuse(why, size, "%s: the pointer is null", name);
    if ((uintptr_t)array->data % (uintptr_t)array->size != 0)
        return refuse(why, size, "%s: the pointer is not aligned to %d bytes", name,
                      (int)array->size);
    int64_t least_stride = 1;
    for (int i = 0; i < array->rank; i++) {
        const int64_t extent = n[array->axis[i]], halo = array->halo[i];
        if (halo < 0 || halo > LARGEST)
            return refuse(why, size, "%s: the halo along %s is %lld", name,
                          AXIS[array->axis[i]], (long long)halo);
        if (array->stride[i] < least_stride || (i == 0 && array->stride[i] != 1))
            return refuse(why, size, "%s: the stride along %s is %lld, wanted %s%lld", name,
                          AXIS[array->axis[i]], (long long)array->stride[i],
                          i == 0 ? "" : "at least ", (long long)least_stride);
        if (array->stride[i] > INT64_MAX / 64 / (extent + 2 * halo + 1))
            return refuse(why, size, "%s: more elements than 64 bits can count", name);
        least_stride = array->stride[i] * (extent + 2 * halo);
    }
    for (int b = 0; b < count; b++)
        for (int i = 0; i < array->rank; i++) {
            const int axis = array->axis[i];
            const int64_t below = array->reach[i][0] - list[b].lower[axis];
            const int64_t above = array->reach[i][1] + list[b].upper[axis] - n[axis];
            if (most(below, above) > array->halo[i])
                return refuse(why, size, "%s: the halo along %s is %lld, this kernel reads %lld",
                              name, AXIS[axis], (long long)array->halo[i],
                              (long long)most(below, above));
        }
    return 0;
}

/* No array that is written shares memory with another. */
static int check_overlap(const struct array *list, int count, const int64_t *n, char *why,
                         size_t size)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const uintptr_t p = lowest(&list[i]), q = lowest(&list[j]);
            const uintptr_t p_end = p + (uintptr_t)(span(&list[i], n) * list[i].size);
            const uintptr_t q_end = q + (uintptr_t)(span(&list[j], n) * list[j].size);
            if ((list[i].written || list[j].written) && p < q_end && q < p_end)
                return refuse(why, size, "%s and %s overlap", list[j].name, list[i].name);
        }
    return 0;
}
