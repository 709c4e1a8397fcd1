#include "api/api.h"
#include "api/team_config.h"
#include "base/cleanup.h"
#include "base/str.h"

void api_get_team_config(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct team *team = state_find_team(api->state, params->value[0]);
    if (!team) {
        http_reply_error(x, 404, "Team not found");
        return;
    }
    AUTO(buf) struct buf config = BUF_INIT(TEAM_CONFIG_BYTES_MAX);
    AUTO(buf) struct buf body = BUF_INIT(2 * TEAM_CONFIG_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "teamName", str_or_empty(team->name));
    jwrite_key(&w, "config");
    if (api->teams_dir[0] && team_config_read(api->teams_dir, span_str(team->name), &config) == 0)
        jwrite_raw(&w, span_trim(buf_span(&config)));
    else
        jwrite_null(&w);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}
