#include "setup/settings.h"

#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/mem.h"
#include "base/str.h"
#include "setup/codex_hooks.h"
#include "setup/json_hooks.h"
#include "setup/own_file.h"

#include <errno.h>
#include <stdlib.h>

void settings_past_fini(struct settings_past *p) {
    free(p->blank);
    strv_free(p->kept);
}

static bool is_json(enum cli cli) {
    return cli == CLI_CLAUDE || cli == CLI_GEMINI;
}

int settings_find(struct span text, enum cli cli, const char *source, struct setup_found *ret,
                  struct err *err) {
    if (text.n && memchr(text.p, '\0', text.n))
        return err_set(err, -EINVAL, "it holds a NUL byte, so it is no text");
    if (cli == CLI_CODEX) return codex_hooks_find(text, source, ret, err);
    if (!is_json(cli)) return text.n ? own_file_find(cli, text, ret, err) : 0;
    int r = jedit_check(text, err);
    if (r == 0) json_hooks_find(text, ret);
    return r;
}

/* Remembers what a text without ours looks like where that cannot be seen afterwards. */
static void remember(struct span was, bool exists, enum cli cli, struct settings_past *past) {
    settings_past_fini(past);
    *past = (struct settings_past){.created = !exists};
    if (!is_json(cli) || !exists) return;
    if (jedit_is_blank(was))
        past->blank = was.n ? str_dup(was) : xstrdup("");
    else
        json_hooks_empties(was, &past->kept);
}

int settings_install(struct span was, bool exists, const struct settings_wish *wish,
                     struct settings_past *past, struct buf *out, struct err *err) {
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    int r = settings_find(was, wish->events.cli, wish->source, &found, err);
    if (r < 0) return r;
    if (wish->events.cli == CLI_COPILOT && found.n == 0 && span_trim(was).n)
        return err_set(err, -EEXIST, "it has no hooks of ostler's; move it out of the way");
    if (found.n == 0) remember(was, exists, wish->events.cli, past);
    switch (wish->events.cli) {
    case CLI_CLAUDE:
    case CLI_GEMINI:
        return json_hooks_install(was, &wish->events, wish->command, (const char *const *)past->kept, out,
                                  err);
    case CLI_CODEX: return codex_hooks_install(was, wish->source, wish->command, &wish->events, out, err);
    case CLI_COPILOT:
    case CLI_OPENCODE: own_file_write(&wish->events, wish->command, out); break;
    case CLI_N_: break;
    }
    return out->failed ? err_set(err, -EFBIG, "the file would become too large") : 0;
}

static bool is_empty_object(struct span text) {
    struct span root;
    struct jedit_child child = {0};
    return jedit_find(text, NULL, 0, &root) && root.p[0] == '{' && !jedit_next(root, &child);
}

static int remove_json(struct span was, const struct settings_past *past, struct buf *out, bool *ret_delete,
                       struct err *err) {
    int r = json_hooks_remove(was, (const char *const *)past->kept, out, err);
    if (r < 0 || !is_empty_object(buf_span(out))) return r;
    *ret_delete = past->created;
    if (!past->blank) return 0;
    buf_clear(out);
    return buf_append_span(out, span_str(past->blank));
}

int settings_remove(struct span was, enum cli cli, const struct settings_past *past, struct buf *out,
                    bool *ret_delete, struct err *err) {
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    *ret_delete = false;
    int r = settings_find(was, cli, "", &found, err);
    if (r < 0) return r;
    if (found.n == 0) {
        (void)buf_append_span(out, was);
        return 0;
    }
    if (is_json(cli)) return remove_json(was, past, out, ret_delete, err);
    if (cli == CLI_CODEX) {
        r = codex_hooks_remove(was, out, err);
        *ret_delete = past->created && out->n == 0;
        return r;
    }
    *ret_delete = true;
    return 0;
}
