/* Stands in for OpenMP where the thread sanitizer looks: it does not know what
 * OpenMP's own threads do, so there are none. */
int omp_get_max_threads(void);

int omp_get_max_threads(void)
{
    return 1;
}
