#include "core/hold_line.h"

bool hold_line_parse(struct span line, char ret_key[HOLD_KEY_BYTES], enum cli *ret_cli) {
    struct span word = span_split(&line, ' '), version = span_split(&line, ' '), key = span_split(&line, ' ');
    enum cli cli;
    if (!span_eq(word, SPAN("hold")) || !span_eq(version, SPAN("1")) || !key.n || key.n >= HOLD_KEY_BYTES ||
        memchr(key.p, '\0', key.n) || !cli_from_str(line, &cli))
        return false;
    memcpy(ret_key, key.p, key.n);
    ret_key[key.n] = '\0';
    *ret_cli = cli;
    return true;
}
