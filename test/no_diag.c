/* Runs a program on a system whose kernel does not tell who is at the other end of a connection: no_diag PROGRAM ARGUMENT… */
#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENT(n) offsetof(struct seccomp_data, args[n])
#define LOAD(where) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (where))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))

int main(int argc, char **argv) {
    struct sock_filter code[] = {
        LOAD(offsetof(struct seccomp_data, nr)),
        UNLESS(SYS_socket, 5),
        LOAD(ARGUMENT(0)),
        UNLESS(AF_NETLINK, 3),
        LOAD(ARGUMENT(2)),
        UNLESS(NETLINK_SOCK_DIAG, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPROTONOSUPPORT),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) {
        perror("no_diag");
        return 1;
    }
    (void)execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 1;
}
