/* /api/rules and /api/sessions/:id/policies: rules in the CLIs' own settings that were written from here. */
#include "api/api.h"
#include "api/approvals.h"
#include "base/jscan.h"

static void ask(const struct api *api, struct http_exchange *x, struct rules_request r) {
    approvals_by(api, x, r.by);
    api->rules(api->user, x, &r);
}

void api_get_rules(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    ask(user, x, (struct rules_request){.what = RULES_LIST});
}

void api_delete_rule(void *user, struct http_exchange *x, const struct route_params *params) {
    ask(user, x, (struct rules_request){.what = RULES_UNDO, .name = params->value[0]});
}

void api_get_policies(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct session *s = api_find_session(user, x, params);
    if (s) ask(user, x, (struct rules_request){.what = RULES_POLICIES, .session = s});
}

void api_post_policy(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct session *s = api_find_session(user, x, params);
    struct rules_request r = {.what = RULES_SET_POLICY, .session = s};
    struct span name, on;
    if (!s || !api_body_member(x, "name", &name) || !api_body_member(x, "on", &on)) return;
    if (jscan_string(name, http_request(x)->arena, &r.name) < 0 || !jscan_bool(on, &r.on)) {
        http_reply_error(x, 400, "name must be the name of a policy, on true or false");
        return;
    }
    ask(user, x, r);
}
