#include "core/reply_rule.h"

#include "base/jscan.h"
#include "core/tool.h"

static const struct span places[] = {SPAN("session"), SPAN("localSettings"), SPAN("projectSettings"),
                                     SPAN("userSettings")};

/* "Tool(what)" as its two parts; `what` is empty for a bare tool. False when it is neither. */
static bool split(struct span rule, struct span *ret_tool, struct span *ret_what) {
    const char *open = rule.n ? memchr(rule.p, '(', rule.n) : NULL;
    size_t n = open ? (size_t)(open - rule.p) : rule.n;
    *ret_tool = span_take(rule, n);
    *ret_what = SPAN_NONE;
    if (open) {
        if (!span_ends(rule, SPAN(")"))) return false;
        *ret_what = span_take(span_skip(rule, n + 1), rule.n - n - 2);
        if (!ret_what->n) return false;
    }
    for (size_t i = 0; i < n; i++) {
        char c = ret_tool->p[i];
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                    c == '-' || c == '*' || c == '.';
        if (!fits) return false;
    }
    return n > 0;
}

static bool is_place(struct span where) {
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (span_eq(where, places[i])) return true;
    return false;
}

bool reply_rule_valid(const struct reply_rule *rule) {
    struct span tool, what;
    bool printable = rule->rule.n && rule->rule.n <= REPLY_RULE_UNITS;
    for (size_t i = 0; printable && i < rule->rule.n; i++)
        printable = (unsigned char)rule->rule.p[i] >= ' ' && rule->rule.p[i] != 0x7f;
    return printable && split(rule->rule, &tool, &what) && is_place(rule->where);
}

void reply_rule_write(struct jwrite *w, const struct reply_rule *rule) {
    struct span tool, what;
    (void)split(rule->rule, &tool, &what);
    jwrite_object(w);
    if (span_eq(tool, SPAN("Mode"))) {
        jwrite_kcstr(w, "type", "setMode");
        jwrite_kstr(w, "mode", what);
    } else if (span_eq(tool, SPAN("Directory"))) {
        jwrite_kcstr(w, "type", "addDirectories");
        jwrite_key(w, "directories");
        jwrite_array(w);
        jwrite_str(w, what);
        jwrite_array_end(w);
    } else {
        jwrite_kcstr(w, "type", "addRules");
        jwrite_key(w, "rules");
        jwrite_array(w);
        jwrite_object(w);
        jwrite_kstr(w, "toolName", tool);
        if (what.n) jwrite_kstr(w, "ruleContent", what);
        jwrite_object_end(w);
        jwrite_array_end(w);
        jwrite_kcstr(w, "behavior", "allow");
    }
    jwrite_kstr(w, "destination", rule->where);
    jwrite_object_end(w);
}

/* What the CLI itself suggests */

struct rules {
    struct reply_rule *to;
    size_t n;
    struct arena *arena;
};

static void add(struct rules *rules, struct span rule, struct span where) {
    struct reply_rule candidate = {rule, where};
    for (size_t i = 0; i < rules->n; i++)
        if (span_eq(rules->to[i].rule, rule)) return;
    if (rules->n < REPLY_RULES_MAX && reply_rule_valid(&candidate)) rules->to[rules->n++] = candidate;
}

static void add_suggested_rules(struct rules *rules, struct span list, struct span where) {
    struct span rest = list, item;
    while (jscan_kind(list) == JKIND_ARRAY && jscan_array_next(&rest, &item) == 1) {
        struct jmember m[] = {JMEMBER("toolName"), JMEMBER("ruleContent")};
        if (jscan_object(item, m, ARRAY_LEN(m)) < 1) continue;
        struct span tool = jscan_text(m[0].value, rules->arena), what = jscan_text(m[1].value, rules->arena);
        add(rules, what.n ? arena_printf(rules->arena, "%.*s(%.*s)", SPAN_ARG(tool), SPAN_ARG(what)) : tool,
            where);
    }
}

static void add_suggestion(struct rules *rules, struct span item) {
    struct jmember m[] = {JMEMBER("type"), JMEMBER("rules"),       JMEMBER("directories"),
                          JMEMBER("mode"), JMEMBER("destination"), JMEMBER("behavior")};
    if (jscan_kind(item) != JKIND_OBJECT || jscan_object(item, m, ARRAY_LEN(m)) < 2) return;
    struct span type = jscan_text(m[0].value, rules->arena), where = jscan_text(m[4].value, rules->arena);
    struct span rest = m[2].value, directory;
    if (span_eq(type, SPAN("addRules")) && span_eq(m[5].value, SPAN("\"allow\"")))
        add_suggested_rules(rules, m[1].value, where);
    while (span_eq(type, SPAN("addDirectories")) && rest.n && jscan_array_next(&rest, &directory) == 1)
        add(rules,
            arena_printf(rules->arena, "Directory(%.*s)", SPAN_ARG(jscan_text(directory, rules->arena))),
            where);
    if (span_eq(type, SPAN("setMode")))
        add(rules, arena_printf(rules->arena, "Mode(%.*s)", SPAN_ARG(jscan_text(m[3].value, rules->arena))),
            where);
}

/* What we suggest for a command: its first word, or two where the first says little, and whatever follows. */

static bool is_operator(char c) {
    return c == '&' || c == '|' || c == ';' || c == '\n';
}

/* Its meaning is not that of the words it begins with. */
static bool is_involved(struct span part) {
    static const char signs[] = "`$<>(){}\\\"'";
    for (size_t i = 0; i < part.n; i++)
        if (strchr(signs, part.p[i])) return true;
    return false;
}

static struct span next_word(struct span *rest) {
    *rest = span_trim(*rest);
    size_t n = 0;
    while (n < rest->n && rest->p[n] != ' ' && rest->p[n] != '\t')
        n++;
    struct span word = span_take(*rest, n);
    *rest = span_skip(*rest, n);
    return word;
}

static bool is_plain_word(struct span word) {
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    (c && strchr("_-./+:@", c));
        if (!fits) return false;
    }
    return word.n > 0;
}

static void add_command_part(struct rules *rules, struct span part) {
    static const struct span drivers[] = {SPAN("git"),    SPAN("npm"),  SPAN("pnpm"),   SPAN("yarn"),
                                          SPAN("cargo"),  SPAN("go"),   SPAN("docker"), SPAN("kubectl"),
                                          SPAN("python"), SPAN("node"), SPAN("uv"),     SPAN("gh"),
                                          SPAN("python3")};
    part = span_trim(part);
    struct span rest = part, first = next_word(&rest), second = next_word(&rest);
    if (!is_plain_word(first) || is_involved(first)) return;
    bool two = false;
    for (size_t i = 0; i < ARRAY_LEN(drivers); i++)
        two |= span_eq(first, drivers[i]);
    if (two && is_plain_word(second) && second.p[0] != '-')
        add(rules, arena_printf(rules->arena, "Bash(%.*s %.*s:*)", SPAN_ARG(first), SPAN_ARG(second)),
            SPAN("localSettings"));
    else
        add(rules, arena_printf(rules->arena, "Bash(%.*s:*)", SPAN_ARG(first)), SPAN("localSettings"));
}

static void add_for_command(struct rules *rules, struct span command) {
    for (size_t from = 0, i = 0; i <= command.n; i++) {
        if (i < command.n && !is_operator(command.p[i])) continue;
        struct span part = span_take(span_skip(command, from), i - from);
        if (span_trim(part).n) add_command_part(rules, part);
        from = i + 1;
    }
}

size_t reply_rules(enum cli cli, const struct request *r, struct arena *arena,
                   struct reply_rule ret[REPLY_RULES_MAX]) {
    struct rules rules = {.to = ret, .arena = arena};
    if (cli != CLI_CLAUDE || r->kind != ATTENTION_APPROVAL || !r->tool) return 0;
    struct span rest = span_str(r->suggestions), item;
    while (rest.n && jscan_array_next(&rest, &item) == 1)
        add_suggestion(&rules, item);
    struct jmember command = JMEMBER("command");
    bool is_command =
        span_eq_str(SPAN("Bash"), r->tool) && r->input && jscan_object(span_str(r->input), &command, 1) == 1;
    if (is_command)
        add_for_command(&rules, jscan_text(command.value, arena));
    else
        add(&rules, span_str(r->tool), SPAN("localSettings"));
    return rules.n;
}
