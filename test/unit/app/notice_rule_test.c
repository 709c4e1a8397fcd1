#include "app/notice_rule.h"

#include "core/state.h"
#include "test.h"

enum { DELAY = 1500, START = 100 * 1000 * 1000 };

/* A session whose conversation the test sets. */
struct stage {
    struct state state;
    struct session *session;
    struct conversation *conversation;
    struct request requests[2];
    struct notice_rule rule;
    struct notice_item item;
};

static void open_stage(struct stage *s) {
    *s = (struct stage){0};
    state_init(&s->state);
    s->session = state_add_session(&s->state, 1, SESSION_KIND_OBSERVED);
    s->conversation = &s->session->primary->conversation;
    s->requests[0] = (struct request){.id = "r1", .kind = ATTENTION_APPROVAL, .since_ms = START};
    s->requests[1] = (struct request){.id = "r2", .kind = ATTENTION_PLAN, .since_ms = START};
    notice_rule_init(&s->rule, DELAY);
}

static void close_stage(struct stage *s) {
    s->conversation->requests = NULL;
    s->conversation->request_count = 0;
    notice_rule_fini(&s->rule);
    state_fini(&s->state);
}

static void ask(struct stage *s, size_t count, int64_t now) {
    s->conversation->requests = count ? s->requests : NULL;
    s->conversation->request_count = count;
    notice_rule_look(&s->rule, s->session, now);
}

static enum notice_news next(struct stage *s, int64_t now) {
    return notice_rule_next(&s->rule, now, &s->item);
}

TEST(it_is_told_once_after_a_moment) {
    struct stage s;
    open_stage(&s);
    ask(&s, 1, START);
    CHECK_INT(next(&s, START + DELAY - 1), NOTICE_NOTHING);
    CHECK_INT(notice_rule_due(&s.rule), START + DELAY);
    ask(&s, 1, START + 1000); /* something else changed */
    CHECK_INT(next(&s, START + DELAY), NOTICE_TELL);
    CHECK_STR(s.item.request, "r1");
    CHECK_INT(s.item.kind, ATTENTION_APPROVAL);
    CHECK_INT(next(&s, START + 2 * DELAY), NOTICE_NOTHING);
    CHECK_INT(notice_rule_due(&s.rule), INT64_MAX);
    close_stage(&s);
}

TEST(what_is_answered_at_once_is_nobodys_business) {
    struct stage s;
    open_stage(&s);
    ask(&s, 1, START);
    ask(&s, 0, START + DELAY - 1);
    CHECK_INT(next(&s, START + DELAY), NOTICE_NOTHING);
    CHECK_INT(s.rule.sessions.count, 0);
    close_stage(&s);
}

TEST(what_was_told_and_is_over_is_told) {
    struct stage s;
    open_stage(&s);
    ask(&s, 2, START);
    CHECK_INT(next(&s, START + DELAY), NOTICE_TELL);
    CHECK_INT(next(&s, START + DELAY), NOTICE_TELL);
    ask(&s, 1, START + DELAY + 1);
    CHECK_INT(notice_rule_due(&s.rule), 0);
    CHECK_INT(next(&s, START + DELAY + 1), NOTICE_OVER);
    CHECK_STR(s.item.request, "r2");
    CHECK_INT(next(&s, START + DELAY + 1), NOTICE_NOTHING);
    notice_rule_removed(&s.rule, s.session);
    CHECK_INT(next(&s, START + DELAY + 2), NOTICE_OVER);
    CHECK_STR(s.item.request, "r1");
    close_stage(&s);
}

TEST(what_was_kept_from_everybody_ends_without_a_word) {
    struct stage s;
    open_stage(&s);
    ask(&s, 1, START);
    CHECK_INT(next(&s, START + DELAY), NOTICE_TELL);
    notice_rule_hush(&s.rule, &s.item);
    ask(&s, 0, START + DELAY + 1);
    CHECK_INT(next(&s, START + DELAY + 1), NOTICE_NOTHING);
    close_stage(&s);
}

TEST(old_news_are_none) {
    struct stage s;
    open_stage(&s);
    ask(&s, 1, START + NOTICE_OLD_MS + 1);
    CHECK_INT(next(&s, START + NOTICE_OLD_MS + DELAY + 1), NOTICE_NOTHING);
    ask(&s, 0, START + NOTICE_OLD_MS + 2);
    CHECK_INT(next(&s, START + NOTICE_OLD_MS + DELAY + 2), NOTICE_NOTHING);
    close_stage(&s);
}

TEST(a_daemon_that_starts_knows_what_was_so_before) {
    struct stage s;
    open_stage(&s);
    s.conversation->requests = s.requests;
    s.conversation->request_count = 1;
    notice_rule_know(&s.rule, s.session, START + NOTICE_JUST_MS + 1);
    CHECK_INT(next(&s, START + NOTICE_JUST_MS + DELAY + 1), NOTICE_NOTHING);
    ask(&s, 0, START + NOTICE_JUST_MS + DELAY + 2);
    CHECK_INT(next(&s, START + NOTICE_JUST_MS + DELAY + 2), NOTICE_OVER);
    CHECK(s.item.before);
    close_stage(&s);
    open_stage(&s);
    s.conversation->requests = s.requests;
    s.conversation->request_count = 1;
    notice_rule_know(&s.rule, s.session, START + 1000);
    CHECK_INT(next(&s, START + 1000 + DELAY), NOTICE_TELL);
    close_stage(&s);
}

TEST(a_notice_waits_behind_requests_and_each_turn_has_its_own) {
    struct stage s;
    open_stage(&s);
    s.conversation->notice = (struct notice){.kind = ATTENTION_FINISHED, .since_ms = START};
    ask(&s, 0, START);
    CHECK_INT(next(&s, START + DELAY), NOTICE_TELL);
    CHECK_INT(s.item.kind, ATTENTION_FINISHED);
    CHECK_STR(s.item.request, "");
    s.conversation->notice.since_ms = START + 5000;
    ask(&s, 0, START + 5000);
    CHECK_INT(next(&s, START + 5000 + DELAY), NOTICE_OVER);
    CHECK_INT(next(&s, START + 5000 + DELAY), NOTICE_TELL);
    CHECK_INT(s.item.since_ms, START + 5000);
    close_stage(&s);
}

TEST(a_clock_that_is_set_changes_nothing_about_the_wait) {
    static const int64_t hours = 6 * 3600 * 1000;
    struct stage s;
    open_stage(&s);
    ask(&s, 1, START);
    notice_rule_clock_set(&s.rule, hours);
    CHECK_INT(next(&s, START + hours + DELAY - 1), NOTICE_NOTHING);
    CHECK_INT(notice_rule_due(&s.rule), START + hours + DELAY);
    notice_rule_clock_set(&s.rule, -2 * hours);
    CHECK_INT(next(&s, START - hours + DELAY), NOTICE_TELL);
    close_stage(&s);
}

TESTS(RUN(it_is_told_once_after_a_moment), RUN(what_is_answered_at_once_is_nobodys_business),
      RUN(what_was_told_and_is_over_is_told), RUN(what_was_kept_from_everybody_ends_without_a_word),
      RUN(old_news_are_none), RUN(a_daemon_that_starts_knows_what_was_so_before),
      RUN(a_notice_waits_behind_requests_and_each_turn_has_its_own),
      RUN(a_clock_that_is_set_changes_nothing_about_the_wait))
