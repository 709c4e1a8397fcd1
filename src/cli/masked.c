#include "cli/masked.h"

enum {
    CTRL_C = 3,
    CTRL_D = 4,
    BELL = 7,
    BACKSPACE = 8,
    CTRL_U = 21,
    CTRL_W = 23,
    ESCAPE = 27,
    BLANK = 32,
    DELETE = 127
};

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static void take_back(struct masked *m, struct buf *echo) {
    m->wanted = 0;
    if (m->n == 0) return;
    do
        m->n--;
    while (m->n && continues(m->text[m->n]));
    (void)buf_append_span(echo, SPAN("\b \b"));
}

static size_t character_bytes(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* A character is begun only where all of it has room. */
static void add(struct masked *m, char byte, struct buf *echo) {
    if (continues(byte)) {
        if (m->wanted == 0) return;
        m->wanted--;
        m->text[m->n++] = byte;
        return;
    }
    size_t bytes = character_bytes((unsigned char)byte);
    bool fits = m->room - m->n >= bytes;
    m->wanted = fits ? bytes - 1 : 0;
    if (fits) m->text[m->n++] = byte;
    (void)buf_append_char(echo, fits ? '*' : BELL);
}

/* Inside what a function key sends: ESC [ … letter, ESC O letter. */
static void skip_key(struct masked *m, unsigned char c) {
    if (m->keys == MASKED_ESCAPE)
        m->keys = c == '[' || c == 'O' ? MASKED_SEQUENCE : MASKED_KEYS;
    else if (c >= '@' && c <= '~')
        m->keys = MASKED_KEYS;
}

enum masked_state masked_feed(struct masked *m, char byte, struct buf *echo) {
    unsigned char c = (unsigned char)byte;
    bool ends = c == '\r' || c == '\n' || c == CTRL_C;
    if (m->keys != MASKED_KEYS && !ends) {
        skip_key(m, c);
        return MASKED_MORE;
    }
    switch (c) {
    case '\r':
    case '\n': return MASKED_DONE;
    case CTRL_C: return MASKED_CANCELED;
    case CTRL_D: return m->n ? MASKED_MORE : MASKED_CANCELED;
    case BACKSPACE:
    case DELETE: take_back(m, echo); break;
    case CTRL_U:
    case CTRL_W:
        while (m->n)
            take_back(m, echo);
        break;
    case ESCAPE: m->keys = MASKED_ESCAPE; break;
    default:
        if (c >= BLANK) add(m, byte, echo);
    }
    return MASKED_MORE;
}
