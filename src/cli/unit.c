#include "cli/unit.h"

#include "base/cleanup.h"

#include <stdio.h>

void unit_quote(struct span word, struct buf *to) {
    (void)buf_append_char(to, '"');
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        if (c == '%' || c == '$') /* specifiers and variables are doubled */
            (void)buf_printf(to, "%c%c", c, c);
        else if (c == '"' || c == '\\')
            (void)buf_printf(to, "\\%c", c);
        else if ((unsigned char)c < ' ' || c == 0x7f)
            (void)buf_printf(to, "\\x%02x", (unsigned)c);
        else
            (void)buf_append_char(to, c);
    }
    (void)buf_append_char(to, '"');
}

/* In Environment= a dollar is a dollar. */
static void quote_environment(struct span word, struct buf *to) {
    AUTO(buf) struct buf quoted = BUF_INIT(64 << 10);
    unit_quote(word, &quoted);
    for (size_t i = 0; i < quoted.n; i++) {
        (void)buf_append_char(to, quoted.p[i]);
        if (quoted.p[i] == '$') i++;
    }
}

void unit_write(const struct unit *u, struct buf *to) {
    (void)buf_printf(to,
                     "%s; systemctl --user edit ostler changes it for good.\n"
                     "[Unit]\n"
                     "Description=ostler, which looks after AI coding agents\n"
                     "\n"
                     "[Service]\n"
                     "Type=notify\n"
                     "ExecStart=",
                     UNIT_MARK);
    unit_quote(span_str(u->program), to);
    (void)buf_printf(to, " serve --no-open\n");
    for (const char *const *e = u->environment; e && *e; e++) {
        (void)buf_printf(to, "Environment=");
        quote_environment(span_str(*e), to);
        (void)buf_append_char(to, '\n');
    }
    (void)buf_printf(
        to,
        "Restart=on-failure\n"
        "RestartSec=1\n"
        "# A command line that is not understood does not get better.\n"
        "RestartPreventExitStatus=2\n"
        "TimeoutStopSec=10\n"
        "# A large database may take its time when it is brought to a newer form.\n"
        "TimeoutStartSec=600\n"
        "# A daemon that hangs is ended and started anew: terminals live on.\n"
        "WatchdogSec=30\n"
        "\n"
        "# Only the daemon is stopped. The keepers of terminals have scopes of their own and would live in any case; where no\n"
        "# scope could be had they are in this unit's control group, and a stop or a restart must not end them either.\n"
        "KillMode=process\n"
        "# A compiler that an agent started and that the kernel shot for its memory is no failure of this service.\n"
        "OOMPolicy=continue\n"
        "# What is locked here would be locked in the terminals, too, because they are started by the daemon:\n"
        "# NoNewPrivileges= would take sudo away, ProtectSystem= and PrivateTmp= would hide files, MemoryDenyWriteExecute= would\n"
        "# stop Node, LockPersonality= gdb. A scope of its own changes that not: a keeper is forked by the daemon before it moves\n"
        "# there; and for an ordinary user each filter of system calls brings NoNewPrivileges= with it. The daemon\n"
        "# confines itself: loopback, files 0600, strict checks of who asks; each keeper once its program runs.\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n");
}
