#define LOG_TAG "notify"
#include "app/notify_command.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/strv.h"
#include "base/utf8.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { READ_BYTES = 1024 };

struct notify_run {
    struct list link;
    struct notify_command *all;
    char *json;
    char **environment;
    uv_process_t process;
    uv_pipe_t in, out;
    uv_timer_t deadline;
    uv_write_t write;
    unsigned handles; /* that are not closed yet; the last one frees it */
    struct buf printed;
    char room[READ_BYTES];
    int64_t status;
    int signal;
    bool exited, late, has_process;
};

static void run_free(struct notify_run *run) {
    list_remove(&run->link);
    strv_free(run->environment);
    buf_fini(&run->printed);
    free(run->json);
    free(run);
}

static void start_waiting(struct notify_command *n);

static void on_closed(uv_handle_t *handle) {
    struct notify_run *run = handle->data;
    struct notify_command *n = run->all;
    if (--run->handles > 0) return;
    n->running_count--;
    run_free(run);
    if (n->open) start_waiting(n);
}

static void close_one(void *handle) {
    if (!uv_is_closing(handle)) uv_close(handle, on_closed);
}

static void close_all(struct notify_run *run) {
    if (run->has_process) close_one(&run->process);
    close_one(&run->in);
    close_one(&run->out);
    close_one(&run->deadline);
}

static void complain(const struct notify_run *run) {
    struct span said = span_trim(buf_span(&run->printed));
    const char *name = run->all->argv[0];
    if (run->late)
        log_warn("%s (notify.command) was ended after %u ms: %.*s", name, run->all->deadline_ms,
                 SPAN_ARG(said));
    else if (run->signal)
        log_warn("%s (notify.command) was ended by signal %d: %.*s", name, run->signal, SPAN_ARG(said));
    else
        log_warn("%s (notify.command) exited with %lld: %.*s", name, (long long)run->status, SPAN_ARG(said));
}

static void take_output(struct notify_run *run, struct span bytes) {
    (void)buf_append_span(&run->printed, span_take(bytes, NOTIFY_COMMAND_OUTPUT - run->printed.n));
}

/* What is in the pipe when its process has ended; whatever that left in the background may hold it open for ever. */
static void drain(struct notify_run *run) {
    uv_os_fd_t fd;
    ssize_t n;
    if (uv_fileno((uv_handle_t *)&run->out, &fd) < 0) return;
    while (run->printed.n < NOTIFY_COMMAND_OUTPUT && (n = read(fd, run->room, sizeof run->room)) > 0)
        take_output(run, span_of(run->room, (size_t)n));
}

static void on_exited(uv_process_t *process, int64_t status, int signal) {
    struct notify_run *run = process->data;
    run->exited = true;
    run->status = status;
    run->signal = signal;
    if (run->all->open && (run->late || signal || status)) {
        drain(run);
        complain(run);
    }
    close_all(run);
}

static void on_room(uv_handle_t *handle, size_t suggested UNUSED, uv_buf_t *ret) {
    struct notify_run *run = handle->data;
    *ret = uv_buf_init(run->room, sizeof run->room);
}

static void on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes) {
    if (n < 0)
        (void)uv_read_stop(stream);
    else
        take_output(stream->data, span_of(bytes->base, (size_t)n));
}

static void on_deadline(uv_timer_t *timer) {
    struct notify_run *run = timer->data;
    run->late = true;
    if (!run->exited) (void)kill(-run->process.pid, SIGKILL);
}

/* It need not read what it is told. */
static void on_told(uv_write_t *write, int status UNUSED) {
    struct notify_run *run = write->data;
    close_one(&run->in);
}

/* Both its outputs go into one pipe. */
static int spawn(struct notify_run *run) {
    uv_file pipe[2];
    int r = uv_pipe(pipe, UV_NONBLOCK_PIPE, 0);
    if (r < 0) return r;
    (void)uv_pipe_open(&run->out, pipe[0]);
    uv_stdio_container_t stdio[] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&run->in},
        {.flags = UV_INHERIT_FD, .data.fd = pipe[1]},
        {.flags = UV_INHERIT_FD, .data.fd = pipe[1]},
    };
    uv_process_options_t options = {.file = run->all->argv[0],
                                    .args = run->all->argv,
                                    .env = run->environment,
                                    .stdio = stdio,
                                    .stdio_count = ARRAY_LEN(stdio),
                                    .flags = UV_PROCESS_DETACHED,
                                    .exit_cb = on_exited};
    run->has_process = true;
    run->handles++;
    r = uv_spawn(run->all->loop, &run->process, &options);
    (void)close(pipe[1]);
    return r;
}

static void start(struct notify_run *run) {
    struct notify_command *n = run->all;
    list_append(&n->running, &run->link);
    n->running_count++;
    run->process.data = run->in.data = run->out.data = run->deadline.data = run->write.data = run;
    (void)uv_pipe_init(n->loop, &run->in, 0);
    (void)uv_pipe_init(n->loop, &run->out, 0);
    (void)uv_timer_init(n->loop, &run->deadline);
    run->handles = 3;
    int r = spawn(run);
    if (r < 0) {
        log_warn("%s (notify.command) cannot be run: %s", n->argv[0], uv_strerror(r));
        close_all(run);
        return;
    }
    (void)uv_timer_start(&run->deadline, on_deadline, n->deadline_ms, 0);
    (void)uv_read_start((uv_stream_t *)&run->out, on_room, on_output);
    uv_buf_t text = uv_buf_init(run->json, (unsigned)strlen(run->json));
    if (uv_write(&run->write, (uv_stream_t *)&run->in, &text, 1, on_told) < 0) close_one(&run->in);
}

static struct notify_run *take_oldest(struct notify_command *n) {
    struct notify_run *run = list_first(&n->waiting, struct notify_run, link);
    if (!run) return NULL;
    list_remove(&run->link);
    list_init(&run->link);
    n->waiting_count--;
    return run;
}

static void start_waiting(struct notify_command *n) {
    struct notify_run *run;
    while (n->running_count < NOTIFY_COMMAND_AT_ONCE && (run = take_oldest(n)))
        start(run);
}

static char **environment_with(const char *const *more) {
    char **all = strv_dup((const char *const *)environ);
    for (; more && *more; more++) {
        struct span value = span_str(*more), name = span_split(&value, '=');
        AUTO(free) char *key = xstrndup(name.p, name.n);
        AUTO(free) char *text = xstrndup(value.p, utf8_cut_bytes(value, NOTIFY_COMMAND_TEXT).n);
        strv_set_env(&all, key, text);
    }
    return all;
}

void notify_command_run(struct notify_command *n, struct span json, const char *const *environment) {
    if (!n->argv || !n->open) return;
    if (n->waiting_count == NOTIFY_COMMAND_WAITING) {
        log_warn("%s (notify.command) does not keep up: a notice is dropped", n->argv[0]);
        return;
    }
    struct notify_run *run = xcalloc(1, sizeof *run);
    *run = (struct notify_run){.all = n, .printed = BUF_INIT(NOTIFY_COMMAND_OUTPUT)};
    run->json = xstrndup(json.p, json.n);
    run->environment = environment_with(environment);
    list_append(&n->waiting, &run->link);
    n->waiting_count++;
    start_waiting(n);
}

void notify_command_open(struct notify_command *n, uv_loop_t *loop) {
    *n = (struct notify_command){.loop = loop, .deadline_ms = NOTIFY_COMMAND_MS, .open = true};
    list_init(&n->waiting);
    list_init(&n->running);
}

void notify_command_set(struct notify_command *n, const char *const *argv) {
    strv_free(n->argv);
    n->argv = argv && argv[0] ? strv_dup(argv) : NULL;
}

void notify_command_close(struct notify_command *n) {
    n->open = false;
    list_for_each_safe(node, &n->waiting)
        run_free(list_entry(node, struct notify_run, link));
    n->waiting_count = 0;
    list_for_each(node, &n->running) {
        struct notify_run *run = list_entry(node, struct notify_run, link);
        if (!run->exited && run->has_process && run->process.pid > 0) (void)kill(-run->process.pid, SIGKILL);
    }
}

void notify_command_free(struct notify_command *n) {
    strv_free(n->argv);
    n->argv = NULL;
}
