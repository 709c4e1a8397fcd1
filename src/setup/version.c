#include "setup/version.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/strv.h"
#include "platform/capture.h"
#include "setup/here.h"
#include "setup/seen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTES_BYTES_MAX = 64 << 10, ASK_MS = 5000, SAID_MAX = 4096 };

/* What tells whether a program is still the one that was asked: "SIZE TIME PATH". */
static bool identify(const char *program, struct buf *out) {
    char room[PATH_MAX];
    struct stat st;
    if (!realpath(program, room) || stat(room, &st) < 0) return false;
    (void)buf_printf(out, "%lld %lld.%09ld %s", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                     st.st_mtim.tv_nsec, room);
    return !out->failed && !memchr(out->p, '\n', out->n);
}

/* Notes are lines: the version, a blank, the program's identity. */
static bool find_note(struct span notes, struct span identity, struct cli_version *ret) {
    while (notes.n) {
        struct span line = span_split(&notes, '\n'), version = span_split(&line, ' ');
        if (span_eq(line, identity)) return cli_version_parse(version, ret);
    }
    return false;
}

/* The path of an identity: behind its second blank. */
static struct span path_of(struct span identity) {
    (void)span_split(&identity, ' ');
    (void)span_split(&identity, ' ');
    return identity;
}

/* The newest answer of each program is kept. What cannot be written is asked again. */
static void put_note(const char *file, struct span notes, struct span identity, struct cli_version version) {
    AUTO(buf) struct buf out = BUF_INIT(NOTES_BYTES_MAX);
    char text[CLI_VERSION_BYTES];
    cli_version_print(version, text);
    (void)buf_printf(&out, "%s %.*s\n", text, SPAN_ARG(identity));
    while (notes.n) {
        struct span line = span_split(&notes, '\n'), rest = line;
        (void)span_split(&rest, ' ');
        if (!line.n || span_eq(path_of(rest), path_of(identity))) continue;
        (void)buf_append_span(&out, line);
        (void)buf_append_char(&out, '\n');
    }
    if (!out.failed && path_make_parent(file) == 0) (void)file_replace(file, buf_span(&out), 0600, false);
}

static bool ask(const char *program, struct cli_version *ret) {
    const char *argv[] = {program, "--version", NULL};
    AUTO(strv) char **env = strv_dup((const char *const *)environ);
    AUTO(buf) struct buf said = BUF_INIT(SAID_MAX);
    strv_set_env(&env, "DISABLE_AUTOUPDATER", "1"); /* a question should not change what is asked about */
    return capture_output(argv, (const char *const *)env, ASK_MS, &said) == 0 &&
           cli_version_find(buf_span(&said), ret);
}

static struct cli_version version_of(enum cli cli, const char *program, const char *file, bool may_ask) {
    AUTO(buf) struct buf identity = BUF_INIT(PATH_BYTES + 64);
    AUTO(buf) struct buf notes = BUF_INIT(NOTES_BYTES_MAX);
    struct cli_version v = {0};
    if (installed_version(cli, program, &v) || !identify(program, &identity)) return v;
    (void)file_read(file, &notes);
    if (may_ask && cli_version_matters(cli) && ask(program, &v))
        put_note(file, buf_span(&notes), buf_span(&identity), v);
    else
        (void)find_note(buf_span(&notes), buf_span(&identity), &v);
    return v;
}

static void find_oldest(enum cli cli, const struct setup_notes *notes, bool may_ask,
                        struct setup_version *ret) {
    AUTO(strv) char **programs = NULL;
    setup_programs(notes->seen, cli, &programs);
    *ret = (struct setup_version){0};
    for (size_t i = 0; programs && programs[i]; i++) {
        struct cli_version v = version_of(cli, programs[i], notes->versions, may_ask);
        if (i > 0 && cli_version_compare(v, ret->version) >= 0) continue; /* an unknown one is before all */
        ret->version = v;
        (void)snprintf(ret->program, sizeof ret->program, "%s", programs[i]);
    }
}

void setup_version_look(enum cli cli, const struct setup_notes *notes, struct setup_version *ret) {
    find_oldest(cli, notes, false, ret);
}

void setup_version_ask(enum cli cli, const struct setup_notes *notes, struct setup_version *ret) {
    seen_note(notes->seen, getenv("PATH"));
    find_oldest(cli, notes, true, ret);
}

struct cli_version setup_version_of(enum cli cli, const char *program, const char *versions) {
    return version_of(cli, program, versions, false);
}
