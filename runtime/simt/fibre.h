/* Fibres: stacks that are switched by hand. On x86-64 a switch is seven
 * instructions, and the compiler saves the registers that are in use; the
 * floating-point control words are the host's for all fibres, since no kernel
 * text can change them. Elsewhere, or with SIMT_UCONTEXT, it is swapcontext
 * (ten times slower: it makes a system call for the signal mask). */
#ifndef QUERN_SIMT_FIBRE_H
#define QUERN_SIMT_FIBRE_H

#include <sys/mman.h>

#if !defined(__x86_64__) && !defined(SIMT_UCONTEXT)
#define SIMT_UCONTEXT
#endif
#ifdef SIMT_UCONTEXT
#include <ucontext.h>
#endif

/* A build under the real AddressSanitizer has to be told of every switch. */
#if defined(__SANITIZE_ADDRESS__) && !defined(SIMT_DETECT)
#define SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt SIMT_HIDDEN {

constexpr size_t PAGE = 4096;
#if defined(SIMT_DETECT) || defined(__SANITIZE_ADDRESS__) \
    || !defined(__OPTIMIZE__)
constexpr size_t STACK = 256 << 10;
#else
constexpr size_t STACK = 64 << 10;
#endif

/* Of a stack under the detectors this much at its top is not used: what is no
 * further above a frame is on the stack. */
#ifdef SIMT_DETECT
constexpr size_t NEAR = 32 << 10;
#else
constexpr size_t NEAR = 0;
#endif

struct context {
#ifdef SIMT_UCONTEXT
    ucontext_t machine;
#else
    void *stack;                /* of a suspended fibre: its stack pointer, */
    void (*place)();            /* where it goes on, */
    void *frame;                /* and its frame pointer */
#endif
#ifdef SIMT_ASAN
    const void *bottom;
    size_t size;
    void *fake;
#endif
};

struct fibre {
    context at;
    char *stack;                /* STACK bytes above one page without access */
    unsigned number;
};

#ifdef SIMT_UCONTEXT

SIMT_INLINE void jump(context *from, context *to) {
    swapcontext(&from->machine, &to->machine);
}

SIMT_INLINE void prepare(fibre *f, void (*entry)()) {
    getcontext(&f->at.machine);
    f->at.machine.uc_stack.ss_sp = f->stack;
    f->at.machine.uc_stack.ss_size = STACK - NEAR;
    f->at.machine.uc_link = nullptr;
    makecontext(&f->at.machine, entry, 0);
}

#else

#ifdef __AVX512F__
#define SIMT_AVX512 , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", \
    "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", \
    "xmm30", "xmm31", \
    "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SIMT_AVX512
#endif

/* Inlined where a thread waits, with every register clobbered: the compiler
 * saves in the kernel's own frame what lives, and nothing else. Each place has
 * a jump of its own, which the processor learns to predict; a return that all
 * share it does not. Nothing is pushed: the frame may have a red zone. */
__attribute__((always_inline))
inline void jump(context *from, context *to) {
    asm volatile("leaq 1f(%%rip), %%rax\n\t"
                 "movq %%rsp, (%%rdi)\n\t"
                 "movq %%rax, 8(%%rdi)\n\t"
                 "movq %%rbp, 16(%%rdi)\n\t"
                 "movq (%%rsi), %%rsp\n\t"
                 "movq 16(%%rsi), %%rbp\n\t"
                 "jmpq *8(%%rsi)\n"
                 "1:"
                 : "+D"(from), "+S"(to)
                 :
                 : "memory", "cc", "rax", "rbx", "rcx", "rdx", "r8", "r9",
                   "r10", "r11", "r12", "r13", "r14", "r15",
                   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                   "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                   "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)",
                   "st(5)", "st(6)", "st(7)" SIMT_AVX512);
}

/* The next jump to f calls entry on an empty stack. Stacks begin at different
 * offsets in a page: at equal ones a block's would share cache sets. */
SIMT_INLINE void prepare(fibre *f, void (*entry)()) {
    size_t colour = f->number * 320 % PAGE;
    char *end = f->stack + STACK - NEAR;
    uint64_t *top = reinterpret_cast<uint64_t *>(end - colour);
    *--top = 0;                 /* entry's return address, never used: as after
                                   a call, it lies below a multiple of 16 */
    f->at.stack = top;
    f->at.place = entry;
    f->at.frame = nullptr;
}

#endif

/* Suspends the running stack, whose context is from, and continues to. */
__attribute__((always_inline))
inline void change(context *from, context *to) {
#ifdef SIMT_ASAN
    __sanitizer_start_switch_fiber(&from->fake, to->bottom, to->size);
#endif
    jump(from, to);
#ifdef SIMT_ASAN
    __sanitizer_finish_switch_fiber(from->fake, nullptr, nullptr);
#endif
}

/* The first thing a fibre does. The host, whose stack nobody else knows, starts
 * the first fibre of all. */
SIMT_INLINE void landed(context *host) {
#ifdef SIMT_ASAN
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (host->bottom == nullptr) {
        host->bottom = bottom;
        host->size = size;
    }
#else
    (void)host;
#endif
}

/* Makes f start at entry when next continued, whatever it was doing. */
SIMT_INLINE void restart(fibre *f, void (*entry)()) {
#ifdef SIMT_ASAN
    __asan_unpoison_memory_region(f->stack, STACK);
    f->at.bottom = f->stack;
    f->at.size = STACK;
#endif
    prepare(f, entry);
}

/* Makes a stack for f; false when there is no memory. */
SIMT_INLINE bool create(fibre *f, unsigned number) {
    void *memory = mmap(nullptr, PAGE + STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    mprotect(memory, PAGE, PROT_NONE);
    f->stack = static_cast<char *>(memory) + PAGE;
    f->number = number;
    return true;
}

SIMT_INLINE void destroy(fibre *f) {
    munmap(f->stack - PAGE, PAGE + STACK);
}

}

#endif
