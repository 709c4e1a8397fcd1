#include "api/agent_words.h"

#include "api/agent_options.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/str.h"

#include <errno.h>

/* Reading them */

/* One option with what belongs to it. */
struct found {
    const struct agent_option *option; /* NULL: not known */
    size_t words;                      /* that it takes up */
    struct span value;                 /* the first of its values; empty when it has none */
};

static bool is_option(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

static size_t count_values(const char *const *at, size_t most) {
    size_t n = 0;
    while (n < most && at[n] && !is_option(at[n]))
        n++;
    return n;
}

static size_t values_of(enum option_takes takes, const char *const *at) {
    switch (takes) {
    case OPTION_ALONE: return 0;
    case OPTION_ONE: return at[0] ? 1 : 0; /* whatever it begins with */
    case OPTION_MAYBE: return count_values(at, 1);
    case OPTION_MANY: return count_values(at, SIZE_MAX);
    }
    return 0;
}

/* The option at `at`: "--name", "--name=value", "-x" or "-xvalue". */
static struct found find(enum cli cli, const char *const *at) {
    bool is_long = at[0][1] == '-', joined;
    struct span value = span_str(at[0] + (is_long ? 2 : 1));
    struct found f = {.words = 1};
    if (is_long) {
        joined = memchr(value.p, '=', value.n) != NULL;
        f.option = agent_option_named(cli, span_split(&value, '='));
    } else {
        value = span_skip(value, 1);
        joined = value.n > 0;
        f.option = agent_option_letter(cli, at[0][1]);
    }
    if (joined) {
        f.value = value;
        return f;
    }
    size_t n = f.option ? values_of(f.option->takes, at + 1) : count_values(at + 1, 1);
    if (n) f.value = span_str(at[1]);
    f.words += n;
    return f;
}

static bool is_kept(const struct found *f) {
    if (!f->option) return f->words == 1;
    return f->option->again == OPTION_KEPT ||
           (f->option->again == OPTION_ABSOLUTE && span_starts(f->value, SPAN("/")));
}

/* Several letters in one word, of options that take nothing: each is looked at for itself. */
static bool is_cluster(enum cli cli, const char *word) {
    if (word[1] == '-' || word[2] == '\0') return false;
    for (const char *c = word + 1; *c; c++) {
        const struct agent_option *o = agent_option_letter(cli, *c);
        if (!o || o->takes != OPTION_ALONE) return false;
    }
    return true;
}

static void keep_cluster(char ***to, enum cli cli, const char *word) {
    for (const char *c = word + 1; *c; c++) {
        const char one[] = {'-', *c, '\0'};
        if (agent_option_letter(cli, *c)->again == OPTION_KEPT) strv_push(to, span_str(one));
    }
}

/* Words that are no options are prompts, or what names a conversation; but opencode's is a directory to work in. */
static bool is_kept_word(enum cli cli, const char *word) {
    return cli == CLI_OPENCODE && word[0] == '/';
}

char **agent_words_again(enum cli cli, const char *const *words) {
    char **again = NULL;
    strv_push(&again, span_str(words[0]));
    for (const char *const *at = words + 1; *at;) {
        if (strcmp(*at, "--") == 0) break;
        if (!is_option(*at)) {
            if (is_kept_word(cli, *at)) strv_push(&again, span_str(*at));
            at++;
            continue;
        }
        if (is_cluster(cli, *at)) {
            keep_cluster(&again, cli, *at++);
            continue;
        }
        struct found f = find(cli, at);
        for (size_t i = 0; i < f.words && is_kept(&f); i++)
            strv_push(&again, span_str(at[i]));
        at += f.words;
    }
    return again;
}

/* Adding to them */

/* Behind the program and in front of everything else. */
static void insert(char ***words, struct span first, struct span second) {
    char **all = NULL;
    strv_push(&all, span_str((*words)[0]));
    strv_push(&all, first);
    strv_push(&all, second);
    for (size_t i = 1; (*words)[i]; i++)
        strv_push(&all, span_str((*words)[i]));
    strv_free(*words);
    *words = all;
}

static void push_joined(char ***words, const char *name, struct span value) {
    AUTO(free) char *word = str_format("%s%.*s", name, SPAN_ARG(value));
    strv_push(words, span_str(word));
}

void agent_words_resume(char ***words, enum cli cli, struct span id) {
    switch (cli) {
    case CLI_CODEX: insert(words, SPAN("resume"), id); return; /* a command, with the same options */
    case CLI_COPILOT: push_joined(words, "--resume=", id); return;
    case CLI_OPENCODE: strv_push(words, SPAN("--session")); break;
    case CLI_CLAUDE:
    case CLI_GEMINI: strv_push(words, SPAN("--resume")); break;
    case CLI_N_: return;
    }
    strv_push(words, id);
}

/* Choosing a model */

/* How an effort is told, and which there are; NULL: it cannot be told. All of them know --model. */
static const struct {
    const char *option; /* with its value behind it */
    const char *key;    /* Codex: of the configuration, told by the option */
    const char *levels[8];
} efforts[CLI_N_] = {
    [CLI_CLAUDE] = {"--effort", NULL, {"low", "medium", "high", "xhigh", "max"}},
    [CLI_CODEX] = {"-c", "model_reasoning_effort=", {"none", "minimal", "low", "medium", "high", "xhigh"}},
    [CLI_COPILOT] = {"--effort", NULL, {"none", "minimal", "low", "medium", "high", "xhigh", "max"}},
};

/* A word that a CLI takes for a value, whatever is in it. */
static bool is_value(struct span s) {
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f) return false;
    return s.n > 0 && s.p[0] != '-';
}

static bool is_level(enum cli cli, struct span effort) {
    for (const char *const *level = efforts[cli].levels; *level; level++)
        if (span_eq_str(effort, *level)) return true;
    return false;
}

/* Has the command line an option of this name, or one whose value begins with `key`? */
static bool is_told(enum cli cli, char *const *words, const char *name, const char *key) {
    for (const char *const *at = (const char *const *)words + 1; *at && strcmp(*at, "--") != 0;) {
        if (!is_option(*at) || is_cluster(cli, *at)) {
            at++;
            continue;
        }
        struct found f = find(cli, at);
        at += f.words;
        if (!f.option || !f.option->name) continue;
        if (key ? span_starts(f.value, span_str(key)) : strcmp(f.option->name, name) == 0) return true;
    }
    return false;
}

static int choose_effort(char ***words, const struct agent *agent, struct span effort, struct err *err) {
    enum cli cli = agent->cli;
    if (cli == CLI_N_ || !efforts[cli].option)
        return err_set(err, -EINVAL, "effortLevel: %s cannot be told one on its command line", agent->name);
    if (!is_level(cli, effort)) {
        AUTO(buf) struct buf levels = BUF_INIT(256);
        for (const char *const *level = efforts[cli].levels; *level; level++)
            (void)buf_printf(&levels, "%s%s", levels.n ? ", " : "", *level);
        return err_set(err, -EINVAL, "effortLevel: %s knows %.*s", agent->name, SPAN_ARG(buf_span(&levels)));
    }
    if (is_told(cli, *words, "effort", efforts[cli].key) || is_told(cli, *words, "reasoning-effort", NULL))
        return err_set(err, -EINVAL, "effortLevel: the command line has one already");
    AUTO(free) char *value = str_format("%s%.*s", str_or_empty(efforts[cli].key), SPAN_ARG(effort));
    insert(words, span_str(efforts[cli].option), span_str(value));
    return 0;
}

int agent_words_choose(char ***words, const struct agent *agent, struct span model, struct span effort,
                       struct err *err) {
    if (effort.n) {
        int r = choose_effort(words, agent, effort, err);
        if (r < 0) return r;
    }
    if (!model.n) return 0;
    if (agent->cli == CLI_N_)
        return err_set(err, -EINVAL, "model: how %s is told one is not known here: say it in command",
                       agent->name);
    if (!is_value(model)) return err_set(err, -EINVAL, "model must be one word, and no option");
    if (is_told(agent->cli, *words, "model", NULL))
        return err_set(err, -EINVAL, "model: the command line has one already");
    insert(words, SPAN("--model"), model);
    return 0;
}
