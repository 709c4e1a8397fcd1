#include "cli/wizard_apply.h"

#include "cli/hooks_change.h"
#include "cli/screen.h"
#include "cli/tell.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHANGES_MAX = 6, LIST_BYTES = 128 };

/* "claude,codex"; "[]" for none. */
static void list_clis(unsigned bits, char ret[LIST_BYTES]) {
    size_t n = 0;
    for (enum cli cli = 0; cli < CLI_N_ && n < LIST_BYTES; cli++)
        if (bits & 1U << cli)
            n += (size_t)snprintf(ret + n, LIST_BYTES - n, "%s%s", n ? "," : "", cli_to_str(cli));
    if (n == 0) (void)snprintf(ret, LIST_BYTES, "[]");
}

static int save(const char *file, const struct wizard_answers *a, struct err *err) {
    char port[8], hours[16], clis[LIST_BYTES], hash[PASSWORD_HASH_BYTES] = "";
    (void)snprintf(port, sizeof port, "%u", a->port);
    (void)snprintf(hours, sizeof hours, "%u", a->history_hours);
    list_clis(a->clis, clis);
    if (a->password == PASSWORD_SET) {
        int r = password_hash(span_str(a->new_password), hash);
        if (r < 0) return err_sys(err, r, "the password cannot be hashed");
    }
    const struct config_change changes[CHANGES_MAX] = {
        {"port", port},
        {"enabledClis", clis},
        {"hookDensity", config_density_to_str(a->density)},
        {"debug", a->debug ? "true" : "false"},
        {"sessionHistoryHours", hours},
        {"passwordHash", hash}, /* empty: it goes */
    };
    return config_change(file, changes, CHANGES_MAX - (a->password == PASSWORD_KEEP), err);
}

int wizard_apply(const struct cmd *c, const struct setup_place *place, const char *file,
                 const struct wizard_answers *answers, struct err *err) {
    int r = save(file, answers, err);
    if (r == 0 && answers->password != PASSWORD_KEEP) r = tell_password(NULL, err);
    if (r < 0) return r;
    struct hooks_change change = {.cmd = c, .place = place, .terse = true};
    screen_print("\n");
    for (enum cli cli = 0; cli < CLI_N_; cli++)
        hooks_change(&change, cli, answers->clis & 1U << cli ? &answers->density : NULL);
    return change.failed;
}
