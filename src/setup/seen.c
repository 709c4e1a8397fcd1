#include "setup/seen.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "setup/here.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEEN_BYTES_MAX = 64 << 10 };

static bool has(char *const *programs, struct span program) {
    for (; programs && *programs; programs++)
        if (span_eq_str(program, *programs)) return true;
    return false;
}

static struct span name_of(struct span program) {
    while (memchr(program.p, '/', program.n))
        (void)span_split(&program, '/');
    return program;
}

static void push_there(char ***ret, struct span program) {
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%.*s", SPAN_ARG(program));
    bool fits = n > 0 && n < PATH_BYTES && path[0] == '/' && !memchr(program.p, '\n', program.n);
    if (fits && !has(*ret, program) && access(path, X_OK) == 0) strv_push(ret, program);
}

/* Those of the file that are still there; of all CLIs with CLI_N_. */
static void push_noted(struct span noted, enum cli cli, char ***ret) {
    while (noted.n) {
        struct span program = span_split(&noted, '\n');
        if (program.n && (cli == CLI_N_ || span_eq_str(name_of(program), cli_to_str(cli))))
            push_there(ret, program);
    }
}

void seen_add(const char *file, enum cli cli, char ***ret) {
    AUTO(buf) struct buf noted = BUF_INIT(SEEN_BYTES_MAX);
    if (file_read(file, &noted) == 0) push_noted(buf_span(&noted), cli, ret);
}

void seen_note(const char *file, const char *path) {
    AUTO(buf) struct buf noted = BUF_INIT(SEEN_BYTES_MAX);
    AUTO(buf) struct buf now = BUF_INIT(SEEN_BYTES_MAX);
    AUTO(strv) char **found = NULL;
    AUTO(strv) char **all = NULL;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        setup_programs_in(span_str(path), cli, &found);
    for (size_t i = 0; found && found[i]; i++) /* the newest first: they stay when there are too many */
        push_there(&all, span_str(found[i]));
    if (file_read(file, &noted) == 0) push_noted(buf_span(&noted), CLI_N_, &all);
    for (size_t i = 0; all && all[i] && now.n + strlen(all[i]) < SEEN_BYTES_MAX; i++)
        (void)buf_printf(&now, "%s\n", all[i]);
    if (span_eq(buf_span(&now), buf_span(&noted)) || path_make_parent(file) < 0) return;
    (void)file_replace(file, buf_span(&now), 0600, false);
}
