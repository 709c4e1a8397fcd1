#include "cli/edit_text.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 16, NOT_STARTED = 127 };

static const char *editor(void) {
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return value;
    }
    return "vi";
}

/* "code --wait": words with blanks between them. No shell reads them, so nothing has to be quoted. */
NORETURN static void become_editor(const char *path) {
    char *argv[WORDS_MAX + 2], *line = str_dup(span_str(editor())), *rest = line;
    size_t n = 0;
    for (char *word; n < WORDS_MAX && (word = strsep(&rest, " "));)
        if (*word) argv[n++] = word;
    argv[n++] = (char *)path;
    argv[n] = NULL;
    (void)execvp(argv[0], argv);
    _exit(NOT_STARTED);
}

/* Its wait status; the terminal's keys are for the editor alone. */
static int run_editor(const char *path, struct err *err) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    (void)sigaction(SIGINT, &ignore, &interrupt);
    (void)sigaction(SIGQUIT, &ignore, &quit);
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)sigaction(SIGINT, &interrupt, NULL);
        (void)sigaction(SIGQUIT, &quit, NULL);
        become_editor(path);
    }
    int status = 0, failed = child < 0 ? -errno : 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    (void)sigaction(SIGINT, &interrupt, NULL);
    (void)sigaction(SIGQUIT, &quit, NULL);
    if (failed) return err_sys(err, failed, "cannot start the editor");
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
        return err_set(err, -ENOENT, "the editor \"%s\" cannot be started: set EDITOR to another", editor());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, -ECANCELED, "the editor failed: nothing was sent");
    return 0;
}

int edit_text(struct span text, const char *suffix, struct buf *out, struct err *err) {
    struct paths paths;
    char path[PATH_BYTES];
    int r = paths_resolve(&paths, err);
    if (r < 0) return r;
    int n = snprintf(path, sizeof path, "%s/edit-XXXXXX%s", paths.run, suffix);
    if (n < 0 || n >= (int)sizeof path)
        return err_set(err, -ENAMETOOLONG, "the path of the runtime directory is too long");
    AUTO(fd) int fd = mkostemps(path, (int)strlen(suffix), O_CLOEXEC);
    if (fd < 0) return err_sys(err, -errno, "cannot make a file in %s", paths.run);
    r = file_write_fd(fd, text);
    if (r < 0) (void)err_sys(err, r, "cannot write %s", path);
    if (r == 0) r = run_editor(path, err);
    if (r == 0 && (r = file_read(path, out)) < 0) (void)err_sys(err, r, "cannot read what was edited");
    (void)unlink(path);
    return r;
}
