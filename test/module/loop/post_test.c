#include "loop/post.h"

#include "base/mem.h"
#include "test.h"

enum { SENDERS = 4, ITEMS = 2000 };

static uv_loop_t loop;
static struct post *mailbox;
static int next_number[SENDERS];
static int total;

struct letter {
    struct post_item item;
    int sender, number;
};

static void on_letter(struct post_item *item) {
    struct letter *l = CONTAINER_OF(item, struct letter, item);
    CHECK_INT(l->number, next_number[l->sender]);
    next_number[l->sender]++;
    if (++total == SENDERS * ITEMS) uv_stop(&loop);
    free(l);
}

static void send_letter(int sender, int number) {
    struct letter *l = xcalloc(1, sizeof *l);
    *l = (struct letter){.item.run = on_letter, .sender = sender, .number = number};
    post_send(mailbox, &l->item);
}

static void send_all(void *user) {
    for (int i = 0; i < ITEMS; i++)
        send_letter(*(int *)user, i);
}

static void open_mailbox(void) {
    total = 0;
    memset(next_number, 0, sizeof next_number);
    CHECK_INT(uv_loop_init(&loop), 0);
    CHECK_INT(post_open(&loop, &mailbox), 0);
}

static void close_loop(void) {
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_INT(uv_loop_close(&loop), 0);
}

TEST(every_threads_letters_come_in_its_order) {
    open_mailbox();
    uv_thread_t threads[SENDERS];
    int ids[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        ids[i] = i;
        CHECK_INT(uv_thread_create(&threads[i], send_all, &ids[i]), 0);
    }
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < SENDERS; i++)
        CHECK_INT(uv_thread_join(&threads[i]), 0);
    CHECK_INT(total, SENDERS * ITEMS);
    post_close(mailbox);
    close_loop();
}

TEST(closing_runs_what_is_left) {
    open_mailbox();
    for (int i = 0; i < 5; i++)
        send_letter(0, i);
    CHECK_INT(total, 0);
    post_close(mailbox);
    CHECK_INT(total, 5);
    close_loop();
}

static void close_then_count(struct post_item *item) {
    free(item);
    CHECK_INT(total, 1);
    post_close(mailbox);
    CHECK_INT(total, 3);
}

TEST(closing_from_within_a_letter_keeps_the_order) {
    open_mailbox();
    struct post_item *closing = xcalloc(1, sizeof *closing);
    closing->run = close_then_count;
    send_letter(0, 0);
    post_send(mailbox, closing);
    send_letter(0, 1);
    send_letter(0, 2);
    close_loop();
    CHECK_INT(total, 3);
}

static int rounds;

static void post_again(struct post_item *item) {
    if (++rounds < 3)
        post_send(mailbox, item);
    else
        post_close(mailbox);
}

TEST(letters_posted_by_letters_wait_for_the_next_turn) {
    open_mailbox();
    rounds = 0;
    struct post_item item = {.run = post_again};
    post_send(mailbox, &item);
    (void)uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_INT(rounds, 1);
    close_loop();
    CHECK_INT(rounds, 3);
}

TESTS(RUN(every_threads_letters_come_in_its_order), RUN(closing_runs_what_is_left),
      RUN(closing_from_within_a_letter_keeps_the_order),
      RUN(letters_posted_by_letters_wait_for_the_next_turn))
