#include "net/assets.h"
#include "test.h"

/* The table of the program is not linked: this one is found first. */
const struct asset assets_table[] = {
    {.path = "/assets/app-1.js",
     .mime = "text/javascript",
     .etag = "e1",
     .immutable = true,
     .raw = {"rrrr", 4},
     .gzip = {"ggg", 3},
     .brotli = {"bb", 2}},
    {.path = "/icon.png", .mime = "image/png", .etag = "e2", .raw = {"rrrr", 4}},
    {.path = "/index.html",
     .mime = "text/html; charset=utf-8",
     .etag = "e3",
     .raw = {"rrrr", 4},
     .gzip = {"ggg", 3}},
};
const size_t assets_count = 3;

TEST(finds_by_path) {
    for (size_t i = 0; i < assets_count; i++)
        CHECK(asset_find(span_str(assets_table[i].path)) == &assets_table[i]);
    CHECK(asset_find(SPAN("/index.htm")) == NULL);
    CHECK(asset_find(SPAN("/index.html5")) == NULL);
    CHECK(asset_find(SPAN("/")) == NULL);
    CHECK(asset_find(SPAN_NONE) == NULL);
}

static enum asset_encoding choose(const char *path, const char *accept) {
    return asset_choose(asset_find(span_str(path)), span_str(accept));
}

TEST(chooses_the_smallest_that_is_accepted) {
    CHECK_INT(choose("/assets/app-1.js", "gzip, deflate, br"), ASSET_BROTLI);
    CHECK_INT(choose("/assets/app-1.js", "gzip;q=1.0, br;q=0.1"), ASSET_BROTLI);
    CHECK_INT(choose("/assets/app-1.js", "GZIP"), ASSET_GZIP);
    CHECK_INT(choose("/assets/app-1.js", "br;q=0, gzip"), ASSET_GZIP);
    CHECK_INT(choose("/assets/app-1.js", "br ; q=0.000 , gzip; Q=0"), ASSET_RAW);
    CHECK_INT(choose("/assets/app-1.js", "*"), ASSET_BROTLI);
    CHECK_INT(choose("/assets/app-1.js", "br;q=0, *"), ASSET_GZIP);
    CHECK_INT(choose("/assets/app-1.js", "*;q=0, gzip"), ASSET_GZIP);
    CHECK_INT(choose("/assets/app-1.js", "identity"), ASSET_RAW);
    CHECK_INT(choose("/assets/app-1.js", ""), ASSET_RAW);
    CHECK_INT(choose("/assets/app-1.js", "bro, xgzip, ,;"), ASSET_RAW);
    CHECK_INT(choose("/index.html", "br, gzip"), ASSET_GZIP);
    CHECK_INT(choose("/icon.png", "br, gzip"), ASSET_RAW);
}

TEST(matches_tags) {
    CHECK(asset_tag_matches(SPAN("\"e1-br\""), SPAN("e1-br")));
    CHECK(asset_tag_matches(SPAN("\"x\", W/\"e1-br\""), SPAN("e1-br")));
    CHECK(asset_tag_matches(SPAN("*"), SPAN("e1-br")));
    CHECK(!asset_tag_matches(SPAN("\"e1\""), SPAN("e1-br")));
    CHECK(!asset_tag_matches(SPAN("e1-br"), SPAN("e1-br")));
    CHECK(!asset_tag_matches(SPAN("\"e1-br"), SPAN("e1-br")));
    CHECK(!asset_tag_matches(SPAN_NONE, SPAN("e1-br")));
}

TESTS(RUN(finds_by_path), RUN(chooses_the_smallest_that_is_accepted), RUN(matches_tags))
