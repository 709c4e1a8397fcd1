/* Any file as a configuration, and any text as a value that somebody types: what is accepted is a configuration afterwards, and what is
 * set can be taken out again. The first line is the value. */
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/str.h"
#include "config/keys.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void check_parse(struct span text) {
    struct err err = {0};
    struct config c = {0};
    int r = config_parse(text, "x", &c, &err);
    require((r == 0) == (err.msg[0] == '\0'));
    if (r < 0) require(span_starts(span_str(err.msg), SPAN("x: line ")));
    if (r < 0) return;
    require(c.port > 0 && c.density < DENSITY_N_ && c.clis < 1U << CLI_N_ && c.max_terminals > 0);
    require(!c.host || (c.host[0] && !strpbrk(c.host, "\r\n\x1b")));
    config_fini(&c);
}

static void check_edit(struct span text, const struct key *key, const char *value) {
    AUTO(buf) struct buf set = BUF_INIT(1 << 20), unset = BUF_INIT(1 << 20);
    struct config_change change = {key->name, value};
    const struct jedit_step step = {.name = span_str(key->name)};
    struct span json;
    struct err err = {0};
    if (config_edit(text, "x", &change, &set, &err) < 0) {
        require(err.msg[0]);
        return;
    }
    struct config c = {0};
    if (value[0]) require(jedit_find(buf_span(&set), &step, 1, &json) && key_read(key, json, &c, NULL) == 0);
    config_fini(&c);
    change.value = NULL;
    bool was_there = jedit_find(text, &step, 1, &json);
    require(config_edit(buf_span(&set), "x", &change, &unset, NULL) == 0);
    if (!was_there && !jedit_is_blank(text)) require(span_eq(buf_span(&unset), text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    AUTO(free) char *value = str_dup(span_split(&text, '\n'));
    check_parse(text);
    for (size_t i = 0; i < keys_count; i++)
        check_edit(text, &keys[i], value);
    return 0;
}
