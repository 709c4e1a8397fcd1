/*
 * Any bytes as a transcript: however they arrive, the same messages are found, by every engine; the verdict is that of a
 * slow and simple walk; and what was mended is healthy, to the last link, and is not mended again.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "repair/chain.h"
#include "transcript_pieces.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOW_MAX = 300 }; /* messages that the slow walks are done for */

static void require(bool ok) {
    if (!ok) abort();
}

static void check_same(const struct transcript *a, const struct transcript *b) {
    require(a->messages.n == b->messages.n);
    for (uint32_t i = 0, n = transcript_count(a); i < n; i++) {
        const struct message *x = transcript_at(a, i), *y = transcript_at(b, i);
        require(x->parent_at == y->parent_at && x->parent_len == y->parent_len && x->id == y->id);
        require(x->parent == y->parent && x->tool_use == y->tool_use && x->kind == y->kind);
        require(x->is_side == y->is_side && x->is_left_out == y->is_left_out);
    }
    require(a->cuts.n == b->cuts.n && a->glued == b->glued);
    require(a->cuts.n == 0 || memcmp(a->cuts.p, b->cuts.p, a->cuts.n) == 0);
}

/* Where a walk of more steps than there are messages ends: nowhere. */
static bool ends(const struct transcript *t, uint32_t i) {
    uint32_t steps = 0, n = transcript_count(t);
    for (; i != MESSAGE_NONE && steps <= n; steps++)
        i = transcript_link(t, i);
    return steps <= n;
}

static void check_verdict(const struct transcript *t, const struct scan_verdict *v) {
    uint32_t n = transcript_count(t);
    uint64_t orphans = 0;
    bool all_end = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct message *m = transcript_at(t, i);
        bool there = false;
        for (uint32_t k = 0; k < n; k++)
            there |= transcript_at(t, k)->id == m->parent;
        orphans += m->parent != ID_FALSY && !there && !ids_at(&t->ids, m->parent)->is_anchor;
        all_end &= ends(t, i);
    }
    require(v->messages == n && v->orphans == orphans && (v->cycles == 0) == all_end);
    require(v->depth <= n && (v->depth == 0) == (n == 0));
    require((v->status == TRANSCRIPT_HEALTHY) == (orphans == 0 && all_end && v->glued == 0));
}

/* Parted where it has to be, the file has at least the same messages. */
static void check_parted(const struct transcript *t, struct span bytes) {
    AUTO(buf) struct buf parted = BUF_INIT(SIZE_MAX / 2);
    AUTO(transcript) struct transcript again;
    const uint64_t *cuts = (const uint64_t *)(const void *)t->cuts.p;
    uint64_t at = 0;
    for (size_t i = 0; i < t->cuts.n / sizeof *cuts; i++) {
        require(cuts[i] > at && cuts[i] < bytes.n);
        (void)buf_append(&parted, bytes.p + at, (size_t)(cuts[i] - at));
        (void)buf_append_char(&parted, '\n');
        at = cuts[i];
    }
    (void)buf_append_span(&parted, span_skip(bytes, (size_t)at));
    require(!parted.failed);
    require(transcript_read_pieces(&again, buf_span(&parted), SCAN_CHUNK) == 0);
    require(transcript_count(&again) >= transcript_count(t));
}

/* Every broken one follows the nearest earlier message that it may. */
static void check_mended(const struct transcript *t, const struct plan *plan) {
    for (size_t i = 0; i < plan_count(plan); i++) {
        const struct edit *e = plan_at(plan, i);
        const struct message *m = transcript_at(t, e->message);
        require(m->parent_len > 0);
        require(e->parent == ID_FALSY || e->parent != m->id);
        require(e->parent == ID_FALSY || transcript_link(t, e->message) != MESSAGE_NONE);
        require(ends(t, e->message));
    }
}

static void check_mending(struct transcript *t, bool stop_hook) {
    AUTO(plan) struct plan plan = PLAN_INIT;
    AUTO(plan) struct plan again = PLAN_INIT;
    struct scan_verdict before, after;
    require(chain_judge(t, &before) == 0);
    if (transcript_count(t) <= SLOW_MAX) check_verdict(t, &before);
    require(chain_mend(t, stop_hook, &plan) == 0);
    require(chain_judge(t, &after) == 0);
    require(after.status == TRANSCRIPT_HEALTHY && after.messages == before.messages);
    require(plan.orphans == before.orphans && plan.cycles == before.cycles);
    if (transcript_count(t) <= SLOW_MAX) check_mended(t, &plan);
    require(chain_mend(t, stop_hook, &again) == 0 && plan_count(&again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span bytes = span_of((const char *)data, size);
    AUTO(transcript) struct transcript whole;
    require(jscan_use(JSCAN_SCALAR));
    require(transcript_read_pieces(&whole, bytes, SCAN_CHUNK) == 0);
    static const size_t pieces[] = {1, 61, 4096};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        AUTO(transcript) struct transcript t;
        (void)jscan_use(i ? JSCAN_AVX2 : JSCAN_SSE2);
        require(transcript_read_pieces(&t, bytes, pieces[i]) == 0);
        check_same(&whole, &t);
        check_parted(&t, bytes);
        check_mending(&t, i & 1);
    }
    check_mending(&whole, true);
    return 0;
}
