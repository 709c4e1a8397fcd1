#define LOG_TAG "push"
#include "app/push.h"

#include "api/auth.h"
#include "base/base64url.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "config/config.h"
#include "crypto/mac.h"
#include "crypto/vapid.h"

#include <errno.h>
#include <stdio.h>

#define KEY_HEAD "ostler-push-key 1 "

enum { KEY_FILE_BYTES = 512, JSON_BYTES = PUSH_SEAL_PLAIN_MAX, TEST_TTL_S = 60 };

/* One request that is under way. */
struct flight {
    struct pushes *pushes;
    struct push_item *item;
    struct http_call *call;
};

static int64_t now_ms(const struct pushes *p) {
    return usec_to_msec(clock_mono(p->clock));
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

static int write_list(struct pushes *p) {
    AUTO(buf) struct buf text = BUF_INIT(PUSH_LIST_FILE_BYTES);
    push_list_write(&p->push.list, &text);
    return text.failed ? -EFBIG : file_replace(p->list_file, buf_span(&text), 0600, false);
}

static int on_changed(void *user) {
    struct pushes *p = user;
    int r = p->open ? write_list(p) : -EIO;
    if (r < 0) log_warn("who wants to be notified cannot be kept in %s: %s", p->list_file, strerror(-r));
    return r;
}

static void read_list(struct pushes *p) {
    AUTO(buf) struct buf text = BUF_INIT(PUSH_LIST_FILE_BYTES);
    int r = file_read(p->list_file, &text);
    if (r == 0) r = push_list_read(&p->push.list, buf_span(&text));
    if (r < 0 && r != -ENOENT)
        log_warn("%s cannot be read (%s): browsers have to ask for notifications again", p->list_file,
                 strerror(-r));
}

/* The key by which push services know us. Browsers that subscribed with another one are lost with it. */
static int read_key(struct pushes *p) {
    AUTO(buf) struct buf text = BUF_INIT(KEY_FILE_BYTES);
    unsigned char number[P256_NUMBER_BYTES];
    int r = file_read(p->key_file, &text);
    if (r < 0) return r;
    struct span line = span_trim(buf_span(&text));
    if (!span_starts(line, SPAN(KEY_HEAD)) ||
        base64url_read(span_skip(line, sizeof KEY_HEAD - 1), number, sizeof number) != (int)sizeof number)
        return -EINVAL;
    p->key = p256_of(number);
    explicit_bzero(number, sizeof number);
    return p->key ? 0 : -EINVAL;
}

static int make_key(struct pushes *p) {
    AUTO(buf) struct buf text = BUF_INIT(KEY_FILE_BYTES);
    unsigned char number[P256_NUMBER_BYTES];
    struct p256 *key = p256_make();
    if (!key) return -EIO;
    p256_number(key, number);
    (void)buf_append_span(&text, SPAN(KEY_HEAD));
    (void)base64url_put(&text, number, sizeof number);
    (void)buf_append_char(&text, '\n');
    int r = file_replace(p->key_file, buf_span(&text), 0600, true);
    explicit_bzero(number, sizeof number);
    explicit_bzero(text.p, text.n);
    if (r == 0)
        p->key = key;
    else
        p256_free(key);
    return r;
}

/* What follows from the key. */
static void use_key(struct pushes *p) {
    AUTO(buf) struct buf text = BUF_INIT(PUSH_PUBLIC_KEY_BYTES);
    unsigned char number[P256_NUMBER_BYTES];
    (void)base64url_put(&text, p256_point(p->key), P256_POINT_BYTES);
    (void)snprintf(p->push.public_key, sizeof p->push.public_key, "%.*s", SPAN_ARG(buf_span(&text)));
    p256_number(p->key, number);
    mac_derive(SPAN("ostler"), span_of((const char *)number, sizeof number), SPAN("push tickets"),
               p->push.ticket_key, sizeof p->push.ticket_key);
    explicit_bzero(number, sizeof number);
    p->push.ready = true;
    p->push.problem[0] = '\0';
}

/* It is made when it is asked for the first time. */
static void find_key(struct pushes *p, bool make) {
    if (p->push.ready || !p->open) return;
    int r = read_key(p);
    if (r == -ENOENT && !make) return;
    if (r == -ENOENT) r = make_key(p);
    if (r == 0) {
        use_key(p);
        return;
    }
    (void)snprintf(p->push.problem, sizeof p->push.problem, "notifications have no key: %.200s: %s",
                   p->key_file, r == -EINVAL ? "it is none of ostler's; move it away" : strerror(-r));
    log_warn("%s", p->push.problem);
}

static void on_prepare(void *user) {
    find_key(user, true);
}

/* ---- sending ------------------------------------------------------------------------------------------------------- */

static void pump(struct pushes *p);

static void on_timer(uv_timer_t *timer) {
    pump(timer->data);
}

static void remember(struct push_sub *sub, enum push_landing landing, const struct http_answer *a,
                     const char *why) {
    if (landing == PUSH_ARRIVED)
        sub->failure[0] = '\0';
    else if (a->status)
        (void)snprintf(sub->failure, sizeof sub->failure, "the push service answers %d", a->status);
    else
        (void)snprintf(sub->failure, sizeof sub->failure, "the push service is not reached: %s",
                       why ? why : "no answer");
}

/* What became of a message for this browser. */
static void note_landing(struct pushes *p, struct push_sub *sub, enum push_landing landing,
                         const struct http_answer *a, const char *why) {
    const char *name = sub->device[0] ? sub->device : "a browser";
    bool failed = sub->failure[0]; /* before: that was said then */
    remember(sub, landing, a, why);
    switch (landing) {
    case PUSH_ARRIVED: sub->sent_ms = usec_to_msec(clock_wall(p->clock)); break;
    case PUSH_LATER:
        if (!failed) log_info("a notification for %s is tried again later: %s", name, sub->failure);
        break;
    case PUSH_FAILED: log_warn("a notification for %s is given up: %s", name, sub->failure); break;
    case PUSH_GONE:
        log_info("%s wants no notifications any more", name);
        push_list_remove(&p->push.list, sub);
        (void)on_changed(p);
        break;
    }
}

static void on_done(void *user, const struct http_answer *a, const char *why) {
    struct flight *f = user;
    struct pushes *p = f->pushes;
    char id[TOKEN_ID_BYTES];
    memcpy(id, f->item->sub, sizeof id);
    enum push_landing landing = push_queue_landed(&p->queue, f->item, a, now_ms(p));
    free(f);
    struct push_sub *sub = push_list_find(&p->push.list, span_str(id));
    if (sub) note_landing(p, sub, landing, a, why);
    pump(p);
}

/* The head of the request, but for what every request has. */
static int write_headers(const struct pushes *p, struct span origin, const struct push_message *m,
                         struct buf *out) {
    int64_t expires_s = usec_to_msec(clock_wall(p->clock)) / 1000 + VAPID_LIFE_S;
    (void)buf_append_span(out, SPAN("Authorization: "));
    int r = vapid_header(p->key, origin, span_str(p->contact), expires_s, out);
    (void)buf_printf(out,
                     "\r\nTTL: %u\r\nUrgency: %s\r\nTopic: %s\r\nContent-Type: application/octet-stream\r\n"
                     "Content-Encoding: aes128gcm\r\n",
                     m->ttl_s, m->urgent ? "high" : "normal", m->topic);
    return out->failed ? -ENOBUFS : r;
}

/* Sends one; false when it cannot even be begun. */
static bool launch(struct pushes *p, struct push_item *item, const struct push_sub *sub, struct err *err) {
    AUTO(buf) struct buf headers = BUF_INIT(HTTP_CLIENT_HEADERS_MAX);
    AUTO(buf) struct buf body = BUF_INIT(PUSH_SEAL_BODY_MAX);
    struct target t;
    if (!target_parse(span_str(sub->endpoint), &t)) return err_set(err, -EINVAL, "no address") == 0;
    if (push_seal_fresh(&sub->to, item->message.json, &body) < 0 ||
        write_headers(p, t.origin, &item->message, &headers) < 0)
        return err_set(err, -EIO, "the message cannot be sealed") == 0;
    struct flight *f = xcalloc(1, sizeof *f);
    *f = (struct flight){.pushes = p, .item = item};
    f->call = http_client_post(&p->client, span_str(sub->endpoint), buf_span(&headers), buf_span(&body),
                               on_done, f, err);
    push_queue_flies(&p->queue, item, f);
    if (f->call) return true;
    static const struct http_answer refused = {.status = 400};
    (void)push_queue_landed(&p->queue, item, &refused, now_ms(p));
    free(f);
    return false;
}

static void pump(struct pushes *p) {
    struct push_item *item;
    while (p->open && p->push.ready && (item = push_queue_next(&p->queue, now_ms(p)))) {
        struct err err = {0};
        struct push_sub *sub = push_list_find(&p->push.list, span_str(item->sub));
        if (!sub) {
            push_queue_forget(&p->queue, span_str(item->sub));
        } else if (!launch(p, item, sub, &err)) {
            (void)snprintf(sub->failure, sizeof sub->failure, "%.*s", PUSH_FAILURE_BYTES - 1, err.msg);
            push_queue_forget(&p->queue, span_str(sub->id));
        }
    }
    int64_t due = push_queue_due(&p->queue);
    if (p->open && due != INT64_MAX)
        (void)uv_timer_start(&p->timer, on_timer, (uint64_t)MAX(due - now_ms(p), (int64_t)1), 0);
}

void pushes_send(struct pushes *p, const struct push_sub *sub, const struct push_message *m) {
    if (!p->push.ready || !p->open) return;
    push_queue_put(&p->queue, span_str(sub->id), m, now_ms(p));
    pump(p);
}

static void on_test(void *user, struct push_sub *sub) {
    AUTO(buf) struct buf json = BUF_INIT(JSON_BYTES);
    struct jwrite w = JWRITE_INIT(&json);
    jwrite_object(&w);
    jwrite_kcstr(&w, "kind", "test");
    jwrite_kcstr(&w, "title", "ostler");
    jwrite_kcstr(&w, "text", "Notifications reach this device.");
    jwrite_kcstr(&w, "tag", "test");
    jwrite_kcstr(&w, "url", "/");
    jwrite_object_end(&w);
    struct push_message m = {.topic = "test", .ttl_s = TEST_TTL_S, .urgent = true, .json = buf_span(&json)};
    pushes_send(user, sub, &m);
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static bool is_login(void *user, const char *login) {
    const struct auth *a = user;
    return login[0] ? tokens_by_id(&a->tokens, span_str(login)) != NULL : !auth_has_password(a);
}

void pushes_prune(struct pushes *p) {
    if (p->open && push_list_prune(&p->push.list, is_login, p->auth)) (void)on_changed(p);
}

static void on_gone(void *user, const struct push_sub *sub) {
    struct pushes *p = user;
    push_queue_forget(&p->queue, span_str(sub->id));
}

void pushes_open(struct pushes *p, uv_loop_t *loop, const struct clock *clock, struct auth *auth) {
    *p = (struct pushes){.clock = clock, .auth = auth, .client = {.loop = loop}};
    push_list_init(&p->push.list);
    push_queue_init(&p->queue);
    p->push.list.gone = on_gone;
    p->push.list.user = p->push.user = p;
    p->push.prepare = on_prepare;
    p->push.changed = on_changed;
    p->push.test = on_test;
    (void)uv_timer_init(loop, &p->timer);
    p->timer.data = p;
}

/* Ranges that make no sense were said to be wrong when they were set; here they allow nothing. */
static void allow_networks(struct pushes *p, char *const *networks) {
    size_t count = strv_count((const char *const *)networks), n = 0;
    p->allowed = xcalloc(count + 1, sizeof *p->allowed);
    for (size_t i = 0; i < count; i++) {
        if (addr_range_parse(span_str(networks[i]), &p->allowed[n]))
            n++;
        else
            log_warn("\"%s\" in pushNetworks is no address, and no range like 10.0.0.0/8", networks[i]);
    }
    p->client.allowed = p->push.allowed = p->allowed;
    p->client.allowed_count = p->push.allowed_count = n;
}

void pushes_load(struct pushes *p, const struct paths *paths, const struct config *config) {
    if (path_join(p->key_file, paths->state, "push.key") < 0 ||
        path_join(p->list_file, paths->state, "push") < 0) {
        (void)snprintf(p->push.problem, sizeof p->push.problem, "the state directory's path is too long");
        return;
    }
    p->contact = xstrdup(config->push_contact ? config->push_contact : "mailto:ostler@example.org");
    allow_networks(p, config->push_networks);
    p->open = true;
    find_key(p, false);
    read_list(p);
    pushes_prune(p);
}

void pushes_close(struct pushes *p) {
    if (p->open && p->push.list.count) (void)write_list(p); /* with when each was used last */
    p->open = false;
    list_for_each_safe(node, &p->queue.items) {
        struct push_item *item = list_entry(node, struct push_item, link);
        struct flight *f = item->flight;
        if (!f) continue;
        http_client_cancel(f->call);
        item->flight = NULL;
        free(f);
    }
    push_queue_fini(&p->queue);
    uv_close((uv_handle_t *)&p->timer, NULL);
}

void pushes_free(struct pushes *p) {
    if (!p->clock) return;
    push_list_fini(&p->push.list);
    http_client_fini(&p->client);
    p256_free(p->key);
    free(p->allowed);
    free(p->contact);
}
