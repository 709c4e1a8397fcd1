#include "setup/json_hooks.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "setup/entry.h"

#include <errno.h>

/* A handler's place in the text: hooks / EVENT / group / hooks / handler. */
enum { AT_HOOKS, AT_EVENT, AT_GROUP, AT_INNER, AT_HANDLER, AT_FIELD, AT_N_ };

/* A text on its way, and the strings that were decoded from it. */
struct draft {
    struct buf now, next;
    struct arena arena;
    struct err *err;
};

static void draft_init(struct draft *d, struct span text, size_t cap, struct err *err) {
    *d = (struct draft){
        .now = BUF_INIT(cap), .next = BUF_INIT(cap), .arena = ARENA_INIT(64 * cap + 4096), .err = err};
    (void)buf_append_span(&d->now, text);
}

static void cleanup_draft(struct draft *d) {
    buf_fini(&d->now);
    buf_fini(&d->next);
    arena_fini(&d->arena);
}

static int draft_turn(struct draft *d, int r) {
    if (r < 0) return r;
    struct buf old = d->now;
    d->now = d->next;
    d->next = old;
    buf_clear(&d->next);
    return 0;
}

static int draft_put(struct draft *d, const struct jedit_step *path, size_t depth, struct span value) {
    return draft_turn(d, jedit_put(buf_span(&d->now), path, depth, value, &d->next, d->err));
}

static int draft_remove(struct draft *d, const struct jedit_step *path, size_t depth) {
    return draft_turn(d, jedit_remove(buf_span(&d->now), path, depth, &d->next, d->err));
}

static struct span decoded(struct span raw, struct arena *arena) {
    struct span s;
    return jscan_kind(raw) == JKIND_STRING && jscan_string(raw, arena, &s) == 0 ? s : SPAN_NONE;
}

/* A member of an object. */
static struct span member(struct span object, struct span name) {
    struct jedit_step step = {.name = name};
    struct span value;
    return jedit_find(object, &step, 1, &value) ? value : SPAN_NONE;
}

/* Goes through the handlers that are ours, in the order of the text, with their paths. */
struct walk {
    struct span hooks; /* the object that has them all */
    struct arena *arena;
    struct span inner; /* the group's handlers */
    struct jedit_child event, group, handler;
    struct jedit_step path[AT_N_];
    struct span command;
};

static struct walk walk_begin(struct draft *d) {
    return (struct walk){.hooks = member(buf_span(&d->now), SPAN("hooks")),
                         .arena = &d->arena,
                         .path = {[AT_HOOKS] = JEDIT_NAME("hooks"), [AT_INNER] = JEDIT_NAME("hooks")}};
}

static bool next_event(struct walk *w) {
    if (!jedit_next(w->hooks, &w->event)) return false;
    struct span name = decoded(w->event.name, w->arena);
    const char *copy = arena_strndup(w->arena, str_or_empty(name.p), name.n); /* the text will change */
    w->path[AT_EVENT].name = copy ? span_of(copy, name.n) : SPAN_NONE;
    w->path[AT_GROUP].index = SIZE_MAX;
    w->group = (struct jedit_child){0};
    return true;
}

static bool next_group(struct walk *w) {
    while (!w->event.value.p || !jedit_next(w->event.value, &w->group))
        if (!next_event(w)) return false;
    w->path[AT_GROUP].index++;
    w->path[AT_HANDLER].index = SIZE_MAX;
    w->inner = w->event.value.p[0] == '[' ? member(w->group.value, SPAN("hooks")) : SPAN_NONE;
    w->handler = (struct jedit_child){0};
    return true;
}

static bool next_handler(struct walk *w) {
    while (!w->group.value.p || !w->inner.p || w->inner.p[0] != '[' || !jedit_next(w->inner, &w->handler))
        if (!next_group(w)) return false;
    w->path[AT_HANDLER].index++;
    return true;
}

static bool next_of_ours(struct walk *w) {
    while (next_handler(w)) {
        w->command = decoded(member(w->handler.value, SPAN("command")), w->arena);
        if (w->path[AT_EVENT].name.n && entry_is_ours(w->command, NULL)) return true;
    }
    return false;
}

/* Removing */

static bool is_kept(const char *const *kept, struct span name) {
    for (size_t i = 0; kept && kept[i]; i++)
        if (span_eq_str(name, kept[i])) return true;
    return false;
}

static bool is_empty_at(const struct draft *d, const struct jedit_step *path, size_t depth) {
    struct span value;
    struct jedit_child child = {0};
    return jedit_find(buf_span(&d->now), path, depth, &value) && !jedit_next(value, &child);
}

/* Takes a handler away, and what became empty around it. */
static int remove_handler(struct draft *d, const struct jedit_step path[AT_N_], const char *const *kept) {
    int r = draft_remove(d, path, AT_HANDLER + 1);
    if (r == 0 && is_empty_at(d, path, AT_INNER + 1)) r = draft_remove(d, path, AT_GROUP + 1);
    if (r < 0 || !is_empty_at(d, path, AT_EVENT + 1) || is_kept(kept, path[AT_EVENT].name)) return r;
    r = draft_remove(d, path, AT_EVENT + 1);
    if (r < 0 || !is_empty_at(d, path, AT_HOOKS + 1) || is_kept(kept, SPAN("hooks"))) return r;
    return draft_remove(d, path, AT_HOOKS + 1);
}

static int give(struct draft *d, struct buf *out) {
    (void)buf_append_span(out, buf_span(&d->now));
    return out->failed ? err_set(d->err, -EFBIG, "the file would become too large") : 0;
}

int json_hooks_remove(struct span text, const char *const *kept, struct buf *out, struct err *err) {
    AUTO(draft) struct draft d;
    draft_init(&d, text, out->cap, err);
    int r = jedit_check(text, err);
    while (r == 0) {
        struct walk w = walk_begin(&d);
        if (!next_of_ours(&w)) break;
        r = remove_handler(&d, w.path, kept);
    }
    return r < 0 ? r : give(&d, out);
}

/* Adding */

/* One of ours that is not to be there: of an event that is not wanted, or a second one of the same. */
static bool find_surplus(struct draft *d, const struct event_wish *wish, struct walk *w) {
    struct setup_found seen = SETUP_FOUND_INIT;
    bool found = false;
    *w = walk_begin(d);
    while (!found && next_of_ours(w)) {
        struct span event = w->path[AT_EVENT].name;
        found = !setup_event_wanted(event, wish) || setup_found_has(&seen, event);
        (void)setup_found_add(&seen, event, w->command);
    }
    cleanup_setup_found(&seen);
    return found;
}

static int put_field(struct draft *d, struct walk *w, struct jedit_step field, struct span old,
                     struct span value) {
    if (span_eq(old, value)) return 0;
    w->path[AT_FIELD] = field;
    return draft_put(d, w->path, AT_FIELD + 1, value);
}

/* Brings the fields of one that is there up to date; what else a person added to it stays. */
static int renew(struct draft *d, struct walk *w, enum cli cli, struct span command) {
    AUTO(buf) struct buf text = BUF_INIT(8 * (size_t)ENTRY_COMMAND_MAX);
    AUTO(buf) struct buf timeout = BUF_INIT(16);
    struct jwrite writer = JWRITE_INIT(&text);
    jwrite_str(&writer, command);
    (void)buf_printf(&timeout, "%d", entry_timeout(cli, "", command));
    struct span had = member(w->handler.value, SPAN("timeout"));
    int r =
        span_eq(w->command, command) ? 0 : put_field(d, w, JEDIT_NAME("command"), SPAN_NONE, buf_span(&text));
    return r < 0 ? r : put_field(d, w, JEDIT_NAME("timeout"), had, buf_span(&timeout));
}

static int append_group(struct draft *d, enum cli cli, const char *event, struct span command) {
    AUTO(buf) struct buf group = BUF_INIT(8 * (size_t)ENTRY_COMMAND_MAX);
    struct jedit_step path[] = {JEDIT_NAME("hooks"), {.name = span_str(event)}, JEDIT_INDEX(0)};
    struct span groups;
    struct jedit_child child = {0};
    if (jedit_find(buf_span(&d->now), path, 2, &groups))
        while (jedit_next(groups, &child))
            path[2].index++;
    entry_group(&group, cli, command);
    return draft_put(d, path, ARRAY_LEN(path), buf_span(&group));
}

static int provide(struct draft *d, enum cli cli, const char *event, struct span command) {
    AUTO(buf) struct buf own = BUF_INIT(ENTRY_COMMAND_MAX);
    struct walk w = walk_begin(d);
    entry_event_command(&own, cli, event, command);
    while (next_of_ours(&w))
        if (span_eq_str(w.path[AT_EVENT].name, event)) return renew(d, &w, cli, buf_span(&own));
    return append_group(d, cli, event, buf_span(&own));
}

int json_hooks_install(struct span text, const struct event_wish *wish, struct span command,
                       const char *const *kept, struct buf *out, struct err *err) {
    AUTO(draft) struct draft d;
    struct walk w;
    draft_init(&d, text, out->cap, err);
    int r = jedit_check(text, err);
    for (const struct event_kind *k = NULL; r == 0 && (k = setup_event_next(k, wish));)
        r = provide(&d, wish->cli, k->name, command);
    while (r == 0 && find_surplus(&d, wish, &w))
        r = remove_handler(&d, w.path, kept);
    return r < 0 ? r : give(&d, out);
}

/* Looking */

void json_hooks_empties(struct span text, char ***ret) {
    struct span hooks = member(text, SPAN("hooks"));
    struct jedit_child child = {0}, inner;
    AUTO(arena) struct arena arena = ARENA_INIT(text.n + 1024);
    if (!hooks.p) return;
    inner = child;
    if (!jedit_next(hooks, &inner)) strv_push(ret, SPAN("hooks"));
    while (jedit_next(hooks, &child)) {
        inner = (struct jedit_child){0};
        if (jscan_kind(child.value) == JKIND_ARRAY && !jedit_next(child.value, &inner))
            strv_push(ret, decoded(child.name, &arena));
    }
}

void json_hooks_find(struct span text, struct setup_found *ret) {
    AUTO(draft) struct draft d;
    if (jedit_check(text, NULL) < 0) return;
    draft_init(&d, text, text.n, NULL);
    struct walk w = walk_begin(&d);
    while (next_of_ours(&w))
        (void)setup_found_add(ret, w.path[AT_EVENT].name, w.command);
}
