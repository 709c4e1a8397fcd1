#include "base/jpush.h"

#include "base/jtext.h"

#include <errno.h>

enum state {
    START,          /* before the object */
    KEY_OR_CLOSE,   /* behind { */
    KEY,            /* behind a comma in an object */
    COLON,          /* behind a key */
    VALUE,          /* behind a colon, or a comma in an array */
    VALUE_OR_CLOSE, /* behind [ */
    NEXT,           /* behind a value: a comma, or the end of what it stands in */
    STRING,
    ESCAPE,
    HEX,
    LITERAL,
    MINUS,
    ZERO,
    DIGITS,
    POINT,
    FRACTION,
    EXPONENT,
    SIGN,
    POWER,
    DONE, /* behind the object */
    WRONG,
};

static const char *const literals[] = {"true", "false", "null"};

void jpush_init(struct jpush *p, const struct jline_names *names) {
    *p = (struct jpush){
        .names = names, .levels = BUF_INIT(JPUSH_DEPTH_MAX / 8), .key = BUF_INIT(JPUSH_KEY_MAX)};
    for (size_t i = 0; i < ARRAY_LEN(p->values); i++)
        p->values[i].text = BUF_INIT(JPUSH_VALUE_MAX);
    jpush_begin(p);
}

void jpush_fini(struct jpush *p) {
    buf_fini(&p->levels);
    buf_fini(&p->key);
    for (size_t i = 0; i < ARRAY_LEN(p->values); i++)
        buf_fini(&p->values[i].text);
}

void jpush_begin(struct jpush *p) {
    p->fed = p->end = 0;
    p->depth = 0;
    p->state = START;
    p->is_key = p->keeps_key = p->keeps_value = false;
    p->wanted = -1;
    buf_clear(&p->levels);
    for (size_t i = 0; i < ARRAY_LEN(p->values); i++) {
        p->values[i].at = p->values[i].n = 0;
        buf_clear(&p->values[i].text);
    }
}

/* Levels */

static int push_level(struct jpush *p, bool object) {
    if (p->depth / 8 == p->levels.n && buf_append_char(&p->levels, 0) < 0) return WRONG;
    unsigned char bit = (unsigned char)(1U << p->depth % 8);
    char *byte = p->levels.p + p->depth / 8;
    *byte = (char)(object ? (unsigned char)*byte | bit : (unsigned char)*byte & ~bit);
    p->depth++;
    return object ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
}

static bool in_object(const struct jpush *p) {
    return (unsigned char)p->levels.p[(p->depth - 1) / 8] >> (p->depth - 1) % 8 & 1;
}

/* A value has ended before the byte at `end`. */
static int value_done(struct jpush *p, uint64_t end) {
    if (p->depth == 1 && p->wanted >= 0) p->values[p->wanted].n = end - p->values[p->wanted].at;
    return p->depth ? NEXT : DONE;
}

static int close_level(struct jpush *p, char c) {
    if (in_object(p) != (c == '}')) return WRONG;
    p->depth--;
    if (p->depth == 0) p->end = p->fed + 1;
    return value_done(p, p->fed + 1);
}

/* Strings */

static int begin_key(struct jpush *p) {
    p->is_key = true;
    p->keeps_key = p->depth == 1;
    if (p->keeps_key) {
        buf_clear(&p->key);
        p->wanted = -1;
    }
    return STRING;
}

static void find_wanted(struct jpush *p) {
    char decoded[JPUSH_KEY_MAX];
    size_t n;
    p->keeps_key = false;
    if (p->key.failed || jtext_decode(buf_span(&p->key), decoded, sizeof decoded, &n) < 0) return;
    for (size_t i = 0; i < p->names->n; i++)
        if (span_eq(p->names->v[i], span_of(decoded, n))) p->wanted = (int)i;
}

static int string_done(struct jpush *p) {
    if (!p->is_key) return value_done(p, p->fed + 1);
    if (p->keeps_key) find_wanted(p);
    p->is_key = false;
    return COLON;
}

/* Values */

static int begin_value(struct jpush *p, char c) {
    if (p->depth == 1 && p->wanted >= 0) {
        struct jpush_value *v = &p->values[p->wanted];
        v->at = p->fed;
        v->n = 0;
        buf_clear(&v->text);
        p->keeps_value = true;
    }
    switch (c) {
    case '{': return push_level(p, true);
    case '[': return push_level(p, false);
    case '"': return STRING;
    case '-': return MINUS;
    case '0': return ZERO;
    default: break;
    }
    if (c >= '1' && c <= '9') return DIGITS;
    for (size_t i = 0; i < ARRAY_LEN(literals); i++) {
        if (literals[i][0] != c) continue;
        p->literal = (uint8_t)i;
        p->matched = 1;
        return LITERAL;
    }
    return WRONG;
}

static int behind_value(struct jpush *p, char c) {
    if (jtext_is_space(c)) return NEXT;
    if (c == ',') return in_object(p) ? KEY : VALUE;
    return c == '}' || c == ']' ? close_level(p, c) : WRONG;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number ends with the first byte that cannot belong to it. */
static int number_done(struct jpush *p, char c) {
    (void)value_done(p, p->fed);
    return behind_value(p, c);
}

static int in_number(struct jpush *p, char c) {
    bool exponent = c == 'e' || c == 'E';
    switch (p->state) {
    case MINUS: return c == '0' ? ZERO : is_digit(c) ? DIGITS : WRONG;
    case ZERO:
        if (c == '.') return POINT;
        return exponent ? EXPONENT : number_done(p, c);
    case DIGITS:
        if (is_digit(c)) return DIGITS;
        if (c == '.') return POINT;
        return exponent ? EXPONENT : number_done(p, c);
    case POINT: return is_digit(c) ? FRACTION : WRONG;
    case FRACTION:
        if (is_digit(c)) return FRACTION;
        return exponent ? EXPONENT : number_done(p, c);
    case EXPONENT:
        if (c == '+' || c == '-') return SIGN;
        return is_digit(c) ? POWER : WRONG;
    case SIGN: return is_digit(c) ? POWER : WRONG;
    default: return is_digit(c) ? POWER : number_done(p, c);
    }
}

static int in_literal(struct jpush *p, char c) {
    const char *text = literals[p->literal];
    if (text[p->matched] != c) return WRONG;
    return text[++p->matched] ? LITERAL : value_done(p, p->fed + 1);
}

static int in_string(struct jpush *p, char c) {
    if (c == '"') return string_done(p);
    if (c == '\\') return ESCAPE;
    return (unsigned char)c < ' ' ? WRONG : STRING;
}

static int behind_backslash(struct jpush *p, char c) {
    p->hex = 0;
    if (c == 'u') return HEX;
    return c && strchr("\"\\/bfnrt", c) ? STRING : WRONG;
}

static int in_hex(struct jpush *p, char c) {
    char lower = (char)(c | 0x20);
    if (!is_digit(c) && !(lower >= 'a' && lower <= 'f')) return WRONG;
    return ++p->hex == 4 ? STRING : HEX;
}

/* The state behind one byte. */
static int step(struct jpush *p, char c) {
    switch ((enum state)p->state) {
    case START:
        if (c == '{') return push_level(p, true);
        return jtext_is_space(c) ? START : WRONG;
    case KEY_OR_CLOSE:
        if (c == '}') return close_level(p, c);
        if (c == '"') return begin_key(p);
        return jtext_is_space(c) ? KEY_OR_CLOSE : WRONG;
    case KEY:
        if (c == '"') return begin_key(p);
        return jtext_is_space(c) ? KEY : WRONG;
    case COLON:
        if (c == ':') return VALUE;
        return jtext_is_space(c) ? COLON : WRONG;
    case VALUE_OR_CLOSE:
        if (c == ']') return close_level(p, c);
        return jtext_is_space(c) ? VALUE_OR_CLOSE : begin_value(p, c);
    case VALUE: return jtext_is_space(c) ? VALUE : begin_value(p, c);
    case NEXT: return behind_value(p, c);
    case STRING: return in_string(p, c);
    case ESCAPE: return behind_backslash(p, c);
    case HEX: return in_hex(p, c);
    case LITERAL: return in_literal(p, c);
    case MINUS:
    case ZERO:
    case DIGITS:
    case POINT:
    case FRACTION:
    case EXPONENT:
    case SIGN:
    case POWER: return in_number(p, c);
    case DONE: return jtext_is_space(c) ? DONE : WRONG;
    case WRONG: break;
    }
    return WRONG;
}

/* Bytes that change nothing within a string. */
static size_t plain_run(struct span s) {
    size_t n = 0;
    while (n < s.n && s.p[n] != '"' && s.p[n] != '\\' && (unsigned char)s.p[n] >= ' ')
        n++;
    return n;
}

/* Keeps bytes, the last of which was just stepped over, where they belong to something that is kept. */
static void keep(struct jpush *p, struct span bytes, bool of_key) {
    if (of_key && p->keeps_key) (void)buf_append_span(&p->key, bytes);
    if (!p->keeps_value) return;
    struct jpush_value *v = &p->values[p->wanted];
    if (v->n == 0 || p->fed < v->at + v->n)
        (void)buf_append_span(&v->text, span_take(bytes, v->text.cap - v->text.n));
    if (v->n) p->keeps_value = false;
}

int jpush_feed(struct jpush *p, struct span bytes) {
    while (bytes.n && p->state != WRONG) {
        bool of_key = p->keeps_key;
        size_t n = p->state == STRING ? plain_run(bytes) : 0;
        if (n == 0) {
            p->state = (uint8_t)step(p, bytes.p[0]);
            n = 1;
        }
        keep(p, span_take(bytes, n), of_key);
        p->fed += n;
        bytes = span_skip(bytes, n);
    }
    return p->state == WRONG ? -EINVAL : 0;
}

int jpush_end(struct jpush *p) {
    return p->state == DONE ? 0 : -EINVAL;
}
