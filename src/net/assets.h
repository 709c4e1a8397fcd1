/* The web board, embedded in the program by the build: each file raw, gzip and brotli. */
#pragma once

#include "net/http.h"

struct asset {
    const char *path; /* "/assets/index-3f2a.js"; the page itself is "/index.html" */
    const char *mime;
    const char *etag;              /* without quotes; the encoding is appended */
    bool immutable;                /* the name contains a hash of the content */
    struct span raw, gzip, brotli; /* empty when the encoding would not be smaller */
};

/* Generated: sorted by path. */
extern const struct asset assets_table[];
extern const size_t assets_count;

const struct asset *asset_find(struct span path);

enum asset_encoding { ASSET_RAW, ASSET_GZIP, ASSET_BROTLI };

/* The smallest form that an Accept-Encoding header allows. Pure. */
enum asset_encoding asset_choose(const struct asset *a, struct span accept_encoding);
/* Does an If-None-Match header name this tag (given without quotes)? Pure. */
bool asset_tag_matches(struct span if_none_match, struct span tag);

/* Answers a GET for a file of the board; unknown paths get the page (it has its own routes). */
void assets_serve(struct http_exchange *x);
