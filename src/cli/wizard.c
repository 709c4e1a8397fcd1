#include "cli/wizard.h"

#include "cli/wrap.h"

#include <inttypes.h>
#include <stdio.h>

enum { WIDTH_MIN = 20, WIDTH_MAX = 80, QUESTIONS = WIZARD_PASSWORD + 1, CHOICES_MAX = 6, LABEL_WIDTH = 9 };

/* Text */

static void put_words(const struct wizard *w, struct buf *out, size_t at, const char *text) {
    wrap_words(out, span_str(text), at, at, w->width);
}

static void put_line(const struct wizard *w, struct buf *out, const char *text) {
    put_words(w, out, 0, text);
}

static void put_title(const struct wizard *w, struct buf *out, const char *text) {
    (void)buf_printf(out, "\n%s%d/%d%s  ", w->colour ? "\033[1m" : "", (int)w->step + 1, QUESTIONS,
                     w->colour ? "\033[0m" : "");
    put_words(w, out, 5, text);
}

/* "  1 text" */
static void put_choice(const struct wizard *w, struct buf *out, size_t number, const char *text) {
    (void)buf_printf(out, "  %zu ", number);
    put_words(w, out, 4, text);
}

static void say_again(struct wizard *w, struct buf *out, const char *text) {
    put_line(w, out, text);
    w->again = true;
}

/* Choices by number or word. */
struct choices {
    const char *words[CHOICES_MAX]; /* what may be typed instead of the number */
    size_t count;
};

static bool choose(const struct choices *c, struct span answer, size_t *ret) {
    uint64_t n;
    if (span_u64(answer, &n)) {
        *ret = (size_t)n - 1;
        return n >= 1 && n <= c->count;
    }
    for (size_t i = 0; i < c->count; i++) {
        *ret = i;
        if (span_ieq(answer, span_str(c->words[i]))) return true;
    }
    return false;
}

static void set_preset_number(struct wizard *w, size_t index) {
    (void)snprintf(w->preset, sizeof w->preset, "%zu", index + 1);
}

/* The steps in their order */

static void go_on(struct wizard *w) {
    w->again = false;
    w->step = w->from_summary || w->step == WIZARD_SAME_AGAIN || w->step == WIZARD_PASSWORD ? WIZARD_SUMMARY
                                                                                            : w->step + 1;
    w->from_summary = false;
}

static void go_back(struct wizard *w, struct buf *out) {
    if (w->step == WIZARD_PORT && !w->from_summary) {
        say_again(w, out, "This is the first question.");
        return;
    }
    bool typing = w->step == WIZARD_NEW_PASSWORD || w->step == WIZARD_SAME_AGAIN;
    if (typing)
        w->step = WIZARD_PASSWORD;
    else if (w->from_summary)
        w->step = WIZARD_SUMMARY;
    else
        w->step = w->step == WIZARD_SUMMARY ? WIZARD_PASSWORD : w->step - 1;
    if (w->step == WIZARD_SUMMARY) w->from_summary = false;
    w->again = false;
}

/* 1: port */

static void ask_port(struct wizard *w, struct buf *out) {
    put_title(w, out, "On which port shall the board be?");
}

static void preset_port(struct wizard *w) {
    w->prompt = "Port";
    (void)snprintf(w->preset, sizeof w->preset, "%u", w->answers.port);
}

static void take_port(struct wizard *w, struct span answer, struct buf *out) {
    uint64_t port;
    char trouble[WIZARD_WHO_BYTES], text[WIZARD_WHO_BYTES + 128];
    if (!span_u64(answer, &port) || port < 1 || port > UINT16_MAX) {
        say_again(w, out, "A port is a number from 1 to 65535.");
        return;
    }
    w->answers.port = (uint16_t)port;
    if (w->warned != port && w->facts->port_trouble &&
        w->facts->port_trouble(w->facts->user, (uint16_t)port, trouble)) {
        w->warned = (uint16_t)port;
        (void)snprintf(text, sizeof text,
                       "Port %" PRIu64 " %s. Enter takes it all the same; or name another one.", port,
                       trouble);
        say_again(w, out, text);
        return;
    }
    go_on(w);
}

/* 2: CLIs */

static void ask_clis(struct wizard *w, struct buf *out) {
    put_title(w, out, "Which agents shall ostler see? They get hooks, which tell it what they do.");
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        char text[64];
        (void)snprintf(text, sizeof text, "[%c] %s%s", w->answers.clis & 1U << cli ? 'x' : ' ',
                       w->facts->labels[cli], w->facts->installed[cli] ? "" : " (not found here)");
        put_choice(w, out, cli + 1, text);
    }
}

static void preset_clis(struct wizard *w) {
    size_t n = 0;
    w->prompt = "Numbers, all or none";
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (w->answers.clis & 1U << cli)
            n += (size_t)snprintf(w->preset + n, sizeof w->preset - n, "%s%d", n ? " " : "", (int)cli + 1);
    if (n == 0) (void)snprintf(w->preset, sizeof w->preset, "none");
}

/* By number or name. */
static bool parse_cli(struct span word, unsigned *bits) {
    uint64_t n;
    enum cli cli;
    if (!span_u64(word, &n)) n = cli_from_str(word, &cli) ? (uint64_t)cli + 1 : 0;
    if (n < 1 || n > CLI_N_) return false;
    *bits |= 1U << (n - 1);
    return true;
}

static void take_clis(struct wizard *w, struct span answer, struct buf *out) {
    unsigned bits = 0;
    bool ok = true;
    if (span_ieq(answer, SPAN("all"))) {
        bits = (1U << CLI_N_) - 1;
    } else if (!span_ieq(answer, SPAN("none"))) {
        for (size_t i = 0; i < answer.n && ok;) {
            size_t begin = i;
            while (i < answer.n && answer.p[i] != ' ' && answer.p[i] != ',')
                i++;
            if (i > begin) ok = parse_cli(span_of(answer.p + begin, i - begin), &bits);
            i++;
        }
        ok = ok && bits;
    }
    if (!ok) {
        say_again(w, out, "Type the numbers of those that you want, such as 1 3, or all, or none.");
        return;
    }
    w->answers.clis = bits;
    go_on(w);
}

/* 3: density */

static void ask_density(struct wizard *w, struct buf *out) {
    static const char *const meanings[] = {
        [DENSITY_HIGH] = "everything, idle teammates and compaction, too",
        [DENSITY_MEDIUM] = "prompts, tools, questions, subagents, ends",
        [DENSITY_LOW] = "prompts, questions and ends only; tools are not seen",
    };
    put_title(w, out, "How much shall they tell?");
    for (enum config_density d = 0; d < DENSITY_N_; d++) {
        char text[128];
        (void)snprintf(text, sizeof text, "%-6s %u events: %s", config_density_to_str(d), w->facts->events[d],
                       meanings[d]);
        put_choice(w, out, d + 1, text);
    }
}

static void preset_density(struct wizard *w) {
    w->prompt = "Number";
    set_preset_number(w, w->answers.density);
}

static void take_density(struct wizard *w, struct span answer, struct buf *out) {
    static const struct choices c = {{"high", "medium", "low"}, DENSITY_N_};
    size_t i;
    if (!choose(&c, answer, &i)) {
        say_again(w, out, "Type 1, 2 or 3.");
        return;
    }
    w->answers.density = (enum config_density)i;
    go_on(w);
}

/* 4: debug */

static void ask_debug(struct wizard *w, struct buf *out) {
    put_title(w, out, "Shall the log say more than usual?");
    put_choice(w, out, 1, "off");
    put_choice(w, out, 2, "on: for finding out what is wrong");
}

static void preset_debug(struct wizard *w) {
    w->prompt = "Number";
    set_preset_number(w, w->answers.debug);
}

static void take_debug(struct wizard *w, struct span answer, struct buf *out) {
    static const struct choices c = {{"off", "on"}, 2}, yes_no = {{"n", "y", "no", "yes"}, 4};
    size_t i;
    uint64_t n;
    if (!choose(&c, answer, &i) && (span_u64(answer, &n) || !choose(&yes_no, answer, &i))) {
        say_again(w, out, "Type 1 or 2.");
        return;
    }
    w->answers.debug = i % 2;
    go_on(w);
}

/* 5: history */

static const unsigned hours[] = {12, 24, 48, 168, 0};

static void name_hours(unsigned h, char *ret, size_t room) {
    if (h == 0)
        (void)snprintf(ret, room, "until you close them");
    else if (h % 24 == 0 && h > 48)
        (void)snprintf(ret, room, "%u days", h / 24);
    else
        (void)snprintf(ret, room, "%u hour%s", h, h == 1 ? "" : "s");
}

/* Which choice a number of hours is; one of its own is behind the usual ones. */
static size_t hours_index(unsigned h) {
    size_t i = 0;
    while (i < ARRAY_LEN(hours) && hours[i] != h)
        i++;
    return i;
}

static void ask_history(struct wizard *w, struct buf *out) {
    char text[64];
    put_title(
        w, out,
        "How long shall sessions that ran in ostler's terminals stay on the board when they have ended?");
    for (size_t i = 0; i < ARRAY_LEN(hours); i++) {
        name_hours(hours[i], text, sizeof text);
        put_choice(w, out, i + 1, text);
    }
    if (hours_index(w->history_hours) < ARRAY_LEN(hours)) return;
    name_hours(w->history_hours, text, sizeof text);
    put_choice(w, out, ARRAY_LEN(hours) + 1, text);
}

static void preset_history(struct wizard *w) {
    w->prompt = "Number";
    set_preset_number(w, hours_index(w->answers.history_hours));
}

static void take_history(struct wizard *w, struct span answer, struct buf *out) {
    bool has_own = hours_index(w->history_hours) == ARRAY_LEN(hours);
    const struct choices c = {{"12h", "24h", "48h", "7d", "0", "own"}, ARRAY_LEN(hours) + has_own};
    size_t i;
    if (!choose(&c, answer, &i)) {
        say_again(w, out, has_own ? "Type a number from 1 to 6." : "Type a number from 1 to 5.");
        return;
    }
    w->answers.history_hours = i < ARRAY_LEN(hours) ? hours[i] : w->history_hours;
    go_on(w);
}

/* 6: password */

static void ask_password_choice(struct wizard *w, struct buf *out) {
    put_title(w, out, "Shall the board ask for a password?");
    put_choice(w, out, 1,
               w->has_password ? "yes, for the one that is set"
                               : "no: only you can reach it, from this machine");
    put_choice(w, out, 2, w->has_password ? "yes, for another one" : "yes (at least 4 characters)");
    if (w->has_password) put_choice(w, out, 3, "no: remove it");
}

static void preset_password(struct wizard *w) {
    w->prompt = "Number";
    set_preset_number(w, w->answers.password);
}

static void take_password(struct wizard *w, struct span answer, struct buf *out) {
    static const struct choices two = {{"none", "set"}, 2}, three = {{"keep", "change", "remove"}, 3};
    size_t i;
    if (!choose(w->has_password ? &three : &two, answer, &i)) {
        say_again(w, out, w->has_password ? "Type 1, 2 or 3." : "Type 1 or 2.");
        return;
    }
    explicit_bzero(w->answers.new_password, sizeof w->answers.new_password);
    w->answers.password = i == PASSWORD_SET ? PASSWORD_KEEP : (enum wizard_password)i;
    if (i != PASSWORD_SET) {
        go_on(w);
        return;
    }
    w->again = false; /* nothing is decided before it is typed */
    w->step = WIZARD_NEW_PASSWORD;
}

static void preset_secret(struct wizard *w) {
    w->prompt = w->step == WIZARD_NEW_PASSWORD ? "New password" : "The same again";
    w->is_secret = true;
}

static void take_new_password(struct wizard *w, struct span answer, struct buf *out) {
    struct span text = span_of(answer.p, answer.n ? strnlen(answer.p, answer.n) : 0);
    if (wrap_count(text) < PASSWORD_MIN || text.n > PASSWORD_MAX) {
        say_again(w, out, "A password has at least 4 characters. Enter alone goes back.");
        return;
    }
    (void)snprintf(w->answers.new_password, sizeof w->answers.new_password, "%.*s", SPAN_ARG(text));
    w->step = WIZARD_SAME_AGAIN;
}

static void take_same_again(struct wizard *w, struct span answer, struct buf *out) {
    char *first = w->answers.new_password;
    if (!span_eq(answer, span_of(first, strlen(first)))) {
        explicit_bzero(first, sizeof w->answers.new_password);
        put_line(w, out, "These are two different ones.");
        w->step = WIZARD_NEW_PASSWORD;
        return;
    }
    w->answers.password = PASSWORD_SET;
    go_on(w);
}

/* What it comes to */

static void put_answer(const struct wizard *w, struct buf *out, size_t number, const char *label,
                       const char *text) {
    (void)buf_printf(out, "  %zu %-*s ", number, LABEL_WIDTH, label);
    put_words(w, out, LABEL_WIDTH + 5, text);
}

void wizard_summary(const struct wizard *w, struct buf *out) {
    const struct wizard_answers *a = &w->answers;
    char text[256];
    size_t n = 0;
    (void)snprintf(text, sizeof text, "%u", a->port);
    put_answer(w, out, 1, "Port", text);
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (a->clis & 1U << cli)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", w->facts->labels[cli]);
    put_answer(w, out, 2, "Agents", n ? text : "none");
    (void)snprintf(text, sizeof text, "%s, %u events", config_density_to_str(a->density),
                   w->facts->events[a->density]);
    put_answer(w, out, 3, "Density", text);
    put_answer(w, out, 4, "Debug", a->debug ? "on" : "off");
    name_hours(a->history_hours, text, sizeof text);
    put_answer(w, out, 5, "History", text);
    bool keeps = a->password == PASSWORD_KEEP && w->has_password;
    put_answer(w, out, 6, "Password",
               a->password == PASSWORD_SET ? "a new one"
               : keeps                     ? "as it is"
                                           : "none");
}

static void ask_summary(struct wizard *w, struct buf *out) {
    (void)buf_append_char(out, '\n');
    wizard_summary(w, out);
    (void)buf_append_char(out, '\n');
}

static void preset_summary(struct wizard *w) {
    w->prompt = "Save? y, n, or a line's number";
    (void)snprintf(w->preset, sizeof w->preset, "y");
}

static void take_summary(struct wizard *w, struct span answer, struct buf *out) {
    uint64_t n;
    if (span_ieq(answer, SPAN("y")) || span_ieq(answer, SPAN("yes"))) {
        w->step = WIZARD_DONE;
    } else if (span_ieq(answer, SPAN("n")) || span_ieq(answer, SPAN("no"))) {
        w->step = WIZARD_LEFT;
    } else if (span_u64(answer, &n) && n >= 1 && n <= QUESTIONS) {
        w->step = (enum wizard_step)(n - 1);
        w->from_summary = true;
        w->again = false;
    } else {
        say_again(w, out, "Type y to save, n to leave everything as it was, or a number from 1 to 6.");
    }
}

/* All of them */

static const struct {
    void (*ask)(struct wizard *w, struct buf *out); /* NULL: the prompt is all */
    void (*preset)(struct wizard *w);
    void (*take)(struct wizard *w, struct span answer, struct buf *out);
} steps[] = {
    [WIZARD_PORT] = {ask_port, preset_port, take_port},
    [WIZARD_CLIS] = {ask_clis, preset_clis, take_clis},
    [WIZARD_DENSITY] = {ask_density, preset_density, take_density},
    [WIZARD_DEBUG] = {ask_debug, preset_debug, take_debug},
    [WIZARD_HISTORY] = {ask_history, preset_history, take_history},
    [WIZARD_PASSWORD] = {ask_password_choice, preset_password, take_password},
    [WIZARD_NEW_PASSWORD] = {NULL, preset_secret, take_new_password},
    [WIZARD_SAME_AGAIN] = {NULL, preset_secret, take_same_again},
    [WIZARD_SUMMARY] = {ask_summary, preset_summary, take_summary},
};

void wizard_init(struct wizard *w, const struct wizard_facts *facts, const struct config *now, size_t width,
                 bool colour) {
    *w = (struct wizard){.facts = facts,
                         .width = MIN(MAX(width, (size_t)WIDTH_MIN), (size_t)WIDTH_MAX),
                         .colour = colour,
                         .has_password = now->password_hash,
                         .history_hours = now->history_hours,
                         .answers = {.port = now->port,
                                     .clis = now->clis,
                                     .density = now->density,
                                     .debug = now->debug,
                                     .history_hours = now->history_hours}};
    unsigned found = 0;
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        if (facts->installed[cli]) found |= 1U << cli;
    if (!now->exists && found) w->answers.clis = found;
}

void wizard_fini(struct wizard *w) {
    explicit_bzero(w->answers.new_password, sizeof w->answers.new_password);
}

void wizard_ask(struct wizard *w, struct buf *out) {
    if (!w->again && steps[w->step].ask) steps[w->step].ask(w, out);
    w->again = false;
    w->is_secret = false;
    w->preset[0] = '\0';
    steps[w->step].preset(w);
}

void wizard_take(struct wizard *w, struct span answer, struct buf *out) {
    struct span word = span_trim(answer);
    char preset[WIZARD_PRESET_BYTES];
    memcpy(preset, w->preset, sizeof preset);
    if (word.n == 0 && !w->is_secret) word = span_str(preset);
    if (span_ieq(word, SPAN("b")) || (w->is_secret && answer.n == 0))
        go_back(w, out);
    else if (!w->is_secret && span_ieq(word, SPAN("q")))
        w->step = WIZARD_LEFT;
    else
        steps[w->step].take(w, w->is_secret ? answer : word, out);
}
