/* The body of POST /api/terminals: what is taken, and what is refused in which words. */
#include "wire/terminal_request.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

struct parsed {
    struct arena arena;
    struct terminal_request req;
    struct err err;
    int r;
};

static struct parsed parse(struct span body) {
    struct parsed p = {.arena = ARENA_INIT(1 << 20)};
    p.r = terminal_request_parse(body, &p.arena, &p.req, &p.err);
    return p;
}

#define PARSED(name, body) struct parsed name __attribute__((cleanup(fini))) = parse(body)

static void fini(struct parsed *p) {
    arena_fini(&p->arena);
}

TEST(everything_has_a_default) {
    const struct span bodies[] = {SPAN("{}"), SPAN(""), SPAN(" \n"),
                                  SPAN("{\"command\":null,\"workingDir\":null}")};
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
        PARSED(p, bodies[i]);
        CHECK_INT(p.r, 0);
        CHECK_STR(p.req.directory, "~");
        CHECK_SPAN(p.req.command, "claude");
        CHECK(!p.req.words && !p.req.env && !p.req.cols && !p.req.api_key.n);
    }
}

TEST(the_seeds_fields) {
    PARSED(
        p,
        SPAN(
            "{\"host\":\"localhost\",\"port\":22,\"username\":\"me\",\"password\":\"x\",\"authMethod\":\"key\","
            "\"privateKeyPath\":\"~/.ssh/id\",\"workingDir\":\"~/src/über\",\"command\":\" claude --model opus \","
            "\"apiKey\":\"sk-1\",\"useTmux\":false,\"tmuxSession\":\"\",\"sessionTitle\":\"T\",\"label\":\"L\","
            "\"cols\":100,\"rows\":30,\"env\":{\"A\":\"1\",\"_b2\":\"x=y\"}}"));
    CHECK_INT(p.r, 0);
    CHECK_STR(p.req.directory, "~/src/über");
    CHECK_SPAN(p.req.command, "claude --model opus");
    CHECK_SPAN(p.req.api_key, "sk-1");
    CHECK_SPAN(p.req.title, "T");
    CHECK_SPAN(p.req.label, "L");
    CHECK_INT(p.req.cols, 100);
    CHECK_INT(p.req.rows, 30);
    CHECK_STR(p.req.env[0], "A=1");
    CHECK_STR(p.req.env[1], "_b2=x=y");
    CHECK(p.req.env[2] == NULL);
}

TEST(words_are_executed_as_they_are) {
    PARSED(p, SPAN("{\"argv\":[\"printf\",\"%s\",\"a b; $(c)\\n\",\"\"]}"));
    CHECK_INT(p.r, 0);
    CHECK_STR(p.req.words[2], "a b; $(c)\n");
    CHECK_STR(p.req.words[3], "");
    CHECK(p.req.words[4] == NULL);
    CHECK_SPAN(p.req.command, "printf %s a b; $(c)\n ");
}

TEST(an_empty_command_is_a_shell) {
    PARSED(p, SPAN("{\"command\":\"\"}"));
    CHECK_INT(p.r, 0);
    CHECK_INT(p.req.command.n, 0);
}

static void refused(const char *field, const char *value, int code, const char *words) {
    char body[4096];
    (void)snprintf(body, sizeof body, "{\"%s\":%s}", field, value);
    PARSED(p, span_str(body));
    if (p.r != code) fail_msg("%s gives %d", body, p.r);
    if (!strstr(p.err.msg, words)) fail_msg("%s: %s", body, p.err.msg);
}

static char *quoted(size_t n) {
    char *text = malloc(n + 3);
    memset(text, 'a', n + 2);
    text[0] = text[n + 1] = '"';
    text[n + 2] = '\0';
    return text;
}

TEST(no_metacharacter_in_any_field) {
    static const char *const fields[] = {"workingDir", "command", "host"};
    static const char meta[] = ";|&$`!><(){}[]";
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        for (const char *c = meta; *c; c++) {
            char value[16];
            (void)snprintf(value, sizeof value, "\"a%cb\"", *c);
            refused(fields[i], value, -EINVAL, "contains invalid characters");
        }
        refused(fields[i], "\"a\\\\b\"", -EINVAL, "contains invalid characters");
        refused(fields[i], "\"a\\nb\"", -EINVAL, "contains invalid characters");
        refused(fields[i], "\"a\\rb\"", -EINVAL, "contains invalid characters");
        refused(fields[i], "\"a\\u0000b\"", -EINVAL, "NUL");
        refused(fields[i], "7", -EINVAL, "must be a string");
        refused(fields[i], "[\"a\"]", -EINVAL, "must be a string");
    }
    refused("username", "\"a b\"", -EINVAL, "username contains invalid characters");
    refused("tmuxSession", "\"a/b\"", -EINVAL, "tmuxSession contains invalid characters");
}

TEST(lengths_and_ranges) {
    const struct {
        const char *field;
        size_t max;
    } lengths[] = {{"workingDir", 1024}, {"command", 512},      {"tmuxSession", 128}, {"host", 255},
                   {"username", 128},    {"sessionTitle", 500}, {"label", 128},       {"apiKey", 1024}};
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        AUTO(free) char *over = quoted(lengths[i].max + 1);
        refused(lengths[i].field, over, -EINVAL, "is too long");
    }
    AUTO(free) char *fits = quoted(1024);
    char body[2048];
    (void)snprintf(body, sizeof body, "{\"workingDir\":%s}", fits);
    PARSED(p, span_str(body));
    CHECK_INT(p.r, 0);
    static const char *const ports[] = {"0", "65536", "-1", "22.5", "\"22\""};
    for (size_t i = 0; i < ARRAY_LEN(ports); i++)
        refused("port", ports[i], -EINVAL, "port must be an integer between 1 and 65535");
    refused("cols", "1", -EINVAL, "cols must be an integer between 2 and 1000");
    refused("rows", "501", -EINVAL, "rows must be");
}

TEST(what_comes_later_says_so) {
    refused("host", "\"build.example\"", -ENOTSUP, "build.example is not this machine");
    refused("useTmux", "true", -ENOTSUP, "tmux");
    refused("tmuxSession", "\"main\"", -ENOTSUP, "tmux");
    refused("useTmux", "\"yes\"", -EINVAL, "useTmux must be true or false");
    static const char *const local[] = {"\"127.0.0.1\"", "\"::1\"", "\"localhost\"", "\"\"", "null"};
    for (size_t i = 0; i < ARRAY_LEN(local); i++) {
        char body[64];
        (void)snprintf(body, sizeof body, "{\"host\":%s}", local[i]);
        PARSED(p, span_str(body));
        CHECK_INT(p.r, 0);
    }
}

TEST(argv_and_env_are_checked) {
    refused("argv", "[]", -EINVAL, "argv must begin with a program");
    refused("argv", "[\"\"]", -EINVAL, "argv must begin with a program");
    refused("argv", "\"ls\"", -EINVAL, "argv must be a list");
    refused("argv", "[1]", -EINVAL, "argv must be a list of strings");
    refused("argv", "[\"a\\u0000\"]", -EINVAL, "without NUL");
    refused("env", "[]", -EINVAL, "env must be an object");
    refused("env", "{\"1A\":\"x\"}", -EINVAL, "no name for a variable");
    refused("env", "{\"A=B\":\"x\"}", -EINVAL, "no name for a variable");
    refused("env", "{\"OSTLER_HOSTED\":\"1\"}", -EINVAL, "no name for a variable here");
    refused("env", "{\"AGENT_MANAGER_TERMINAL_ID\":\"t\"}", -EINVAL, "no name for a variable here");
    refused("env", "{\"A\":1}", -EINVAL, "env.A must be a string");
    refused("apiKey", "\"a\\u001bb\"", -EINVAL, "control characters");
    refused("label", "\"a\\u0007\"", -EINVAL, "control characters");
    PARSED(p, SPAN("{\"argv\":[\"ls\"],\"command\":\"ls\"}"));
    CHECK_INT(p.r, -EINVAL);
    PARSED(no, SPAN("[]"));
    CHECK_INT(no.r, -EINVAL);
    PARSED(bad, SPAN("{\"command\":"));
    CHECK_INT(bad.r, -EINVAL);
    CHECK_STR(bad.err.msg, "the body must be a JSON object");
}

TEST(a_whole_environment_may_have_any_names) {
    PARSED(
        p,
        SPAN(
            "{\"environment\":{\"BASH_FUNC_x%%\":\"() { :; }\",\"OSTLER_HOSTED\":\"7\",\"1A\":\"\"},\"model\":\"opus\","
            "\"effortLevel\":\"high\"}"));
    CHECK_INT(p.r, 0);
    CHECK_STR(p.req.environment[0], "BASH_FUNC_x%%=() { :; }");
    CHECK_STR(p.req.environment[1], "OSTLER_HOSTED=7"); /* whoever starts the program leaves it out */
    CHECK_STR(p.req.environment[2], "1A=");
    CHECK(!p.req.environment[3] && !p.req.env);
    CHECK_SPAN(p.req.model, "opus");
    CHECK_SPAN(p.req.effort, "high");
    refused("environment", "7", -EINVAL, "environment must be an object of strings");
    refused("environment", "{\"\":\"x\"}", -EINVAL, "no name for a variable");
    refused("environment", "{\"A=B\":\"x\"}", -EINVAL, "no name for a variable");
    refused("environment", "{\"A\":null}", -EINVAL, "environment.A must be a string");
    refused("model", "7", -EINVAL, "model must be a string");
    refused("effortLevel", "[]", -EINVAL, "effortLevel must be a string");
}

/* More than an addition may have, and no more than a program can be given. */
TEST(a_whole_environment_may_be_large) {
    enum { VARIABLES = 20, BYTES = 100000 };
    AUTO(buf) struct buf body = BUF_INIT(8 << 20);
    for (int n = VARIABLES; n <= VARIABLES + 2; n += 2) {
        buf_clear(&body);
        (void)buf_printf(&body, "{\"environment\":{");
        for (int i = 0; i < n; i++) {
            (void)buf_printf(&body, "%s\"V%d\":\"", i ? "," : "", i);
            memset(buf_reserve(&body, BYTES), 'x', BYTES);
            buf_grew(&body, BYTES);
            (void)buf_printf(&body, "\"");
        }
        (void)buf_printf(&body, "}}");
        struct parsed p = {.arena = ARENA_INIT(64 << 20)};
        p.r = terminal_request_parse(buf_span(&body), &p.arena, &p.req, &p.err);
        CHECK_INT(p.r, n == VARIABLES ? 0 : -EINVAL);
        if (p.r < 0) CHECK_STR(p.err.msg, "environment is too long (max 8192 variables, 2097152 bytes)");
        fini(&p);
    }
}

TEST(words_of_a_line) {
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 16);
    const char **words;
    struct err err;
    CHECK_INT(
        terminal_request_split(SPAN("  claude  --append 'be \"kind\"' \"\"x\ty "), &arena, &words, &err), 0);
    CHECK_STR(words[0], "claude");
    CHECK_STR(words[1], "--append");
    CHECK_STR(words[2], "be \"kind\"");
    CHECK_STR(words[3], "x");
    CHECK_STR(words[4], "y");
    CHECK(words[5] == NULL);
    CHECK_INT(terminal_request_split(SPAN("a ''"), &arena, &words, &err), 0);
    CHECK_STR(words[1], "");
    CHECK_INT(terminal_request_split(SPAN(" "), &arena, &words, &err), 0);
    CHECK(words == NULL);
    CHECK_INT(terminal_request_split(SPAN("say 'it"), &arena, &words, &err), -EINVAL);
}

TESTS(RUN(everything_has_a_default), RUN(the_seeds_fields), RUN(words_are_executed_as_they_are),
      RUN(an_empty_command_is_a_shell), RUN(no_metacharacter_in_any_field), RUN(lengths_and_ranges),
      RUN(what_comes_later_says_so), RUN(argv_and_env_are_checked),
      RUN(a_whole_environment_may_have_any_names), RUN(a_whole_environment_may_be_large),
      RUN(words_of_a_line))
