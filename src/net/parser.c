#include "net/parser.h"

#include "base/mem.h"

#include <errno.h>
#include <llhttp.h>

/* Memory above this is given back between requests. */
/* Memory above these is given back between requests: as many as may connect must not use up the budget while they ask nothing. */
enum { KEEP_BYTES = 16 * 1024, KEEP_TEXT_BYTES = 8 * 1024 };

struct parser {
    llhttp_t http;
    struct parser_limits limits;
    struct parsed *into; /* during parser_feed() */
    enum parser_stage stage;
    size_t head_bytes; /* of headers and trailers so far */
    bool in_value;     /* the last piece of a header was of its value */
    bool chunked;
    bool at_body;   /* stopped between the head and the body */
    bool begun;     /* a line of the head was not empty */
    bool head_over; /* its empty line was there: what follows has no lines that matter here */
    size_t line;    /* bytes of the line so far */
    bool cr;        /* the last of them is a carriage return */
    char last[4];   /* bytes that were taken last */
    int status;     /* of the refusal */
    const char *why;
};

void parsed_init(struct parsed *d, const struct parser_limits *limits) {
    *d = (struct parsed){.text = BUF_INIT(limits->url + limits->headers), .body = BUF_INIT(limits->body)};
}

void parsed_fini(struct parsed *d) {
    buf_fini(&d->text);
    buf_fini(&d->body);
}

void parsed_reset(struct parsed *d) {
    if (d->text.room > KEEP_TEXT_BYTES) buf_fini(&d->text);
    buf_clear(&d->text);
    if (d->body.room > KEEP_BYTES) buf_fini(&d->body);
    buf_clear(&d->body);
    d->header_count = 0;
    d->target_n = 0;
    d->length = 0;
    d->method = NULL;
    d->keep_alive = d->old = d->upgrade = d->expects_continue = false;
}

struct span parsed_target(const struct parsed *d) {
    return span_of(d->text.p, d->target_n);
}

static struct span place_name(const struct parsed *d, const struct parsed_place *at) {
    return span_of(d->text.p + at->name, at->name_n);
}

static struct span place_value(const struct parsed *d, const struct parsed_place *at) {
    return span_of(d->text.p + at->value, at->value_n);
}

struct span parsed_header(const struct parsed *d, struct span name) {
    for (size_t i = 0; i < d->header_count; i++)
        if (span_eq(place_name(d, &d->headers[i]), name)) return span_trim(place_value(d, &d->headers[i]));
    return SPAN_NONE;
}

static size_t count_headers(const struct parsed *d, struct span name) {
    size_t count = 0;
    for (size_t i = 0; i < d->header_count; i++)
        count += span_eq(place_name(d, &d->headers[i]), name);
    return count;
}

bool parsed_has(const struct parsed *d, struct span name) {
    return count_headers(d, name) > 0;
}

struct span parsed_joined(const struct parsed *d, struct span name, struct arena *arena) {
    struct span all = parsed_header(d, name);
    bool first = true;
    for (size_t i = 0; i < d->header_count; i++) {
        if (!span_eq(place_name(d, &d->headers[i]), name)) continue;
        struct span value = span_trim(place_value(d, &d->headers[i]));
        if (!first) all = arena_printf(arena, "%.*s,%.*s", SPAN_ARG(all), SPAN_ARG(value));
        first = false;
    }
    return all;
}

static int refuse(struct parser *p, int status, const char *why) {
    p->status = status;
    p->why = why;
    return HPE_USER;
}

static int take_url(struct parser *p, const char *at, size_t n) {
    struct parsed *d = p->into;
    if (n > p->limits.url - d->target_n) return refuse(p, 414, "the URL is too long");
    if (buf_append(&d->text, at, n) < 0) return refuse(p, 503, "out of memory");
    d->target_n += n;
    return 0;
}

/* Trailers behind a chunked body are counted and dropped: nothing in them may be trusted or is needed. */
static int take_header_bytes(struct parser *p, const char *at, size_t n) {
    if (n > p->limits.headers - p->head_bytes) return refuse(p, 431, "the headers are too large");
    p->head_bytes += n;
    if (p->stage == PARSER_IN_BODY) return 0;
    return buf_append(&p->into->text, at, n) < 0 ? refuse(p, 503, "out of memory") : 0;
}

static int take_name(struct parser *p, const char *at, size_t n) {
    struct parsed *d = p->into;
    if (p->stage == PARSER_IN_HEAD && (p->in_value || d->header_count == 0)) {
        if (d->header_count == PARSER_HEADERS_MAX) return refuse(p, 431, "there are too many headers");
        d->headers[d->header_count++] = (struct parsed_place){.name = (uint32_t)d->text.n};
    }
    p->in_value = false;
    size_t from = d->text.n;
    int r = take_header_bytes(p, at, n);
    if (r != 0 || p->stage == PARSER_IN_BODY) return r;
    for (size_t i = from; i < d->text.n; i++)
        if (d->text.p[i] >= 'A' && d->text.p[i] <= 'Z') d->text.p[i] = (char)(d->text.p[i] + 32);
    d->headers[d->header_count - 1].name_n += (uint32_t)n;
    return 0;
}

static int take_value(struct parser *p, const char *at, size_t n) {
    struct parsed *d = p->into;
    if (p->stage == PARSER_IN_HEAD) {
        struct parsed_place *place = &d->headers[d->header_count - 1];
        if (!p->in_value) place->value = (uint32_t)d->text.n;
        place->value_n += (uint32_t)n;
    }
    p->in_value = true;
    return take_header_bytes(p, at, n);
}

/* llhttp refuses most ambiguous lengths by itself. These it would take, and a proxy before us may read them
 * differently: an empty Transfer-Encoding, one with more than one coding, and one in HTTP/1.0. */
static bool is_ambiguous(const struct parsed *d) {
    struct span name = SPAN("transfer-encoding");
    return count_headers(d, name) > 0 && (d->old || !span_ieq(parsed_header(d, name), SPAN("chunked")));
}

/*
 * llhttp takes lines that others end, or begin, elsewhere: a head that ends with a lone line feed, and values that go on in the
 * next line. No client of ours sends those, and a proxy before us may read them differently.
 */
static bool are_lines_plain(struct parser *p, struct span bytes) {
    while (bytes.n && !p->head_over) {
        if (p->line == 0 && (bytes.p[0] == ' ' || bytes.p[0] == '\t' || bytes.p[0] == ':')) return false;
        const char *end = memchr(bytes.p, '\n', bytes.n);
        size_t n = end ? (size_t)(end - bytes.p) + 1 : bytes.n;
        p->line += n;
        if (end) {
            if (!(n > 1 ? end[-1] == '\r' : p->cr)) return false;
            bool empty = p->line == 2;
            p->head_over = empty && p->begun;
            p->begun |= !empty;
            p->line = 0;
        }
        p->cr = bytes.p[n - 1] == '\r';
        bytes = span_skip(bytes, n);
    }
    return true;
}

static void note_last(struct parser *p, struct span bytes) {
    size_t n = MIN(bytes.n, sizeof p->last);
    memmove(p->last, p->last + n, sizeof p->last - n);
    memcpy(p->last + sizeof p->last - n, bytes.p + bytes.n - n, n);
}

static int take_head(struct parser *p) {
    struct parsed *d = p->into;
    p->chunked = p->http.flags & F_CHUNKED;
    if (p->http.http_major != 1) return refuse(p, 505, "only HTTP/1.1 is spoken here");
    d->old = p->http.http_minor == 0;
    if (is_ambiguous(d)) return refuse(p, 400, "of all transfer encodings only chunked is understood");
    if (count_headers(d, SPAN("host")) > 1 || count_headers(d, SPAN("origin")) > 1)
        return refuse(p, 400, "Host and Origin may be given only once");
    if ((p->http.flags & F_CONTENT_LENGTH) && p->http.content_length > p->limits.body)
        return refuse(p, 413, "the body is too large");
    d->method = llhttp_method_name((llhttp_method_t)p->http.method);
    d->keep_alive = llhttp_should_keep_alive(&p->http) != 0;
    d->expects_continue = !d->old && span_ieq(parsed_header(d, SPAN("expect")), SPAN("100-continue"));
    d->upgrade = p->http.upgrade && span_ieq(parsed_header(d, SPAN("upgrade")), SPAN("websocket"));
    /* Any other upgrade, and CONNECT, is an ordinary request to us: the client is told so by the answer. */
    if (!d->upgrade) p->http.upgrade = 0;
    if ((p->http.flags & F_CONTENT_LENGTH) != 0) d->length = p->http.content_length;
    p->stage = PARSER_IN_BODY;
    p->at_body = p->chunked || d->length > 0;
    return 0;
}

static int take_body(struct parser *p, const char *at, size_t n) {
    p->into->expects_continue = false;
    return buf_append(&p->into->body, at, n) < 0 ? refuse(p, 413, "the body is too large") : 0;
}

static struct parser *of(llhttp_t *http) {
    return http->data;
}

static int on_begin(llhttp_t *http) {
    of(http)->stage = PARSER_IN_HEAD;
    of(http)->head_bytes = 0;
    of(http)->in_value = false;
    return 0;
}

static int on_url(llhttp_t *http, const char *at, size_t n) {
    return take_url(of(http), at, n);
}

static int on_name(llhttp_t *http, const char *at, size_t n) {
    return take_name(of(http), at, n);
}

static int on_value(llhttp_t *http, const char *at, size_t n) {
    return take_value(of(http), at, n);
}

/* Stops before a body, and goes on behind a head that has none. */
static int on_head(llhttp_t *http) {
    if (take_head(of(http)) != 0) return -1;
    return of(http)->at_body ? HPE_PAUSED : 0;
}

static int on_body(llhttp_t *http, const char *at, size_t n) {
    return take_body(of(http), at, n);
}

/* They mean nothing, and have hidden requests from proxies. */
static int on_chunk_extension(llhttp_t *http, const char *at UNUSED, size_t n UNUSED) {
    return refuse(of(http), 400, "chunk extensions are not taken");
}

/* Stops behind the request. An upgrade stops by itself, with a code of its own. */
static int on_complete(llhttp_t *http) {
    return of(http)->into->upgrade ? 0 : HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_begin,
    .on_url = on_url,
    .on_header_field = on_name,
    .on_header_value = on_value,
    .on_headers_complete = on_head,
    .on_chunk_extension_name = on_chunk_extension,
    .on_body = on_body,
    .on_message_complete = on_complete,
};

struct parser *parser_new(const struct parser_limits *limits) {
    struct parser *p = xcalloc(1, sizeof *p);
    p->limits = *limits;
    llhttp_init(&p->http, HTTP_REQUEST, &settings);
    p->http.data = p;
    return p;
}

void parser_free(struct parser *p) {
    free(p);
}

static enum parser_result refuse_malformed(struct parser *p) {
    if (!p->status) (void)refuse(p, 400, "this is not a well-formed HTTP request");
    return PARSER_REFUSED;
}

/* Behind a request, of which `bytes` were the end. */
static enum parser_result complete(struct parser *p, struct span bytes) {
    note_last(p, bytes);
    if (p->chunked && memcmp(p->last, "\r\n\r\n", sizeof p->last) != 0) return refuse_malformed(p);
    p->stage = PARSER_IDLE;
    p->chunked = p->begun = p->head_over = false;
    return PARSER_REQUEST;
}

enum parser_result parser_feed(struct parser *p, struct parsed *d, struct span *bytes) {
    if (p->status) return PARSER_REFUSED;
    if (!are_lines_plain(p, *bytes)) return refuse_malformed(p);
    p->into = d;
    llhttp_errno_t e = llhttp_execute(&p->http, bytes->p, bytes->n);
    p->into = NULL;
    struct span taken = *bytes;
    if (e == HPE_PAUSED || e == HPE_PAUSED_UPGRADE)
        taken = span_take(taken, (size_t)(llhttp_get_error_pos(&p->http) - bytes->p));
    else if (e != HPE_OK)
        return refuse_malformed(p);
    *bytes = span_skip(*bytes, taken.n);
    if (e == HPE_PAUSED) llhttp_resume(&p->http);
    if (e != HPE_OK && !p->at_body) return complete(p, taken);
    note_last(p, taken);
    bool stopped = p->at_body;
    p->at_body = false;
    return stopped ? PARSER_HEAD : PARSER_MORE;
}

int parser_take_body(const struct parser *p, struct parsed *d, size_t max) {
    max = MIN(max, p->limits.body);
    if (d->length > max) return -EFBIG;
    d->body.cap = d->length ? (size_t)d->length : max;
    return 0;
}

enum parser_stage parser_stage(const struct parser *p) {
    return p->stage;
}

int parser_refusal(const struct parser *p, const char **ret_why) {
    *ret_why = p->why;
    return p->status;
}
