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
    enum config_density density;
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
    const struct settings_wish wish = {
        .cli = c->cli, .source = c->place->file[c->cli], .density = c->density};
    struct settings_wish full = wish;
    entry_command(&command, &entry);
    full.command = buf_span(&command);
    if (command.failed) return err_set(&c->ret->err, -ENAMETOOLONG, "the path of the hook is too long");
    struct span was = buf_span(&c->file.text);
    int r = c->install
                ? settings_install(was, c->file.exists, &full, &c->record.past, &c->ret->now, &c->ret->err)
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
        c->record.density = c->density;
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
    *c->ret = (struct setup_change){.was = BUF_INIT(SETTINGS_BYTES_MAX),
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

int setup_install(const struct setup_place *p, enum cli cli, enum config_density density, bool dry_run,
                  struct setup_change *ret) {
    struct change c = {.place = p, .cli = cli, .install = true, .density = density, .ret = ret};
    struct err err = {0};
    int r = dry_run ? 0 : setup_place_hook(p, &err);
    if (r < 0) {
        *ret = (struct setup_change){.code = r, .err = err};
        return r;
    }
    return change(&c, dry_run);
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

unsigned setup_sync(const struct setup_place *p, unsigned clis, const enum config_density *density) {
    unsigned changed = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        AUTO(setup_record) struct setup_record record;
        setup_record_load(p->record[cli], &record);
        if (!(clis & 1U << cli) || !record.exists) continue;
        struct setup_status s;
        setup_status(p, cli, &s);
        bool taken_out = s.code == 0 && !s.installed; /* by a person: that is respected */
        setup_status_fini(&s);
        if (taken_out) continue;
        AUTO(setup_change) struct setup_change c;
        if (setup_install(p, cli, density ? *density : record.density, false, &c) < 0)
            log_warn("the hooks of %s cannot be brought up to date: %s", cli_to_str(cli), c.err.msg);
        else if (c.changed)
            log_info("the hooks of %s were brought up to date in %s", cli_to_str(cli), p->file[cli]);
        if (c.changed) changed |= 1U << cli;
    }
    return changed;
}

/* Is what is registered what would be registered now? */
static bool is_current(const struct setup_place *p, enum cli cli, enum config_density density) {
    AUTO(setup_change) struct setup_change c;
    return setup_install(p, cli, density, true, &c) == 0 && !c.changed;
}

void setup_status(const struct setup_place *p, enum cli cli, struct setup_status *ret) {
    AUTO(setup_record) struct setup_record record;
    AUTO(setup_file) struct setup_file f = {0};
    AUTO(buf) struct buf path = BUF_INIT(PATH_BYTES - 1);
    *ret = (struct setup_status){.cli = cli, .found = SETUP_FOUND_INIT};
    setup_record_load(p->record[cli], &record);
    ret->density = record.density;
    ret->code = setup_file_read(p->file[cli], SETTINGS_BYTES_MAX, &f, &ret->err);
    ret->has_file = f.exists;
    if (ret->code == 0) {
        ret->code = settings_find(buf_span(&f.text), cli, p->file[cli], &ret->found, &ret->err);
        if (ret->code < 0) (void)name_file(p->file[cli], ret->code, &ret->err);
    }
    if (ret->code < 0 || ret->found.n == 0) return;
    ret->installed = true;
    if (!record.exists) (void)setup_found_density(&ret->found, cli, &ret->density);
    (void)entry_is_ours(buf_span(&ret->found.command), &path);
    (void)snprintf(ret->hook, sizeof ret->hook, "%.*s", SPAN_ARG(buf_span(&path)));
    ret->hook_missing = access(ret->hook, X_OK) < 0;
    ret->current = is_current(p, cli, ret->density);
}
