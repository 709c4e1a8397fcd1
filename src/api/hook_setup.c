/* GET /api/hooks/status, POST /api/hooks/install, POST /api/hooks/uninstall: what is asked is read here; who works on it is app/. */
#include "api/api.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "setup/events.h"

#include <errno.h>

enum { BODY_BYTES_MAX = 64 << 10 };

static int read_clis(struct span list, struct arena *arena, unsigned *ret, struct err *err) {
    struct span rest = list, element, name;
    enum cli cli;
    unsigned clis = 0;
    int r;
    if (jscan_kind(list) != JKIND_ARRAY) return err_set(err, -EINVAL, "clis must be a list of names");
    while ((r = jscan_array_next(&rest, &element)) == 1) {
        if (jscan_string(element, arena, &name) < 0 || !cli_from_str(name, &cli))
            return err_set(err, -EINVAL, "clis may name claude, gemini, codex, copilot and opencode");
        clis |= 1U << cli;
    }
    if (r < 0 || !clis) return err_set(err, -EINVAL, "clis must name at least one CLI");
    *ret = clis;
    return 0;
}

static int read_body(struct span body, struct hook_setup_request *ret, struct err *err) {
    struct jmember m[] = {JMEMBER("density"), JMEMBER("clis")};
    AUTO(arena) struct arena arena = ARENA_INIT(BODY_BYTES_MAX);
    struct span density;
    body = span_trim(body);
    if (body.n == 0) return 0;
    if (body.n > BODY_BYTES_MAX || jvalid(body, 8) < 0 || jscan_object(body, m, ARRAY_LEN(m)) < 0)
        return err_set(err, -EINVAL, "the body must be a JSON object");
    ret->has_density = jscan_kind(m[0].value) > JKIND_NULL;
    if (ret->has_density &&
        (jscan_string(m[0].value, &arena, &density) < 0 || !config_density_from_str(density, &ret->density)))
        return err_set(err, -EINVAL, "density must be high, medium or low");
    return jscan_kind(m[1].value) > JKIND_NULL ? read_clis(m[1].value, &arena, &ret->clis, err) : 0;
}

static void ask(void *user, struct http_exchange *x, enum hook_setup what) {
    struct api *api = user;
    struct hook_setup_request r = {.what = what, .density = DENSITY_MEDIUM};
    struct err err = {0};
    if (what != HOOK_SETUP_STATUS && read_body(http_request(x)->body, &r, &err) < 0)
        http_reply_error(x, 400, "%s", err.msg);
    else
        api->hook_setup(api->user, x, &r);
}

void api_get_hook_setup(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    ask(user, x, HOOK_SETUP_STATUS);
}

void api_install_hooks(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    ask(user, x, HOOK_SETUP_INSTALL);
}

void api_uninstall_hooks(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    ask(user, x, HOOK_SETUP_UNINSTALL);
}
