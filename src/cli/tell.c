#include "cli/tell.h"

#include "base/cleanup.h"
#include "cli/client.h"

#include <errno.h>

int tell_password(bool *ret_running, struct err *err) {
    struct daemon_info daemon;
    struct err why = {0};
    AUTO(buf) struct buf answer = BUF_INIT(CLIENT_BODY_MAX);
    int r = client_find(&daemon, &why);
    if (r == 0) r = client_call(&daemon, "POST", "/api/auth/reload", SPAN_NONE, &answer, NULL, &why);
    if (ret_running) *ret_running = r != -ENOENT;
    if (r == 0 || r == -ENOENT) return 0;
    return err_set(err, r, "the running daemon does not know of the change (%s): restart it", why.msg);
}
