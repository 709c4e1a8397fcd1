#include "term/redact_screen.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "term/redact_int.h"
#include "term/vt_int.h"

#include <stdlib.h>

enum {
    RECENT_BYTES = 4 << 10, /* that are drawn again after a rest */
    TAIL_BYTES = 32 << 10,  /* of output that does not move: more has scrolled away */
    PIECE_BYTES = 2 << 10,  /* that are drawn before the rows are looked at */
    TEXT_BYTES_MAX = 4 << 20,
    MARGIN_ROWS = 3,  /* that are read with those that changed */
    COLUMNS_MAX = 16, /* of a table, or panes side by side */
    STARS_MIN = 4,    /* in a row that are taken for a mask */
};

struct redact_screen {
    const struct redact_set *set;
    struct vt *vt; /* NULL: nothing moved for long */
    unsigned cols, rows;
    struct buf tail;         /* came since the screen was drawn last */
    uint64_t tail_at;        /* its offset */
    struct buf recent;       /* what was drawn last */
    uint64_t recent_end;     /* the offset behind it */
    size_t calm;             /* bytes since something moved */
    uint32_t seen;           /* cells with a later stamp have changed since they were read */
    struct buf text, stamps; /* what is read: a byte of text, and the stamp of its cell */
};

struct redact_screen *redact_screen_new(const struct redact_set *set, unsigned cols, unsigned rows) {
    struct redact_screen *s = xcalloc(1, sizeof *s);
    *s = (struct redact_screen){.set = set, .cols = cols, .rows = rows};
    s->tail = BUF_INIT(TAIL_BYTES + PIECE_BYTES);
    s->recent = BUF_INIT(2 * RECENT_BYTES);
    s->text = s->stamps = BUF_INIT(4 * TEXT_BYTES_MAX);
    return s;
}

static void forget(struct redact_screen *s) {
    vt_free(s->vt);
    s->vt = NULL;
    buf_clear(&s->tail);
    buf_clear(&s->recent);
}

void redact_screen_free(struct redact_screen *s) {
    if (!s) return;
    forget(s);
    buf_fini(&s->tail);
    buf_fini(&s->recent);
    buf_fini(&s->text);
    buf_fini(&s->stamps);
    free(s);
}

void redact_screen_resize(struct redact_screen *s, unsigned cols, unsigned rows) {
    forget(s);
    s->cols = cols;
    s->rows = rows;
}

/* A stamp is the offset of a character's first byte, counted from 1, without its higher half. */
static void draw(struct redact_screen *s, uint64_t offset, struct span bytes) {
    if (!s->vt) {
        s->vt = vt_new(s->cols, s->rows, 0, NULL, NULL);
        vt_set_answering(s->vt, false);
        s->vt->traced = true;
    }
    for (size_t i = 0, n; i < bytes.n; i += n) {
        unsigned char c = (unsigned char)bytes.p[i];
        n = 1;
        if (c >= 0x80)
            n = MAX(utf8_sequence(span_skip(bytes, i)), (size_t)1);
        else
            while (i + n < bytes.n && (unsigned char)bytes.p[i + n] < 0x80 && c >= ' ' &&
                   bytes.p[i + n] >= ' ')
                n++;
        s->vt->trace = s->vt->trace_begin = (uint32_t)(offset + i + 1);
        s->vt->traced_from = (const uint8_t *)bytes.p + i;
        vt_feed(s->vt, bytes.p + i, n);
    }
}

/* Reading */

static bool is_border(struct cell c) {
    uint32_t code = c.content & CELL_CODE;
    return !(c.content & CELL_CLUSTER) && (code == 0x2502 || code == 0x2503 || code == 0x2551 || code == '|');
}

static uint32_t stamp_of(struct cell c) {
    return (uint32_t)c.link << 16 | c.style;
}

static bool has_changed(const struct redact_screen *s, const struct vt_row *row) {
    for (unsigned i = 0; i < row->n; i++) {
        uint32_t stamp = stamp_of(row->cells[i]);
        if (stamp && (int32_t)(stamp - s->seen) > 0) return true;
    }
    return false;
}

static void put(struct redact_screen *s, const char *p, size_t n, uint32_t stamp) {
    (void)buf_append(&s->text, p, n);
    for (size_t i = 0; i < n; i++)
        (void)buf_append(&s->stamps, &stamp, sizeof stamp);
}

static void put_cell(struct redact_screen *s, struct cell cell) {
    char text[VT_CLUSTER_BYTES_MAX + 1];
    size_t n = 1;
    text[0] = ' ';
    if (cell_is_stub(cell)) return;
    if (cell.content & CELL_CLUSTER) {
        struct span cluster = vt_intern_get(&s->vt->clusters, cell.content & CELL_CODE);
        n = MAX(utf8_sequence(cluster), (size_t)1); /* its character, without the marks on it */
        memcpy(text, cluster.p, n);
    } else if (cell.content & CELL_CODE) {
        n = utf8_encode(cell.content & CELL_CODE, text);
    }
    put(s, text, n, stamp_of(cell));
}

/* Columns [from, to) of a row, blanks at the end left out. Returns how many were. */
static unsigned put_columns(struct redact_screen *s, const struct vt_row *row, unsigned from, unsigned to) {
    unsigned end = MIN(to, row->n);
    while (end > from &&
           (!(row->cells[end - 1].content & CELL_CONTENT) ||
            (row->cells[end - 1].content & CELL_CONTENT) == ' ') &&
           !cell_is_stub(row->cells[end - 1]))
        end--;
    for (unsigned i = from; i < end; i++)
        put_cell(s, row->cells[i]);
    return to - MAX(end, from);
}

/* Where the borders of a row are, as many as there may be. */
static unsigned borders_of(const struct vt_row *row, unsigned ret[COLUMNS_MAX]) {
    unsigned n = 0;
    for (unsigned i = 0; i < row->n && n < COLUMNS_MAX; i++)
        if (is_border(row->cells[i])) ret[n++] = i;
    return n;
}

static struct vt_row *row_at(const struct redact_screen *s, unsigned y) {
    return vt_screen_row(s->vt, s->vt->scr, y);
}

/* Rows as they stand there. */
static void read_rows(struct redact_screen *s, unsigned from, unsigned to) {
    for (unsigned y = from; y < to; y++) {
        if (y > from && !row_at(s, y)->wrapped) put(s, "\n", 1, 0);
        (void)put_columns(s, row_at(s, y), 0, s->vt->cols);
    }
    put(s, "\n", 1, 0);
}

/* One column of rows that have the same borders: where it is filled to its end, the next row goes on. */
static void read_column(struct redact_screen *s, unsigned from, unsigned to, unsigned left, unsigned right) {
    for (unsigned y = from; y < to; y++) {
        const struct vt_row *row = row_at(s, y);
        unsigned begin = left;
        while (begin < right && begin < row->n && begin - left < 4 && vt_row_get(row, begin).content != 0 &&
               ((vt_row_get(row, begin).content & CELL_CONTENT) == ' ' ||
                !(vt_row_get(row, begin).content & CELL_CONTENT)))
            begin++;
        if (put_columns(s, row, begin, right) > 2) put(s, "\n", 1, 0);
    }
    put(s, "\n", 1, 0);
}

/* Rows with what is between their borders, column by column. */
static void read_columns(struct redact_screen *s, unsigned from, unsigned to) {
    unsigned borders[COLUMNS_MAX], other[COLUMNS_MAX], next;
    for (unsigned y = from; y < to; y = next) {
        unsigned n = borders_of(row_at(s, y), borders);
        for (next = y + 1; next < to; next++)
            if (borders_of(row_at(s, next), other) != n || memcmp(borders, other, n * sizeof *borders) != 0)
                break;
        if (next == y + 1) continue;
        for (unsigned i = 0; i <= n; i++)
            read_column(s, y, next, i ? borders[i - 1] + 1 : 0, i < n ? borders[i] : s->vt->cols);
    }
}

/* Masking */

/* The character that a stamp means, in `bytes` at `offset` or before them. */
static void mask_stamp(uint32_t stamp, struct span text, uint64_t offset, struct buf *bytes,
                       struct buf *late) {
    uint64_t end = offset + bytes->n;
    uint64_t at = end - (uint32_t)((uint32_t)end - (stamp - 1));
    struct redact_late l = {.offset = at, .n = (uint8_t)text.n};
    if (at > end || text.n > sizeof l.before) return;
    memcpy(l.before, text.p, text.n);
    redact_mask(text, l.after);
    if (at < offset) {
        if (memcmp(l.before, l.after, l.n) != 0) (void)buf_append(late, &l, sizeof l);
    } else if (at + l.n <= end && memcmp(bytes->p + (at - offset), l.before, l.n) == 0) {
        memcpy(bytes->p + (at - offset), l.after, l.n);
    }
}

static uint32_t stamp_at(const struct redact_screen *s, size_t i) {
    uint32_t stamp;
    memcpy(&stamp, s->stamps.p + i * sizeof stamp, sizeof stamp);
    return stamp;
}

/* May a secret go on with it? */
static bool goes_on(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && strchr("_-+/=.~*", c));
}

/* What stands right behind a mask and was drawn at another time is the rest of what the mask hides. */
static void mask_rests(const struct redact_screen *s, char *masked) {
    for (size_t i = 0, stars = 0; i < s->text.n; i++) {
        bool star = s->text.p[i] == '*' && (!stars || stamp_at(s, i) == stamp_at(s, i - 1) + 1);
        if (!star && stars >= STARS_MIN && stamp_at(s, i) && stamp_at(s, i) != stamp_at(s, i - 1) + 1)
            for (; i < s->text.n && stamp_at(s, i) && goes_on(s->text.p[i]); i++)
                masked[i] = '*';
        stars = star ? stars + 1 : 0;
    }
}

/* What the patterns find in what was read. */
static void mask_found(struct redact_screen *s, uint64_t offset, struct buf *bytes, struct buf *late) {
    if (s->text.failed || s->stamps.failed || !s->text.n) return;
    AUTO(free) char *masked = xmalloc(s->text.n);
    memcpy(masked, s->text.p, s->text.n);
    redact_text(s->set, masked, s->text.n);
    mask_rests(s, masked);
    for (size_t i = 0, n; i < s->text.n; i += n) {
        n = MAX(utf8_sequence(span_skip(buf_span(&s->text), i)), (size_t)1);
        uint32_t stamp = stamp_at(s, i);
        if (stamp && memcmp(masked + i, s->text.p + i, n) != 0)
            mask_stamp(stamp, span_of(s->text.p + i, n), offset, bytes, late);
    }
}

static void look(struct redact_screen *s, uint64_t offset, struct buf *bytes, struct buf *late) {
    unsigned from = s->vt->rows, to = 0;
    for (unsigned y = 0; y < s->vt->rows; y++) {
        if (!has_changed(s, row_at(s, y))) continue;
        from = MIN(from, y);
        to = y + 1;
    }
    if (from >= to) return;
    from -= MIN(from, (unsigned)MARGIN_ROWS);
    to = MIN(to + MARGIN_ROWS, s->vt->rows);
    buf_clear(&s->text);
    buf_clear(&s->stamps);
    read_rows(s, from, to);
    read_columns(s, from, to);
    mask_found(s, offset, bytes, late);
}

/* Does an escape sequence take away what is on the screen? */
static bool takes_away(struct span escape) {
    static const char *const known[] = {"\033[?1049", "\033[?47", "\033[?1047", "\033[2J",
                                        "\033[3J",    "\033[J",   "\033c"};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (span_starts(escape, span_str(known[i]))) return true;
    return false;
}

/* What is drawn before the rows are looked at: so many bytes, or up to what takes them away. */
static struct span next_piece(struct span bytes) {
    struct span piece = span_take(bytes, PIECE_BYTES);
    for (size_t at = 1; at < piece.n; at++) {
        const char *escape = memchr(piece.p + at, '\033', piece.n - at);
        if (!escape) break;
        at = (size_t)(escape - piece.p);
        if (takes_away(span_skip(bytes, at))) return span_take(piece, at);
    }
    return piece;
}

/* Output that only goes on: what will be on the screen when something moves. */
static void keep_tail(struct redact_screen *s, uint64_t offset, struct span bytes) {
    if (bytes.n > TAIL_BYTES) {
        offset += bytes.n - TAIL_BYTES;
        bytes = span_skip(bytes, bytes.n - TAIL_BYTES);
        forget(s);
    }
    if (s->tail.n + bytes.n > TAIL_BYTES) {
        /* As many lines as the screen has make it anew; fewer would leave something of what was there. */
        vt_free(s->vt);
        s->vt = NULL;
        buf_consume(&s->tail, MIN(s->tail.n, s->tail.n + bytes.n - TAIL_BYTES));
    }
    if (!s->tail.n) s->tail_at = offset;
    (void)buf_append_span(&s->tail, bytes);
    s->tail_at = offset + bytes.n - s->tail.n;
}

/* The last of what has been drawn. */
static void keep_recent(struct redact_screen *s, uint64_t offset, struct span bytes) {
    if (offset != s->recent_end) buf_clear(&s->recent);
    s->recent_end = offset + bytes.n;
    if (bytes.n > RECENT_BYTES) bytes = span_skip(bytes, bytes.n - RECENT_BYTES);
    if (s->recent.n + bytes.n > RECENT_BYTES) buf_consume(&s->recent, s->recent.n + bytes.n - RECENT_BYTES);
    (void)buf_append_span(&s->recent, bytes);
}

void redact_screen_rest(struct redact_screen *s) {
    if (s->tail.n) keep_recent(s, s->tail_at, buf_span(&s->tail));
    struct buf kept = BUF_INIT(TAIL_BYTES + PIECE_BYTES);
    struct span recent = buf_span(&s->recent);
    while (recent.n && s->recent.n == RECENT_BYTES && recent.p[0] != '\033' && recent.p[0] != '\n')
        recent = span_skip(recent, 1); /* not from the midst of an escape sequence */
    if (recent.n && buf_append_span(&kept, recent) == 0) s->tail_at = s->recent_end - recent.n;
    vt_free(s->vt);
    s->vt = NULL;
    buf_fini(&s->tail);
    buf_fini(&s->recent);
    buf_fini(&s->text);
    buf_fini(&s->stamps);
    s->tail = kept;
    s->recent = BUF_INIT(2 * RECENT_BYTES);
    s->text = s->stamps = BUF_INIT(4 * TEXT_BYTES_MAX);
}

void redact_screen_feed(struct redact_screen *s, uint64_t offset, struct buf *bytes, bool moved,
                        struct buf *late) {
    if (!bytes->n) return;
    s->calm = moved ? 0 : s->calm + bytes->n;
    if (s->calm && (!s->vt || s->calm > TAIL_BYTES)) {
        keep_tail(s, offset, buf_span(bytes));
        return;
    }
    draw(s, s->tail_at, buf_span(&s->tail));
    if (s->tail.n) keep_recent(s, s->tail_at, buf_span(&s->tail));
    buf_clear(&s->tail);
    for (size_t at = 0, n; at < bytes->n; at += n) {
        struct span piece = next_piece(span_skip(buf_span(bytes), at));
        n = piece.n;
        s->seen = (uint32_t)(offset + at);
        draw(s, offset + at, piece);
        look(s, offset, bytes, late);
    }
    keep_recent(s, offset, buf_span(bytes));
    if (s->text.room > TAIL_BYTES) {
        buf_fini(&s->text);
        buf_fini(&s->stamps);
        s->text = s->stamps = BUF_INIT(4 * TEXT_BYTES_MAX);
    }
}
