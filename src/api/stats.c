#include "api/api.h"
#include "base/cleanup.h"

void api_get_hook_stats(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    AUTO(buf) struct buf body = BUF_INIT(1 << 20);
    struct jwrite w = JWRITE_INIT(&body);
    hook_stats_write(api->hook_stats, &w, usec_to_msec(clock_wall(api->clock)));
    api_reply_json(x, 200, &body);
}

void api_reset_hook_stats(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    hook_stats_reset(api->hook_stats);
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}

/* Tells plain clients to forget what they keep of their own. */
void api_reset_browsers(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    board_publish_plain(api->board, SPAN("{\"type\":\"clearBrowserDb\"}"));
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"),
                      SPAN("{\"ok\":true,\"message\":\"Browser DB clear signal sent\"}"));
}
