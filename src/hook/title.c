/*
 * This is the only look that the hook takes inside a payload, and it is cosmetic: a plain search for the
 * event's name in the first kilobytes. A prompt that quotes such a line could set the title once too often,
 * nothing more.
 */
#include "hook/title.h"

#include "base/cleanup.h"
#include "base/path.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "hook/out.h"

#include <fcntl.h>
#include <unistd.h>

enum { LOOK_BYTES = 4096, PROJECT_MAX = 128, TITLE_MAX = PROJECT_MAX * 3 };

bool title_wanted(struct span payload) {
    static const struct span events[] = {SPAN("SessionStart"),      SPAN("UserPromptSubmit"),
                                         SPAN("PermissionRequest"), SPAN("Stop"),
                                         SPAN("Notification"),      SPAN("SessionEnd")};
    static const struct span key = SPAN("\"hook_event_name\"");
    struct span head = span_take(payload, LOOK_BYTES);
    const char *at = head.n ? memmem(head.p, head.n, key.p, key.n) : NULL;
    if (!at) return false;
    struct span rest = span_skip(head, (size_t)(at - head.p) + key.n);
    rest = span_trim(rest);
    if (!span_starts(rest, SPAN(":"))) return false;
    rest = span_trim(span_skip(rest, 1));
    if (!span_starts(rest, SPAN("\""))) return false;
    rest = span_skip(rest, 1);
    struct span name = span_split(&rest, '"');
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        if (span_eq(name, events[i])) return true;
    return false;
}

static struct span last_part(struct span path) {
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    return slash ? span_skip(path, (size_t)(slash - path.p) + 1) : path;
}

void title_update(const char *tty_path, const struct env *env, struct span payload) {
    if (!title_wanted(payload)) return;
    char cwd[PATH_BYTES];
    struct span dir = env->value[ENV_CLAUDE_PROJECT_DIR];
    if (!dir.n) dir = span_str(getcwd(cwd, sizeof cwd));
    struct span project = utf8_cut_bytes(last_part(dir), PROJECT_MAX);
    if (!project.n) return;

    /* A directory's name must not speak to the terminal. */
    char name[TITLE_MAX], text[TITLE_MAX + 32];
    struct out o = {.p = text, .cap = sizeof text};
    out_raw(&o, SPAN("\033]0;Claude: "));
    out_raw(&o, span_of(name, shown_copy(project, SHOWN_PLAIN, name, sizeof name)));
    out_raw(&o, SPAN("\a"));

    AUTO(fd) int fd = open(tty_path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t ignored = write(fd, text, o.n);
    (void)ignored;
}
