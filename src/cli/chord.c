#include "cli/chord.h"

#include <ctype.h>
#include <stdio.h>

static enum chord_action action_of(char key) {
    switch (key) {
    case 'd': return CHORD_DETACH;
    case '?': return CHORD_HELP;
    case 'k': return CHORD_KILL;
    default: return CHORD_NONE;
    }
}

enum chord_action chord_feed(struct chord *c, struct span *keys, struct buf *out) {
    while (keys->n) {
        char key = keys->p[0];
        if (!c->pending) {
            const char *prefix = memchr(keys->p, c->prefix, keys->n);
            size_t n = prefix ? (size_t)(prefix - keys->p) : keys->n;
            (void)buf_append(out, keys->p, n);
            *keys = span_skip(*keys, n + (prefix ? 1 : 0));
            c->pending = prefix != NULL;
            continue;
        }
        c->pending = false;
        *keys = span_skip(*keys, 1);
        enum chord_action action = action_of(key);
        if (action != CHORD_NONE) return action;
        (void)buf_append_char(out, c->prefix);
        if (key != c->prefix) (void)buf_append_char(out, key);
    }
    return CHORD_NONE;
}

bool chord_parse(const char *text, char *ret_prefix) {
    static const char *const heads[] = {"^", "c-", "ctrl-", "ctrl+"};
    struct span s = span_str(text), key = SPAN_NONE;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        if (span_istarts(s, span_str(heads[i]))) key = span_skip(s, strlen(heads[i]));
    if (key.n != 1) return false;
    char upper = (char)toupper((unsigned char)key.p[0]);
    /* Ctrl-H, -I, -J, -M and -[ are Backspace, Tab, Enter and Escape. */
    if (upper < 'A' || upper > '_' || strchr("HIJM[", upper)) return false;
    *ret_prefix = (char)(upper & 0x1f);
    return true;
}

struct chord_name chord_name(char prefix) {
    struct chord_name name;
    (void)snprintf(name.text, sizeof name.text, "Ctrl-%c", prefix + 0x40);
    return name;
}
