#include "setup/codex_lists.h"

#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "setup/entry.h"
#include "setup/toml.h"

#include <errno.h>

enum { NAMES_BYTES_MAX = 1 << 20 };

static size_t split_name(struct span name, struct arena *arena, struct span part[3]) {
    size_t n = 0;
    while (n < 3 && toml_name_next(&name, arena, &part[n]))
        n++;
    return n;
}

bool codex_lists_next(struct codex_lists *l, struct codex_list *ret) {
    struct toml_item item;
    while (toml_next(l->text, &l->at, &item, NULL) == 1) {
        struct span part[3];
        size_t n = split_name(item.name, l->arena, part);
        if (item.kind == TOML_TABLE || item.kind == TOML_ELEMENT) {
            l->at_root = false;
            l->in_hooks = item.kind == TOML_TABLE && n == 1 && span_eq(part[0], SPAN("hooks"));
        }
        if (item.kind != TOML_KEY || !item.value.n || item.value.p[0] != '[') continue;
        bool dotted = l->at_root && n == 2 && span_eq(part[0], SPAN("hooks"));
        if (!dotted && !(l->in_hooks && n == 1)) continue;
        *ret = (struct codex_list){.event = part[n - 1], .value = item.value};
        return true;
    }
    return false;
}

bool codex_lists_has(struct span text, struct span event, struct codex_list *ret, struct arena *arena) {
    struct codex_lists l = CODEX_LISTS_INIT(text, arena);
    while (codex_lists_next(&l, ret))
        if (span_eq(ret->event, event)) return true;
    return false;
}

/* A member of an inline table. */
static struct span member(struct span table, struct span wanted) {
    struct span name, value;
    size_t at = 0;
    while (toml_child_next(table, &at, &name, &value))
        if (span_eq(name, wanted)) return value;
    return SPAN_NONE;
}

/* The command of ours in a group, if it is its only handler: others' groups are not ours to take apart. */
static bool group_is_ours(struct span group, struct arena *arena, struct span *ret_command) {
    struct span handlers = member(group, SPAN("hooks")), none, handler, second;
    size_t at = 0;
    return group.n && group.p[0] == '{' && toml_child_next(handlers, &at, &none, &handler) &&
           toml_string(member(handler, SPAN("command")), arena, ret_command) &&
           entry_is_ours(*ret_command, NULL) && !toml_child_next(handlers, &at, &none, &second);
}

bool codex_list_ours(const struct codex_list *list, struct arena *arena, struct span *ret_command,
                     size_t *ret_index) {
    struct span none, group;
    size_t at = 0;
    for (size_t i = 0; toml_child_next(list->value, &at, &none, &group); i++) {
        if (!group_is_ours(group, arena, ret_command)) continue;
        *ret_index = i;
        return true;
    }
    return false;
}

size_t codex_list_others(const struct codex_list *list, struct arena *arena) {
    struct span none, group, command;
    size_t at = 0, n = 0;
    while (toml_child_next(list->value, &at, &none, &group))
        n += !group_is_ours(group, arena, &command);
    return n;
}

static void put_group(struct buf *out, struct span event, struct span command) {
    AUTO(free) char *name = str_dup(event);
    AUTO(buf) struct buf own = BUF_INIT(ENTRY_COMMAND_MAX);
    struct jwrite w = JWRITE_INIT(out);
    entry_event_command(&own, CLI_CODEX, name, command);
    (void)buf_append_span(out, SPAN("{ hooks = [{ type = \"command\", command = "));
    jwrite_str(&w, buf_span(&own));
    (void)buf_printf(out, ", timeout = %d }] }", entry_timeout(CLI_CODEX, name, buf_span(&own)));
}

/* The list without ours, and with a new one at its end if there is a command. What was put in is ", " and a group, or the group alone
 * in an empty list. */
static void put_list(const struct codex_list *list, struct span command, struct arena *arena,
                     struct buf *out) {
    struct span none, group, ours, left = list->value;
    const char *last = NULL; /* end of the last one that stays */
    size_t at = 0, kept = 1; /* of the list's bytes: up to here they are written */
    bool skips_comma = false;
    (void)buf_append(out, left.p, 1);
    while (toml_child_next(list->value, &at, &none, &group)) {
        size_t begin = (size_t)(group.p - left.p), end = begin + group.n;
        bool goes = group_is_ours(group, arena, &ours);
        if (!goes) {
            size_t from = skips_comma ? begin : kept;
            (void)buf_append(out, left.p + from, end - from);
            last = left.p + end;
        }
        skips_comma = goes && !last; /* what follows becomes the first */
        if (goes && !last) (void)buf_append(out, left.p + kept, begin - kept);
        kept = end;
    }
    if (command.n && last) (void)buf_append(out, ", ", 2);
    if (command.n) put_group(out, list->event, command);
    (void)buf_append_span(out, span_skip(left, kept));
}

int codex_lists_write(struct span text, bool at_root, struct span command, const struct event_wish *wish,
                      struct buf *out, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(NAMES_BYTES_MAX + 16 * text.n);
    struct codex_lists l = CODEX_LISTS_INIT(text, &arena);
    struct codex_list list;
    size_t done = 0;
    l.at_root = at_root;
    while (codex_lists_next(&l, &list)) {
        size_t begin = (size_t)(list.value.p - text.p);
        bool wanted = command.n && setup_event_wanted(list.event, wish);
        (void)buf_append(out, text.p + done, begin - done);
        put_list(&list, wanted ? command : SPAN_NONE, &arena, out);
        done = begin + list.value.n;
    }
    (void)buf_append_span(out, span_skip(text, done));
    return out->failed ? err_set(err, -EFBIG, "the file would become too large") : 0;
}
