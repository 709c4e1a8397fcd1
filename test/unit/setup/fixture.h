/* Settings with ours put in, twice, and taken out again. */
#pragma once

#include "base/cleanup.h"
#include "setup/settings.h"
#include "test.h"

#define HOOK_COMMAND "/usr/bin/ostler-hook --cli x"

static inline struct settings_wish fixture_wish(enum cli cli, enum config_density density) {
    return (struct settings_wish){.events = {cli, density, CLI_VERSION_NEWEST},
                                  .command = SPAN(HOOK_COMMAND),
                                  .source = "/home/u/.codex/config.toml"};
}

static inline void fixture_install(struct span was, bool exists, enum cli cli, enum config_density density,
                                   struct settings_past *past, struct buf *out) {
    struct err err = {0};
    struct settings_wish wish = fixture_wish(cli, density);
    buf_clear(out);
    if (settings_install(was, exists, &wish, past, out, &err) < 0)
        fail_msg("%s in: %.*s", err.msg, SPAN_ARG(was));
}

/* All events of the density are there once, and nothing else. */
static inline void fixture_check_found(struct span text, enum cli cli, enum config_density density) {
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    enum config_density seen;
    CHECK_INT(settings_find(text, cli, "/home/u/.codex/config.toml", &found, NULL), 0);
    CHECK(setup_found_density(&found, cli, CLI_VERSION_NEWEST, &seen));
    CHECK_INT(seen, density);
    CHECK(!found.twice && !found.mixed);
    CHECK_SPAN(buf_span(&found.command), HOOK_COMMAND);
    for (size_t i = 0; i < found.n; i++)
        CHECK(!found.events[i].untrusted && !found.events[i].disabled);
}

/* In, in again, through all densities, and out: the first bytes are back. */
static inline void fixture_round_trip(const char *text, enum cli cli) {
    static const enum config_density order[] = {DENSITY_MEDIUM, DENSITY_HIGH, DENSITY_LOW, DENSITY_MEDIUM};
    struct span original = span_str(text);
    AUTO(buf) struct buf now = BUF_INIT(1 << 20);
    AUTO(buf) struct buf next = BUF_INIT(1 << 20);
    struct settings_past past = {0};
    struct err err = {0};
    (void)buf_append_span(&now, original);
    for (size_t i = 0; i < ARRAY_LEN(order); i++) {
        fixture_install(buf_span(&now), true, cli, order[i], &past, &next);
        fixture_check_found(buf_span(&next), cli, order[i]);
        fixture_install(buf_span(&next), true, cli, order[i], &past, &now);
        CHECK_STR(now.p, next.p); /* twice is once */
    }
    bool deletes;
    buf_clear(&next);
    if (settings_remove(buf_span(&now), cli, &past, &next, &deletes, &err) < 0) fail_msg("%s", err.msg);
    CHECK(!deletes);
    CHECK_STR(next.p ? next.p : "", text);
    settings_past_fini(&past);
}
