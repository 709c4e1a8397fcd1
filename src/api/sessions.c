#include "api/api.h"
#include "base/cleanup.h"
#include "wire/session_json.h"

void api_get_sessions(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    struct span ended;
    session_json_map(&w, api->state, http_query(x, SPAN("ended"), &ended) && span_eq(ended, SPAN("1")));
    api_reply_json(x, 200, &body);
}

const struct session *api_find_session(const struct api *api, struct http_exchange *x,
                                       const struct route_params *params) {
    const struct worker *w = state_find(api->state, params->value[0]);
    if (!w) http_reply_error(x, 404, "Session not found");
    return w ? w->session : NULL;
}

void api_get_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (!s) return;
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    session_json_whole(&w, s);
    api_reply_json(x, 200, &body);
}

void api_get_source(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (!s) return;
    AUTO(buf) struct buf body = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "source", s->source);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}
