#include "app/browser.h"

#include "base/compiler.h"
#include "base/mem.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool browser_open(const char *url) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return false;
    /* setsid -f returns at once and leaves a child that is not ours, so a stop never waits for a browser. */
    char setsid[] = "setsid", detach[] = "-f", opener[] = "xdg-open";
    int status = -1;
    char *address = xstrdup(url);
    char *const args[] = {setsid, detach, opener, address, NULL};
    pid_t pid;
    if (posix_spawnp(&pid, setsid, NULL, NULL, args, environ) == 0) (void)waitpid(pid, &status, 0);
    free(address);
    return status == 0;
}
