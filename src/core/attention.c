#include "core/attention.h"

#include "base/str.h"
#include "base/utf8.h"
#include "core/status.h"
#include "core/text.h"

struct attention attention_of(const struct conversation *c) {
    if (c->request_count) {
        const struct request *r = &c->requests[0];
        return (struct attention){.kind = r->kind,
                                  .form = r->form,
                                  .since_ms = r->since_ms,
                                  .certain = r->certain,
                                  .text = r->text,
                                  .detail = r->detail,
                                  .request = r,
                                  .more = c->request_count - 1};
    }
    const struct notice *n = &c->notice;
    return (struct attention){.kind = n->kind,
                              .form = n->form,
                              .since_ms = n->since_ms,
                              .certain =
                                  !(n->kind == ATTENTION_FINISHED && c->background), /* see core/idle */
                              .text = n->text,
                              .detail = n->detail};
}

struct span attention_line(struct span text, struct arena *arena) {
    text = span_trim(text);
    struct span rest = text, line = span_trim(span_split(&rest, '\n'));
    struct span shown = utf8_cut_units(line, REQUEST_TEXT_UNITS);
    bool cut = shown.n < line.n || span_trim(rest).n;
    shown = text_visible(shown, arena);
    return cut ? arena_printf(arena, "%.*s…", SPAN_ARG(shown)) : shown;
}

/* Puts a notice up in place of the one that is there. */
static void put(struct turn *t, enum attention_kind kind, enum text_form form, struct span text,
                struct span detail) {
    struct notice *n = &t->conv->notice;
    n->kind = kind;
    n->form = form;
    n->since_ms = t->at_ms;
    (void)str_set(&n->text, text);
    (void)str_set(&n->detail, text_whole(detail, REQUEST_DETAIL_BYTES, t->arena));
    session_touch(t->state, t->session, FACET_PENDING);
}

void attention_clear(struct turn *t) {
    if (t->conv->notice.kind) put(t, ATTENTION_NONE, TEXT_FORM_TEXT, SPAN_NONE, SPAN_NONE);
}

/* Some CLIs say twice that a turn is over, or say so after the error that ended it. */
void attention_finished(struct turn *t, struct span words) {
    const struct notice *n = &t->conv->notice;
    bool same = n->kind == ATTENTION_FINISHED && (!words.n || span_eq(words, span_str(n->detail)));
    if (same || n->kind == ATTENTION_ERROR) return;
    struct span line = attention_line(words, t->arena);
    put(t, ATTENTION_FINISHED, TEXT_FORM_MARKDOWN, line.n ? line : SPAN("Finished"), words);
}

void attention_worded(struct turn *t, struct span words) {
    int64_t since_ms = t->conv->notice.since_ms;
    put(t, ATTENTION_FINISHED, TEXT_FORM_MARKDOWN, attention_line(words, t->arena), words);
    t->conv->notice.since_ms = since_ms; /* it is the same news */
}

void attention_error(struct turn *t, struct span kind, struct span detail) {
    struct span words = detail.n ? detail : arena_printf(t->arena, "Stopped: %.*s", SPAN_ARG(kind));
    put(t, ATTENTION_ERROR, TEXT_FORM_TEXT, attention_line(words, t->arena), detail);
}

void attention_retrying(struct turn *t, struct span message) {
    struct span words = message.n ? message : SPAN("Its model does not answer; it tries again by itself");
    if (status_is_busy(t->was))
        put(t, ATTENTION_ERROR, TEXT_FORM_TEXT, attention_line(words, t->arena), words);
}

void attention_exited(struct turn *t, struct span how) {
    put(t, ATTENTION_EXITED, TEXT_FORM_TEXT, how, SPAN_NONE);
}

void attention_seen(struct turn *t, const struct command *cmd) {
    const struct notice *n = &t->conv->notice;
    bool newer = cmd->number && cmd->number != n->since_ms;
    if (!n->kind || newer) return;
    if (n->kind == ATTENTION_FINISHED)
        t->conv->background = 0; /* whoever saw that it may be finished is not told again */
    attention_clear(t);
}

void attention_heard(struct turn *t, struct span words) {
    words = span_trim(words);
    if (!words.n) return;
    words = text_cut(words, ATTENTION_WORDS_UNITS, t->arena);
    if (str_set(&t->conv->last_words, words)) session_touch(t->state, t->session, FACET_WORDS);
}
