#include "app/signals.h"

#include "base/compiler.h"

#include <pthread.h>
#include <signal.h>

static const int numbers[] = {SIGTERM, SIGUSR2, SIGINT};

static void mask(int how) {
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        (void)sigaddset(&set, numbers[i]);
    (void)pthread_sigmask(how, &set, NULL);
}

static void deaf_to_most(void (*how)(int)) {
    (void)signal(SIGTERM, how);
    (void)signal(SIGUSR2, how);
}

void signals_hold(void) {
    mask(SIG_BLOCK);
    deaf_to_most(SIG_DFL); /* what is ignored does not wait */
}

static void on_one(uv_signal_t *handle, int number) {
    struct signals *s = handle->data;
    s->on_signal(s->user, number);
}

void signals_open(struct signals *s, uv_loop_t *loop, void (*on_signal)(void *user, int number), void *user) {
    s->on_signal = on_signal;
    s->user = user;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        (void)uv_signal_init(loop, &s->handles[i]);
        s->handles[i].data = s;
        (void)uv_signal_start(&s->handles[i], on_one, numbers[i]);
    }
    mask(SIG_UNBLOCK);
}

void signals_close(struct signals *s) {
    mask(SIG_BLOCK); /* between the two there is a moment in which one would kill */
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        uv_close((uv_handle_t *)&s->handles[i], NULL);
    deaf_to_most(SIG_IGN);
    mask(SIG_UNBLOCK);
}
