#include "setup/status_json.h"

#include "base/cleanup.h"
#include "setup/here.h"
#include "setup/policy.h"

void setup_status_json_summary(struct jwrite *w, const struct setup_status *s) {
    jwrite_kbool(w, "installed", s->installed);
    jwrite_kcstr(w, "density", s->installed ? config_density_to_str(s->density) : NULL);
    jwrite_key(w, "events");
    jwrite_array(w);
    for (size_t i = 0; i < s->found.n; i++)
        if (s->found.events[i].kind) jwrite_cstr(w, s->found.events[i].kind->name);
    jwrite_array_end(w);
}

static void put_missing(struct jwrite *w, const struct setup_status *s) {
    jwrite_key(w, "missing");
    jwrite_array(w);
    const struct event_wish wish = setup_status_wish(s);
    for (const struct event_kind *k = NULL; s->installed && (k = setup_event_next(k, &wish));)
        if (!setup_found_has(&s->found, span_str(k->name))) jwrite_cstr(w, k->name);
    jwrite_array_end(w);
}

static void put_marked(struct jwrite *w, const struct setup_status *s, const char *key, bool disabled) {
    jwrite_key(w, key);
    jwrite_array(w);
    for (size_t i = 0; i < s->found.n; i++) {
        const struct setup_found_event *e = &s->found.events[i];
        if (e->kind && (disabled ? e->disabled : e->untrusted)) jwrite_cstr(w, e->kind->name);
    }
    jwrite_array_end(w);
}

/* Registered, but the CLI does not know them. */
static void put_strange(struct jwrite *w, const struct setup_status *s) {
    jwrite_key(w, "unknown");
    jwrite_array(w);
    for (size_t i = 0; i < s->found.n; i++)
        if (s->found.events[i].kind && setup_status_is_strange(s, &s->found.events[i]))
            jwrite_cstr(w, s->found.events[i].kind->name);
    jwrite_array_end(w);
}

static void put_version(struct jwrite *w, const char *key, struct cli_version v) {
    char text[CLI_VERSION_BYTES];
    cli_version_print(v, text);
    jwrite_kcstr(w, key, text[0] ? text : NULL);
}

/* Where its program is, and otherwise how one gets it. */
static void put_program(struct jwrite *w, const struct setup_place *p, const struct setup_status *s) {
    char program[PATH_BYTES];
    jwrite_kcstr(w, "program", setup_find_program(p->notes.seen, s->cli, program) ? program : NULL);
    put_version(w, "version", s->now.version);
    put_version(w, "installedFor", s->then);
    jwrite_kcstr(w, "install", setup_how_to_install(s->cli));
}

void setup_status_json(struct jwrite *w, const struct setup_place *p, const struct setup_status *s) {
    AUTO(strv) char **blocked = NULL;
    setup_policy_blocks(p, s->cli, &blocked);
    setup_status_json_summary(w, s);
    jwrite_kbool(w, "present", setup_is_here(p, s->cli));
    put_program(w, p, s);
    jwrite_kcstr(w, "file", p->file[s->cli]);
    jwrite_kbool(w, "current", s->current);
    jwrite_kcstr(w, "hook", s->installed ? s->hook : NULL);
    jwrite_kbool(w, "hookMissing", s->hook_missing);
    put_missing(w, s);
    put_strange(w, s);
    put_marked(w, s, "untrusted", false);
    put_marked(w, s, "disabled", true);
    jwrite_key(w, "blocked");
    jwrite_array(w);
    for (size_t i = 0; blocked && blocked[i]; i++)
        jwrite_cstr(w, blocked[i]);
    jwrite_array_end(w);
    jwrite_kcstr(w, "error", s->code < 0 ? s->err.msg : NULL);
}
