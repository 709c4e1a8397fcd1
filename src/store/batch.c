#include "store/batch.h"

#include "base/mem.h"

#include <stdlib.h>

struct store_batch *store_batch_new(void) {
    struct store_batch *b = xcalloc(1, sizeof *b);
    b->arena = ARENA_INIT(STORE_BATCH_BYTES_MAX);
    b->session_by_id = MAP_INIT;
    list_init(&b->sessions);
    list_init(&b->projects);
    list_init(&b->teams);
    list_init(&b->keys);
    list_init(&b->approvals);
    list_init(&b->rules);
    list_init(&b->amended);
    for (size_t i = 0; i < HISTORY_N_; i++)
        list_init(&b->appended[i]);
    return b;
}

void store_batch_free(struct store_batch *b) {
    if (!b) return;
    map_fini(&b->session_by_id);
    arena_fini(&b->arena);
    free(b);
}

static void *take(struct store_batch *b, size_t bytes) {
    void *p = arena_zalloc(&b->arena, bytes);
    if (!p) b->overflow = true;
    return p;
}

static struct span copy(struct store_batch *b, struct span s) {
    struct span out = arena_dup(&b->arena, s);
    if (!out.p) b->overflow = true;
    return out;
}

static bool add_worker(struct store_batch *b, struct batch_session *to, const struct worker *w) {
    struct batch_worker *bw = take(b, sizeof *bw);
    if (!bw) return false;
    bw->id = copy(b, span_str(w->id));
    bw->type = span_str(worker_type_to_str(w->type));
    list_append(&to->workers, &bw->in_session);
    if (w->alias_count == 0) return true;
    bw->aliases = take(b, w->alias_count * sizeof *bw->aliases);
    if (!bw->aliases) return false;
    for (size_t i = 0; i < w->alias_count; i++)
        bw->aliases[bw->alias_count++] = copy(b, span_str(w->aliases[i]));
    return true;
}

/* A session is written once per batch, as it was put in last, and in the order of those last times: a card that
 * left the board comes before one that took over its aliases. */
static void put_session(struct store_batch *b, const struct session *s, bool removed) {
    struct batch_session *bs = take(b, sizeof *bs);
    if (!bs) return;
    bs->removed = removed;
    list_init(&bs->workers);
    if (!session_row_from(&bs->row, s, &b->arena)) b->overflow = true;
    list_for_each(pos, &s->workers) {
        if (!add_worker(b, bs, list_entry(pos, struct worker, in_session))) return;
    }
    struct batch_session *earlier = map_put(&b->session_by_id, span_str(s->id), bs);
    if (earlier) list_remove(&earlier->in_batch);
    list_append(&b->sessions, &bs->in_batch);
}

void store_batch_session(struct store_batch *b, const struct session *s) {
    put_session(b, s, false);
}

void store_batch_remove(struct store_batch *b, const struct session *s) {
    put_session(b, s, true);
}

static void put_entry(struct store_batch *b, const struct session *s, const struct entry *e,
                      struct list *to) {
    struct history_row *row = history_row_from(s, e, &b->arena);
    if (row) {
        list_append(to, &row->in_batch);
    } else {
        b->overflow = true;
    }
}

void store_batch_append(struct store_batch *b, const struct session *s, enum history_kind kind,
                        const struct entry *e) {
    put_entry(b, s, e, &b->appended[kind]);
}

void store_batch_amend(struct store_batch *b, const struct session *s, enum history_kind kind,
                       const struct entry *e) {
    assert(kind == HISTORY_TOOL); /* the only kind that can fail later */
    (void)kind;
    put_entry(b, s, e, &b->amended);
}

void store_batch_project(struct store_batch *b, const struct project *p) {
    struct batch_project *bp = take(b, sizeof *bp);
    if (!bp) return;
    bp->name = copy(b, span_str(p->name));
    bp->sessions = p->sessions;
    list_append(&b->projects, &bp->in_batch);
}

void store_batch_team(struct store_batch *b, const struct team *team, bool removed) {
    struct batch_team *bt = take(b, sizeof *bt);
    if (!bt) return;
    *bt = (struct batch_team){.id = copy(b, span_str(team->id)),
                              .name = copy(b, span_str(team->name)),
                              .parent_session_id = copy(b, span_str(team->parent_session_id)),
                              .created_ms = team->created_ms,
                              .removal_due_ms = team->deadline.at_ms,
                              .removed = removed};
    list_append(&b->teams, &bt->in_batch);
}

void store_batch_key(struct store_batch *b, struct span key, int64_t at_ms) {
    struct batch_key *bk = take(b, sizeof *bk);
    if (!bk) return;
    bk->key = copy(b, key);
    bk->at_ms = at_ms;
    list_append(&b->keys, &bk->in_batch);
}

void store_batch_ended_request(struct store_batch *b, const struct ended_request *e) {
    struct approval_row *row = approval_row_from(e, &b->arena);
    if (row)
        list_append(&b->approvals, &row->in_batch);
    else
        b->overflow = true;
}

void store_batch_rule(struct store_batch *b, const struct written_rule *rule) {
    struct rule_row *row = rule_row_from(rule, &b->arena);
    if (row)
        list_append(&b->rules, &row->in_batch);
    else
        b->overflow = true;
}

void store_batch_away(struct store_batch *b, const struct state *st) {
    b->away = (struct batch_away){.is_set = true,
                                  .away = st->away,
                                  .since_ms = st->away_since_ms,
                                  .by = st->away_by ? copy(b, span_str(st->away_by)) : SPAN_NONE};
}

void store_batch_mark(struct store_batch *b, const struct spool_mark *mark, uint64_t seq) {
    b->mark = *mark;
    b->seq = seq;
    b->has_mark = true;
}

size_t store_batch_bytes(const struct store_batch *b) {
    return b->arena.used;
}

bool store_batch_empty(const struct store_batch *b) {
    return b->arena.used == 0 && !b->has_mark && !b->away.is_set;
}
