/* Answers: the head, and a body that is copied when small, so that both leave in one buffer and one write. */
#include "base/jwrite.h"
#include "base/mem.h"
#include "net/exchange_int.h"

#include <stdarg.h>
#include <stdio.h>

enum { SMALL_BODY = 8 * 1024, ERROR_BYTES = 1024 };

static struct span status_line(int status) {
    switch (status) {
    case 200: return SPAN("HTTP/1.1 200 OK\r\n");
    case 201: return SPAN("HTTP/1.1 201 Created\r\n");
    case 202: return SPAN("HTTP/1.1 202 Accepted\r\n");
    case 204: return SPAN("HTTP/1.1 204 No Content\r\n");
    case 304: return SPAN("HTTP/1.1 304 Not Modified\r\n");
    case 400: return SPAN("HTTP/1.1 400 Bad Request\r\n");
    case 401: return SPAN("HTTP/1.1 401 Unauthorized\r\n");
    case 403: return SPAN("HTTP/1.1 403 Forbidden\r\n");
    case 404: return SPAN("HTTP/1.1 404 Not Found\r\n");
    case 405: return SPAN("HTTP/1.1 405 Method Not Allowed\r\n");
    case 408: return SPAN("HTTP/1.1 408 Request Timeout\r\n");
    case 409: return SPAN("HTTP/1.1 409 Conflict\r\n");
    case 413: return SPAN("HTTP/1.1 413 Content Too Large\r\n");
    case 414: return SPAN("HTTP/1.1 414 URI Too Long\r\n");
    case 415: return SPAN("HTTP/1.1 415 Unsupported Media Type\r\n");
    case 421: return SPAN("HTTP/1.1 421 Misdirected Request\r\n");
    case 426: return SPAN("HTTP/1.1 426 Upgrade Required\r\n");
    case 429: return SPAN("HTTP/1.1 429 Too Many Requests\r\n");
    case 431: return SPAN("HTTP/1.1 431 Request Header Fields Too Large\r\n");
    case 500: return SPAN("HTTP/1.1 500 Internal Server Error\r\n");
    case 503: return SPAN("HTTP/1.1 503 Service Unavailable\r\n");
    case 505: return SPAN("HTTP/1.1 505 HTTP Version Not Supported\r\n");
    default: return SPAN_NONE;
    }
}

static void put_number(struct buf *b, uint64_t v) {
    char digits[20];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + v % 10);
    } while (v /= 10);
    (void)buf_append(b, digits + n, sizeof digits - n);
}

static bool has_body(int status) {
    return status != 204 && status != 304;
}

/* On every answer. Nothing here may be framed, sniffed, or read by another site's page. */
#define PROTECTION                                  \
    "X-Content-Type-Options: nosniff\r\n"           \
    "X-Frame-Options: DENY\r\n"                     \
    "Referrer-Policy: no-referrer\r\n"              \
    "Cross-Origin-Opener-Policy: same-origin\r\n"   \
    "Cross-Origin-Resource-Policy: same-origin\r\n" \
    "Permissions-Policy: camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()\r\n"

/* A browser remembers this for all ports of the name: not for localhost, and not for a certificate that we made. */
static bool insists_on_tls(const struct http_exchange *x) {
    const struct tls *tls = x->conn->tls ? x->conn->server->tls : NULL;
    return tls && !tls_is_own(tls) && x->host.n && !span_istarts(x->host, SPAN("localhost"));
}

/* For what is no page, and nobody's to keep. */
#define POLICY "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
#define CACHING "Cache-Control: no-store\r\n"

static void put_protection(const struct http_exchange *x, struct buf *b) {
    if (!x->has_policy && !x->has_caching) { /* nearly all: one copy */
        (void)buf_append_span(b, SPAN(PROTECTION POLICY CACHING));
    } else {
        (void)buf_append_span(b, SPAN(PROTECTION));
        if (!x->has_policy) (void)buf_append_span(b, SPAN(POLICY));
        if (!x->has_caching) (void)buf_append_span(b, SPAN(CACHING));
    }
    if (insists_on_tls(x)) (void)buf_append_span(b, SPAN("Strict-Transport-Security: max-age=31536000\r\n"));
}

static void write_head(struct http_exchange *x, struct buf *b, int status, struct span type, size_t length) {
    struct span line = status_line(status);
    if (line.n) {
        (void)buf_append_span(b, line);
    } else {
        (void)buf_printf(b, "HTTP/1.1 %d Status\r\n", status);
    }
    if (has_body(status)) {
        if (type.n) {
            (void)buf_append_span(b, SPAN("Content-Type: "));
            (void)buf_append_span(b, type);
            (void)buf_append_span(b, SPAN("\r\n"));
        }
        (void)buf_append_span(b, SPAN("Content-Length: "));
        put_number(b, length);
        (void)buf_append_span(b, SPAN("\r\n"));
    }
    put_protection(x, b);
    if (!x->keep_alive) {
        (void)buf_append_span(b, SPAN("Connection: close\r\n"));
    } else if (x->parsed.old) {
        (void)buf_append_span(b, SPAN("Connection: keep-alive\r\n"));
    }
    (void)buf_append_span(b, buf_span(&x->extra));
    (void)buf_append_span(b, SPAN("\r\n"));
}

static void put_tail(struct out *o, char *heap, struct span body) {
    if (heap) {
        out_heap(o, heap, body.n);
    } else {
        out_static(o, body);
    }
}

static void answer(struct http_exchange *x, int status, struct span type, struct span body, bool is_static) {
    if (!x->conn) {
        http_exchange_free(x);
        return;
    }
    bool first = http_conn_is_first(x);
    struct out *o = &x->conn->out;
    struct buf *to = first ? out_text_begin(o) : &x->answer;
    write_head(x, to, status, type, body.n);
    if (x->head || !has_body(status)) body = SPAN_NONE;
    char *heap = NULL;
    if (body.n <= SMALL_BODY) {
        (void)buf_append_span(to, body);
        body = SPAN_NONE;
    } else if (!is_static) {
        heap = xmalloc(body.n);
        memcpy(heap, body.p, body.n);
        body.p = heap;
    }
    if (first) {
        out_text_end(o);
        put_tail(o, heap, body);
    } else {
        x->answered = true;
        x->answer_heap = heap;
        x->answer_body = body;
    }
    http_conn_answered(x);
}

void reply_send_kept(struct http_exchange *x) {
    struct out *o = &x->conn->out;
    if (x->answer.failed) o->failed = true;
    out_text(o, buf_span(&x->answer));
    put_tail(o, x->answer_heap, x->answer_body);
    x->answer_heap = NULL;
}

void reply_switch(struct http_exchange *x, const char *accept, struct span protocol) {
    struct out *o = &x->conn->out;
    struct buf *b = out_text_begin(o);
    (void)buf_append_span(
        b, SPAN("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Accept: "));
    (void)buf_append_span(b, span_str(accept));
    if (protocol.n) {
        (void)buf_append_span(b, SPAN("\r\nSec-WebSocket-Protocol: "));
        (void)buf_append_span(b, protocol);
    }
    (void)buf_append_span(b, SPAN("\r\n"));
    (void)buf_append_span(b, buf_span(&x->extra));
    (void)buf_append_span(b, SPAN("\r\n"));
    out_text_end(o);
}

static bool is_clean(struct span s) {
    return s.n == 0 || (!memchr(s.p, '\r', s.n) && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\0', s.n));
}

void http_add_header(struct http_exchange *x, struct span name, struct span value) {
    if (!is_clean(name) || !is_clean(value)) return;
    x->has_policy |= span_ieq(name, SPAN("content-security-policy"));
    x->has_caching |= span_ieq(name, SPAN("cache-control"));
    (void)buf_append_span(&x->extra, name);
    (void)buf_append_span(&x->extra, SPAN(": "));
    (void)buf_append_span(&x->extra, value);
    (void)buf_append_span(&x->extra, SPAN("\r\n"));
}

void http_reply(struct http_exchange *x, int status, struct span content_type, struct span body) {
    answer(x, status, content_type, body, false);
}

void http_reply_static(struct http_exchange *x, int status, struct span content_type, struct span body) {
    answer(x, status, content_type, body, true);
}

void http_reply_error(struct http_exchange *x, int status, const char *fmt, ...) {
    char why[ERROR_BYTES];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    struct buf json = BUF_INIT(8 * ERROR_BYTES);
    struct jwrite w = JWRITE_INIT(&json);
    jwrite_object(&w);
    jwrite_kcstr(&w, "error", why);
    jwrite_object_end(&w);
    answer(x, status, SPAN("application/json; charset=utf-8"), buf_span(&json), false);
    buf_fini(&json);
}
