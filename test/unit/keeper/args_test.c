#include "keeper/args.h"
#include "test.h"

#include <errno.h>

#define WORDS(...) ((const char *const[]){"ostler-keeper", __VA_ARGS__, NULL})

TEST(understands_all_of_them) {
    struct args a;
    struct say why = {0};
    const char *const *words =
        WORDS("--socket", "/s", "--epoch", "1700000000000", "--cols", "120", "--rows", "40", "--cwd", "/tmp",
              "--pid-variable", "ME", "--tty-variable", "MINE", "--", "sh", "-c", "echo --rows");
    CHECK_INT(args_parse(words, &a, &why), 0);
    CHECK_STR(a.socket, "/s");
    CHECK_INT(a.epoch, 1700000000000);
    CHECK_INT(a.size.cols, 120);
    CHECK_INT(a.size.rows, 40);
    CHECK_STR(a.directory, "/tmp");
    CHECK_STR(a.pid_variable, "ME");
    CHECK_STR(a.tty_variable, "MINE");
    CHECK_STR(a.argv[0], "sh");
    CHECK_STR(a.argv[2], "echo --rows");
    CHECK(a.argv[3] == NULL);
}

static void refuse(const char *const *words, const char *sentence) {
    struct args a;
    struct say why = {0};
    CHECK_INT(args_parse(words, &a, &why), -EINVAL);
    CHECK_STR(why.text, sentence);
}

TEST(says_what_is_wrong) {
    refuse(WORDS("--socket"), "--socket needs a value");
    refuse(WORDS("--color", "red"), "--color is not known here; see ostler-keeper --help");
    refuse(WORDS("--cols", "0"), "--cols takes a number, not 0");
    refuse(WORDS("--rows", "10001"), "--rows takes a number, not 10001");
    refuse(WORDS("--epoch", "-1"), "--epoch takes a number, not -1");
    refuse(WORDS("--socket", "/s", "--", "sh"),
           "--socket, --epoch, --cols and --rows are needed; see ostler-keeper --help");
    refuse(WORDS("--socket", "s", "--epoch", "1", "--cols", "1", "--rows", "1", "--", "sh"),
           "--socket takes an absolute path, not s");
    refuse(WORDS("--socket", "/s", "--epoch", "1", "--cols", "1", "--rows", "1"),
           "no program was named behind --");
    refuse(WORDS("--socket", "/s", "--epoch", "1", "--cols", "1", "--rows", "1", "--"),
           "no program was named behind --");
    refuse(WORDS("--socket", "/s", "--epoch", "1", "--cols", "1", "--rows", "1", "--", ""),
           "no program was named behind --");
}

TESTS(RUN(understands_all_of_them), RUN(says_what_is_wrong))
