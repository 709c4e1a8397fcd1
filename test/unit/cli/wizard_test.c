#include "cli/wizard.h"

#include "base/cleanup.h"
#include "cli/wrap.h"
#include "test.h"

/* Port 4040 is somebody's. */
static bool port_trouble(void *user, uint16_t port, char ret[WIZARD_WHO_BYTES]) {
    unsigned *asked = user;
    ++*asked;
    (void)snprintf(ret, WIZARD_WHO_BYTES, "is taken by node (pid 42) at the moment");
    return port == 4040;
}

struct talk {
    unsigned ports_asked;
    struct wizard_facts facts;
    struct config now;
    struct wizard w;
    struct buf said; /* since the last answer */
};

static void talk_begin(struct talk *t, const char *config, size_t width, bool colour) {
    *t = (struct talk){.said = BUF_INIT(WIZARD_TEXT_MAX)};
    t->facts = (struct wizard_facts){.file = "/home/x/config.json",
                                     .labels = {[CLI_CLAUDE] = "Claude Code",
                                                [CLI_GEMINI] = "Gemini CLI",
                                                [CLI_CODEX] = "Codex CLI",
                                                [CLI_COPILOT] = "Copilot CLI",
                                                [CLI_OPENCODE] = "opencode"},
                                     .events = {14, 12, 5},
                                     .port_trouble = port_trouble,
                                     .user = &t->ports_asked};
    CHECK_INT(config_parse(span_str(config), "x", &t->now, NULL), 0);
    t->now.exists = config[0];
    wizard_init(&t->w, &t->facts, &t->now, width, colour);
    wizard_ask(&t->w, &t->said);
}

static void cleanup_talk(struct talk *t) {
    wizard_fini(&t->w);
    config_fini(&t->now);
    buf_fini(&t->said);
}

static void answer(struct talk *t, const char *text) {
    buf_clear(&t->said);
    wizard_take(&t->w, span_str(text), &t->said);
    if (t->w.step < WIZARD_DONE) wizard_ask(&t->w, &t->said);
}

static void check_said(const struct talk *t, const char *part) {
    if (!strstr(t->said.p ? t->said.p : "", part)) fail_msg("\"%s\" is not in \"%s\"", part, t->said.p);
}

TEST(enter_at_every_question_keeps_what_is_set) {
    static const char config[] =
        "{\"port\": 4000, \"enabledClis\": [\"gemini\", \"codex\"], \"hookDensity\": \"low\", \"debug\": "
        "true, \"sessionHistoryHours\": 48}";
    static const char *const presets[] = {"4000", "2 3", "3", "2", "3", "1", "y"};
    AUTO(talk) struct talk t;
    talk_begin(&t, config, 80, false);
    for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
        CHECK_STR(t.w.preset, presets[i]);
        answer(&t, "");
    }
    const struct wizard_answers *a = &t.w.answers;
    CHECK_INT(t.w.step, WIZARD_DONE);
    CHECK(a->port == 4000 && a->clis == (1 << CLI_GEMINI | 1 << CLI_CODEX) && a->density == DENSITY_LOW &&
          a->debug);
    CHECK(a->history_hours == 48 && a->password == PASSWORD_KEEP);
}

TEST(everything_can_be_answered_by_numbers_or_words) {
    static const char *const both[][6] = {{"5000", "1 2", "1", "2", "4", "1"},
                                          {" 5000 ", "gemini,claude", "High", "y", "7d", "none"}};
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        AUTO(talk) struct talk t;
        talk_begin(&t, "", 80, false);
        for (size_t j = 0; j < ARRAY_LEN(both[i]); j++)
            answer(&t, both[i][j]);
        CHECK_INT(t.w.step, WIZARD_SUMMARY);
        check_said(
            &t, "  1 Port      5000\n  2 Agents    Claude Code, Gemini CLI\n  3 Density   high, 14 events\n"
                "  4 Debug     on\n  5 History   7 days\n  6 Password  none\n");
        answer(&t, "yes");
        CHECK_INT(t.w.step, WIZARD_DONE);
        CHECK_INT(t.w.answers.history_hours, 168);
    }
}

TEST(what_is_installed_is_proposed_the_first_time_only) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    CHECK_INT(t.w.answers.clis, 1 << CLI_CLAUDE); /* nothing is: the default */
    t.facts.installed[CLI_CODEX] = true;
    wizard_init(&t.w, &t.facts, &t.now, 80, false);
    CHECK_INT(t.w.answers.clis, 1 << CLI_CODEX);
    t.now.exists = true;
    wizard_init(&t.w, &t.facts, &t.now, 80, false);
    CHECK_INT(t.w.answers.clis, 1 << CLI_CLAUDE);
    wizard_ask(&t.w, &t.said);
    answer(&t, "");
    check_said(&t, "1 [x] Claude Code (not found here)\n");
    check_said(&t, "3 [ ] Codex CLI\n");
}

/* Each question, and what it does not take. */
TEST(a_wrong_answer_is_explained_and_asked_for_again) {
    static const struct {
        const char *wrong[8], *explained, *right;
    } table[] = {
        {{"0", "-1", "70000", "65536", "http", "3333x", "99999999999999999999", "1 2"},
         "A port is a number from 1 to 65535.",
         "1"},
        {{"0", "4 9", "clod", "1 clod", ",", "-1", "1;2", "all none"},
         "Type the numbers of those that you want",
         "all"},
        {{"0", "4", "none", "-1", "mediu", "1 2", "x", "?"}, "Type 1, 2 or 3.", "medium"},
        {{"0", "3", "4", "perhaps", "-1", "offf", "1 2", "?"}, "Type 1 or 2.", "n"},
        {{"0", "6", "24", "-1", "x", "1 2", "9", "?"}, "Type a number from 1 to 5.", "24h"},
        {{"0", "3", "keep", "-1", "x", "1 2", "9", "?"}, "Type 1 or 2.", "1"},
        {{"0", "7", "maybe", "-1", "x", "1 2", "9", "?"}, "Type y to save", "y"},
    };
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 200, false);
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        enum wizard_step step = t.w.step;
        for (size_t j = 0; j < ARRAY_LEN(table[i].wrong); j++) {
            answer(&t, table[i].wrong[j]);
            if (t.w.step != step) fail_msg("%s was taken", table[i].wrong[j]);
            CHECK(span_starts(buf_span(&t.said), span_str(table[i].explained)));
            CHECK(!strstr(t.said.p, "/6")); /* the question itself is still on the screen */
        }
        answer(&t, table[i].right);
        CHECK(t.w.step != step);
    }
    CHECK_INT(t.w.step, WIZARD_DONE);
    CHECK_INT(t.w.answers.clis, (1 << CLI_N_) - 1);
}

TEST(no_agent_at_all_is_a_choice) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    answer(&t, "");
    answer(&t, "none");
    CHECK_INT(t.w.answers.clis, 0);
    answer(&t, "b");
    CHECK_STR(t.w.preset, "none");
    answer(&t, "");
    CHECK_INT(t.w.step, WIZARD_DENSITY);
}

TEST(a_busy_port_is_told_once) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    answer(&t, "4040");
    CHECK_INT(t.w.step, WIZARD_PORT);
    check_said(&t, "Port 4040 is taken by node (pid 42) at the moment. Enter takes it all the same;");
    CHECK_STR(t.w.preset, "4040");
    answer(&t, "");
    CHECK_INT(t.w.step, WIZARD_CLIS);
    CHECK_INT(t.w.answers.port, 4040);
    CHECK_INT(t.ports_asked, 1);
    answer(&t, "b");
    answer(&t, "4041");
    CHECK_INT(t.w.step, WIZARD_CLIS);
    CHECK_INT(t.w.answers.port, 4041);
}

TEST(b_goes_back_and_answers_stay) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    answer(&t, "b");
    CHECK_INT(t.w.step, WIZARD_PORT);
    check_said(&t, "This is the first question.");
    static const char *const answers[] = {"5000", "3", "3", "2", "1", "1"};
    for (size_t i = 0; i < ARRAY_LEN(answers); i++)
        answer(&t, answers[i]);
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    for (size_t i = ARRAY_LEN(answers); i-- > 0;) {
        answer(&t, "B");
        CHECK_INT(t.w.step, i);
        CHECK_STR(t.w.preset, answers[i]);
        check_said(&t, "/6  ");
    }
    for (size_t i = 0; i < ARRAY_LEN(answers); i++)
        answer(&t, "");
    check_said(&t, "  1 Port      5000\n  2 Agents    Codex CLI\n");
}

TEST(one_answer_is_changed_from_the_summary) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    for (int i = 0; i < 6; i++)
        answer(&t, "");
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    answer(&t, "3");
    CHECK_INT(t.w.step, WIZARD_DENSITY);
    answer(&t, "1");
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    check_said(&t, "high, 14 events");
    answer(&t, "1");
    answer(&t, "b"); /* back to where one came from, also from the first */
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    answer(&t, "b");
    CHECK_INT(t.w.step, WIZARD_PASSWORD);
    answer(&t, "");
    answer(&t, "6");
    answer(&t, "2");
    answer(&t, "");
    CHECK_INT(t.w.step, WIZARD_PASSWORD);
    answer(&t, "2");
    answer(&t, "s3cret");
    answer(&t, "s3cret");
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    check_said(&t, "  6 Password  a new one\n");
}

TEST(q_leaves_from_anywhere) {
    for (int i = 0; i < 7; i++) {
        AUTO(talk) struct talk t;
        talk_begin(&t, "", 80, false);
        for (int j = 0; j < i; j++)
            answer(&t, "");
        answer(&t, i == 6 ? "n" : "q");
        CHECK_INT(t.w.step, WIZARD_LEFT);
    }
}

TEST(a_password_is_typed_twice_and_never_said) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, false);
    for (int i = 0; i < 5; i++)
        answer(&t, "");
    answer(&t, "2");
    CHECK(t.w.is_secret && !t.w.preset[0]);
    CHECK_STR(t.w.prompt, "New password");
    answer(&t, "abc");
    check_said(&t, "A password has at least 4 characters.");
    answer(&t, "äöü"); /* six bytes, three characters */
    check_said(&t, "A password has at least 4 characters.");
    answer(&t, " pass ");
    CHECK_STR(t.w.prompt, "The same again");
    answer(&t, "pass");
    check_said(&t, "These are two different ones.");
    CHECK_STR(t.w.prompt, "New password");
    CHECK_STR(t.w.answers.new_password, "");
    answer(&t, " pass ");
    answer(&t, " pass ");
    CHECK_INT(t.w.step, WIZARD_SUMMARY);
    CHECK_INT(t.w.answers.password, PASSWORD_SET);
    CHECK_STR(t.w.answers.new_password, " pass "); /* blanks are part of it */
    CHECK(!strstr(t.said.p, "pass "));
    /* Given up again: there is none, not half of one. */
    answer(&t, "6");
    answer(&t, "2");
    answer(&t, "other");
    answer(&t, "");
    CHECK_INT(t.w.step, WIZARD_PASSWORD);
    answer(&t, "b");
    check_said(&t, "  6 Password  none\n");
    CHECK_INT(t.w.answers.password, PASSWORD_KEEP);
}

TEST(a_password_that_is_set_is_kept_changed_or_removed) {
    static const char config[] =
        "{\"passwordHash\": \"00112233445566778899aabbccddeeff:3e19ebeabf15ad17c24de695284e79441c0d80c6d98b95a3c052c58a0d57b09f83"
        "b0742a5805af28a0b5bbcf673af62819b91eb830a104fb0bb42def767f52aa\"}";
    AUTO(talk) struct talk t;
    talk_begin(&t, config, 80, false);
    for (int i = 0; i < 5; i++)
        answer(&t, "");
    check_said(&t, "  1 yes, for the one that is set\n  2 yes, for another one\n  3 no: remove it\n");
    answer(&t, "");
    check_said(&t, "  6 Password  as it is\n");
    CHECK_INT(t.w.answers.password, PASSWORD_KEEP);
    answer(&t, "6");
    answer(&t, "remove");
    check_said(&t, "  6 Password  none\n");
    CHECK_INT(t.w.answers.password, PASSWORD_REMOVE);
    answer(&t, "6");
    answer(&t, "change");
    CHECK(t.w.is_secret);
}

TEST(hours_of_ones_own_stay_a_choice) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "{\"sessionHistoryHours\": 100}", 80, false);
    for (int i = 0; i < 4; i++)
        answer(&t, "");
    check_said(&t, "  5 until you close them\n  6 100 hours\n");
    CHECK_STR(t.w.preset, "6");
    answer(&t, "1");
    answer(&t, "b");
    check_said(&t, "  6 100 hours\n");
    answer(&t, "6");
    CHECK_INT(t.w.answers.history_hours, 100);
    answer(&t, "b");
    answer(&t, "5");
    CHECK_INT(t.w.answers.history_hours, 0);
}

/* A dumb terminal of 40 columns: no line is longer, no escape in sight. */
TEST(everything_fits_a_narrow_terminal) {
    static const size_t widths[] = {40, 80, 500};
    for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
        AUTO(talk) struct talk t;
        talk_begin(&t, "{\"sessionHistoryHours\": 100, \"enabledClis\": []}", widths[i], false);
        static const char *const answers[] = {"4040",   "x",     "",       "x",      "all", "x", "",
                                              "x",      "",      "x",      "",       "x",   "2", "x",
                                              "s3cret", "other", "s3cret", "s3cret", "x",   "y"};
        for (size_t j = 0; j <= ARRAY_LEN(answers); j++) {
            for (struct span rest = buf_span(&t.said); rest.n;) {
                struct span line = span_split(&rest, '\n');
                if (wrap_count(line) > MIN(widths[i], (size_t)80)) fail_msg("too long: %.*s", SPAN_ARG(line));
                CHECK(!memchr(line.p, '\033', line.n));
            }
            if (j < ARRAY_LEN(answers)) answer(&t, answers[j]);
            CHECK(strlen(t.w.prompt) + strlen(t.w.preset) + 5 <= 40);
        }
        CHECK_INT(t.w.step, WIZARD_DONE);
    }
}

TEST(colour_is_only_around_the_number) {
    AUTO(talk) struct talk t;
    talk_begin(&t, "", 80, true);
    check_said(&t, "\n\033[1m1/6\033[0m  On which port");
}

TESTS(RUN(enter_at_every_question_keeps_what_is_set), RUN(everything_can_be_answered_by_numbers_or_words),
      RUN(what_is_installed_is_proposed_the_first_time_only),
      RUN(a_wrong_answer_is_explained_and_asked_for_again), RUN(no_agent_at_all_is_a_choice),
      RUN(a_busy_port_is_told_once), RUN(b_goes_back_and_answers_stay),
      RUN(one_answer_is_changed_from_the_summary), RUN(q_leaves_from_anywhere),
      RUN(a_password_is_typed_twice_and_never_said), RUN(a_password_that_is_set_is_kept_changed_or_removed),
      RUN(hours_of_ones_own_stay_a_choice), RUN(everything_fits_a_narrow_terminal),
      RUN(colour_is_only_around_the_number))
