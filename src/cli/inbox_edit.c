#include "cli/inbox_edit.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "cli/edit_text.h"

#include <errno.h>

enum { DEPTH_MAX = 256 };

static struct span command_of(const struct inbox_request *r, struct arena *arena) {
    struct jmember m = JMEMBER("command");
    struct span text;
    bool there = r->input.n && jscan_object(r->input, &m, 1) == 1 && jscan_string(m.value, arena, &text) == 0;
    return there && !(text.n && memchr(text.p, '\0', text.n)) ? text : SPAN_NONE;
}

bool inbox_edit_command(const struct inbox_request *r, struct span command, struct buf *out) {
    AUTO(arena) struct arena arena = ARENA_INIT(INBOX_REQUEST_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(out);
    struct span rest = r->input, key, value;
    bool found = false;
    jwrite_object(&w);
    while (rest.n && jscan_member_next(&rest, &key, &value) == 1) {
        struct span name = jscan_text(key, &arena);
        jwrite_key_span(&w, name);
        if (span_eq(name, SPAN("command"))) {
            jwrite_str(&w, command);
            found = true;
        } else {
            jwrite_raw(&w, value);
        }
    }
    jwrite_object_end(&w);
    return found && !out->failed;
}

void inbox_edit_spread(struct span input, struct buf *out) {
    struct span rest = input, key, value;
    const char *before = "{\n  ";
    for (; rest.n && jscan_member_next(&rest, &key, &value) == 1; before = ",\n  ") {
        (void)buf_append_span(out, span_str(before));
        (void)buf_append_span(out, key);
        (void)buf_append_span(out, SPAN(": "));
        (void)buf_append_span(out, value);
    }
    (void)buf_append_span(out, before[0] == '{' ? SPAN("{}\n") : SPAN("\n}\n"));
}

/* Editors end a text with a line's end. */
static struct span without_end(struct span text) {
    return span_ends(text, SPAN("\n")) ? span_take(text, text.n - 1) : text;
}

static int edit_command(const struct inbox_request *r, struct span command, struct buf *out,
                        struct err *err) {
    AUTO(buf) struct buf was = BUF_INIT(EDIT_TEXT_MAX), now = BUF_INIT(EDIT_TEXT_MAX);
    (void)buf_append_span(&was, command);
    (void)buf_append_char(&was, '\n');
    int failed = edit_text(buf_span(&was), ".sh", &now, err);
    if (failed < 0) return failed;
    struct span edited = without_end(buf_span(&now));
    if (span_eq(edited, command))
        return err_set(err, -EALREADY, "the command was not changed: nothing was sent");
    if (!span_trim(edited).n) return err_set(err, -EINVAL, "the command is empty: nothing was sent");
    return inbox_edit_command(r, edited, out) ? 0 : err_set(err, -EMSGSIZE, "the command is too large");
}

int inbox_edit(const struct inbox_request *r, struct buf *out, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(INBOX_REQUEST_BYTES_MAX);
    AUTO(buf) struct buf was = BUF_INIT(EDIT_TEXT_MAX);
    struct span command = command_of(r, &arena);
    if (!r->input.n || !(r->can & CAN_INPUT))
        return err_set(err, -EINVAL, "this request does not take an edited input");
    if (command.n) return edit_command(r, command, out, err);
    inbox_edit_spread(r->input, &was);
    int failed = edit_text(buf_span(&was), ".json", out, err);
    if (failed < 0) return failed;
    if (span_eq(buf_span(out), buf_span(&was)))
        return err_set(err, -EALREADY, "nothing was changed, and nothing was sent");
    if (jvalid(buf_span(out), DEPTH_MAX) < 0 || jscan_kind(span_trim(buf_span(out))) != JKIND_OBJECT)
        return err_set(err, -EINVAL, "what was written is no JSON object: nothing was sent");
    return 0;
}
