/* Fibres: stacks that are switched by hand. On x86-64 a switch is the registers
 * that the System V ABI gives to the callee, with both floating-point control
 * words; elsewhere, or with SIMT_UCONTEXT, it is swapcontext (ten times slower:
 * it makes a system call for the signal mask). */
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
#if defined(SIMT_DETECT) || defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr size_t STACK = 256 << 10;
#else
constexpr size_t STACK = 64 << 10;
#endif

struct context {
#ifdef SIMT_UCONTEXT
    ucontext_t machine;
#else
    void *top;                  /* of the suspended stack: saved registers */
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

inline void jump(context *from, context *to) {
    swapcontext(&from->machine, &to->machine);
}

inline void prepare(fibre *f, void (*entry)()) {
    getcontext(&f->at.machine);
    f->at.machine.uc_stack.ss_sp = f->stack;
    f->at.machine.uc_stack.ss_size = STACK;
    f->at.machine.uc_link = nullptr;
    makecontext(&f->at.machine, entry, 0);
}

#else

/* Saves the running stack in from->top and continues on to->top. */
__attribute__((naked, noinline))
inline void jump(context *, context *) {
    asm volatile("pushq %rbp\n\t"
                 "pushq %rbx\n\t"
                 "pushq %r12\n\t"
                 "pushq %r13\n\t"
                 "pushq %r14\n\t"
                 "pushq %r15\n\t"
                 "subq $8, %rsp\n\t"
                 "stmxcsr (%rsp)\n\t"
                 "fnstcw 4(%rsp)\n\t"
                 "movq %rsp, (%rdi)\n\t"
                 "movq (%rsi), %rsp\n\t"
                 "fldcw 4(%rsp)\n\t"
                 "ldmxcsr (%rsp)\n\t"
                 "addq $8, %rsp\n\t"
                 "popq %r15\n\t"
                 "popq %r14\n\t"
                 "popq %r13\n\t"
                 "popq %r12\n\t"
                 "popq %rbx\n\t"
                 "popq %rbp\n\t"
                 "ret");
}

/* Lays out the stack as if entry had been called and had jumped away. Tops are
 * spread over a page: at equal offsets a block's stacks would share cache sets. */
inline void prepare(fibre *f, void (*entry)()) {
    size_t colour = f->number * 320 % PAGE & ~size_t{63};
    uint64_t *top = reinterpret_cast<uint64_t *>(f->stack + STACK - colour);
    uint32_t vector_control;
    uint16_t x87_control;
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector_control), "=m"(x87_control));
    *--top = 0;                         /* entry's return address: never used */
    *--top = reinterpret_cast<uint64_t>(entry);
    for (int i = 0; i < 6; i++) *--top = 0;
    *--top = uint64_t{x87_control} << 32 | vector_control;
    f->at.top = top;
}

#endif

/* Suspends the running stack, whose context is from, and continues to. */
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
inline void landed(context *host) {
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
inline void restart(fibre *f, void (*entry)()) {
#ifdef SIMT_ASAN
    __asan_unpoison_memory_region(f->stack, STACK);
    f->at.bottom = f->stack;
    f->at.size = STACK;
#endif
    prepare(f, entry);
}

/* Makes a stack for f; false when there is no memory. */
inline bool create(fibre *f, unsigned number) {
    void *memory = mmap(nullptr, PAGE + STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    mprotect(memory, PAGE, PROT_NONE);
    f->stack = static_cast<char *>(memory) + PAGE;
    f->number = number;
    return true;
}

inline void destroy(fibre *f) {
    munmap(f->stack - PAGE, PAGE + STACK);
}

}

#endif
