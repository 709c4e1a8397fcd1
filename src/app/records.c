#define LOG_TAG "record"
#include "app/records.h"

#include "app/cli_files.h"
#include "app/told.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "core/cli_line.h"
#include "core/inbox.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK_BYTES = 64 << 10,
    TURN_BYTES_MAX = 4 << 20, /* that are read before the loop does something else */
    LINE_BYTES_MAX = 1 << 20, /* longer lines are whole conversations, not news */
    BACK_BYTES = 128 << 10,   /* of what is there already that is looked at for what was missed */
    TRY_AGAIN_MS = 200,       /* when a file is not there yet */
    TRIES_MAX = 50,
};

/* One file. It outlives its place in the map until the loop lets go of it. */
struct record {
    struct records *of;
    uv_fs_event_t event;
    uv_timer_t again; /* there is more to read than fits in a turn, or nothing yet */
    unsigned tries;   /* to open it */
    int open_handles;
    char session[ID_BYTES];
    char path[PATH_BYTES];
    enum cli cli;
    int fd;
    uint64_t offset;
    bool skipping;    /* in a line that is too long, or of which the beginning was not read */
    int64_t after_ms; /* what was written up to then is known; 0 = nothing of the kind is read any more */
    struct buf line;
};

/* Lines */

/* Who decided about a call is told only where something else was. */
static bool is_news(const struct record *rec, const struct cli_line *line) {
    const struct worker *w = state_find(rec->of->state, span_str(rec->session));
    return w && inbox_doubts(rec->of->state, w, line->call, span_eq(line->text, SPAN("hook")));
}

static void take_line(struct record *rec, struct span line) {
    AUTO(arena) struct arena arena = ARENA_INIT(LINE_BYTES_MAX * 8);
    struct cli_line news;
    if (!cli_line_read(rec->cli, span_trim(line), &arena, &news)) return;
    bool old = rec->after_ms && news.at_ms <= rec->after_ms;
    if (old && news.activity != ACTIVITY_MODEL) return;
    if (news.activity == ACTIVITY_DECIDED && !is_news(rec, &news)) return;
    int64_t now_ms = usec_to_msec(clock_wall(rec->of->notes->clock));
    const struct told t = {.session = rec->session,
                           .activity = news.activity,
                           .by = EVIDENCE_FILE,
                           .since_ms = rec->after_ms ? news.at_ms : now_ms,
                           .text = news.text,
                           .call = news.call,
                           .tool = news.tool,
                           .input = news.input};
    (void)told_report(rec->of->notes, &t);
}

static void take_bytes(struct record *rec, struct span bytes) {
    while (bytes.n) {
        const char *end = memchr(bytes.p, '\n', bytes.n);
        struct span piece = end ? span_take(bytes, (size_t)(end - bytes.p)) : bytes;
        bytes = span_skip(bytes, piece.n + (end ? 1 : 0));
        if (!rec->skipping && buf_append_span(&rec->line, piece) < 0) rec->skipping = true;
        if (!end) continue;
        if (!rec->skipping) take_line(rec, buf_span(&rec->line));
        buf_clear(&rec->line);
        rec->skipping = false;
    }
}

/* Reading */

/* Copilot writes its file anew, shorter, when a person takes a prompt back: the turn is over. */
static void was_rewritten(struct record *rec, uint64_t size) {
    rec->offset = size;
    rec->skipping = false;
    buf_clear(&rec->line);
    const struct told t = {.session = rec->session,
                           .activity = ACTIVITY_IDLE,
                           .by = EVIDENCE_FILE,
                           .since_ms = usec_to_msec(clock_wall(rec->of->notes->clock))};
    (void)told_report(rec->of->notes, &t);
}

static void read_on(struct record *rec);

static void on_again(uv_timer_t *timer) {
    read_on(CONTAINER_OF(timer, struct record, again));
}

static void read_on(struct record *rec) {
    static char chunk[CHUNK_BYTES];
    struct stat st;
    if (fstat(rec->fd, &st) < 0) return;
    if ((uint64_t)st.st_size < rec->offset) {
        was_rewritten(rec, (uint64_t)st.st_size);
        return;
    }
    for (size_t taken = 0; taken < TURN_BYTES_MAX;) {
        ssize_t n = pread(rec->fd, chunk, sizeof chunk, (off_t)rec->offset);
        if (n <= 0) {
            rec->after_ms = 0; /* from here on everything is new */
            return;
        }
        rec->offset += (uint64_t)n;
        taken += (size_t)n;
        take_bytes(rec, span_of(chunk, (size_t)n));
    }
    (void)uv_timer_start(&rec->again, on_again, 0, 0);
}

static void on_change(uv_fs_event_t *event, const char *name, int events, int status);

/* Another file has taken its place: it was written anew beside it. */
static void follow_anew(struct record *rec) {
    struct stat st;
    int fd = cli_file_open(rec->cli, rec->path, &st);
    if (fd < 0) return;
    uint64_t size = (uint64_t)st.st_size, before = rec->offset;
    (void)close(rec->fd);
    rec->fd = fd;
    (void)uv_fs_event_stop(&rec->event);
    (void)uv_fs_event_start(&rec->event, on_change, rec->path, 0);
    if (size < before) was_rewritten(rec, size);
}

static bool is_replaced(const struct record *rec) {
    struct stat open_one, named;
    return fstat(rec->fd, &open_one) == 0 && stat(rec->path, &named) == 0 &&
           (open_one.st_ino != named.st_ino || open_one.st_dev != named.st_dev);
}

static void on_change(uv_fs_event_t *event, const char *name UNUSED, int events UNUSED, int status) {
    struct record *rec = CONTAINER_OF(event, struct record, event);
    if (status != 0 || rec->fd < 0) return;
    if (is_replaced(rec)) follow_anew(rec);
    read_on(rec);
}

/* Following */

static void on_closed(struct record *rec) {
    if (--rec->open_handles == 0) free(rec);
}

static void on_event_closed(uv_handle_t *handle) {
    on_closed(CONTAINER_OF(handle, struct record, event));
}

static void on_timer_closed(uv_handle_t *handle) {
    on_closed(CONTAINER_OF(handle, struct record, again));
}

static void drop(struct record *rec) {
    (void)map_remove(&rec->of->by_session, span_str(rec->session));
    if (rec->fd >= 0) (void)close(rec->fd);
    rec->fd = -1;
    buf_fini(&rec->line);
    uv_close((uv_handle_t *)&rec->event, on_event_closed);
    uv_close((uv_handle_t *)&rec->again, on_timer_closed);
}

/* Where the CLI writes. Copilot's hooks hardly ever say. */
static bool path_of(const struct conversation *c, char ret[PATH_BYTES]) {
    int n = 0;
    if (c->transcript_path) {
        n = snprintf(ret, PATH_BYTES, "%s", c->transcript_path);
    } else if (c->cli == CLI_COPILOT && c->session_id && !strchr(c->session_id, '/')) {
        const char *own = getenv("COPILOT_HOME"), *home = getenv("HOME");
        if (own && own[0])
            n = snprintf(ret, PATH_BYTES, "%s/session-state/%s/events.jsonl", own, c->session_id);
        else if (home)
            n = snprintf(ret, PATH_BYTES, "%s/.copilot/session-state/%s/events.jsonl", home, c->session_id);
    }
    return n > 0 && n < PATH_BYTES && ret[0] == '/';
}

static void on_try(uv_timer_t *timer);

/* A CLI may make its file a moment after its hook has told of the session. */
static void begin(struct record *rec) {
    struct stat st = {0};
    rec->fd = cli_file_open(rec->cli, rec->path, &st);
    if (rec->fd < 0) {
        if (rec->tries++ < TRIES_MAX) (void)uv_timer_start(&rec->again, on_try, TRY_AGAIN_MS, 0);
        return;
    }
    uint64_t size = (uint64_t)st.st_size;
    rec->offset = size > BACK_BYTES ? size - BACK_BYTES : 0;
    rec->skipping = rec->offset > 0;
    int e = uv_fs_event_start(&rec->event, on_change, rec->path, 0);
    if (e < 0) log_debug("cannot watch %s: %s", rec->path, uv_strerror(e));
    read_on(rec);
}

static void on_try(uv_timer_t *timer) {
    begin(CONTAINER_OF(timer, struct record, again));
}

static void follow(struct records *r, const struct session *s, const char *path) {
    const struct conversation *c = &s->primary->conversation;
    struct record *rec = xcalloc(1, sizeof *rec);
    rec->of = r;
    rec->fd = -1;
    rec->cli = c->cli;
    rec->line = BUF_INIT(LINE_BYTES_MAX);
    rec->open_handles = 2;
    rec->after_ms = c->last_activity_ms;
    memcpy(rec->session, s->id, sizeof rec->session);
    (void)snprintf(rec->path, sizeof rec->path, "%s", path);
    (void)map_put(&r->by_session, span_str(rec->session), rec);
    (void)uv_fs_event_init(r->loop, &rec->event);
    (void)uv_timer_init(r->loop, &rec->again);
    begin(rec);
}

/* Of Claude Code, whose hooks and files tell all the rest, only while it may be told who was first to answer. */
static bool is_wanted(const struct records *r, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    int64_t now_ms = usec_to_msec(clock_wall(r->notes->clock));
    if (c->cli == CLI_CLAUDE && !inbox_wants_word(r->state, s->primary, now_ms)) return false;
    return s->primary->type == WORKER_TYPE_AGENT && cli_line_has_any(c->cli) && c->session_id &&
           c->status != SESSION_STATUS_ENDED;
}

void records_session(struct records *r, const struct session *s) {
    if (!r->begun || !cli_line_has_any(s->primary->conversation.cli)) return;
    struct record *rec = map_get(&r->by_session, span_str(s->id));
    char path[PATH_BYTES];
    bool wanted = is_wanted(r, s) && path_of(&s->primary->conversation, path);
    bool given_up = rec && rec->fd < 0 && rec->tries > TRIES_MAX;
    if (rec && wanted && !given_up && strcmp(rec->path, path) == 0) return;
    if (rec) drop(rec);
    if (wanted) follow(r, s, path);
}

void records_forget(struct records *r, const struct session *s) {
    struct record *rec = map_get(&r->by_session, span_str(s->id));
    if (rec) drop(rec);
}

void records_begin(struct records *r) {
    r->begun = true;
    list_for_each(pos, &r->state->sessions)
        records_session(r, list_entry(pos, struct session, in_state));
}

void records_open(struct records *r, uv_loop_t *loop, const struct notes *notes, const struct state *state) {
    *r = (struct records){.loop = loop, .notes = notes, .state = state, .by_session = MAP_INIT};
}

void records_close(struct records *r) {
    r->begun = false;
    MAP_FOR_EACH(slot, &r->by_session)
        drop(slot->value);
    map_fini(&r->by_session);
    r->by_session = MAP_INIT;
}
