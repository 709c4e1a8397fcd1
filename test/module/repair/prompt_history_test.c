/* Sessions entered in a real history file, once, whoever else writes to it. */
#include "repair/prompt_history.h"

#include "tree.h"

#include <errno.h>
#include <pthread.h>

#define ID "0f0e0d0c-1111-4222-8333-444455556666"
#define OTHER "ffffffff-1111-4222-8333-444455556666"
#define PROMPT                                                                                                            \
    "{\"type\":\"summary\",\"summary\":\"x\"}\nnot json\n"                                                                \
    "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"ok\"}]},\"cwd\":\"/p\","        \
    "\"timestamp\":\"2026-02-03T04:05:06.000Z\"}\n"                                                                       \
    "{\"parentUuid\":null,\"cwd\":\"/p/\\u00e9\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"Mend\\n " \
    "the \\\"fence\\\"\"},\"timestamp\":\"2026-02-03T04:05:06.789Z\"}\n"                                                  \
    "{\"type\":\"user\",\"message\":{\"content\":\"later\"},\"cwd\":\"/p\",\"timestamp\":\"2026-02-03T04:06:06Z\"}\n"
#define ENTRY_OF(id)                                                                                                         \
    "{\"display\":\"Mend the \\\"fence\\\"\",\"pastedContents\":{},\"timestamp\":1770091506789,\"project\":\"/p/\xC3\xA9\"," \
    "\"sessionId\":\"" id "\"}\n"
#define KNOWN(id) "{\"display\":\"x\",\"sessionId\":\"" id "\"}\n"

static void history_is(const struct temp_dir *t, const char *text) {
    char *there = tree_read(t, "history.jsonl");
    CHECK_STR(there, text);
    free(there);
}

static int add(struct prompt_history *h, const struct temp_dir *t, const char *id) {
    struct err err = {0};
    int r = prompt_history_add(h, span_str(id), tree_at(t, "t.jsonl").p, &err);
    CHECK_INT(err.code, r < 0 ? r : 0);
    CHECK_INT(err.msg[0] != '\0', r < 0);
    return r;
}

static void setup(const struct temp_dir *t, struct prompt_history *h) {
    tree_write(t, "t.jsonl", PROMPT);
    CHECK_INT(prompt_history_open(h, t->path), 0);
}

TEST(the_first_prompt_is_entered_once) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    CHECK_INT(add(&h, &t, ID), 1);
    history_is(&t, ENTRY_OF(ID));
    CHECK_INT(add(&h, &t, ID), 0);
    prompt_history_close(&h);
    CHECK_INT(prompt_history_open(&h, t.path), 0);
    CHECK_INT(add(&h, &t, ID), 0);
    CHECK_INT(add(&h, &t, OTHER), 1);
    history_is(&t, ENTRY_OF(ID) ENTRY_OF(OTHER));
    struct stat st;
    CHECK_INT(stat(tree_at(&t, "history.jsonl").p, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    prompt_history_close(&h);
}

TEST(who_is_there_already_is_left_alone) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    tree_write(&t, "history.jsonl", "garbage\n" KNOWN(ID));
    CHECK_INT(add(&h, &t, ID), 0);
    history_is(&t, "garbage\n" KNOWN(ID));
    prompt_history_close(&h);
}

TEST(what_others_add_meanwhile_counts) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    CHECK_INT(add(&h, &t, ID), 1);
    tree_append(&t, "history.jsonl", KNOWN(OTHER));
    CHECK_INT(add(&h, &t, OTHER), 0);
    prompt_history_close(&h);
}

TEST(a_last_line_without_an_end_gets_one) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    tree_write(&t, "history.jsonl", "{\"sessionId\":\"" OTHER "\"}");
    CHECK_INT(add(&h, &t, OTHER), 0);
    CHECK_INT(add(&h, &t, ID), 1);
    history_is(&t, "{\"sessionId\":\"" OTHER "\"}\n" ENTRY_OF(ID));
    CHECK_INT(add(&h, &t, ID), 0);
    prompt_history_close(&h);
}

TEST(a_history_that_was_replaced_or_cut_is_read_anew) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    tree_write(&t, "history.jsonl", KNOWN(ID) KNOWN(ID));
    CHECK_INT(add(&h, &t, ID), 0);
    tree_write(&t, "history.jsonl", KNOWN(OTHER)); /* shorter */
    CHECK_INT(add(&h, &t, ID), 1);
    tree_write(&t, "new", KNOWN(OTHER) KNOWN(OTHER) KNOWN(OTHER) KNOWN(OTHER) KNOWN(OTHER));
    CHECK_INT(rename(tree_at(&t, "new").p, tree_at(&t, "history.jsonl").p), 0);
    CHECK_INT(add(&h, &t, ID), 1);
    tree_write(&t, "history.jsonl",
               "{\"padding\":\"so that lines end elsewhere\"}\n" KNOWN(OTHER) ENTRY_OF(OTHER) ENTRY_OF(OTHER)
                   ENTRY_OF(OTHER) ENTRY_OF(OTHER)); /* longer, and the same inode */
    CHECK_INT(add(&h, &t, ID), 1);
    CHECK_INT(unlink(tree_at(&t, "history.jsonl").p), 0);
    tree_write(&t, "t.jsonl", PROMPT);
    CHECK_INT(add(&h, &t, ID), 1);
    history_is(&t, ENTRY_OF(ID));
    prompt_history_close(&h);
}

TEST(nothing_to_enter) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    CHECK_INT(add(&h, &t, "agent-a1b2"), 0);
    tree_write(&t, "t.jsonl", "");
    CHECK_INT(add(&h, &t, ID), 0);
    tree_write(&t, "t.jsonl", "{\"type\":\"assistant\"}\n");
    CHECK_INT(add(&h, &t, ID), 0);
    CHECK(access(tree_at(&t, "history.jsonl").p, F_OK) < 0);
    prompt_history_close(&h);
}

TEST(without_claude_code_nothing_is_made) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    prompt_history_close(&h);
    CHECK_INT(prompt_history_open(&h, tree_at(&t, "nowhere").p), 0);
    CHECK_INT(add(&h, &t, ID), 0);
    CHECK(access(tree_at(&t, "nowhere").p, F_OK) < 0);
    prompt_history_close(&h);
}

TEST(what_cannot_be_done_is_said) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    struct prompt_history h;
    setup(&t, &h);
    CHECK_INT(unlink(tree_at(&t, "t.jsonl").p), 0);
    CHECK_INT(add(&h, &t, ID), -ENOENT);
    tree_write(&t, "t.jsonl", PROMPT);
    tree_dir(&t, "history.jsonl");
    CHECK(add(&h, &t, ID) < 0);
    prompt_history_close(&h);
}

enum { THREADS = 4, ROUNDS = 50 };

struct racer {
    const struct temp_dir *t;
    int added;
};

/* Each with a view of its own, as two processes have. */
static void *race(void *user) {
    struct racer *r = user;
    for (int i = 0; i < ROUNDS; i++) {
        struct prompt_history h;
        char id[64];
        (void)snprintf(id, sizeof id, "%08x-1111-4222-8333-444455556666", i);
        if (prompt_history_open(&h, r->t->path) < 0) abort();
        int added = prompt_history_add(&h, span_str(id), tree_at(r->t, "t.jsonl").p, NULL);
        if (added < 0) abort();
        r->added += added;
        prompt_history_close(&h);
    }
    return NULL;
}

TEST(never_twice_whoever_is_first) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    tree_write(&t, "t.jsonl", PROMPT);
    pthread_t thread[THREADS];
    struct racer racer[THREADS];
    int added = 0;
    for (int i = 0; i < THREADS; i++) {
        racer[i] = (struct racer){.t = &t};
        CHECK_INT(pthread_create(&thread[i], NULL, race, &racer[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(thread[i], NULL), 0);
        added += racer[i].added;
    }
    CHECK_INT(added, ROUNDS);
    char *text = tree_read(&t, "history.jsonl");
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    CHECK_INT(lines, ROUNDS);
    free(text);
}

TESTS(RUN(the_first_prompt_is_entered_once), RUN(who_is_there_already_is_left_alone),
      RUN(what_others_add_meanwhile_counts), RUN(a_last_line_without_an_end_gets_one),
      RUN(a_history_that_was_replaced_or_cut_is_read_anew), RUN(nothing_to_enter),
      RUN(without_claude_code_nothing_is_made), RUN(what_cannot_be_done_is_said),
      RUN(never_twice_whoever_is_first))
