#include "platform/unixsock.h"

#include "child.h"
#include "temp_dir.h"

#include <poll.h>
#include <sys/socket.h>

/* DIR/ddd…/keeper.sock, far longer than a socket's address; its directory is made. */
static void long_path(char out[PATH_BYTES], const char *dir) {
    char deep[PATH_BYTES];
    (void)snprintf(deep, sizeof deep, "%s/%0200d/%0150d", dir, 1, 2);
    CHECK_INT(path_make_dirs(deep), 0);
    CHECK_INT(path_join(out, deep, "keeper.sock"), 0);
}

static void talk(const char *path) {
    struct unixsock s;
    CHECK_INT(unixsock_listen(&s, path), 0);
    struct stat st;
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);
    CHECK_INT(unixsock_accept(&s), -EAGAIN);
    int client = unixsock_connect(path), server = unixsock_accept(&s);
    CHECK(client >= 0 && server >= 0);
    CHECK_INT(fcntl(client, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
    CHECK_INT(fcntl(server, F_GETFD), FD_CLOEXEC);
    CHECK_INT(write(client, "hello", 5), 5);
    char bytes[8];
    CHECK_INT(read(server, bytes, sizeof bytes), 5);
    struct unixsock_peer who;
    CHECK_INT(unixsock_peer(server, &who), 0);
    CHECK_INT(who.uid, getuid());
    CHECK_INT(who.pid, getpid());
    CHECK_INT(close(client), 0);
    CHECK_INT(close(server), 0);
    unixsock_close(&s);
    CHECK_INT(access(path, F_OK), -1);
    unixsock_close(&s); /* twice is fine */
}

TEST(listens_and_connects) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, "s"), 0);
    talk(path);
}

TEST(paths_may_be_long) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    long_path(path, t.path);
    CHECK(strlen(path) > 300);
    talk(path);
}

TEST(the_mode_does_not_depend_on_the_mask) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, "s"), 0);
    mode_t before = umask(0);
    talk(path);
    (void)umask(before);
}

TEST(says_why_not) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES], name[200];
    struct unixsock s;
    CHECK_INT(path_join(path, t.path, "none/s"), 0);
    CHECK_INT(unixsock_listen(&s, path), -ENOENT);
    CHECK_INT(unixsock_connect(path), -ENOENT);
    CHECK_INT(unixsock_connect(""), -ENOENT);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK_INT(path_join(path, t.path, name), 0);
    CHECK_INT(unixsock_listen(&s, path), -ENAMETOOLONG);
    CHECK_INT(unixsock_connect(path), -ENAMETOOLONG);
}

TEST(one_that_answers_is_left_alone_and_a_dead_one_replaced) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char paths[2][PATH_BYTES];
    CHECK_INT(path_join(paths[0], t.path, "s"), 0);
    long_path(paths[1], t.path);
    for (size_t i = 0; i < 2; i++) {
        struct unixsock first, second;
        CHECK_INT(unixsock_listen(&first, paths[i]), 0);
        CHECK_INT(unixsock_listen(&second, paths[i]), -EADDRINUSE);
        CHECK_INT(close(first.fd), 0); /* as if its process had died */
        CHECK_INT(unixsock_connect(paths[i]), -ECONNREFUSED);
        CHECK_INT(unixsock_listen(&second, paths[i]), 0);
        unixsock_close(&second);
    }
}

TEST(what_is_no_socket_is_left_alone) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, "file"), 0);
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    CHECK_INT(close(fd), 0);
    struct unixsock s;
    CHECK_INT(unixsock_listen(&s, path), -EADDRINUSE);
    CHECK_INT(access(path, F_OK), 0);
}

TEST(a_path_that_somebody_else_has_taken_is_not_removed) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    CHECK_INT(path_join(path, t.path, "s"), 0);
    struct unixsock old, fresh;
    CHECK_INT(unixsock_listen(&old, path), 0);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(unixsock_listen(&fresh, path), 0);
    unixsock_close(&old);
    CHECK_INT(access(path, F_OK), 0);
    unixsock_close(&fresh);
    CHECK_INT(access(path, F_OK), -1);
}

TEST(leaves_no_descriptor_open) {
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    long_path(path, t.path);
    int before = dup(0);
    CHECK_INT(close(before), 0);
    talk(path);
    CHECK(unixsock_connect(path) < 0);
    int after = dup(0);
    CHECK_INT(close(after), 0);
    CHECK_INT(after, before);
}

/* A hundred hooks may ask while the daemon is at something else. */
TEST(many_may_come_before_one_is_let_in) {
    enum { MANY = 120 }; /* what any kernel allows */
    AUTO(temp_dir) struct temp_dir t = temp_dir_make();
    char path[PATH_BYTES];
    struct unixsock s;
    int clients[MANY];
    CHECK_INT(path_join(path, t.path, "s"), 0);
    CHECK_INT(unixsock_listen(&s, path), 0);
    for (size_t i = 0; i < MANY; i++)
        CHECK((clients[i] = unixsock_connect(path)) >= 0);
    for (size_t i = 0; i < MANY; i++)
        CHECK_INT(close(clients[i]), 0);
    unixsock_close(&s);
}

TESTS(RUN(listens_and_connects), RUN(many_may_come_before_one_is_let_in), RUN(paths_may_be_long),
      RUN(the_mode_does_not_depend_on_the_mask), RUN(says_why_not),
      RUN(one_that_answers_is_left_alone_and_a_dead_one_replaced), RUN(what_is_no_socket_is_left_alone),
      RUN(a_path_that_somebody_else_has_taken_is_not_removed), RUN(leaves_no_descriptor_open))
