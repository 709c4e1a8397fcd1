/* Confines itself as a keeper does, and tells what it then can do of what a keeper has no use for. */
#include "platform/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *what, long r) {
    char line[64], *end = line;
    end = mempcpy(end, what, strlen(what));
    const char *how = r >= 0 ? " allowed\n" : errno == EPERM ? " EPERM\n" : " another error\n";
    end = mempcpy(end, how, strlen(how));
    ssize_t ignored = write(STDOUT_FILENO, line, (size_t)(end - line));
    (void)ignored;
}

/* Given two paths: its own socket's, and another. */
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    (void)signal(SIGUSR1, SIG_IGN);
    (void)setpgid(0, 0);
    pid_t self = getpid();
    struct stat st;
    const char *const words[] = {"true", NULL};
    const char *own = confine_keeper(argv[1]);
    if (!own) {
        ssize_t ignored = write(STDOUT_FILENO, "not here\n", 9);
        (void)ignored;
        return 0;
    }
    say("open", syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY));
    say("openat", syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY));
    say("socket", syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    say("exec", syscall(SYS_execve, "/bin/true", words, NULL));
    say("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    say("mmap", syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    say("ptrace", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0));
    say("kill all", syscall(SYS_kill, -1, 0));
    say("kill one", syscall(SYS_kill, self, SIGUSR1));
    say("TIOCSTI", syscall(SYS_ioctl, STDOUT_FILENO, TIOCSTI, "x"));
    say("remove another", syscall(SYS_unlinkat, AT_FDCWD, argv[2], 0));
    say("its own path elsewhere", syscall(SYS_unlinkat, AT_FDCWD, argv[1], 0));
    say("write over its path", syscall(SYS_mprotect, own, 1, PROT_READ | PROT_WRITE));
    say("look at another", syscall(SYS_newfstatat, AT_FDCWD, argv[2], &st, AT_SYMLINK_NOFOLLOW));
    say("look at its own", syscall(SYS_newfstatat, AT_FDCWD, own, &st, AT_SYMLINK_NOFOLLOW));
    say("remove its own", syscall(SYS_unlinkat, AT_FDCWD, own, 0));
    say("kill group", syscall(SYS_kill, -self, SIGUSR1));
    say("write", 0);
    syscall(SYS_exit_group, 0);
    return 0;
}
