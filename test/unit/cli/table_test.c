/* Help, manual and completions of a table that has one of everything. */
#include "base/cleanup.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "test.h"

#include <getopt.h>

static int run_nothing(int argc UNUSED, char **argv UNUSED) {
    return CMD_OK;
}

static const struct cmd_opt ride_options[] = {
    {"lines", 'n', .has_letter = true, .value = "LINES", .help = "only the last [ones]: it's enough"},
    {"dir", 'd', .value = "DIR", .help = "where", .complete = "@dir"},
    {"gait", 'g', .value = "HOW", .help = "how fast", .complete = "walk trot"},
    {0},
};
static const struct cmd ride = {
    .name = "ride",
    .group = CMD_AGENTS,
    .summary = "go somewhere; it's far",
    .words = "[--] PROGRAM [ARGUMENT]…",
    .complete = "@program",
    .stops_at_word = true,
    .about = "Goes.\n\nKeys:\n  ^A  .dotted \\ backslash\n'quoted at the start",
    .options = ride_options,
    .notes = "The exit status is the horse's.",
    .examples = "ostler ride -- ls -l\n.first a dot",
    .run = run_nothing,
};

static const struct cmd_opt shoe_options[] = {
    {"json", 'j', .help = "for programs"}, {"hot", 'h', .value = "N", .help = "how hot"}, {0}};
static const struct cmd_action shoe_actions[] = {
    {"put", "HORSE…", "@terminal", "jh", "put them on", run_nothing},
    {"off", NULL, NULL, NULL, "take them off", run_nothing},
    {0},
};
static const struct cmd shoe = {.name = "shoe",
                                .group = CMD_MORE,
                                .summary = "shoes for horses",
                                .about = "Shoes them.",
                                .options = shoe_options,
                                .actions = shoe_actions};

const struct cmd *const commands[] = {&ride, &shoe, NULL};

const struct cmd *cmd_find(const char *name) {
    return strcmp(name, "ride") == 0 ? &ride : strcmp(name, "shoe") == 0 ? &shoe : NULL;
}

/* What something prints. */
struct printed {
    char *text;
    size_t n;
    FILE *to;
};

static FILE *begin(struct printed *p) {
    p->to = open_memstream(&p->text, &p->n);
    return p->to;
}

static void end(struct printed *p, const char *const *wanted, const char *const *refused) {
    (void)fclose(p->to);
    for (; *wanted; wanted++)
        if (!strstr(p->text, *wanted)) fail_msg("there is no \"%s\" in:\n%s", *wanted, p->text);
    for (; refused && *refused; refused++)
        if (strstr(p->text, *refused)) fail_msg("there is a \"%s\" in:\n%s", *refused, p->text);
    free(p->text);
}

#define WORDS(...)          \
    (const char *const[]) { \
        __VA_ARGS__, NULL   \
    }

TEST(help_of_a_command_and_of_an_action) {
    struct printed p;
    help_print(&ride, NULL, begin(&p));
    end(&p,
        WORDS("usage: ostler ride [-n LINES] [--dir DIR] [--gait HOW] [--] PROGRAM", "-n, --lines LINES",
              "  ^A  .dotted"),
        NULL);
    help_print(&shoe, &shoe_actions[1], begin(&p));
    end(&p, WORDS("usage: ostler shoe off\n", "Take them off.", "--help"), WORDS("--json", "put"));
    help_print_list(begin(&p));
    end(&p, WORDS("Agents and terminals\n  ride ", "  shoe "), NULL);
}

TEST(the_manual_means_nothing_to_roff) {
    struct printed p;
    manual_print(&ride, begin(&p));
    end(&p,
        WORDS(".TH OSTLER\\-RIDE 1 \"", "ostler\\-ride \\- go somewhere; it\\(aqs far\n",
              ".SH SYNOPSIS\n\\fBostler\\fR \\fBride\\fR [\\-n",
              "\\fB\\-n\\fR, \\fB\\-\\-lines\\fR \\fILINES\\fR\n", "  \\(haA  .dotted \\e backslash\n",
              "\n\\&\\(aqquoted", "\n\\&.first a dot\n", ".SH NOTES\n", "\\fBostler\\fR(1)\n"),
        WORDS("EXIT STATUS", "\n'quoted", "\n.first"));
    manual_print(&shoe, begin(&p));
    end(&p, WORDS(".SH ACTIONS\n.TP\n\\fBput\\fR \\fIHORSE…\\fR\nput them on\n", ".SH EXIT STATUS\n"), NULL);
    manual_print_main(begin(&p));
    end(&p, WORDS(".TH OSTLER 1 ", "\\fBostler\\-ride\\fR(1)\n", "NO_COLOR", ".SH EXIT STATUS"), NULL);
}

TEST(completions) {
    struct printed p;
    complete_bash(begin(&p));
    end(&p,
        WORDS("_ostler_commands='ride shoe'",
              "ride) options='--lines --dir --gait' words='@program' stops=1 ;;",
              "shoe) actions='put off' ;;", "'shoe put') options='--json --hot' words='@terminal' ;;",
              "'shoe off') options='' words='' ;;", "'ride --lines' | 'ride -n') value='' ;;",
              "'ride --gait') value='walk trot' ;;"),
        NULL);
    complete_zsh(begin(&p));
    end(&p,
        WORDS("#compdef ostler", "'ride:go somewhere; it'\\''s far'",
              "'(-n --lines)'{-n,--lines}'[only the last \\[ones\\]\\: it'\\''s enough]:LINES: '",
              "'--dir[where]:DIR:_files -/'", "'--gait[how fast]:HOW:(walk trot)'",
              "'*:horse:_ostler_terminals'", "'(-)1:programargument:_command_names -e'"),
        NULL);
    complete_fish(begin(&p));
    end(&p,
        WORDS("-a ride -d 'go somewhere; it\\'s far'", "-n '__ostler_at ride' -s n -l lines -r -d '",
              "-n '__ostler_at shoe \"put\"' -l json -d 'for programs'",
              "-n '__ostler_at shoe \"put\"' -a '(__ostler_terminals)'",
              "-n '__ostler_at ride' -l gait -r -a 'walk trot'"),
        WORDS("-n '__ostler_at shoe \"off\"' -l json"));
}

/* ---- command lines --------------------------------------------------------------------------------------------- */

static int read_line(const struct cmd *c, const char *const *words) {
    char *argv[8] = {0};
    int argc = 0, status;
    for (; words[argc]; argc++)
        argv[argc] = (char *)words[argc];
    optind = 0;
    while (cmd_option(c, argc, argv, &status) != -1) {}
    return status;
}

TEST(command_lines) {
    CHECK_INT(read_line(&ride, WORDS("ride", "-n", "5", "--dir=/tmp", "ls", "--what")), -1);
    CHECK_INT(read_line(&ride, WORDS("ride", "--ln", "5")), CMD_USAGE);
    CHECK_INT(read_line(&ride, WORDS("ride", "-x")), CMD_USAGE);
    CHECK_INT(read_line(&ride, WORDS("ride", "-xn")), CMD_USAGE);
    CHECK_INT(read_line(&ride, WORDS("ride", "-n")), CMD_USAGE);
    CHECK_INT(read_line(&shoe, WORDS("put", "--json=1", "bess")), CMD_USAGE);
    CHECK_INT(read_line(&shoe, WORDS("put", "--json", "bess")), -1);
    CHECK_INT(read_line(&shoe, WORDS("off", "--json")), CMD_USAGE);
    CHECK_INT(read_line(&shoe, WORDS("off", "bess")), CMD_USAGE);
}

TESTS(RUN(help_of_a_command_and_of_an_action), RUN(the_manual_means_nothing_to_roff), RUN(completions),
      RUN(command_lines))
