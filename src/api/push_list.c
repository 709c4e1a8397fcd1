/* As text: "ostler-push 1", then a JSON object on a line for each, the oldest first. */
#include "api/push_list.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>

#define HEAD "ostler-push 1\n"

enum { MINUTE_MS = 60 * 1000, OFFSET_MAX = 18 * 60, PARSE_BYTES = 16 << 10, KINDS_MAX = 16 };

void push_list_init(struct push_list *l) {
    *l = (struct push_list){0};
    list_init(&l->subs);
}

void push_sub_fini(struct push_sub *sub) {
    free(TAKE(sub->endpoint));
}

void push_list_remove(struct push_list *l, struct push_sub *sub) {
    if (l->gone) l->gone(l->user, sub);
    list_remove(&sub->link);
    l->count--;
    push_sub_fini(sub);
    free(sub);
}

void push_list_fini(struct push_list *l) {
    l->gone = NULL;
    list_for_each_safe(node, &l->subs)
        push_list_remove(l, list_entry(node, struct push_sub, link));
}

struct push_sub *push_list_find(const struct push_list *l, struct span id) {
    list_for_each(node, &l->subs) {
        struct push_sub *sub = list_entry(node, struct push_sub, link);
        if (span_eq_str(id, sub->id)) return sub;
    }
    return NULL;
}

static struct push_sub *find_endpoint(const struct push_list *l, const char *endpoint) {
    list_for_each(node, &l->subs) {
        struct push_sub *sub = list_entry(node, struct push_sub, link);
        if (strcmp(sub->endpoint, endpoint) == 0) return sub;
    }
    return NULL;
}

struct push_sub *push_list_put(struct push_list *l, const struct push_sub *sub) {
    struct push_sub *one = find_endpoint(l, sub->endpoint);
    if (one) {
        struct push_sub was = *one;
        *one = *sub;
        one->link = was.link;
        memcpy(one->id, was.id, sizeof one->id);
        one->created_ms = was.created_ms;
        one->sent_ms = was.sent_ms;
        push_sub_fini(&was);
        return one;
    }
    struct push_sub *oldest = list_first(&l->subs, struct push_sub, link);
    if (oldest && l->count == PUSH_LIST_MAX) push_list_remove(l, oldest);
    one = xcalloc(1, sizeof *one);
    *one = *sub;
    list_append(&l->subs, &one->link);
    l->count++;
    return one;
}

bool push_list_prune(struct push_list *l, bool (*is_login)(void *user, const char *login), void *user) {
    size_t before = l->count;
    list_for_each_safe(node, &l->subs) {
        struct push_sub *sub = list_entry(node, struct push_sub, link);
        if (!is_login(user, sub->login)) push_list_remove(l, sub);
    }
    return l->count != before;
}

static bool is_quiet(const struct push_quiet *q, int64_t now_ms) {
    if (q->from == q->to) return false;
    int64_t minute = now_ms / MINUTE_MS - q->offset;
    int now = (int)((minute % PUSH_DAY_MINUTES + PUSH_DAY_MINUTES) % PUSH_DAY_MINUTES);
    return q->from < q->to ? now >= q->from && now < q->to : now >= q->from || now < q->to;
}

bool push_sub_wants(const struct push_sub *sub, enum attention_kind kind, int64_t now_ms) {
    return (sub->kinds & 1U << kind) && !is_quiet(&sub->quiet, now_ms);
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static int read_kinds(struct span json, unsigned *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(PARSE_BYTES);
    struct span rest = json, element, name;
    unsigned bits = 0, n = 0;
    int r;
    if (!json.n || jscan_kind(json) == JKIND_NULL) return 0;
    if (jscan_kind(json) != JKIND_ARRAY) return err_set(err, -EINVAL, "kinds must be a list");
    while ((r = jscan_array_next(&rest, &element)) > 0 && n++ < KINDS_MAX) {
        enum attention_kind kind;
        if (jscan_string(element, &arena, &name) < 0 || !attention_kind_from_str(name, &kind) || !kind)
            return err_set(err, -EINVAL, "kinds knows approval, question, plan, error, finished and exited");
        bits |= 1U << kind;
    }
    if (r != 0) return err_set(err, -EINVAL, "kinds must be a short list");
    *ret = bits;
    return 0;
}

static bool read_minutes(struct span json, int64_t min, int64_t max, int *ret) {
    int64_t n;
    if (!jscan_i64(json, &n) || n < min || n > max) return false;
    *ret = (int)n;
    return true;
}

static int read_quiet(struct span json, struct push_quiet *ret, struct err *err) {
    struct jmember m[] = {JMEMBER("from"), JMEMBER("to"), JMEMBER("timezoneOffset")};
    if (!json.n || jscan_kind(json) == JKIND_NULL) return 0;
    if (jscan_kind(json) != JKIND_OBJECT || jscan_object(json, m, ARRAY_LEN(m)) < 0 ||
        !read_minutes(m[0].value, 0, PUSH_DAY_MINUTES - 1, &ret->from) ||
        !read_minutes(m[1].value, 0, PUSH_DAY_MINUTES - 1, &ret->to) ||
        !read_minutes(m[2].value, -OFFSET_MAX, OFFSET_MAX, &ret->offset))
        return err_set(err, -EINVAL,
                       "quiet takes from and to, minutes of the day, and timezoneOffset, in minutes");
    return 0;
}

static int read_bytes(struct span json, struct arena *arena, unsigned char *ret, size_t n) {
    struct span text;
    if (jscan_kind(json) != JKIND_STRING || jscan_string(json, arena, &text) < 0) return -EINVAL;
    return base64url_read(text, ret, n) == (int)n ? 0 : -EINVAL;
}

static int read_keys(struct span json, struct push_seal_to *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(PARSE_BYTES);
    struct jmember m[] = {JMEMBER("p256dh"), JMEMBER("auth")};
    if (jscan_kind(json) != JKIND_OBJECT || jscan_object(json, m, ARRAY_LEN(m)) < 0 ||
        read_bytes(m[0].value, &arena, ret->point, sizeof ret->point) < 0 ||
        read_bytes(m[1].value, &arena, ret->auth, sizeof ret->auth) < 0 || !p256_is_point(ret->point))
        return err_set(err, -EINVAL, "keys must be what the browser's subscription has: p256dh and auth");
    return 0;
}

/* A name is judged when it is looked up; an address can be now. */
static int read_endpoint(struct span json, const struct addr_range *allowed, size_t count,
                         struct push_sub *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(PARSE_BYTES);
    struct span url;
    struct target t;
    struct addr a;
    if (jscan_kind(json) != JKIND_STRING || jscan_string(json, &arena, &url) < 0 || !target_parse(url, &t))
        return err_set(err, -EINVAL, "endpoint must be the https address of the browser's push service");
    bool is_address = addr_parse(t.host, &a);
    if (is_address ? !target_may(&t, &a, allowed, count) : !t.secure)
        return err_set(
            err, -EINVAL,
            "endpoint is not the address of a push service: https only, and none in a private network unless "
            "pushNetworks names it");
    ret->endpoint = xstrndup(url.p, url.n);
    return 0;
}

int push_sub_parse(struct span json, const struct addr_range *allowed, size_t count, struct push_sub *ret,
                   struct err *err) {
    struct jmember m[] = {JMEMBER("endpoint"), JMEMBER("keys"), JMEMBER("kinds"), JMEMBER("quiet")};
    struct push_sub sub = {.kinds = (1U << ATTENTION_N_) - 2};
    if (jvalid(json, 8) < 0 || jscan_object(span_trim(json), m, ARRAY_LEN(m)) < 0)
        return err_set(err, -EINVAL, "the body must be a JSON object");
    int r = read_endpoint(m[0].value, allowed, count, &sub, err);
    if (r == 0) r = read_keys(m[1].value, &sub.to, err);
    if (r == 0) r = read_kinds(m[2].value, &sub.kinds, err);
    if (r == 0) r = read_quiet(m[3].value, &sub.quiet, err);
    if (r < 0)
        push_sub_fini(&sub);
    else
        *ret = sub;
    return r;
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static void put_bytes(struct jwrite *w, const char *key, const unsigned char *bytes, size_t n) {
    AUTO(buf) struct buf text = BUF_INIT(256);
    (void)base64url_put(&text, bytes, n);
    jwrite_kstr(w, key, buf_span(&text));
}

static void put_kinds(struct jwrite *w, unsigned kinds) {
    jwrite_key(w, "kinds");
    jwrite_array(w);
    for (enum attention_kind kind = 0; kind < ATTENTION_N_; kind++)
        if (kinds & 1U << kind) jwrite_cstr(w, attention_kind_to_str(kind));
    jwrite_array_end(w);
}

static void put_sub(struct jwrite *w, const struct push_sub *sub) {
    jwrite_object(w);
    jwrite_kcstr(w, "id", sub->id);
    jwrite_kcstr(w, "login", sub->login);
    jwrite_kcstr(w, "device", sub->device);
    jwrite_ki64(w, "created", sub->created_ms);
    jwrite_ki64(w, "sent", sub->sent_ms);
    jwrite_kcstr(w, "endpoint", sub->endpoint);
    jwrite_key(w, "keys");
    jwrite_object(w);
    put_bytes(w, "p256dh", sub->to.point, sizeof sub->to.point);
    put_bytes(w, "auth", sub->to.auth, sizeof sub->to.auth);
    jwrite_object_end(w);
    put_kinds(w, sub->kinds);
    jwrite_key(w, "quiet");
    jwrite_object(w);
    jwrite_ki64(w, "from", sub->quiet.from);
    jwrite_ki64(w, "to", sub->quiet.to);
    jwrite_ki64(w, "timezoneOffset", sub->quiet.offset);
    jwrite_object_end(w);
    jwrite_object_end(w);
}

void push_list_write(const struct push_list *l, struct buf *out) {
    (void)buf_append_span(out, SPAN(HEAD));
    list_for_each(node, &l->subs) {
        struct jwrite w = JWRITE_INIT(out);
        put_sub(&w, list_entry(node, struct push_sub, link));
        (void)buf_append_char(out, '\n');
    }
}

/* A short harmless text, or nothing. */
static bool read_text(struct span json, char *ret, size_t room) {
    AUTO(arena) struct arena arena = ARENA_INIT(PARSE_BYTES);
    struct span text;
    if (jscan_kind(json) != JKIND_STRING || jscan_string(json, &arena, &text) < 0 || text.n >= room ||
        !user_agent_harmless(text))
        return false;
    if (text.n) memcpy(ret, text.p, text.n);
    ret[text.n] = '\0';
    return true;
}

static int read_sub(struct push_list *l, struct span line) {
    static const struct addr_range anywhere = {.bits = 0};
    struct jmember m[] = {JMEMBER("id"), JMEMBER("login"), JMEMBER("device"), JMEMBER("created"),
                          JMEMBER("sent")};
    struct push_sub sub = {0};
    if (push_sub_parse(line, &anywhere, 1, &sub, NULL) < 0) return -EINVAL;
    bool good = jscan_object(line, m, ARRAY_LEN(m)) == (int)ARRAY_LEN(m) &&
                read_text(m[0].value, sub.id, sizeof sub.id) && token_id_valid(span_str(sub.id)) &&
                read_text(m[1].value, sub.login, sizeof sub.login) &&
                (!sub.login[0] || token_id_valid(span_str(sub.login))) &&
                read_text(m[2].value, sub.device, sizeof sub.device) &&
                jscan_i64(m[3].value, &sub.created_ms) && jscan_i64(m[4].value, &sub.sent_ms) &&
                !push_list_find(l, span_str(sub.id)) && !find_endpoint(l, sub.endpoint) &&
                l->count < PUSH_LIST_MAX;
    if (good)
        (void)push_list_put(l, &sub);
    else
        push_sub_fini(&sub);
    return good ? 0 : -EINVAL;
}

int push_list_read(struct push_list *l, struct span text) {
    int r = span_starts(text, SPAN(HEAD)) ? 0 : -EINVAL;
    text = span_skip(text, sizeof HEAD - 1);
    while (r == 0 && text.n) {
        bool whole = memchr(text.p, '\n', text.n);
        r = whole ? read_sub(l, span_split(&text, '\n')) : -EINVAL;
    }
    if (r < 0) push_list_fini(l);
    return r;
}
