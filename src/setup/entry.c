#include "setup/entry.h"

#include "base/cleanup.h"
#include "base/jwrite.h"

enum { SHORT_TIMEOUT_S = 3 }; /* Codex gives its last events no more */

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("/._-+,@:=%", c));
}

/* One word for a shell: ours is a path that may hold anything. */
static void put_word(struct buf *out, struct span word) {
    size_t plain = 0;
    while (plain < word.n && is_plain(word.p[plain]))
        plain++;
    if (word.n && plain == word.n) {
        (void)buf_append_span(out, word);
        return;
    }
    (void)buf_append_char(out, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'')
            (void)buf_append(out, "'\\''", 4);
        else
            (void)buf_append_char(out, word.p[i]);
    }
    (void)buf_append_char(out, '\'');
}

/* Gemini CLI denies a tool when a hook of it cannot be started, and shows what the shell says; Copilot CLI reports it each time.
 * A program that is gone must not stand in anybody's way. */
static bool needs_shield(enum cli cli) {
    return cli == CLI_GEMINI || cli == CLI_COPILOT;
}

void entry_command(struct buf *out, const struct entry_command *c) {
    if (c->home) {
        (void)buf_append_span(out, SPAN("OSTLER_HOME="));
        put_word(out, span_str(c->home));
        (void)buf_append_char(out, ' ');
    }
    put_word(out, span_str(c->hook));
    (void)buf_printf(out, " --cli %s%s", cli_to_str(c->cli), c->hosted ? " --hosted" : "");
    if (needs_shield(c->cli)) (void)buf_append_span(out, SPAN(" 2>/dev/null || true"));
}

/* Gemini's and Copilot's hooks cannot grant anything; opencode's plugin asks for it itself. */
static bool takes_answer(enum cli cli, const char *event) {
    return (cli == CLI_CLAUDE || cli == CLI_CODEX) && strcmp(event, "PermissionRequest") == 0;
}

void entry_event_command(struct buf *out, enum cli cli, const char *event, struct span command) {
    (void)buf_append_span(out, command);
    if (takes_answer(cli, event)) (void)buf_append_span(out, SPAN(ENTRY_REPLY));
}

/* The next word of a command line, as a shell would read it. */
static bool take_word(struct span *line, struct buf *word) {
    size_t i = 0;
    buf_clear(word);
    while (i < line->n && (line->p[i] == ' ' || line->p[i] == '\t'))
        i++;
    size_t begin = i;
    char quote = 0;
    for (; i < line->n; i++) {
        char c = line->p[i];
        if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? 0 : c;
            continue;
        }
        if (!quote && (c == ' ' || c == '\t')) break;
        if (c == '\\' && quote != '\'' && i + 1 < line->n) c = line->p[++i];
        (void)buf_append_char(word, c);
    }
    *line = span_skip(*line, i);
    return i > begin;
}

static bool is_assignment(struct span word) {
    const char *equals = word.n ? memchr(word.p, '=', word.n) : NULL;
    return equals && equals > word.p && !memchr(word.p, '/', (size_t)(equals - word.p));
}

bool entry_is_ours(struct span command, struct buf *ret_path) {
    AUTO(buf) struct buf word = BUF_INIT(ENTRY_COMMAND_MAX);
    bool found = true;
    do
        found = take_word(&command, &word);
    while (found && is_assignment(buf_span(&word)));
    struct span program = buf_span(&word);
    if (!found || (!span_eq(program, SPAN(ENTRY_PROGRAM)) && !span_ends(program, SPAN("/" ENTRY_PROGRAM))))
        return false;
    if (ret_path) {
        buf_clear(ret_path);
        (void)buf_append_span(ret_path, buf_span(&word));
    }
    return true;
}

int entry_timeout(enum cli cli, const char *event, struct span command) {
    if (span_ends(command, SPAN(ENTRY_REPLY))) return ENTRY_REPLY_TIMEOUT_S;
    if (cli == CLI_GEMINI) return ENTRY_TIMEOUT_S * 1000;
    bool is_short = cli == CLI_CODEX && (strcmp(event, "SessionEnd") == 0 || strcmp(event, "Interrupt") == 0);
    return is_short ? SHORT_TIMEOUT_S : ENTRY_TIMEOUT_S;
}

void entry_group(struct buf *out, enum cli cli, struct span command) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_key(&w, "hooks");
    jwrite_array(&w);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "command");
    if (cli == CLI_GEMINI) jwrite_kcstr(&w, "name", "ostler");
    jwrite_kstr(&w, "command", command);
    jwrite_ki64(&w, "timeout", entry_timeout(cli, "", command));
    jwrite_object_end(&w);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
}

void entry_codex_event(struct buf *out, const char *event) {
    for (const char *p = event; *p; p++) {
        bool upper = *p >= 'A' && *p <= 'Z';
        if (upper && p > event) (void)buf_append_char(out, '_');
        (void)buf_append_char(out, upper ? (char)(*p - 'A' + 'a') : *p);
    }
}

/* What Codex hashes is this very JSON, its keys in order. */
void entry_codex_hash(const char *event, struct span command, int timeout, char ret[DIGEST_SHA256_HEX]) {
    AUTO(buf) struct buf name = BUF_INIT(256);
    AUTO(buf) struct buf text = BUF_INIT(8 * (size_t)ENTRY_COMMAND_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    entry_codex_event(&name, event);
    jwrite_object(&w);
    jwrite_kstr(&w, "event_name", buf_span(&name));
    jwrite_key(&w, "hooks");
    jwrite_array(&w);
    jwrite_object(&w);
    jwrite_kbool(&w, "async", false);
    jwrite_kstr(&w, "command", command);
    jwrite_ki64(&w, "timeout", timeout);
    jwrite_kcstr(&w, "type", "command");
    jwrite_object_end(&w);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    digest_sha256(buf_span(&text), ret);
}
