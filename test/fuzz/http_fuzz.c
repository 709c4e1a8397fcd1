/* Requests out of arbitrary bytes. The first byte says into what pieces the rest is cut: the pieces must give the same
 * requests as the whole, and each request must hold to the caps. */
#include "net/parser.h"
#include "net/url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct parser_limits limits = {.url = 64, .headers = 256, .body = 64};

static void require(bool condition) {
    if (!condition) abort();
}

static void note_request(const struct parsed *d, struct buf *log) {
    require(d->target_n <= limits.url && d->body.n <= limits.body && d->header_count <= PARSER_HEADERS_MAX);
    (void)buf_printf(log, "%s %.*s %d%d%d [%.*s]\n", d->method, SPAN_ARG(parsed_target(d)), d->keep_alive,
                     d->old, d->upgrade, SPAN_ARG(buf_span(&d->body)));
    for (size_t i = 0; i < d->header_count; i++) {
        const struct parsed_place *at = &d->headers[i];
        require(at->name + at->name_n <= d->text.n && at->value + at->value_n <= d->text.n);
        struct span name = span_of(d->text.p + at->name, at->name_n);
        struct span value = parsed_header(d, name);
        (void)buf_printf(log, "%.*s: %.*s\n", SPAN_ARG(name), SPAN_ARG(value));
    }
    struct arena arena = ARENA_INIT(1024);
    struct span path, query;
    if (url_split(parsed_target(d), &arena, &path, &query) == 0) require(path.n > 0 && path.p[0] == '/');
    arena_fini(&arena);
}

static void parse(struct span bytes, size_t piece, struct buf *log) {
    struct parser *p = parser_new(&limits);
    struct parsed d;
    parsed_init(&d, &limits);
    bool open = true;
    while (bytes.n && open) {
        struct span part = span_take(bytes, piece);
        bytes = span_skip(bytes, part.n);
        while (part.n && open) {
            enum parser_result result = parser_feed(p, &d, &part);
            const char *why = NULL;
            if (result == PARSER_HEAD) {
                require(parser_take_body(p, &d, limits.body) == 0);
            } else if (result == PARSER_REQUEST) {
                note_request(&d, log);
                open = d.keep_alive && !d.upgrade;
                parsed_reset(&d);
            } else if (result == PARSER_REFUSED) {
                require(parser_refusal(p, &why) >= 400 && why);
                (void)buf_append_span(log, SPAN("refused")); /* for what depends on what came first */
                open = false;
            }
        }
    }
    parsed_fini(&d);
    parser_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    struct buf whole = BUF_INIT(1 << 20), cut = BUF_INIT(1 << 20);
    parse(bytes, bytes.n, &whole);
    parse(bytes, 1 + data[0] % 32, &cut);
    require(span_eq(buf_span(&whole), buf_span(&cut)));
    buf_fini(&whole);
    buf_fini(&cut);
    return 0;
}
