/* What a running block is made of, the device that it runs on, and what fast
 * and detector builds each define their way. */
#ifndef QUERN_SIMT_PARTS_H
#define QUERN_SIMT_PARTS_H

inline SIMT_CORE uint3 threadIdx SIMT_HIDDEN;
inline SIMT_CORE uint3 blockIdx SIMT_HIDDEN;
inline SIMT_CORE dim3 blockDim SIMT_HIDDEN;
inline SIMT_CORE dim3 gridDim SIMT_HIDDEN;
constexpr int warpSize = 32;

namespace simt SIMT_HIDDEN {

constexpr unsigned MAX_THREADS = 1024;

/* The device that simt is, as launchers ask for it: few multiprocessors, so
 * that small grids are more than it holds at once. */
constexpr unsigned MULTIPROCESSORS = 3, MOST_EACH = 32;
constexpr unsigned MOST_RESIDENT = MULTIPROCESSORS * MOST_EACH;
constexpr size_t SHARED_ALL = 228 << 10, SHARED_OWN = 1 << 10;
constexpr unsigned THREADS_ALL = 2048;

/* Blocks of so many threads and bytes that a multiprocessor holds. */
SIMT_INLINE unsigned resident(unsigned threads, size_t shared) {
    const unsigned warps = (threads + 31) / 32;
    const unsigned by_threads = THREADS_ALL / 32 / (warps ? warps : 1);
    const unsigned by_shared = unsigned(SHARED_ALL / (shared + SHARED_OWN));
    const unsigned least = by_threads < by_shared ? by_threads : by_shared;
    return least < MOST_EACH ? least : MOST_EACH;
}

constexpr unsigned MOST_COPIES = 64;
constexpr unsigned MOST_PIECES = 1 << 15;
constexpr unsigned WORDS = 1 << 16;     /* of 4 bytes, more than a block has */

#ifdef SIMT_DETECT
constexpr bool LAST_YIELDS = true;
#else
constexpr bool LAST_YIELDS = false;
#endif

struct job {                    /* one launch */
    char name[128];             /* of the kernel, for reports */
    const char *file;           /* the source file that is being compiled */
    void (*run)(const void *call);      /* calls the kernel once */
    const void *call;           /* the kernel with its arguments */
    size_t parameter_bytes;
    dim3 grid, dim;
    size_t shared;              /* bytes of dynamic shared memory */
    unsigned long long number;  /* of the launch, from 1 */
};

struct barrier {
    unsigned members;           /* threads that have not ended */
    unsigned arrived;
    unsigned generation;        /* counts releases */
    int line;                   /* where the first to arrive waits */
};

struct phased;

struct transfer {               /* of a tile, on its way to shared memory */
    char *to;
    const quern_tensor *tensor;
    int at[3];                  /* the tensor's element that comes first */
    phased *done;               /* counts its bytes */
};

struct piece {                  /* of a thread, on its way to shared memory */
    char *to;
    const char *from;
    unsigned bytes;
    unsigned group;             /* of its thread, from 0 */
    unsigned next;              /* the number of the next of its thread, or 0 */
};

enum state { NEW, STARTED, ENDED };

struct thread {
    fibre *on;
    uint3 index;
    state is;
    const phased *waits;        /* for this barrier's phase, or null */
    unsigned oldest, newest;    /* numbers of its pieces on their way, or 0 */
    unsigned closed;            /* its groups that are complete */
};

struct block {
    const job *work;
    unsigned count;             /* threads */
    unsigned current;           /* the running thread */
    unsigned position;          /* of the running thread in the order */
    unsigned waiting;           /* threads at a barrier that is not released */
    bool failed;                /* given up: a finding, or nobody can go on */
    barrier whole;
    barrier warp[MAX_THREADS / 32];
    thread threads[MAX_THREADS];
    fibre fibres[MAX_THREADS];  /* of which the first made exist */
    unsigned made;
    fibre *idle[MAX_THREADS];   /* a stack of those that hold no thread */
    unsigned idles;
    transfer on_way[MOST_COPIES];       /* a ring of copies */
    unsigned oldest, copies;
    piece pieces[MOST_PIECES];  /* the n-th is number n, from 1 */
    unsigned pieces_made;       /* of which so many were ever in use */
    unsigned free_piece;        /* of those that are not any more, or 0 */
    unsigned pieces_due;        /* that are on their way, to these words: */
    uint32_t due[WORDS];        /* by the last bits of an address the first */
    bool copied;                /* it has sent some copy */
    unsigned company, members;  /* its own, with how many; none: 0 members */
    int marks;                  /* that it has set there */
    context host;
    char *dynamic;              /* shared memory asked for at launch */
    size_t dynamic_bytes;
    uint3 index;                /* in the grid */
    block *next;                /* in the list of blocks not in use */
};

inline SIMT_CORE block *here;        /* the block that this core runs */

/* What fast.h and detect.h each define their way. */
unsigned first(block *b);               /* the thread that starts a block */
unsigned pick(block *b);                /* the next to run that has not ended */
void attend(block *b);                  /* this block runs from here */
void enter();                           /* kernel code runs from here */
void leave();                           /* to here */
void check_arrival(block *b, barrier *at, int line);
void check_end(block *b);
void check_target(block *b, const char *at, size_t bytes);  /* of a copy */
void bring(char *to, const char *from, size_t bytes);       /* a part of it */
bool is_late();                         /* does a copy wait to be needed? */
bool let_others(block *b);              /* run; false: they do not */
void others_may_go_on();                /* a word that they wait for changes */
void joins(block *b, unsigned company, unsigned members);
void comes_to(block *b, int mark);      /* of its company */
void has_marked(block *b);
[[noreturn]] void misuse(const char *what);     /* by the running thread */

/* async.h: the oldest copy on its way arrives; false when there is none. */
bool deliver(block *b);

/* fetch.h: is a piece on its way to some of these bytes? */
bool is_due(block *b, const char *at, size_t bytes);

}

#endif
