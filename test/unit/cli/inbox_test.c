#include "base/cleanup.h"
#include "cli/cells.h"
#include "cli/inbox_view.h"
#include "test.h"

enum { COLS = 60, ROWS = 24 };

#define SECOND USEC_PER_SEC

static const char bash_json[] =
    "{\"id\":\"r1\",\"session\":\"s1\",\"title\":\"Mine\",\"cli\":\"claude\",\"kind\":\"approval\",\"tool\":\"Bash\",\"text\":\"Run make\","
    "\"detail\":\"make\",\"form\":\"command\",\"certain\":true,\"digest\":\"d1\",\"same\":\"d1\",\"state\":\"open\",\"askedAt\":1000,"
    "\"input\":{\"command\":\"make\"},\"questions\":null,\"can\":[\"allow\",\"deny\",\"always\",\"message\",\"stop\",\"input\",\"rule\"],"
    "\"rules\":[{\"rule\":\"Bash(make:*)\",\"where\":\"session\"},{\"rule\":\"Bash(cd:*)\",\"where\":\"session\"}],\"modes\":[]}";
static const char question_json[] =
    "{\"id\":\"r2\",\"session\":\"s1\",\"title\":\"Mine\",\"cli\":\"claude\",\"kind\":\"question\",\"text\":\"One?\",\"detail\":null,"
    "\"form\":\"question\",\"certain\":true,\"digest\":\"d2\",\"same\":\"d2\",\"state\":\"open\",\"askedAt\":1000,\"can\":[\"deny\",\"answers\"],"
    "\"questions\":[{\"question\":\"One?\",\"header\":\"H\",\"multiSelect\":false,\"options\":[{\"label\":\"a\"},{\"label\":\"b\"}]},"
    "{\"question\":\"Two?\",\"multiSelect\":true,\"options\":[{\"label\":\"c\"},{\"label\":\"d\"}]}],\"rules\":[],\"modes\":[]}";

static struct inbox_view view;
static usec_t now;

static void hear(const char *fmt, const char *request) {
    AUTO(buf) struct buf message = BUF_INIT(1 << 20);
    const char *at = strchr(fmt, '@');
    (void)buf_append(&message, fmt, at ? (size_t)(at - fmt) : strlen(fmt));
    (void)buf_append_span(&message, span_str(request));
    if (at) (void)buf_append_span(&message, span_str(at + 1));
    inbox_view_hear(&view, buf_span(&message));
}

static void begin(void) {
    now = 100 * SECOND;
    inbox_view_init(&view, COLS, ROWS, false);
    inbox_view_connected(&view, true);
    hear("{\"type\":\"inbox\",\"approvals\":[],\"away\":{\"away\":false}}", "");
}

/* Draws it, and lets it be seen for a while. */
static void look(usec_t for_us) {
    AUTO(buf) struct buf frame = BUF_INIT(1 << 20);
    inbox_view_draw(&view, now, 5000, &frame);
    inbox_view_shown(&view, now);
    now += for_us;
}

static enum inbox_action press(const char *keys, struct inbox_wish *wish) {
    struct span rest = span_str(keys);
    struct keypress key;
    enum inbox_action action = INBOX_NOTHING;
    while (action == INBOX_NOTHING && keypress_next(&rest, &key))
        action = inbox_view_key(&view, &key, true, now, wish);
    return action;
}

TEST(nothing_is_answered_that_was_not_looked_at) {
    struct inbox_wish wish;
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", bash_json);
    CHECK_INT(press("a", &wish), INBOX_NOTHING); /* it was not drawn at all */
    look(INBOX_LOOK_US - 1);
    CHECK_INT(press("a", &wish), INBOX_NOTHING);
    now += 1;
    CHECK_INT(press("a", &wish), INBOX_ANSWER);
    CHECK_STR(wish.decision, "allow");
    CHECK_INT(press("a", &wish), INBOX_NOTHING); /* its answer is on its way */
    hear("{\"type\":\"answered\",\"id\":\"r1\",\"ok\":false,\"error\":\"too late\"}", "");
    CHECK_STR(view.note, "r1: too late");
    CHECK_INT(press("d", &wish), INBOX_ANSWER);
    inbox_view_fini(&view);
}

TEST(what_changes_must_be_looked_at_again) {
    struct inbox_wish wish;
    AUTO(free) char *other = strdup(bash_json);
    char *digest = strstr(other, "\"d1\"");
    digest[2] = '9';
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", bash_json);
    look(SECOND);
    hear("{\"type\":\"approval\",\"approval\":@}", other);
    CHECK_INT(press("a", &wish), INBOX_NOTHING);
    look(SECOND);
    CHECK_INT(press("a", &wish), INBOX_ANSWER);
    inbox_view_fini(&view);
}

TEST(several_keys_at_once_answer_nothing) {
    struct inbox_wish wish;
    struct keypress key = {.kind = KEYPRESS_TEXT, .text = SPAN("a")};
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", bash_json);
    look(SECOND);
    CHECK_INT(inbox_view_key(&view, &key, false, now, &wish), INBOX_NOTHING);
    CHECK_INT(inbox_view_key(&view, &key, true, now, &wish), INBOX_ANSWER);
    inbox_view_fini(&view);
}

TEST(rules_are_shown_one_by_one_and_may_be_changed) {
    struct inbox_wish wish;
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", bash_json);
    look(SECOND);
    CHECK_INT(press("A", &wish), INBOX_NOTHING);
    CHECK_SPAN(line_edit_text(&view.line), "Bash(make:*)");
    CHECK_INT(press("\x7f\x7f\x7f :x)\r", &wish), INBOX_NOTHING);
    CHECK_SPAN(line_edit_text(&view.line), "Bash(cd:*)");
    CHECK_INT(press("\x15\r", &wish), INBOX_ANSWER); /* this one is left out */
    CHECK_STR(wish.decision, "always");
    CHECK_INT(wish.rule_count, 1);
    CHECK_SPAN(wish.rules[0], "Bash(make :x)");
    CHECK_SPAN(wish.where, "session");
    view.answering[0] = '\0';
    CHECK_INT(press("A\x1b", &wish), INBOX_NOTHING);
    CHECK_INT(view.typing, INBOX_READS);
    inbox_view_fini(&view);
}

TEST(questions_by_digits) {
    struct inbox_wish wish;
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", question_json);
    look(SECOND);
    CHECK_INT(press("3", &wish), INBOX_NOTHING);
    CHECK_INT(press("\r", &wish), INBOX_NOTHING);
    CHECK_INT(press("2", &wish), INBOX_NOTHING);
    CHECK_INT(view.draft.question, 1);
    CHECK_INT(press("122", &wish), INBOX_NOTHING); /* c, d, and d not any more */
    hear("{\"type\":\"approval\",\"approval\":@}",
         question_json); /* told anew, the same: what was chosen stays */
    CHECK_INT(press("\r", &wish), INBOX_ANSWER);
    CHECK_SPAN(wish.answers, "{\"One?\":\"b\",\"Two?\":[\"c\"]}");
    inbox_view_fini(&view);
}

TEST(what_ends_elsewhere_goes_and_the_next_comes) {
    AUTO(free) char *ended = strdup(bash_json);
    memcpy(strstr(ended, "\"open\""), "\"desk\"", 6);
    begin();
    hear("{\"type\":\"approval\",\"approval\":@}", bash_json);
    hear("{\"type\":\"approval\",\"approval\":@}", question_json);
    CHECK_STR(view.at.id, "r1");
    hear("{\"type\":\"approval\",\"approval\":@}", ended);
    CHECK_STR(view.at.id, "r2");
    CHECK_INT(view.list.open, 1);
    CHECK_STR(view.note, "r1: answered at its own dialog.");
    inbox_view_fini(&view);
}

static void check_choice(const char *word, const char *expected) {
    AUTO(inbox_list) struct inbox_list list = INBOX_LIST_INIT;
    AUTO(buf) struct buf out = BUF_INIT(4096);
    struct inbox_choices c = {0};
    struct err err;
    CHECK(inbox_list_take(&list, span_str(question_json)));
    int r = inbox_choices_add(&c, list.v[0], span_str(word), &err);
    if (r == 0) r = inbox_choices_add(&c, list.v[0], SPAN("2=own, text"), &err);
    if (r == 0) r = inbox_choices_write(&c, list.v[0], &out, &err);
    CHECK_INT(r == 0, expected != NULL);
    if (expected) CHECK_SPAN(buf_span(&out), expected);
}

TEST(answers_by_words) {
    check_choice("One?=b=c", "{\"One?\":\"b=c\",\"Two?\":[\"own, text\"]}");
    check_choice("H=a", "{\"One?\":\"a\",\"Two?\":[\"own, text\"]}");
    check_choice("1=a", "{\"One?\":\"a\",\"Two?\":[\"own, text\"]}");
    check_choice("a", NULL);
    check_choice("1=", NULL);
    check_choice("Two?=x", NULL);
}

static void check_wrap(const char *text, size_t width, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(4096);
    const struct cells_margin margin = {.first = SPAN("> "), .more = SPAN("  "), .indent = 2, .width = width};
    cells_wrap(span_str(text), &margin, &out);
    CHECK_SPAN(buf_span(&out), expected);
}

TEST(text_is_broken_and_never_cut) {
    check_wrap("", 10, "> \n");
    check_wrap("one two", 9, "> one two\n");
    check_wrap("one two", 8, "> one \n  two\n");
    check_wrap("abcdefgh", 6, "> abcd\n  efgh\n");
    check_wrap("a\n\nb", 6, "> a\n> \n> b\n");
    check_wrap("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 7,
               "> \xe6\xbc\xa2\xe6\xbc\xa2\n  \xe6\xbc\xa2\n"); /* two cells each */
    check_wrap("a\x1b[2J\xe2\x80\xae", 80, "> a\xef\xbf\xbd[2J\xef\xbf\xbd\n");
    check_wrap("a\tb", 80, "> a   b\n");
    check_wrap("ab", 1, "> a\n  b\n");
}

TEST(keys_of_a_terminal) {
    struct span rest = SPAN("a\x1b[A\x1bOB\x1b[5~\x1b[1;5C\r\x03\xc3\xa4\xff\x1b");
    static const enum keypress_kind expected[] = {
        KEYPRESS_TEXT,  KEYPRESS_UP,      KEYPRESS_DOWN, KEYPRESS_PAGE_UP, KEYPRESS_OTHER,
        KEYPRESS_ENTER, KEYPRESS_CONTROL, KEYPRESS_TEXT, KEYPRESS_OTHER,   KEYPRESS_ESCAPE};
    struct keypress key;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        CHECK(keypress_next(&rest, &key));
        CHECK_INT(key.kind, expected[i]);
    }
    CHECK(!keypress_next(&rest, &key));
}

TESTS(RUN(nothing_is_answered_that_was_not_looked_at), RUN(what_changes_must_be_looked_at_again),
      RUN(several_keys_at_once_answer_nothing), RUN(rules_are_shown_one_by_one_and_may_be_changed),
      RUN(questions_by_digits), RUN(what_ends_elsewhere_goes_and_the_next_comes), RUN(answers_by_words),
      RUN(text_is_broken_and_never_cut), RUN(keys_of_a_terminal))
