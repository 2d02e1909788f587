/* Stands in for OpenMP where the thread sanitizer looks: it does not know what
 * OpenMP's own threads do, so there are none. */
int omp_get_max_threads(void);
int omp_get_num_procs(void);
void omp_set_num_threads(int threads);

int omp_get_max_threads(void)
{
    return 1;
}

int omp_get_num_procs(void)
{
    return 1;
}

void omp_set_num_threads(int threads)
{
    (void)threads;
}
