/* Files of the board over a real connection, from a table of our own. */
#include "fixture.h"
#include "net/assets.h"
#include "test.h"

#include "base/cleanup.h"

const struct asset assets_table[] = {
    {.path = "/assets/app-1.js",
     .mime = "text/javascript",
     .etag = "e1",
     .immutable = true,
     .raw = {"raw js", 6},
     .gzip = {"gz js", 5},
     .brotli = {"br", 2}},
    {.path = "/index.html",
     .mime = "text/html; charset=utf-8",
     .etag = "e3",
     .raw = {"the page", 8},
     .gzip = {"gz", 2}},
};
const size_t assets_count = ARRAY_LEN(assets_table);

static void get(struct client *c, const char *path, const char *headers, struct response *ret) {
    AUTO(buf) struct buf b = BUF_INIT(4096);
    (void)buf_printf(&b, "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", path, headers);
    client_send(c, buf_span(&b));
    client_response(c, false, ret);
}

TEST(serves_a_hashed_file) {
    struct fixture f;
    struct client c;
    struct response r;
    fixture_open(&f, NULL);
    f.serves_assets = true;
    client_open(&c, &f);
    get(&c, "/assets/app-1.js", "Accept-Encoding: gzip, br\r\n", &r);
    CHECK_INT(r.status, 200);
    CHECK_SPAN(r.body, "br");
    CHECK_SPAN(response_header(&r, "content-encoding"), "br");
    CHECK_SPAN(response_header(&r, "content-type"), "text/javascript");
    CHECK_SPAN(response_header(&r, "etag"), "\"e1-br\"");
    CHECK_SPAN(response_header(&r, "vary"), "Accept-Encoding");
    CHECK_SPAN(response_header(&r, "cache-control"), "public, max-age=31536000, immutable");
    CHECK_SPAN(response_header(&r, "x-content-type-options"), "nosniff");
    response_fini(&r);
    get(&c, "/assets/app-1.js", "", &r);
    CHECK_SPAN(r.body, "raw js");
    CHECK_INT(response_header(&r, "content-encoding").n, 0);
    CHECK_SPAN(response_header(&r, "etag"), "\"e1\"");
    response_fini(&r);
    client_close(&c);
    fixture_close(&f);
}

TEST(a_tag_saves_the_body) {
    struct fixture f;
    struct client c;
    struct response r;
    fixture_open(&f, NULL);
    f.serves_assets = true;
    client_open(&c, &f);
    get(&c, "/", "Accept-Encoding: gzip\r\nIf-None-Match: \"e3-gz\"\r\n", &r);
    CHECK_INT(r.status, 304);
    CHECK_SPAN(response_header(&r, "etag"), "\"e3-gz\"");
    response_fini(&r);
    get(&c, "/", "If-None-Match: \"e3-gz\"\r\n", &r); /* another encoding is another thing */
    CHECK_INT(r.status, 200);
    CHECK_SPAN(r.body, "the page");
    response_fini(&r);
    client_close(&c);
    fixture_close(&f);
}

TEST(unknown_paths_are_the_page) {
    static const char *const paths[] = {"/", "/index.html", "/sessions/s42", "/assetsx"};
    struct fixture f;
    struct client c;
    struct response r;
    fixture_open(&f, NULL);
    f.serves_assets = true;
    client_open(&c, &f);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        get(&c, paths[i], "", &r);
        CHECK_INT(r.status, 200);
        CHECK_SPAN(r.body, "the page");
        CHECK_SPAN(response_header(&r, "cache-control"), "no-cache");
        CHECK_SPAN(response_header(&r, "referrer-policy"), "no-referrer");
        CHECK(span_icontains(response_header(&r, "content-security-policy"), SPAN("script-src 'self';")));
        response_fini(&r);
    }
    get(&c, "/assets/app-0.js", "", &r);
    CHECK_INT(r.status, 404);
    CHECK_SPAN(r.body, "{\"error\":\"there is no /assets/app-0.js here\"}");
    response_fini(&r);
    get(&c, "/api/nothing", "", &r);
    CHECK_INT(r.status, 404);
    response_fini(&r);
    client_send_str(&c, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    client_response(&c, false, &r);
    CHECK_INT(r.status, 405);
    CHECK_SPAN(response_header(&r, "allow"), "GET, HEAD");
    response_fini(&r);
    client_close(&c);
    fixture_close(&f);
}

TESTS(RUN(serves_a_hashed_file), RUN(a_tag_saves_the_body), RUN(unknown_paths_are_the_page))
