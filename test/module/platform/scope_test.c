/* The decision, with a socket that answers and a stand-in for systemd-run; test/e2e/scope.test.mjs asks a real manager. */
#include "platform/scope.h"

#include "base/strv.h"
#include "child.h"
#include "platform/unixsock.h"
#include "temp_dir.h"

struct place {
    struct temp_dir dir;
    char path[PATH_BYTES];
    struct unixsock manager;
};

static void write_file(const char *path, const char *text, mode_t mode) {
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_TRUNC, mode);
    CHECK(fd >= 0);
    CHECK_INT(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    CHECK_INT(close(fd), 0);
}

/* A runtime directory with somebody at the manager's socket, and a systemd-run that notes its words and does what is asked. */
static struct place place_make(void) {
    struct place p = {.dir = temp_dir_make()};
    char name[PATH_BYTES], script[PATH_BYTES];
    CHECK_INT(path_join(name, p.dir.path, "systemd"), 0);
    CHECK_INT(mkdir(name, 0700), 0);
    CHECK_INT(path_join(p.path, name, "private"), 0);
    CHECK_INT(unixsock_listen(&p.manager, p.path), 0);
    CHECK_INT(path_join(name, p.dir.path, "systemd-run"), 0);
    (void)snprintf(
        script, sizeof script,
        "#!/bin/sh\necho \"$@\" >%s/words\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
        p.dir.path);
    write_file(name, script, 0700);
    CHECK_INT(setenv("XDG_RUNTIME_DIR", p.dir.path, 1), 0);
    CHECK_INT(setenv("PATH", p.dir.path, 1), 0);
    return p;
}

static void place_remove(struct place *p) {
    p->manager.path = p->path; /* it has moved since */
    unixsock_close(&p->manager);
    temp_dir_remove(p->dir.path);
}

TEST(a_manager_that_answers_is_used) {
    struct place p = place_make();
    CHECK(scope_available());
    CHECK_INT(setenv("PATH", "/nowhere::/nor/there", 1), 0);
    CHECK(!scope_available()); /* without the program that asks it */
    CHECK_INT(unsetenv("PATH"), 0);
    CHECK(!scope_available());
    place_remove(&p);
}

TEST(one_that_has_gone_is_not) {
    struct place p = place_make();
    CHECK_INT(close(TAKE_FD(p.manager.fd)), 0); /* its socket still lies there */
    CHECK_INT(access(p.path, F_OK), 0);
    CHECK(!scope_available());
    CHECK_INT(unlink(p.path), 0);
    CHECK(!scope_available());
    CHECK_INT(unsetenv("XDG_RUNTIME_DIR"), 0);
    CHECK(!scope_available());
    place_remove(&p);
}

TEST(the_words_start_what_follows_them) {
    struct place p = place_make();
    AUTO(strv) char **argv = NULL;
    scope_command(&argv, "ostler-term-1");
    static const char *const more[] = {"/bin/sh", "-c", "exit $#", "x", "a b", "$HOME;"};
    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        strv_push(&argv, span_str(more[i]));
    pid_t pid = fork();
    if (pid == 0) {
        (void)execvp(argv[0], argv);
        _exit(127);
    }
    int status;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(WEXITSTATUS(status), 2);
    char name[PATH_BYTES], words[512] = "";
    CHECK_INT(path_join(name, p.dir.path, "words"), 0);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    CHECK(read(fd, words, sizeof words - 1) > 0);
    CHECK_INT(close(fd), 0);
    CHECK_STR(words,
              "--user --scope --quiet --collect --unit=ostler-term-1 -- /bin/sh -c exit $# x a b $HOME;\n");
    place_remove(&p);
}

TESTS(RUN(a_manager_that_answers_is_used), RUN(one_that_has_gone_is_not),
      RUN(the_words_start_what_follows_them))
