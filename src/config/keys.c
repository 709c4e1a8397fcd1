#include "config/keys.h"

#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/str.h"
#include "base/utf8.h"
#include "crypto/password.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

enum { TEXT_BYTES_MAX = 4096, SHOWN_UNITS = 60 };

#define DENSITY_NAME(c, s) s,
static const char *const densities[] = {CONFIG_DENSITY_MAP(DENSITY_NAME)};

const char *config_density_to_str(enum config_density v) {
    return densities[v];
}

bool config_density_from_str(struct span s, enum config_density *ret) {
    for (size_t i = 0; i < ARRAY_LEN(densities); i++) {
        if (!span_eq_str(s, densities[i])) continue;
        *ret = (enum config_density)i;
        return true;
    }
    return false;
}

#define AT(field) offsetof(struct config, field)
const struct key keys[] = {
    {"port", KEY_NUMBER, 1, UINT16_MAX, true, AT(port), "3333", "the board's port"},
    {"host", KEY_TEXT, .at = AT(host), .initial = "null",
     .about = "the address to listen on; null is this machine only"},
    {"hookDensity", KEY_DENSITY, .at = AT(density), .initial = "\"medium\"",
     .about = "how many events the agents report: high, medium or low"},
    {"debug", KEY_FLAG, .at = AT(debug), .initial = "false", .about = "log more"},
    {"processCheckInterval", KEY_NUMBER, 100, 3600000, false, AT(process_check_ms), "15000",
     "milliseconds between two looks at processes that cannot be watched"},
    {"sessionHistoryHours", KEY_NUMBER, 0, 87600, false, AT(history_hours), "0",
     "hours that ended sessions stay on the board; 0 is until they are closed"},
    {"enabledClis", KEY_CLIS, .at = AT(clis), .initial = "[\"claude\"]", .about = "the CLIs that get hooks"},
    {"passwordHash", KEY_HASH, .at = AT(password_hash), .initial = "null",
     .about = "the board's password: ostler password set"},
    {"maxTerminals", KEY_NUMBER, 1, 10000, false, AT(max_terminals), "100",
     "how many terminals may be open at once"},
    {"restAfterMinutes", KEY_NUMBER, 0, 525600, false, AT(rest_minutes), "60",
     "minutes after which a shell rests in which nothing runs and that nobody looks at; 0 is never"},
    {"awayAfterMinutes", KEY_NUMBER, 0, 10080, false, AT(away_minutes), "0",
     "minutes without a key in any terminal after which you are taken to be away; 0 is never"},
    {"shellEnvironmentSeconds", KEY_NUMBER, 0, 120, false, AT(shell_seconds), "10",
     "seconds that your shell has to tell its environment, for the board's terminals; 0 does not ask it"},
    {"trustedProxies", KEY_TEXTS, .at = AT(trusted_proxies), .initial = "[]",
     .about = "addresses of proxies whose X-Forwarded headers are believed"},
    {"serverNames", KEY_TEXTS, .at = AT(server_names), .initial = "[]",
     .about = "names, besides localhost, that the board is reached by"},
    {"tlsCert", KEY_TEXT, .at = AT(tls_cert), .initial = "null",
     .about = "the certificate's file, for https"},
    {"tlsKey", KEY_TEXT, .at = AT(tls_key), .initial = "null", .about = "its key's file"},
    {"notify.command", KEY_COMMAND, .at = AT(notify_command), .initial = "[]",
     .about = "a command that is run when an agent needs you, with the news as JSON on its standard input"},
    {"notifyDelay", KEY_NUMBER, 0, 600000, false, AT(notify_delay_ms), "1500",
     "milliseconds that something must have waited for you before you are notified"},
    {"pushContact", KEY_TEXT, .at = AT(push_contact), .initial = "null",
     .about = "where push services can reach you: a mailto: or https: address"},
    {"pushNetworks", KEY_TEXTS, .at = AT(push_networks), .initial = "[]",
     .about = "private networks that push services may be in"},
};
const size_t keys_count = ARRAY_LEN(keys);

const char *config_key_name(size_t i) {
    return i < keys_count ? keys[i].name : NULL;
}

const struct key *key_find(struct span name) {
    for (size_t i = 0; i < keys_count; i++)
        if (span_eq_str(name, keys[i].name)) return &keys[i];
    return NULL;
}

/* What a key takes, and what it was given; a password's hash is nobody's business. */
static int refuse(const struct key *key, struct span given, const char *takes, struct err *err) {
    if (key->kind == KEY_HASH) return err_set(err, -EINVAL, "%s takes %s", key->name, takes);
    struct span shown = utf8_cut_units(given, SHOWN_UNITS);
    return err_set(err, -EINVAL, "%s takes %s, not %.*s%s", key->name, takes, SPAN_ARG(shown),
                   given.n > shown.n ? "…" : "");
}

static int read_number(const struct key *key, struct span json, void *slot, struct err *err) {
    int64_t n;
    if (jscan_i64(json, &n) && n >= key->min && n <= key->max) {
        if (key->is_short)
            *(uint16_t *)slot = (uint16_t)n;
        else
            *(unsigned *)slot = (unsigned)n;
        return 0;
    }
    char takes[64];
    (void)snprintf(takes, sizeof takes, "a whole number from %u to %u", key->min, key->max);
    return refuse(key, json, takes, err);
}

/* A string that can be an address, a name or a path. */
static bool read_text(struct span json, struct arena *arena, struct span *ret) {
    if (jscan_kind(json) != JKIND_STRING || jscan_string(json, arena, ret) < 0) return false;
    for (size_t i = 0; i < ret->n; i++)
        if ((unsigned char)ret->p[i] < ' ' || ret->p[i] == 0x7f) return false;
    return ret->n > 0 && ret->n < TEXT_BYTES_MAX;
}

static int read_one_text(const struct key *key, struct span json, char **slot, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(2 * TEXT_BYTES_MAX);
    struct span text = SPAN_NONE;
    bool hash = key->kind == KEY_HASH;
    if (jscan_kind(json) != JKIND_NULL &&
        (!read_text(json, &arena, &text) || (hash && !password_is_hash(text))))
        return refuse(key, json, hash ? "what ostler password set writes, or null" : "some text or null",
                      err);
    (void)str_set(slot, text);
    return 0;
}

static int read_texts(const struct key *key, struct span json, char ***slot, struct err *err) {
    AUTO(strv) char **all = NULL;
    AUTO(arena) struct arena arena = ARENA_INIT(2 * TEXT_BYTES_MAX);
    struct jedit_child child = {0};
    bool ok = jscan_kind(json) == JKIND_ARRAY;
    while (ok && jedit_next(json, &child)) {
        struct span text;
        arena_reset(&arena);
        ok = read_text(child.value, &arena, &text);
        if (ok) strv_push(&all, text);
    }
    if (!ok) return refuse(key, json, "a list of texts", err);
    strv_free(*slot);
    *slot = TAKE(all);
    return 0;
}

/* The words of a command line: quotes hold them together, a backslash takes the next character as it is. */
static bool split_words(struct span line, struct jwrite *w) {
    AUTO(buf) struct buf word = BUF_INIT(TEXT_BYTES_MAX);
    char quote = '\0';
    bool begun = false;
    jwrite_array(w);
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        bool blank = !quote && (c == ' ' || c == '\t');
        if (blank && begun) jwrite_str(w, buf_span(&word));
        if (blank) {
            buf_clear(&word);
            begun = false;
        } else if (c == quote && quote) {
            quote = '\0';
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
            begun = true;
        } else {
            if (c == '\\' && quote != '\'' && i + 1 < line.n) c = line.p[++i];
            (void)buf_append_char(&word, c);
            begun = true;
        }
    }
    if (begun) jwrite_str(w, buf_span(&word));
    jwrite_array_end(w);
    return !quote && !word.failed;
}

/* A list of words, or a command line that is split into them. No shell ever sees it. */
static int read_command(const struct key *key, struct span json, char ***slot, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(2 * TEXT_BYTES_MAX);
    AUTO(buf) struct buf words = BUF_INIT(8 * TEXT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&words);
    struct span line;
    if (jscan_kind(json) != JKIND_STRING) return read_texts(key, json, slot, err);
    if (!read_text(json, &arena, &line) || !split_words(line, &w))
        return refuse(key, json, "a list of words, or a command line", err);
    return read_texts(key, buf_span(&words), slot, err);
}

/* "claude, gemini or codex" */
static void name_clis(char *ret, size_t room) {
    size_t n = 0;
    for (enum cli cli = 0; cli < CLI_N_ && n < room; cli++)
        n += (size_t)snprintf(ret + n, room - n, "%s%s",
                              cli == 0            ? ""
                              : cli + 1 == CLI_N_ ? " or "
                                                  : ", ",
                              cli_to_str(cli));
}

static int read_clis(const struct key *key, struct span json, unsigned *slot, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    struct jedit_child child = {0};
    unsigned bits = 0;
    bool ok = jscan_kind(json) == JKIND_ARRAY;
    while (ok && jedit_next(json, &child)) {
        struct span name;
        enum cli cli;
        arena_reset(&arena);
        ok = read_text(child.value, &arena, &name) && cli_from_str(name, &cli);
        if (ok) bits |= 1U << cli;
    }
    if (ok) {
        *slot = bits;
        return 0;
    }
    char names[128], takes[160];
    name_clis(names, sizeof names);
    (void)snprintf(takes, sizeof takes, "a list of %s", names);
    return refuse(key, json, takes, err);
}

static int read_density(const struct key *key, struct span json, enum config_density *slot, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    struct span name;
    if (read_text(json, &arena, &name) && config_density_from_str(name, slot)) return 0;
    return refuse(key, json, "\"high\", \"medium\" or \"low\"", err);
}

int key_read(const struct key *key, struct span json, struct config *ret, struct err *err) {
    void *slot = (char *)ret + key->at;
    switch (key->kind) {
    case KEY_NUMBER: return read_number(key, json, slot, err);
    case KEY_FLAG: return jscan_bool(json, slot) ? 0 : refuse(key, json, "true or false", err);
    case KEY_DENSITY: return read_density(key, json, slot, err);
    case KEY_TEXT:
    case KEY_HASH: return read_one_text(key, json, slot, err);
    case KEY_TEXTS: return read_texts(key, json, slot, err);
    case KEY_COMMAND: return read_command(key, json, slot, err);
    case KEY_CLIS: return read_clis(key, json, slot, err);
    }
    return -EINVAL;
}

/* As somebody types it */

static bool is_one_of(struct span word, const char *const *words) {
    while (*words && !span_ieq(word, span_str(*words)))
        words++;
    return *words;
}

static void put_words(struct span text, struct jwrite *w) {
    jwrite_array(w);
    while (text.n) {
        struct span word = span_trim(span_split(&text, ','));
        if (word.n) jwrite_str(w, word);
    }
    jwrite_array_end(w);
}

static void put_flag(struct span text, struct jwrite *w) {
    static const char *const yes[] = {"on", "yes", "true", NULL}, *const no[] = {"off", "no", "false", NULL};
    if (is_one_of(text, yes))
        jwrite_bool(w, true);
    else if (is_one_of(text, no))
        jwrite_bool(w, false);
    else
        jwrite_str(w, text);
}

int key_from_text(const struct key *key, struct span text, struct buf *ret_json, struct err *err) {
    struct config probe = {0};
    text = span_trim(text);
    bool is_json = jvalid(text, JEDIT_DEPTH_MAX) == 0;
    if (is_json && key_read(key, text, &probe, NULL) == 0) {
        config_fini(&probe);
        return buf_append_span(ret_json, text);
    }
    struct jwrite w = JWRITE_INIT(ret_json);
    if (key->kind == KEY_TEXTS || key->kind == KEY_CLIS)
        is_json &&strchr("[{", text.p[0]) ? jwrite_raw(&w, text) : put_words(text, &w);
    else if (key->kind == KEY_FLAG)
        put_flag(text, &w);
    else
        jwrite_str(&w, text);
    int r = key_read(key, buf_span(ret_json), &probe, err);
    if (r < 0 && key->kind == KEY_NUMBER && is_json) r = key_read(key, text, &probe, err);
    config_fini(&probe);
    return r < 0 ? r : ret_json->failed ? err_set(err, -ENOBUFS, "%s is too long", key->name) : 0;
}
