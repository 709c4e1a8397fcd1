#include "wire/terminal_request.h"

#include "base/jscan.h"
#include "base/utf8.h"

#include <errno.h>

enum { DEPTH_MAX = 8 };

/* The body's members. Those that only a remote terminal needs are checked all the same. */
enum member {
    M_HOST,
    M_PORT,
    M_USERNAME,
    M_PASSWORD,
    M_KEY_PATH,
    M_AUTH_METHOD,
    M_DIRECTORY,
    M_COMMAND,
    M_API_KEY,
    M_TMUX_SESSION,
    M_USE_TMUX,
    M_TITLE,
    M_LABEL,
    M_ARGV,
    M_COLS,
    M_ROWS,
    M_ENV,
    M_ENVIRONMENT,
    M_MODEL,
    M_EFFORT,
    M_N_
};

static bool is_set(struct span raw) {
    enum jkind kind = jscan_kind(raw);
    return kind != JKIND_NONE && kind != JKIND_NULL;
}

static bool has_metacharacter(struct span s) {
    static const char meta[] = ";|&$`\\!><()\n\r{}[]";
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\0' || strchr(meta, s.p[i])) return true;
    return false;
}

static bool is_plain_name(struct span s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c != '_' && c != '.' && c != '-') return false;
    }
    return true;
}

/* A string of at most `max` UTF-16 units; an absent one is empty. */
static int read_text(const struct jmember *m, size_t max, struct arena *arena, struct span *ret,
                     struct err *err) {
    struct span text = SPAN_NONE;
    if (is_set(m->value) &&
        (jscan_kind(m->value) != JKIND_STRING || jscan_string(m->value, arena, &text) < 0))
        return err_set(err, -EINVAL, "%.*s must be a string", SPAN_ARG(m->name));
    if (utf8_cut_units(text, max).n < text.n)
        return err_set(err, -EINVAL, "%.*s is too long (max %zu chars)", SPAN_ARG(m->name), max);
    if (text.n && memchr(text.p, '\0', text.n))
        return err_set(err, -EINVAL, "%.*s must not contain NUL", SPAN_ARG(m->name));
    *ret = text;
    return 0;
}

/* One that might meet a shell. */
static int read_safe(const struct jmember *m, size_t max, struct arena *arena, struct span *ret,
                     struct err *err) {
    struct span text = SPAN_NONE;
    int r = read_text(m, max, arena, &text, err);
    if (r < 0) return r;
    if (has_metacharacter(text))
        return err_set(
            err, -EINVAL,
            "%.*s contains invalid characters: none of ; | & $ ` \\ ! > < ( ) { } [ ] and line ends",
            SPAN_ARG(m->name));
    *ret = text;
    return 0;
}

static int read_name(const struct jmember *m, struct arena *arena, struct span *ret, struct err *err) {
    struct span name = SPAN_NONE;
    int r = read_text(m, TERMINAL_REQUEST_NAME_MAX, arena, &name, err);
    if (r == 0 && !is_plain_name(name))
        r = err_set(err, -EINVAL, "%.*s contains invalid characters: only letters, digits, _ . and -",
                    SPAN_ARG(m->name));
    if (r == 0) *ret = name;
    return r;
}

static int read_number(const struct jmember *m, int64_t min, int64_t max, unsigned *ret, struct err *err) {
    int64_t v;
    if (!is_set(m->value)) return 0;
    if (!jscan_i64(m->value, &v) || v < min || v > max)
        return err_set(err, -EINVAL, "%.*s must be an integer between %lld and %lld", SPAN_ARG(m->name),
                       (long long)min, (long long)max);
    *ret = (unsigned)v;
    return 0;
}

static bool is_local(struct span host) {
    return !host.n || span_eq(host, SPAN("localhost")) || span_eq(host, SPAN("127.0.0.1")) ||
           span_eq(host, SPAN("::1"));
}

/* Where it is to run. */
static int read_place(const struct jmember *m, struct arena *arena, struct err *err) {
    struct span host = SPAN_NONE, ignored;
    unsigned port = 0;
    bool tmux = false;
    int r = read_safe(&m[M_HOST], TERMINAL_REQUEST_HOST_MAX, arena, &host, err);
    if (r == 0) r = read_number(&m[M_PORT], 1, 65535, &port, err);
    if (r == 0) r = read_name(&m[M_USERNAME], arena, &ignored, err);
    if (r == 0) r = read_text(&m[M_PASSWORD], TERMINAL_REQUEST_KEY_MAX, arena, &ignored, err);
    if (r == 0) r = read_safe(&m[M_KEY_PATH], TERMINAL_REQUEST_DIR_MAX, arena, &ignored, err);
    if (r == 0) r = read_name(&m[M_AUTH_METHOD], arena, &ignored, err);
    struct span session = SPAN_NONE;
    if (r == 0) r = read_name(&m[M_TMUX_SESSION], arena, &session, err);
    if (r < 0) return r;
    if (is_set(m[M_USE_TMUX].value) && !jscan_bool(m[M_USE_TMUX].value, &tmux))
        return err_set(err, -EINVAL, "useTmux must be true or false");
    if (!is_local(host))
        return err_set(err, -ENOTSUP, "terminals on other hosts come later: %.*s is not this machine",
                       SPAN_ARG(host));
    if (session.n || tmux)
        return err_set(err, -ENOTSUP, "tmux is not spoken yet: a terminal here needs none to survive");
    return 0;
}

/* NULL-terminated; `room` words and `most` bytes at most. */
struct words {
    const char **v;
    size_t n, bytes;
    size_t room, most;
};

static int words_push(struct words *w, struct arena *arena, struct span text) {
    if (w->n == w->room || (w->bytes += text.n) > w->most) return -ENOBUFS;
    if (!w->v) w->v = arena_alloc(arena, (w->room + 1) * sizeof *w->v);
    const char *copy = w->v ? arena_strndup(arena, text.n ? text.p : "", text.n) : NULL;
    if (!copy) return -ENOBUFS;
    w->v[w->n++] = copy;
    w->v[w->n] = NULL;
    return 0;
}

static int read_argv(struct span raw, struct arena *arena, struct terminal_request *ret, struct err *err) {
    struct words words = {.room = TERMINAL_REQUEST_WORDS_MAX, .most = TERMINAL_REQUEST_BYTES_MAX};
    struct span rest = raw, item, text;
    int r;
    if (jscan_kind(raw) != JKIND_ARRAY) return err_set(err, -EINVAL, "argv must be a list of strings");
    while ((r = jscan_array_next(&rest, &item)) == 1) {
        if (jscan_kind(item) != JKIND_STRING || jscan_string(item, arena, &text) < 0 ||
            (text.n && memchr(text.p, '\0', text.n)))
            return err_set(err, -EINVAL, "argv must be a list of strings without NUL");
        if (words_push(&words, arena, text) < 0)
            return err_set(err, -EINVAL, "argv is too long (max %d words, %d bytes)",
                           TERMINAL_REQUEST_WORDS_MAX, TERMINAL_REQUEST_BYTES_MAX);
    }
    if (r < 0 || words.n == 0 || words.v[0][0] == '\0')
        return err_set(err, -EINVAL, "argv must begin with a program");
    ret->words = words.v;
    return 0;
}

/* The words in a line, for people. */
static struct span join(const char *const *words, struct arena *arena) {
    struct span line = SPAN_NONE;
    for (size_t i = 0; words[i] && line.n <= TERMINAL_REQUEST_COMMAND_MAX; i++)
        line = arena_printf(arena, "%.*s%s%s", SPAN_ARG(line), i ? " " : "", words[i]);
    return utf8_cut_units(line, TERMINAL_REQUEST_COMMAND_MAX);
}

static bool is_variable(struct span name) {
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i && c >= '0' && c <= '9')) return false;
    }
    return name.n > 0;
}

/* What tells our own hooks which terminal an agent is in cannot be had for the asking. */
static bool is_reserved(struct span name) {
    return span_starts(name, SPAN("OSTLER_")) || span_starts(name, SPAN("AGENT_MANAGER_"));
}

/* What a name must not be: an addition has one that a shell could set and that is not ours, a whole environment any. */
static bool is_refused(struct span name, bool whole) {
    if (whole) return !name.n || memchr(name.p, '=', name.n) || memchr(name.p, '\0', name.n);
    return !is_variable(name) || is_reserved(name);
}

static int read_env(const struct jmember *m, bool whole, struct arena *arena, const char ***ret,
                    struct err *err) {
    struct words env = {.room = TERMINAL_REQUEST_ENV_MAX, .most = TERMINAL_REQUEST_BYTES_MAX};
    if (whole)
        env = (struct words){.room = TERMINAL_REQUEST_ENVIRONMENT_MAX,
                             .most = TERMINAL_REQUEST_ENVIRONMENT_BYTES_MAX};
    struct span rest = m->value, key, value, name, text;
    int r;
    if (jscan_kind(m->value) != JKIND_OBJECT)
        return err_set(err, -EINVAL, "%.*s must be an object of strings", SPAN_ARG(m->name));
    while ((r = jscan_member_next(&rest, &key, &value)) == 1) {
        if (jscan_string(key, arena, &name) < 0 || is_refused(name, whole))
            return err_set(err, -EINVAL, "%.*s: %.*s is no name for a variable here", SPAN_ARG(m->name),
                           (int)MIN(key.n, (size_t)64), key.p);
        if (jscan_kind(value) != JKIND_STRING || jscan_string(value, arena, &text) < 0 ||
            (text.n && memchr(text.p, '\0', text.n)))
            return err_set(err, -EINVAL, "%.*s.%.*s must be a string without NUL", SPAN_ARG(m->name),
                           (int)MIN(name.n, (size_t)64), name.p);
        struct span pair = arena_printf(arena, "%.*s=%.*s", SPAN_ARG(name), SPAN_ARG(text));
        if (!pair.n || words_push(&env, arena, pair) < 0)
            return err_set(err, -EINVAL, "%.*s is too long (max %zu variables, %zu bytes)", SPAN_ARG(m->name),
                           env.room, env.most);
    }
    if (r < 0) return err_set(err, -EINVAL, "%.*s must be an object of strings", SPAN_ARG(m->name));
    *ret = env.v;
    return 0;
}

static int read_program(const struct jmember *m, struct arena *arena, struct terminal_request *ret,
                        struct err *err) {
    int r = 0;
    if (is_set(m[M_ARGV].value)) {
        if (is_set(m[M_COMMAND].value)) return err_set(err, -EINVAL, "command or argv, not both");
        r = read_argv(m[M_ARGV].value, arena, ret, err);
        if (r == 0 && ret->words) ret->command = join(ret->words, arena);
    } else if (is_set(m[M_COMMAND].value)) {
        r = read_safe(&m[M_COMMAND], TERMINAL_REQUEST_COMMAND_MAX, arena, &ret->command, err);
        ret->command = span_trim(ret->command);
    } else {
        ret->command = SPAN("claude");
    }
    if (r == 0 && is_set(m[M_ENV].value)) r = read_env(&m[M_ENV], false, arena, &ret->env, err);
    if (r == 0 && is_set(m[M_ENVIRONMENT].value))
        r = read_env(&m[M_ENVIRONMENT], true, arena, &ret->environment, err);
    return r;
}

/* What cannot be in a command's environment or on a card. */
static bool has_control(struct span s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f) return true;
    return false;
}

static int read_words(const struct jmember *m, struct arena *arena, struct terminal_request *ret,
                      struct err *err) {
    int r = read_text(&m[M_API_KEY], TERMINAL_REQUEST_KEY_MAX, arena, &ret->api_key, err);
    if (r == 0) r = read_text(&m[M_TITLE], TERMINAL_REQUEST_TITLE_MAX, arena, &ret->title, err);
    if (r == 0) r = read_text(&m[M_LABEL], TERMINAL_REQUEST_NAME_MAX, arena, &ret->label, err);
    if (r == 0) r = read_text(&m[M_MODEL], TERMINAL_REQUEST_NAME_MAX, arena, &ret->model, err);
    if (r == 0) r = read_text(&m[M_EFFORT], TERMINAL_REQUEST_NAME_MAX, arena, &ret->effort, err);
    if (r < 0) return r;
    const struct {
        enum member member;
        struct span text;
    } texts[] = {{M_API_KEY, ret->api_key}, {M_TITLE, ret->title}, {M_LABEL, ret->label}};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (has_control(texts[i].text))
            return err_set(err, -EINVAL, "%.*s must not contain control characters",
                           SPAN_ARG(m[texts[i].member].name));
    return 0;
}

int terminal_request_parse(struct span body, struct arena *arena, struct terminal_request *ret,
                           struct err *err) {
    struct jmember m[M_N_] = {
        [M_HOST] = JMEMBER("host"),
        [M_PORT] = JMEMBER("port"),
        [M_USERNAME] = JMEMBER("username"),
        [M_PASSWORD] = JMEMBER("password"),
        [M_KEY_PATH] = JMEMBER("privateKeyPath"),
        [M_AUTH_METHOD] = JMEMBER("authMethod"),
        [M_DIRECTORY] = JMEMBER("workingDir"),
        [M_COMMAND] = JMEMBER("command"),
        [M_API_KEY] = JMEMBER("apiKey"),
        [M_TMUX_SESSION] = JMEMBER("tmuxSession"),
        [M_USE_TMUX] = JMEMBER("useTmux"),
        [M_TITLE] = JMEMBER("sessionTitle"),
        [M_LABEL] = JMEMBER("label"),
        [M_ARGV] = JMEMBER("argv"),
        [M_COLS] = JMEMBER("cols"),
        [M_ROWS] = JMEMBER("rows"),
        [M_ENV] = JMEMBER("env"),
        [M_ENVIRONMENT] = JMEMBER("environment"),
        [M_MODEL] = JMEMBER("model"),
        [M_EFFORT] = JMEMBER("effortLevel"),
    };
    body = span_trim(body);
    if (body.n == 0) body = SPAN("{}");
    if (jvalid(body, DEPTH_MAX) < 0 || jscan_kind(body) != JKIND_OBJECT || jscan_object(body, m, M_N_) < 0)
        return err_set(err, -EINVAL, "the body must be a JSON object");
    struct terminal_request req = {0};
    struct span directory = SPAN_NONE;
    int r = read_safe(&m[M_DIRECTORY], TERMINAL_REQUEST_DIR_MAX, arena, &directory, err);
    if (r == 0) r = read_program(m, arena, &req, err);
    if (r == 0) r = read_words(m, arena, &req, err);
    if (r == 0) r = read_number(&m[M_COLS], 2, TERMINAL_REQUEST_COLS_MAX, &req.cols, err);
    if (r == 0) r = read_number(&m[M_ROWS], 1, TERMINAL_REQUEST_ROWS_MAX, &req.rows, err);
    if (r == 0) r = read_place(m, arena, err);
    if (r < 0) return r;
    req.directory = directory.n ? arena_strndup(arena, directory.p, directory.n) : "~";
    if (!req.directory) return err_set(err, -EINVAL, "the request is too long");
    *ret = req;
    return 0;
}

int terminal_request_split(struct span line, struct arena *arena, const char ***ret, struct err *err) {
    struct words words = {.room = TERMINAL_REQUEST_WORDS_MAX, .most = TERMINAL_REQUEST_BYTES_MAX};
    char *text = arena_alloc(arena, line.n + 1);
    if (!text) return err_set(err, -EINVAL, "the command is too long");
    for (size_t i = 0; i < line.n;) {
        size_t n = 0;
        char quote = '\0';
        if (line.p[i] == ' ' || line.p[i] == '\t') {
            i++;
            continue;
        }
        for (; i < line.n && (quote || (line.p[i] != ' ' && line.p[i] != '\t')); i++) {
            char c = line.p[i];
            if (quote ? c == quote : c == '\'' || c == '"')
                quote = quote ? '\0' : c;
            else
                text[n++] = c;
        }
        if (quote) return err_set(err, -EINVAL, "command has a quote that does not end");
        if (words_push(&words, arena, span_of(text, n)) < 0)
            return err_set(err, -EINVAL, "the command is too long");
    }
    *ret = words.v;
    return 0;
}
