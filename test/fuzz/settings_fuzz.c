/*
 * The first byte chooses a CLI, the rest are its settings. Whatever can be installed into is what was asked for afterwards, is not
 * changed by doing so again, and comes back as it was.
 */
#include "base/cleanup.h"
#include "setup/settings.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition)          \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

static void cleanup_past(struct settings_past *p) {
    settings_past_fini(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    enum cli cli = (enum cli)(data[0] % CLI_N_);
    struct span text = span_of((const char *)data + 1, size - 1);
    struct settings_wish wish = {
        .events = {cli, (enum config_density)(data[0] / CLI_N_ % 3), CLI_VERSION_NEWEST},
        .command = SPAN("'/a \"b\"/ostler-hook' --cli x"),
        .source = "/h/\"q\"/config.toml"};
    AUTO(buf) struct buf once = BUF_INIT(1 << 20);
    AUTO(buf) struct buf twice = BUF_INIT(1 << 20);
    AUTO(buf) struct buf back = BUF_INIT(1 << 20);
    AUTO(past) struct settings_past past = {0};
    AUTO(setup_found) struct setup_found before = SETUP_FOUND_INIT;
    AUTO(setup_found) struct setup_found after = SETUP_FOUND_INIT;
    enum config_density density;
    bool deletes;
    int r = settings_find(text, cli, wish.source, &before, NULL);
    (void)settings_remove(text, cli, &past, &back, &deletes, NULL);
    if (settings_install(text, true, &wish, &past, &once, NULL) < 0) return 0;
    EXPECT(r == 0);
    EXPECT(settings_find(buf_span(&once), cli, wish.source, &after, NULL) == 0);
    EXPECT(setup_found_density(&after, cli, wish.events.version, &density) && density == wish.events.density);
    EXPECT(settings_install(buf_span(&once), true, &wish, &past, &twice, NULL) == 0);
    EXPECT(span_eq(buf_span(&once), buf_span(&twice)));
    if (before.n || cli >= CLI_COPILOT || memmem(text.p, text.n, "ostler hooks", 12)) return 0;
    buf_clear(&back);
    EXPECT(settings_remove(buf_span(&once), cli, &past, &back, &deletes, NULL) == 0);
    EXPECT(!deletes && span_eq(buf_span(&back), text));
    return 0;
}
