#include "app/plan_files.h"

#include "app/cli_files.h"
#include "app/told.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jwrite.h"
#include "base/path.h"
#include "base/str.h"
#include "core/request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PLAN_BYTES_MAX = 128 << 10,
    INPUT_BYTES_MAX = 896 << 10, /* the same as JSON, which has to fit into a record */
};

void plan_files_open(struct plan_files *f, const struct notes *notes, const struct state *state) {
    *f = (struct plan_files){.notes = notes, .state = state};
}

/* The request for a plan of which only the file is known; NULL when there is none. */
static const struct request *find_request(const struct conversation *c) {
    for (size_t i = 0; c->cli == CLI_GEMINI && i < c->request_count; i++)
        if (request_is_plan_unread(&c->requests[i])) return &c->requests[i];
    return NULL;
}

/* A name, and nothing that leads elsewhere. */
static bool is_plain_name(const char *name) {
    return name && *name && *name != '.' && !strchr(name, '/');
}

/* DIR/chats/session-….jsonl is the transcript, DIR/SESSION/plans/NAME the plan. */
static int plan_path(const struct conversation *c, const char *name, char out[PATH_BYTES]) {
    struct span dir = span_str(str_or_empty(c->transcript_path));
    for (unsigned up = 0; up < 2 && dir.n; up++) {
        while (dir.n && dir.p[dir.n - 1] != '/')
            dir.n--;
        if (dir.n) dir.n--;
    }
    if (!dir.n || !is_plain_name(name) || !is_plain_name(c->session_id)) return -EINVAL;
    int n = snprintf(out, PATH_BYTES, "%.*s/%s/plans/%s", SPAN_ARG(dir), c->session_id, name);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

static int read_plan(enum cli cli, const char *path, struct buf *ret) {
    struct stat st;
    AUTO(fd) int fd = cli_file_open(cli, path, &st);
    return fd < 0 ? fd : file_read_fd(fd, ret);
}

void plan_files_session(struct plan_files *f, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    const struct request *r = f->begun ? find_request(c) : NULL;
    if (!r || strcmp(r->id, f->tried) == 0) return;
    (void)snprintf(f->tried, sizeof f->tried, "%s", r->id);
    char path[PATH_BYTES];
    AUTO(buf) struct buf plan = BUF_INIT(PLAN_BYTES_MAX), input = BUF_INIT(INPUT_BYTES_MAX);
    if (plan_path(c, r->summary, path) < 0 || read_plan(c->cli, path, &plan) < 0) return;
    struct jwrite w = JWRITE_INIT(&input);
    jwrite_object(&w);
    jwrite_kstr(&w, "plan", buf_span(&plan));
    jwrite_object_end(&w);
    if (input.failed) return;
    const struct told t = {.session = s->id,
                           .activity = ACTIVITY_PLAN,
                           .by = EVIDENCE_FILE,
                           .since_ms = r->since_ms,
                           .tool = span_str(r->tool),
                           .input = buf_span(&input)};
    (void)told_report(f->notes, &t);
}

void plan_files_begin(struct plan_files *f) {
    f->begun = true;
    list_for_each(pos, &f->state->sessions)
        plan_files_session(f, list_entry(pos, struct session, in_state));
}
