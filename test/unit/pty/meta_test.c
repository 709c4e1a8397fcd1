#include "pty/meta.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "base/strv.h"
#include "test.h"

#include <errno.h>
#include <sys/stat.h>

static struct meta sample(void) {
    struct meta m = {.kind = TERMINAL_AGENT,
                     .created_ms = 1794770783548,
                     .started_ms = 1794770783550,
                     .epoch = 1794770783551,
                     .cols = 132,
                     .rows = 43,
                     .ended = true,
                     .rested = true,
                     .code = -1,
                     .signal = 15};
    (void)snprintf(m.id, sizeof m.id, "term-1794770783548-abc123");
    (void)str_set(&m.directory, SPAN("/srv/\"quoted\"\n"));
    (void)str_set(&m.command, SPAN("claude --model opus"));
    strv_push(&m.argv, SPAN("claude"));
    strv_push(&m.argv, SPAN(""));
    strv_push(&m.argv, SPAN("a b"));
    strv_push(&m.words, SPAN("claude"));
    m.marked = true;
    strv_push(&m.env, SPAN("LEVEL=7=8"));
    strv_push(&m.commands, SPAN("git status"));
    return m;
}

static void check_sample(const struct meta *m) {
    CHECK_STR(m->id, "term-1794770783548-abc123");
    CHECK_INT(m->kind, TERMINAL_AGENT);
    CHECK_INT(m->created_ms, 1794770783548);
    CHECK_INT(m->epoch, 1794770783551);
    CHECK_INT(m->cols, 132);
    CHECK_INT(m->rows, 43);
    CHECK_STR(m->directory, "/srv/\"quoted\"\n");
    CHECK(m->cwd == NULL && m->typed == NULL && m->title == NULL);
    CHECK_INT(strv_count((const char *const *)m->argv), 3);
    CHECK_STR(m->argv[1], "");
    CHECK_INT(strv_count((const char *const *)m->words), 1);
    CHECK(m->marked);
    CHECK_STR(m->env[0], "LEVEL=7=8");
    CHECK_STR(m->commands[0], "git status");
    CHECK(m->ended && m->rested);
    CHECK_INT(m->code, -1);
    CHECK_INT(m->signal, 15);
}

TEST(comes_back_as_it_was_written) {
    struct meta m = sample(), back = {0};
    AUTO(buf) struct buf json = BUF_INIT(META_BYTES_MAX);
    meta_write(&m, &json);
    CHECK_INT(meta_parse(buf_span(&json), &back, NULL), 0);
    check_sample(&back);
    meta_fini(&m);
    meta_fini(&back);
}

TEST(a_shell_has_no_arguments) {
    struct meta m = sample(), back = {0};
    strv_free(m.argv);
    m.argv = NULL;
    AUTO(buf) struct buf json = BUF_INIT(META_BYTES_MAX);
    meta_write(&m, &json);
    CHECK_INT(meta_parse(buf_span(&json), &back, NULL), 0);
    CHECK(back.argv == NULL);
    meta_fini(&m);
    meta_fini(&back);
}

TEST(refuses_what_is_no_such_text) {
    struct meta back = {0};
    struct err err = {0};
    const char *const texts[] = {"",
                                 "{",
                                 "[]",
                                 "{}",
                                 "{\"id\":7}",
                                 "{\"id\":\"\"}",
                                 "{\"id\":\"a\\u0000b\"}",
                                 "{\"id\":\"an-id-that-is-much-longer-than-any-terminal-has\"}"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        CHECK_INT(meta_parse(span_str(texts[i]), &back, &err), -EBADMSG);
    CHECK(err.msg[0]);
}

TEST(what_is_missing_or_wrong_has_its_default) {
    struct meta back = {0};
    CHECK_INT(
        meta_parse(SPAN("{\"id\":\"term-1-a\",\"cols\":-3,\"rows\":\"x\",\"argv\":[1,\"a\"],\"kind\":7}"),
                   &back, NULL),
        0);
    CHECK_INT(back.cols, TERMINAL_COLS);
    CHECK_INT(back.rows, TERMINAL_ROWS);
    CHECK_INT(back.kind, TERMINAL_SHELL);
    CHECK_INT(strv_count((const char *const *)back.argv), 1);
    CHECK_INT(back.code, -1);
    meta_fini(&back);
}

TEST(is_saved_for_its_owner_alone) {
    char dir[] = "/tmp/ostler-meta-XXXXXX", path[PATH_BYTES];
    CHECK(mkdtemp(dir) != NULL);
    struct meta m = sample(), back = {0};
    AUTO(buf) struct buf json = BUF_INIT(META_BYTES_MAX);
    meta_write(&m, &json);
    CHECK_INT(meta_load(dir, &back, NULL), -ENOENT);
    CHECK_INT(meta_save(dir, buf_span(&json), true), 0);
    CHECK_INT(meta_save(dir, buf_span(&json), false), 0);
    CHECK_INT(meta_load(dir, &back, NULL), 0);
    check_sample(&back);
    struct stat st;
    CHECK_INT(path_join(path, dir, "meta.json"), 0);
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(rmdir(dir), 0);
    meta_fini(&m);
    meta_fini(&back);
}

TESTS(RUN(comes_back_as_it_was_written), RUN(a_shell_has_no_arguments), RUN(refuses_what_is_no_such_text),
      RUN(what_is_missing_or_wrong_has_its_default), RUN(is_saved_for_its_owner_alone))
