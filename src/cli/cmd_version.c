#include "app/libraries.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/version.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "term/frame.h"
#include "wire/board_msg.h"
#include "wire/tty_msg.h"

#include <getopt.h>
#include <stdio.h>

static void write_library(void *user, const char *name, const char *version) {
    jwrite_kcstr(user, name, version);
}

static void print_json(void) {
    AUTO(buf) struct buf out = BUF_INIT(64 << 10);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "version", version_text);
    jwrite_kcstr(&w, "commit", version_commit);
    jwrite_kcstr(&w, "date", version_date);
    jwrite_key(&w, "protocols");
    jwrite_object(&w);
    jwrite_kcstr(&w, "board", BOARD_MSG_PROTOCOL);
    jwrite_ki64(&w, "boardSchema", BOARD_MSG_SCHEMA);
    jwrite_kcstr(&w, "terminal", TTY_MSG_PROTOCOL);
    jwrite_ki64(&w, "keeper", FRAME_VERSION);
    jwrite_ki64(&w, "keeperOldest", FRAME_OLDEST_VERSION);
    jwrite_object_end(&w);
    jwrite_key(&w, "libraries");
    jwrite_object(&w);
    libraries_each(write_library, &w);
    jwrite_object_end(&w);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

static int run(int argc, char **argv) {
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_version, argc, argv, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;
    if (json)
        print_json();
    else
        screen_print("ostler %s\n", version_text);
    return CMD_OK;
}

static const struct cmd_opt options[] = {
    {"json", 'j', .help = "with the commit, the protocols that it speaks and the libraries that it uses"},
    {0},
};

const struct cmd cmd_version = {
    .name = "version",
    .group = CMD_MORE,
    .summary = "print the version",
    .about = "Prints the version of this program. Between two releases it names the commit.",
    .options = options,
    .run = run,
};
