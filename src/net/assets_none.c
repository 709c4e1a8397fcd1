/* The table of assets of a build without the web board (-Dweb=false). */
#include "net/assets.h"

#define PAGE                                                                                               \
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>ostler</title>\n"                   \
    "<h1>The board is not part of this build</h1>\n"                                                       \
    "<p>The daemon runs and <a href=\"/api/health\">its API</a> works. To get the board, install the web " \
    "dependencies with <code>tools/deps.sh</code>, then build with <code>meson setup -Dweb=true</code>.</p>\n"

const struct asset assets_table[] = {
    {.path = "/index.html",
     .mime = "text/html; charset=utf-8",
     .etag = "none-" OSTLER_VERSION,
     .raw = {PAGE, sizeof PAGE - 1}},
};
const size_t assets_count = ARRAY_LEN(assets_table);
