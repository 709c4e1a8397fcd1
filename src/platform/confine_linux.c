#include "platform/confine.h"

#include "base/compiler.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        define SANITIZED 1
#    endif
#endif

#if defined(__x86_64__)
#    define ARCHITECTURE 0xc000003eU
#elif defined(__aarch64__)
#    define ARCHITECTURE 0xc00000b7U
#endif

#define MODE_FILTER 2

bool confine_possible(void) {
#ifdef ARCHITECTURE
    /* Without a filter: EFAULT where there could be one. */
    return prctl(PR_SET_SECCOMP, MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT;
#else
    return false;
#endif
}

#if defined(SANITIZED) || !defined(ARCHITECTURE)

const char *confine_keeper(const char *path UNUSED) {
    return NULL;
}

#else

/* The kernel's own headers are not there for every C library: these are its structures and numbers for classic BPF. */
struct instruction {
    uint16_t code;
    uint8_t if_true, if_false;
    uint32_t k;
};

struct program {
    uint16_t count;
    struct instruction *v;
};

struct call {
    int32_t number;
    uint32_t architecture;
    uint64_t instruction_pointer;
    uint64_t arguments[6];
};

enum { LOAD = 0x20, IS_EQUAL = 0x15, IS_AT_LEAST = 0x35, RETURN = 0x06 };
#    define ALLOW 0x7fff0000U
#    define REFUSE (0x00050000U | EPERM)
#    define ARGUMENT(n) ((uint32_t)offsetof(struct call, arguments[n])) /* its lower half: little-endian */
#    define UPPER(n) (ARGUMENT(n) + 4)

/* What the loop does (keeper/loop.c), and how it ends. */
static const int calls[] = {
    SYS_ppoll,        SYS_readv,           SYS_write,         SYS_recvfrom, SYS_sendmsg,
    SYS_accept4,      SYS_getsockopt,      SYS_close,         SYS_wait4,    SYS_geteuid,
    SYS_rt_sigreturn, SYS_restart_syscall, SYS_clock_gettime, SYS_exit,     SYS_exit_group,
};

/* What it does with its socket's path, and which argument that is. */
static const struct {
    int number;
    unsigned argument;
} path_calls[] = {
#    ifdef SYS_lstat
    {SYS_lstat, 0},
#    endif
#    ifdef SYS_unlink
    {SYS_unlink, 0},
#    endif
    {SYS_newfstatat, 1},
    {SYS_unlinkat, 1},
};

static const uint32_t terminal_requests[] = {TIOCSWINSZ, TIOCGSID, TIOCGPGRP};

enum {
    HEAD = 4,
    PATH_CALL = 7,
    IOCTL = 2 + 2 * ARRAY_LEN(terminal_requests) + 1,
    KILL = 6,
    ROOM = HEAD + 2 * ARRAY_LEN(calls) + PATH_CALL * ARRAY_LEN(path_calls) + IOCTL + KILL
};

static uint16_t write_filter(struct instruction v[ROOM], uint64_t path) {
    uint16_t n = 0;
#    define PUT(...)                    \
        v[n++] = (struct instruction) { \
            __VA_ARGS__                 \
        }
    PUT(LOAD, 0, 0, offsetof(struct call, architecture));
    PUT(IS_EQUAL, 1, 0, ARCHITECTURE);
    PUT(RETURN, 0, 0, REFUSE);
    PUT(LOAD, 0, 0, offsetof(struct call, number));
    for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
        PUT(IS_EQUAL, 0, 1, (uint32_t)calls[i]);
        PUT(RETURN, 0, 0, ALLOW);
    }
    /* A filter sees where a path is, not what it says: so only one place will do, and nobody can write there. */
    for (size_t i = 0; i < ARRAY_LEN(path_calls); i++) {
        PUT(IS_EQUAL, 0, PATH_CALL - 1, (uint32_t)path_calls[i].number);
        PUT(LOAD, 0, 0, ARGUMENT(path_calls[i].argument));
        PUT(IS_EQUAL, 0, 3, (uint32_t)path);
        PUT(LOAD, 0, 0, UPPER(path_calls[i].argument));
        PUT(IS_EQUAL, 0, 1, (uint32_t)(path >> 32));
        PUT(RETURN, 0, 0, ALLOW);
        PUT(RETURN, 0, 0, REFUSE);
    }
    /* Of its terminal only the size, the session and the foreground group. */
    PUT(IS_EQUAL, 0, IOCTL - 1, SYS_ioctl);
    PUT(LOAD, 0, 0, ARGUMENT(1));
    for (size_t i = 0; i < ARRAY_LEN(terminal_requests); i++) {
        PUT(IS_EQUAL, 0, 1, terminal_requests[i]);
        PUT(RETURN, 0, 0, ALLOW);
    }
    PUT(RETURN, 0, 0, REFUSE);
    /* Signals go to process groups: a negative number, and not -1, which is everybody. */
    PUT(IS_EQUAL, 0, KILL - 2, SYS_kill);
    PUT(LOAD, 0, 0, ARGUMENT(0));
    PUT(IS_AT_LEAST, 0, 2, 0x80000000U);
    PUT(IS_EQUAL, 1, 0, UINT32_MAX);
    PUT(RETURN, 0, 0, ALLOW);
    PUT(RETURN, 0, 0, REFUSE);
#    undef PUT
    return n;
}

/* A copy that cannot be changed; mmap() and its like are refused later on. */
static char *copy_for_good(const char *path, size_t n) {
    char *copy = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return NULL;
    memcpy(copy, path, n);
    if (mprotect(copy, n, PROT_READ) == 0) return copy;
    (void)munmap(copy, n);
    return NULL;
}

const char *confine_keeper(const char *path) {
    size_t n = strlen(path) + 1;
    char *copy = copy_for_good(path, n);
    if (!copy) return NULL;
    struct instruction v[ROOM];
    const struct program program = {.count = write_filter(v, (uintptr_t)copy), .v = v};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, MODE_FILTER, &program, 0, 0) == 0)
        return copy;
    (void)munmap(copy, n);
    return NULL;
}

#endif
