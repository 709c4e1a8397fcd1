#include "pty/launch.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/span.h"
#include "base/strv.h"
#include "platform/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { ANSWER_BYTES = 1024 };

struct launch {
    uv_process_t process;
    uv_pipe_t answer_pipe;
    launch_done *done;
    void *user;
    unsigned open; /* handles */
    bool exited, answered;
    size_t n;
    char answer[ANSWER_BYTES];
};

/* "ok KEEPER CHILD START" or "error SENTENCE". */
static int read_answer(const struct launch *l, struct launch_result *ret, struct err *err) {
    struct span rest = span_trim(span_of(l->answer, l->n));
    struct span word = span_split(&rest, ' ');
    uint64_t keeper, child, start;
    if (span_eq(word, SPAN("error"))) return err_set(err, -EINVAL, "%.*s", SPAN_ARG(rest));
    if (!span_eq(word, SPAN("ok")) || !span_u64(span_split(&rest, ' '), &keeper) ||
        !span_u64(span_split(&rest, ' '), &child) || !span_u64(rest, &start))
        return err_set(err, -EPROTO, "the keeper did not say whether it started: is it of this version?");
    *ret = (struct launch_result){.child_pid = (int64_t)child, .child_start = start};
    return 0;
}

static void on_closed(uv_handle_t *handle) {
    struct launch *l = handle->data;
    if (--l->open) return;
    if (l->done) {
        struct err err = {0};
        struct launch_result result = {0};
        int r = read_answer(l, &result, &err);
        l->done(l->user, r, &result, &err);
    }
    free(l);
}

static void finish_when_over(struct launch *l) {
    if (!l->exited || !l->answered) return;
    uv_close((uv_handle_t *)&l->process, on_closed);
    uv_close((uv_handle_t *)&l->answer_pipe, on_closed);
}

static void on_exit_(uv_process_t *process, int64_t status UNUSED, int signal UNUSED) {
    struct launch *l = process->data;
    l->exited = true;
    finish_when_over(l);
}

static void on_alloc(uv_handle_t *handle, size_t size UNUSED, uv_buf_t *ret) {
    struct launch *l = handle->data;
    *ret = uv_buf_init(l->answer + l->n, (unsigned)(ANSWER_BYTES - l->n));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf UNUSED) {
    struct launch *l = stream->data;
    if (n > 0) l->n += (size_t)n;
    if (n >= 0) return;
    (void)uv_read_stop(stream);
    l->answered = true;
    finish_when_over(l);
}

static void push_number(char ***args, const char *option, uint64_t value) {
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    strv_push(args, span_str(option));
    strv_push(args, span_str(text));
}

static void push_name(char ***args, const char *option, const char *name) {
    if (!name) return;
    strv_push(args, span_str(option));
    strv_push(args, span_str(name));
}

static char **arguments(const struct launch_spec *s) {
    char **args = NULL;
    if (scope_available()) scope_command(&args, s->unit);
    strv_push(&args, span_str(s->keeper));
    strv_push(&args, SPAN("--socket"));
    strv_push(&args, span_str(s->socket));
    push_number(&args, "--epoch", s->epoch);
    push_number(&args, "--cols", s->cols);
    push_number(&args, "--rows", s->rows);
    strv_push(&args, SPAN("--cwd"));
    strv_push(&args, span_str(s->directory));
    push_name(&args, "--pid-variable", s->pid_variable);
    push_name(&args, "--tty-variable", s->tty_variable);
    strv_push(&args, SPAN("--"));
    for (size_t i = 0; s->argv[i]; i++)
        strv_push(&args, span_str(s->argv[i]));
    return args;
}

int launch_keeper(uv_loop_t *loop, const struct launch_spec *spec, launch_done *done, void *user,
                  struct err *err) {
    struct launch *l = xcalloc(1, sizeof *l);
    *l = (struct launch){.done = done, .user = user, .open = 2};
    (void)uv_pipe_init(loop, &l->answer_pipe, 0);
    l->process.data = l->answer_pipe.data = l;
    AUTO(strv) char **args = arguments(spec);
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&l->answer_pipe},
        {.flags = UV_IGNORE},
    };
    const uv_process_options_t options = {
        .file = args[0],
        .args = args,
        .env = (char **)spec->env,
        .exit_cb = on_exit_,
        .flags = UV_PROCESS_DETACHED,
        .stdio_count = 3,
        .stdio = stdio,
    };
    /* For the moment of the spawn: what other threads make meanwhile has modes of its own. */
    mode_t ours = spec->umask ? umask(*spec->umask) : 0;
    int r = uv_spawn(loop, &l->process, &options);
    if (spec->umask) (void)umask(ours);
    if (r < 0) {
        /* The process handle was begun even so; both close, and nobody is called. */
        l->done = NULL;
        l->exited = l->answered = true;
        finish_when_over(l);
        return err_sys(err, r, "cannot start %s", args[0]);
    }
    (void)uv_read_start((uv_stream_t *)&l->answer_pipe, on_alloc, on_read);
    return 0;
}
