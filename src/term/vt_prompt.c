/* What a shell says about itself (OSC 133, and 633 of VS Code): where its prompt ends, when a command begins and is done. */
#include "term/vt_int.h"

static void tell(struct vt *vt, enum vt_mark mark, int status) {
    if (vt->ops && vt->ops->mark) vt->ops->mark(vt->user, mark, status);
}

static void input_begins(struct vt *vt) {
    vt->prompt.known = vt->scr == &vt->main;
    vt->prompt.line = vt_line_number(vt, (int)vt->main.y);
    vt->prompt.col = vt->main.x;
    buf_clear(&vt->prompt.said);
}

/* The text from where input began to the cursor; rows that go on are one line. */
static void typed(struct vt *vt, struct buf *out) {
    int64_t first = (int64_t)(vt->prompt.line - vt->lines_scrolled), last = vt->main.y;
    if (first < -(int64_t)vt->scrollback.lines) return;
    for (int64_t row = first; row <= last; row++) {
        unsigned from = row == first ? vt->prompt.col : 0, to = row == last ? vt->main.x : VT_COLS_MAX;
        if (row > first && !vt_row_wraps(vt, (int)row - 1)) (void)buf_append_char(out, '\n');
        vt_row_range(vt, (int)row, from, to, out);
    }
}

static void output_begins(struct vt *vt) {
    if (!vt->ops || !vt->ops->command) return;
    struct buf text = BUF_INIT(VT_COMMAND_BYTES_MAX);
    if (vt->prompt.said.n)
        (void)buf_append_span(&text, buf_span(&vt->prompt.said));
    else if (vt->prompt.known)
        typed(vt, &text);
    struct span command = span_trim(buf_span(&text));
    if (command.n) vt->ops->command(vt->user, command);
    buf_fini(&text);
    buf_clear(&vt->prompt.said);
    vt->prompt.known = false;
}

static int exit_status(struct span text) {
    struct span first = span_split(&text, ';');
    uint64_t n;
    return span_u64(first, &n) && n <= INT32_MAX ? (int)n : -1;
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* OSC 633 ; E: the command line, with \xHH and \\ for what would break the sequence; a nonce may follow. */
static void said(struct vt *vt, struct span text) {
    text = span_split(&text, ';');
    buf_clear(&vt->prompt.said);
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\\' && i + 1 < text.n && text.p[i + 1] == '\\') {
            i++;
        } else if (c == '\\' && i + 3 < text.n && text.p[i + 1] == 'x' && hex(text.p[i + 2]) >= 0 &&
                   hex(text.p[i + 3]) >= 0) {
            c = (char)(hex(text.p[i + 2]) << 4 | hex(text.p[i + 3]));
            i += 3;
        }
        (void)buf_append_char(&vt->prompt.said, c);
    }
}

void vt_mark_said(struct vt *vt, struct span text) {
    struct span rest = text, what = span_split(&rest, ';');
    if (what.n != 1) return;
    switch (what.p[0]) {
    case 'A': tell(vt, VT_MARK_PROMPT, -1); break;
    case 'B':
        input_begins(vt);
        tell(vt, VT_MARK_INPUT, -1);
        break;
    case 'C':
        output_begins(vt);
        tell(vt, VT_MARK_OUTPUT, -1);
        break;
    case 'D': tell(vt, VT_MARK_DONE, exit_status(rest)); break;
    case 'E': said(vt, rest); break;
    default: break;
    }
}
