#include "cli/roster_int.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

static struct span text(struct span value, struct arena *arena) {
    struct span s;
    return jscan_string(value, arena, &s) == 0 ? s : SPAN_NONE;
}

struct roster_entry *roster_add(struct roster *r) {
    if (r->n == r->room) {
        r->room = r->room ? r->room * 2 : 32;
        r->entries = xreallocarray(r->entries, r->room, sizeof *r->entries);
    }
    struct roster_entry *e = &r->entries[r->n++];
    *e = (struct roster_entry){0};
    return e;
}

static void read_entry(struct roster *r, struct span json) {
    struct jmember m[] = {JMEMBER("terminalId"), JMEMBER("sessionId"),  JMEMBER("id"),
                          JMEMBER("title"),      JMEMBER("label"),      JMEMBER("command"),
                          JMEMBER("directory"),  JMEMBER("workingDir"), JMEMBER("connection"),
                          JMEMBER("startedAt"),  JMEMBER("endedAt"),    JMEMBER("viewers"),
                          JMEMBER("kind")};
    if (jscan_object(json, m, ARRAY_LEN(m)) < 0) return;
    struct span id = text(m[0].value, &r->arena);
    if (id.n == 0) return;
    struct roster_entry *e = roster_add(r);
    *e = (struct roster_entry){.id = id,
                               .session = text(m[1].value, &r->arena),
                               .card = text(m[2].value, &r->arena),
                               .title = text(m[3].value, &r->arena),
                               .label = text(m[4].value, &r->arena),
                               .command = text(m[5].value, &r->arena),
                               .directory = text(m[6].value, &r->arena),
                               .connection = text(m[8].value, &r->arena),
                               .kind = text(m[12].value, &r->arena),
                               .json = json};
    if (e->directory.n == 0) e->directory = text(m[7].value, &r->arena);
    if (!jscan_i64(m[10].value, &e->since_ms)) (void)jscan_i64(m[9].value, &e->since_ms);
    (void)jscan_i64(m[11].value, &e->viewers);
}

int roster_read(struct roster *r, struct span json) {
    struct jmember m[] = {JMEMBER("terminals")};
    if (jscan_object(json, m, ARRAY_LEN(m)) != 1 || jscan_kind(m[0].value) != JKIND_ARRAY) return -EPROTO;
    struct span rest = m[0].value, entry;
    while (jscan_array_next(&rest, &entry) == 1)
        read_entry(r, entry);
    return 0;
}

static void read_session(struct roster *r, struct span json) {
    struct jmember m[] = {JMEMBER("sessionId"), JMEMBER("id"), JMEMBER("title"), JMEMBER("status"),
                          JMEMBER("terminalId")};
    if (jscan_object(json, m, ARRAY_LEN(m)) < 0 || jscan_kind(m[4].value) == JKIND_STRING) return;
    struct span id = text(m[0].value, &r->arena);
    if (id.n == 0) return;
    bool ended = span_eq(text(m[3].value, &r->arena), SPAN("ended"));
    *roster_add(r) = (struct roster_entry){.id = id,
                                           .session = id,
                                           .card = text(m[1].value, &r->arena),
                                           .title = text(m[2].value, &r->arena),
                                           .connection = ended ? SPAN("ended") : SPAN("live"),
                                           .json = json};
}

int roster_read_sessions(struct roster *r, struct span json) {
    struct span rest = json, key, value;
    int more;
    while ((more = jscan_member_next(&rest, &key, &value)) == 1)
        read_session(r, value);
    return more < 0 ? -EPROTO : 0;
}

void roster_fini(struct roster *r) {
    arena_fini(&r->arena);
    free(r->entries);
}

struct span roster_short(struct span id) {
    const char *dash = id.n ? memrchr(id.p, '-', id.n) : NULL;
    return dash ? span_skip(id, (size_t)(dash - id.p) + 1) : id;
}

bool roster_is_live(const struct roster_entry *e) {
    return span_eq(e->connection, SPAN("live")) || span_eq(e->connection, SPAN("starting"));
}

/* How well a word fits: 2 exactly, 1 as a beginning, 0 not at all. */
static int fit(const struct roster_entry *e, struct span word) {
    const struct span ids[] = {e->id, roster_short(e->id), e->session, e->card};
    const struct span names[] = {e->title, e->label};
    int best = 0;
    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        best = MAX(best, span_eq(ids[i], word) ? 2 : span_starts(ids[i], word));
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        best = MAX(best, span_ieq(names[i], word) ? 2 : span_istarts(names[i], word));
    return best;
}

static size_t gather(const struct roster *r, struct span word, int least, bool live,
                     const struct roster_entry *ret[ROSTER_MEANT_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct roster_entry *e = &r->entries[i];
        if (fit(e, word) < least || (live && !roster_is_live(e))) continue;
        if (n < ROSTER_MEANT_MAX) ret[n] = e;
        n++;
    }
    return n;
}

int roster_find(const struct roster *r, struct span word, const struct roster_entry *ret[ROSTER_MEANT_MAX],
                size_t *ret_n) {
    *ret_n = 0;
    if (word.n == 0) return -ENOENT;
    for (int least = 2; least >= 1; least--) {
        if ((*ret_n = gather(r, word, least, true, ret)) == 1) return 0;
        size_t all = gather(r, word, least, false, ret);
        if (all == 0) continue;
        *ret_n = all;
        return all == 1 ? 0 : -EEXIST;
    }
    return -ENOENT;
}

const struct roster_entry *roster_of_card(const struct roster *r, struct span card) {
    for (size_t i = r->n; card.n && i > 0; i--)
        if (span_eq(r->entries[i - 1].card, card)) return &r->entries[i - 1];
    return NULL;
}

int roster_dir(const struct roster *r, const struct roster_entry *e, char out[PATH_BYTES]) {
    char all[PATH_BYTES], name[PATH_BYTES];
    if (e->id.n == 0 || e->id.n >= sizeof name || memchr(e->id.p, '/', e->id.n) || e->id.p[0] == '.')
        return -EINVAL;
    memcpy(name, e->id.p, e->id.n);
    name[e->id.n] = '\0';
    int r2 = path_join(all, r->paths.state, "terminals");
    return r2 < 0 ? r2 : path_join(out, all, name);
}
