#include "keeper/args.h"

#include "base/span.h"
#include "keeper/keeper.h"

#include <errno.h>

static int parse_number(const char *name, const char *value, uint64_t max, uint64_t *ret, struct say *why) {
    uint64_t v;
    if (!span_u64(span_str(value), &v) || v < 1 || v > max)
        return say_wrong(why, name, " takes a number, not ", value);
    *ret = v;
    return 0;
}

static int parse_size(const char *name, const char *value, uint16_t *ret, struct say *why) {
    uint64_t v = 0;
    int r = parse_number(name, value, KEEPER_SIZE_MAX, &v, why);
    if (r == 0) *ret = (uint16_t)v;
    return r;
}

static int parse_option(const char *name, const char *value, struct args *a, struct say *why) {
    struct span option = span_str(name);
    if (!value) return say_wrong(why, name, " needs a value", "");
    if (span_eq(option, SPAN("--epoch"))) return parse_number(name, value, INT64_MAX, &a->epoch, why);
    if (span_eq(option, SPAN("--cols"))) return parse_size(name, value, &a->size.cols, why);
    if (span_eq(option, SPAN("--rows"))) return parse_size(name, value, &a->size.rows, why);
    if (span_eq(option, SPAN("--socket")))
        a->socket = value;
    else if (span_eq(option, SPAN("--cwd")))
        a->directory = value;
    else if (span_eq(option, SPAN("--pid-variable")))
        a->pid_variable = value;
    else if (span_eq(option, SPAN("--tty-variable")))
        a->tty_variable = value;
    else
        return say_wrong(why, name, " is not known here; see ostler-keeper --help", "");
    return 0;
}

int args_parse(const char *const *argv, struct args *ret, struct say *why) {
    struct args a = {0};
    const char *const *at = argv + 1;
    for (; *at && strcmp(*at, "--") != 0; at += 2) {
        int r = parse_option(at[0], at[1], &a, why);
        if (r < 0) return r;
    }
    if (!a.socket || !a.epoch || !a.size.cols || !a.size.rows)
        return say_wrong(why, "--socket, --epoch, --cols and --rows are needed", "",
                         "; see ostler-keeper --help");
    if (a.socket[0] != '/') return say_wrong(why, "--socket takes an absolute path, not ", a.socket, "");
    if (!*at || !at[1] || !at[1][0]) return say_wrong(why, "no program was named behind --", "", "");
    a.argv = at + 1;
    *ret = a;
    return 0;
}
