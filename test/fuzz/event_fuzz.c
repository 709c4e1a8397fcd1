/*
 * Any lines as spool records, applied one after the other. Nothing of it may crash, every session has its ids and is
 * found by them, and what the boards are told is valid JSON. A second state goes through the same with next to no
 * memory for an event: what does not fit is left out or refused, and the same holds.
 */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "core/apply.h"
#include "wire/board_msg.h"

#include <stdlib.h>

enum { ARENA_BYTES = 1 << 20, TIGHT_BYTES = 48, RECORDS_MAX = 200, MESSAGE_BYTES = 16 << 20 };

#define LATER_THAN_ANY_MS ((int64_t)2000000000000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static void check_event(const struct event *ev) {
    require(ev->kind != NULL);
    if (ev->kind->flags & EVENT_INTERNAL) return;
    require(ev->session_id.n && !memchr(ev->session_id.p, '\0', ev->session_id.n));
    require(ev->at_ms >= 0 && ev->pid >= 0);
}

static void check_sessions(const struct state *st) {
    size_t count = 0;
    list_for_each(pos, &st->sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        const char *agent_id = session_wire_id(s);
        require(s->id[0] && s->primary->id[0] && agent_id && agent_id[0]);
        require(s->project_name && s->project_name[0] && s->number > 0);
        require(state_find(st, span_str(agent_id)) != NULL);
        count++;
    }
    require(count == st->session_count);
}

static void check_messages(const struct state *st) {
    AUTO(buf) struct buf out = BUF_INIT(MESSAGE_BYTES);
    for (enum board_dialect d = 0; d < BOARD_DIALECT_N_; d++) {
        buf_clear(&out);
        board_msg_snapshot(&out, d, st, 1);
        require(out.failed || jvalid(buf_span(&out), EVENT_DEPTH_MAX) == 0);
    }
    list_for_each(pos, &st->sessions) {
        buf_clear(&out);
        board_msg_detail(&out, list_entry(pos, struct session, in_state));
        require(out.failed || jvalid(buf_span(&out), EVENT_DEPTH_MAX) == 0);
    }
}

static void apply_all(struct span lines, size_t arena_bytes) {
    struct state st;
    state_init(&st);
    struct effects fx = EFFECTS_INIT;
    AUTO(arena) struct arena arena = ARENA_INIT(arena_bytes);
    for (uint64_t pos = 1; lines.n && pos <= RECORDS_MAX; pos++) {
        struct event ev;
        struct err err = {0};
        int r = event_parse(span_split(&lines, '\n'), pos, &arena, &ev, &err);
        if (r == 0) {
            check_event(&ev);
            (void)apply_event(&st, &ev, &arena, &fx);
            check_sessions(&st);
        }
        effects_clear(&fx);
        state_reap(&st);
        arena_reset(&arena);
    }
    check_messages(&st);
    apply_time(&st, LATER_THAN_ANY_MS, &fx); /* every ended card leaves, but those that were hosted */
    check_sessions(&st);
    list_for_each(pos, &st.sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        require(s->kind != SESSION_KIND_OBSERVED || s->primary->conversation.status != SESSION_STATUS_ENDED);
    }
    effects_fini(&fx);
    state_fini(&st);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span lines = span_of((const char *)data, size);
    apply_all(lines, ARENA_BYTES);
    apply_all(lines, TIGHT_BYTES);
    return 0;
}
