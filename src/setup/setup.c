#define LOG_TAG "setup"
#include "setup/setup.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "setup/entry.h"
#include "setup/file.h"
#include "setup/record.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

void setup_change_fini(struct setup_change *c) {
    buf_fini(&c->was);
    buf_fini(&c->now);
}

void setup_status_fini(struct setup_status *s) {
    cleanup_setup_found(&s->found);
}

/* One change on its way. */
struct change {
    const struct setup_place *place;
    enum cli cli;
    bool install;
    struct event_wish wish;
    struct setup_record record;
    struct setup_file file;
    struct setup_change *ret;
};

/* Settings say what is wrong with their text; whose text that is stands before it. */
static int name_file(const char *path, int code, struct err *err) {
    char sentence[ERR_MSG_BYTES];
    (void)memcpy(sentence, err->msg, sizeof sentence);
    return err_set(err, code, "%s, %s", path, sentence);
}

static int make_text(struct change *c) {
    AUTO(buf) struct buf command = BUF_INIT(ENTRY_COMMAND_MAX);
    const struct entry_command entry = {.hook = c->place->hook, .home = c->place->ostler_home, .cli = c->cli};
    struct settings_wish wish = {.events = c->wish, .source = c->place->file[c->cli]};
    entry_command(&command, &entry);
    wish.command = buf_span(&command);
    if (command.failed) return err_set(&c->ret->err, -ENAMETOOLONG, "the path of the hook is too long");
    struct span was = buf_span(&c->file.text);
    int r = c->install
                ? settings_install(was, c->file.exists, &wish, &c->record.past, &c->ret->now, &c->ret->err)
                : settings_remove(was, c->cli, &c->record.past, &c->ret->now, &c->ret->deleted, &c->ret->err);
    return r < 0 ? name_file(c->file.path, r, &c->ret->err) : 0;
}

static int keep_copy(struct change *c) {
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    if (!c->file.exists || !c->install) return 0;
    (void)settings_find(buf_span(&c->file.text), c->cli, "", &found, NULL);
    if (found.n) return 0; /* the copy is of what it was before us */
    return setup_file_backup(&c->file, c->place->backups, cli_to_str(c->cli), SETUP_BACKUPS, c->ret->backup,
                             &c->ret->err);
}

/* How many directories above a file are missing. */
static int count_missing(const char *file) {
    char copy[PATH_BYTES];
    int n = 0;
    (void)memcpy(copy, file, sizeof copy);
    while (access(dirname(copy), F_OK) < 0)
        n++;
    return n;
}

/* Those that were made go, if nobody else put something there. */
static void remove_directories(const struct change *c) {
    char copy[PATH_BYTES];
    (void)memcpy(copy, c->file.path, sizeof copy);
    for (int i = 0; i < c->record.made_dirs; i++)
        if (rmdir(dirname(copy)) < 0) return;
}

/* The record is written first: without it nobody would know how to take the change back. */
static int carry_out(struct change *c) {
    struct err *err = &c->ret->err;
    int r = keep_copy(c);
    if (r == 0 && c->install) {
        c->record.density = c->wish.density;
        c->record.version = c->wish.version;
        c->record.made_dirs += count_missing(c->file.path);
        r = setup_record_save(c->place->record[c->cli], &c->record, err);
    }
    if (r < 0 || !c->ret->changed) return r;
    if (c->ret->deleted) {
        r = setup_file_delete(&c->file, err);
        if (r == 0) remove_directories(c);
        return r;
    }
    return setup_file_replace(&c->file, buf_span(&c->ret->now), err);
}

static void forget(struct change *c) {
    setup_change_fini(c->ret);
    *c->ret = (struct setup_change){.wish = c->wish,
                                    .was = BUF_INIT(SETTINGS_BYTES_MAX),
                                    .now = BUF_INIT(SETTINGS_BYTES_MAX + (4 << 20))};
}

static int try_once(struct change *c, bool dry_run) {
    forget(c);
    setup_record_load(c->place->record[c->cli], &c->record);
    int r = setup_file_read(c->place->file[c->cli], SETTINGS_BYTES_MAX, &c->file, &c->ret->err);
    if (r == 0) r = make_text(c);
    if (r < 0) return r;
    (void)buf_append_span(&c->ret->was, buf_span(&c->file.text));
    c->ret->changed = c->ret->deleted || !span_eq(buf_span(&c->ret->was), buf_span(&c->ret->now)) ||
                      (c->install && !c->file.exists);
    if (c->ret->changed) r = setup_file_check(&c->file, &c->ret->err);
    return r < 0 || dry_run ? r : carry_out(c);
}

static int change(struct change *c, bool dry_run) {
    int r = -EAGAIN;
    *c->ret = (struct setup_change){0};
    for (int i = 0; r == -EAGAIN && i < SETUP_TRIES; i++) {
        r = try_once(c, dry_run);
        cleanup_setup_record(&c->record);
        cleanup_setup_file(&c->file);
    }
    if (r < 0) c->ret->changed = c->ret->deleted = false;
    return c->ret->code = r;
}

static int install(const struct setup_place *p, const struct event_wish *wish, bool dry_run,
                   struct setup_change *ret) {
    struct change c = {.place = p, .cli = wish->cli, .install = true, .wish = *wish, .ret = ret};
    struct err err = {0};
    int r = dry_run ? 0 : setup_place_hook(p, &err);
    if (r < 0) {
        *ret = (struct setup_change){.code = r, .err = err};
        return r;
    }
    return change(&c, dry_run);
}

int setup_install(const struct setup_place *p, enum cli cli, enum config_density density, bool dry_run,
                  struct setup_change *ret) {
    struct setup_version now;
    setup_version_ask(cli, &p->notes, &now);
    return install(p, &(struct event_wish){cli, density, now.version}, dry_run, ret);
}

int setup_uninstall(const struct setup_place *p, enum cli cli, bool dry_run, struct setup_change *ret) {
    struct change c = {.place = p, .cli = cli, .ret = ret};
    int r = change(&c, dry_run);
    if (r == 0 && !dry_run) (void)unlink(p->record[cli]);
    return r;
}

enum config_density setup_density(const struct setup_place *p, enum cli cli) {
    struct setup_status s;
    setup_status(p, cli, &s);
    enum config_density density = s.installed ? s.density : DENSITY_MEDIUM;
    setup_status_fini(&s);
    return density;
}

/* The CLI became older than what it was told of: it is said loudly, because until now it may have read none of its settings. */
static void warn_strange(const struct setup_status *s) {
    char version[CLI_VERSION_BYTES];
    cli_version_print(s->now.version, version);
    for (size_t i = 0; i < s->found.n; i++)
        if (setup_status_is_strange(s, &s->found.events[i]))
            log_warn("%s %s%sdoes not know %s, which is registered with it: it is taken out%s",
                     cli_to_str(s->cli), version, version[0] ? " " : "of an unknown version may be one that ",
                     s->found.events[i].kind ? s->found.events[i].kind->name : "an event",
                     cli_version_is_strict(s->now.version, s->cli)
                         ? "; with it, this version ignores its whole settings file"
                         : "");
}

static bool sync_one(const struct setup_place *p, enum cli cli, const enum config_density *density) {
    AUTO(setup_record) struct setup_record record;
    AUTO(setup_change) struct setup_change c = {0};
    struct setup_status s;
    struct setup_version now;
    setup_record_load(p->record[cli], &record);
    if (!record.exists) return false;
    setup_version_ask(cli, &p->notes, &now); /* for the notes that the status goes by */
    setup_status(p, cli, &s);
    bool taken_out = s.code == 0 && !s.installed; /* by a person: that is respected */
    struct event_wish wish = setup_status_wish(&s);
    if (density) wish.density = *density;
    if (!taken_out) warn_strange(&s);
    setup_status_fini(&s);
    if (taken_out) return false;
    if (install(p, &wish, false, &c) < 0)
        log_warn("the hooks of %s cannot be brought up to date: %s", cli_to_str(cli), c.err.msg);
    else if (c.changed)
        log_info("the hooks of %s were brought up to date in %s", cli_to_str(cli), p->file[cli]);
    return c.changed;
}

unsigned setup_sync(const struct setup_place *p, unsigned clis, const enum config_density *density) {
    unsigned changed = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (clis & 1U << cli && sync_one(p, cli, density)) changed |= 1U << cli;
    return changed;
}

unsigned setup_outdated(const struct setup_place *p, unsigned clis) {
    unsigned outdated = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        AUTO(setup_record) struct setup_record record;
        struct setup_version now;
        setup_record_load(p->record[cli], &record);
        if (!(clis & 1U << cli) || !record.exists || !cli_version_matters(cli)) continue;
        setup_version_look(cli, &p->notes, &now);
        if (cli_version_compare(now.version, record.version) != 0) outdated |= 1U << cli;
    }
    return outdated;
}

/* Is what is registered what would be registered now? */
static bool is_current(const struct setup_place *p, const struct setup_status *s) {
    AUTO(setup_change) struct setup_change c;
    const struct event_wish wish = setup_status_wish(s);
    return install(p, &wish, true, &c) == 0 && !c.changed;
}

struct event_wish setup_status_wish(const struct setup_status *s) {
    return (struct event_wish){s->cli, s->density, s->now.version};
}

bool setup_status_is_strange(const struct setup_status *s, const struct setup_found_event *e) {
    return !e->kind || !cli_version_knows(s->now.version, s->cli, e->kind->name);
}

void setup_status(const struct setup_place *p, enum cli cli, struct setup_status *ret) {
    AUTO(setup_record) struct setup_record record;
    AUTO(setup_file) struct setup_file f = {0};
    AUTO(buf) struct buf path = BUF_INIT(PATH_BYTES - 1);
    *ret = (struct setup_status){.cli = cli, .found = SETUP_FOUND_INIT};
    setup_record_load(p->record[cli], &record);
    ret->density = record.density;
    ret->then = record.version;
    setup_version_look(cli, &p->notes, &ret->now);
    ret->code = setup_file_read(p->file[cli], SETTINGS_BYTES_MAX, &f, &ret->err);
    ret->has_file = f.exists;
    if (ret->code == 0) {
        ret->code = settings_find(buf_span(&f.text), cli, p->file[cli], &ret->found, &ret->err);
        if (ret->code < 0) (void)name_file(p->file[cli], ret->code, &ret->err);
    }
    if (ret->code < 0 || ret->found.n == 0) return;
    ret->installed = true;
    if (!record.exists) (void)setup_found_density(&ret->found, cli, ret->now.version, &ret->density);
    (void)entry_is_ours(buf_span(&ret->found.command), &path);
    (void)snprintf(ret->hook, sizeof ret->hook, "%.*s", SPAN_ARG(buf_span(&path)));
    ret->hook_missing = access(ret->hook, X_OK) < 0;
    ret->current = is_current(p, ret);
}
