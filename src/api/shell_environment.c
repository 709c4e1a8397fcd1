/* How the environment of the person's own shell was found out. */
#include "api/api.h"

void api_get_shell_environment(void *user, struct http_exchange *x,
                               const struct route_params *params UNUSED) {
    const struct api *api = user;
    api->shell_environment(api->user, x, false);
}

void api_resolve_shell_environment(void *user, struct http_exchange *x,
                                   const struct route_params *params UNUSED) {
    const struct api *api = user;
    api->shell_environment(api->user, x, true);
}
