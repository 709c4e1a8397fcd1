/*
 * Any rows as the screen of any CLI: what is read of a dialog lies in them, and keys for it are few, plain, and never more than the
 * wish asks for. The first line names the CLI; without one, the text is looked at as each of them would show it.
 */
#include "base/cleanup.h"
#include "core/dialog.h"

#include <stdlib.h>

enum { ARENA_BYTES = 1 << 22, KEYS_MAX = DIALOG_TEXT_BYTES_MAX + 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

/* Between the marks of a paste no control character may be: it would end the paste, or be a key. */
static void require_keys(struct span keys) {
    require(keys.n && keys.n <= KEYS_MAX);
    if (!span_starts(keys, SPAN("\x1b[200~"))) {
        for (size_t i = 0; i < keys.n; i++)
            require(keys.n == 1 || strchr("\x1b[ABC\r", keys.p[i]));
        return;
    }
    require(span_ends(keys, SPAN("\x1b[201~")));
    for (size_t i = 6; i + 6 < keys.n; i++)
        require((unsigned char)keys.p[i] >= 0x20 && keys.p[i] != 0x7f);
}

static void try_wishes(const struct dialog *d, struct arena *arena) {
    static const struct dialog_wish wishes[] = {
        {.decision = DECISION_ALLOW},
        {.decision = DECISION_ALWAYS},
        {.decision = DECISION_DENY},
        {.decision = DECISION_DENY, .message = SPAN("no,\n\x1b[201~not \x9b so")},
        {.decision = DECISION_ALLOW,
         .answers = SPAN("{\"Which colour?\":\"Blue\",\"Which sizes?\":[\"Large\"]}")},
    };
    unsigned can = dialog_can(d);
    for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
        AUTO(buf) struct buf keys = BUF_INIT(KEYS_MAX + 1);
        bool last = false;
        int r = dialog_step(d, &wishes[i], true, arena, &keys, &last);
        if (r == 0) require_keys(buf_span(&keys));
        if (r == 0 && i == 1) require(can & CAN_ALWAYS);
        if (r == 0 && i == 2) require(can & CAN_DENY);
    }
}

static void read_as(enum cli cli, struct span text) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span rows[DIALOG_ROWS + 8], all[DIALOG_ROWS + 8];
    size_t count = 0;
    while (text.n && count < ARRAY_LEN(all))
        all[count++] = span_split(&text, '\n');
    for (size_t i = 0; i < count; i++)
        rows[i] = all[count - 1 - i];
    struct dialog d;
    if (!dialog_read(cli, rows, count, &arena, &d)) return;
    require(d.cli == cli && d.question.n && d.option_count <= DIALOG_OPTIONS_MAX &&
            d.selected <= d.option_count);
    struct request r = {.kind = ATTENTION_APPROVAL,
                        .form = TEXT_FORM_COMMAND,
                        .text = (char[]){"Run it"},
                        .detail = (char[]){"touch made.txt"},
                        .tool = (char[]){"Bash"}};
    if (dialog_is_about(&d, &r, &arena))
        require(d.kind == DIALOG_APPROVAL && memmem(d.body.p, d.body.n, "touchmade.txt", 13));
    try_wishes(&d, &arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size), rest = text, first = span_split(&rest, '\n');
    enum cli cli;
    if (cli_from_str(first, &cli)) {
        read_as(cli, rest);
        return 0;
    }
    for (cli = 0; cli < CLI_N_; cli++)
        read_as(cli, text);
    return 0;
}
