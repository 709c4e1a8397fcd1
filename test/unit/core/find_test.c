/* Whose process is it? Candidates as /proc would give them. */
#include "core/find.h"

#include "test.h"

#define ARGS(words) span_of(words "\0", sizeof(words))

static bool is_agent(struct span args, enum cli want, bool want_script) {
    enum cli cli;
    bool script;
    return find_cli(args, &cli, &script) && cli == want && script == want_script;
}

static bool is_none(struct span args) {
    enum cli cli;
    bool script;
    return !find_cli(args, &cli, &script);
}

TEST(an_agent_is_known_by_its_program) {
    CHECK(is_agent(ARGS("claude"), CLI_CLAUDE, false));
    CHECK(is_agent(ARGS("/opt/bin/claude\0--resume\0x"), CLI_CLAUDE, false));
    CHECK(is_agent(ARGS("codex.exe"), CLI_CODEX, false));
    CHECK(is_agent(ARGS("/usr/bin/node\0/usr/bin/gemini"), CLI_GEMINI, true));
    CHECK(is_agent(ARGS("node\0--no-warnings=DEP0040\0/usr/bin/gemini\0-y"), CLI_GEMINI, true));
    CHECK(is_agent(ARGS("bun\0run\0/x/codex.mjs"), CLI_CODEX, true));
    CHECK(is_agent(ARGS("/usr/bin/python3.11\0-u\0claude.py"), CLI_CLAUDE, true));
    CHECK(is_agent(span_of("claude", 6), CLI_CLAUDE, false)); /* a title that the program gave itself */
    CHECK(is_agent(span_of("claude\0\0\0", 9), CLI_CLAUDE, false));
}

TEST(a_name_somewhere_in_the_command_line_is_no_agent) {
    CHECK(is_none(ARGS("vim\0claude.md")));
    CHECK(is_none(ARGS("less\0/p/claude")));
    CHECK(is_none(ARGS("bash\0-c\0claude")));
    CHECK(is_none(ARGS("node\0/srv/claude/server.js\0claude")));
    CHECK(is_none(ARGS("/home/claude/bin/tool")));
    CHECK(is_none(ARGS("claude-helper")));
    CHECK(is_none(ARGS("myclaude")));
    CHECK(is_none(ARGS(".claude")));
    CHECK(is_none(ARGS("node")));
    CHECK(is_none(ARGS("node\0--version")));
    CHECK(is_none(ARGS("bun\0run\0run\0claude"))); /* a script called "run" */
    CHECK(is_none(ARGS("/opt/claude/")));
    CHECK(is_none(ARGS("")));
    CHECK(is_none(SPAN_NONE));
}

static struct find_candidate claude(int64_t pid, const char *cwd) {
    return (struct find_candidate){
        .pid = pid, .parent = 1, .start = 100, .cli = CLI_CLAUDE, .cwd = span_str(cwd)};
}

static const struct find_query in_alpha = {.cli = CLI_CLAUDE, .dir = SPAN("/p/alpha")};

/* The rule, and through it the pid. */
static enum find_rule find(const struct find_candidate *v, size_t n, const struct find_query *q,
                           int64_t *ret_pid) {
    struct find_hit hit = find_process(v, n, q);
    *ret_pid = hit.rule ? v[hit.index].pid : 0;
    return hit.rule;
}

TEST(the_only_one_in_the_directory) {
    struct find_candidate v[] = {claude(2, "/p/beta"), claude(3, "/p/alpha"), claude(4, "/p/alpha/src")};
    int64_t pid;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_DIRECTORY);
    CHECK_INT(pid, 3);
}

TEST(of_several_the_one_with_a_terminal) {
    struct find_candidate v[] = {claude(2, "/p/alpha"), claude(3, "/p/alpha"), claude(4, "/p/beta")};
    int64_t pid;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_NONE);
    v[1].has_tty = v[2].has_tty = true;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_TERMINAL);
    CHECK_INT(pid, 3);
    v[0].has_tty = true;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_NONE);
}

TEST(the_last_resort_is_the_only_one_of_all) {
    struct find_candidate v[] = {claude(2, "/p/beta"), claude(3, "/p/gamma")};
    int64_t pid;
    CHECK_INT(find(v, 1, &in_alpha, &pid), FIND_ONLY);
    CHECK_INT(pid, 2);
    CHECK_INT(find(v, 2, &in_alpha, &pid), FIND_NONE);
    v[0].claimed = true;
    CHECK_INT(find(v, 2, &in_alpha, &pid), FIND_ONLY);
    CHECK_INT(pid, 3);
    CHECK_INT(find(v, 0, &in_alpha, &pid), FIND_NONE);
}

TEST(somebody_elses_and_other_clis_do_not_count) {
    struct find_candidate v[] = {claude(2, "/p/alpha"), claude(3, "/p/alpha"), claude(4, "/p/alpha")};
    v[0].claimed = true;
    v[1].cli = CLI_GEMINI;
    int64_t pid;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_DIRECTORY);
    CHECK_INT(pid, 4);
    v[2].claimed = true;
    CHECK_INT(find(v, 3, &in_alpha, &pid), FIND_NONE);
}

TEST(who_was_born_after_the_last_word_did_not_say_it) {
    struct find_candidate v[] = {claude(2, "/p/alpha"), claude(3, "/p/alpha")};
    v[1].start = 200;
    struct find_query q = in_alpha;
    q.born_by = 150;
    int64_t pid;
    CHECK_INT(find(v, 2, &q, &pid), FIND_DIRECTORY);
    CHECK_INT(pid, 2);
    q.born_by = 50;
    CHECK_INT(find(v, 2, &q, &pid), FIND_NONE);
}

TEST(without_a_directory_there_is_only_the_last_resort) {
    struct find_candidate v[] = {claude(2, ""), claude(3, "")};
    struct find_query q = {.cli = CLI_CLAUDE};
    int64_t pid;
    CHECK_INT(find(v, 1, &q, &pid), FIND_ONLY);
    CHECK_INT(find(v, 2, &q, &pid), FIND_NONE);
}

TEST(a_launcher_and_its_program_are_one_agent) {
    /* `node codex` starts the real codex, which is the one that calls the hooks. */
    struct find_candidate v[] = {claude(2, "/p/alpha"), claude(3, "/p/alpha")};
    v[0].script = true;
    v[1].parent = 2;
    find_claim_pairs(v, 2);
    int64_t pid;
    CHECK_INT(find(v, 2, &in_alpha, &pid), FIND_DIRECTORY);
    CHECK_INT(pid, 3);
}

TEST(an_agents_helper_is_no_agent_of_its_own) {
    /* `claude mcp serve`, started by the agent itself. */
    struct find_candidate v[] = {claude(3, "/p/alpha"), claude(2, "/p/alpha"), claude(4, "/p/beta")};
    v[0].parent = 2;
    v[2].cli = CLI_CODEX;
    v[2].parent = 2; /* another CLI inside an agent is one */
    find_claim_pairs(v, 3);
    CHECK(v[0].claimed && !v[1].claimed && !v[2].claimed);
}

TEST(two_cards_for_one_process) {
    const struct find_hit hits[] = {{FIND_DIRECTORY, 0}, {FIND_DIRECTORY, 0}, {FIND_ONLY, 0},
                                    {FIND_DIRECTORY, 1}, {FIND_ONLY, 1},      {FIND_NONE, 2},
                                    {FIND_ONLY, 2}};
    size_t n = ARRAY_LEN(hits);
    CHECK(find_is_contested(hits, n, 0) && find_is_contested(hits, n, 1) && find_is_contested(hits, n, 2));
    CHECK(!find_is_contested(hits, n, 3)); /* the directory is the better reason */
    CHECK(find_is_contested(hits, n, 4));
    CHECK(!find_is_contested(hits, n, 6)); /* the other found nobody */
}

TESTS(RUN(an_agent_is_known_by_its_program), RUN(a_name_somewhere_in_the_command_line_is_no_agent),
      RUN(the_only_one_in_the_directory), RUN(of_several_the_one_with_a_terminal),
      RUN(the_last_resort_is_the_only_one_of_all), RUN(somebody_elses_and_other_clis_do_not_count),
      RUN(who_was_born_after_the_last_word_did_not_say_it),
      RUN(without_a_directory_there_is_only_the_last_resort), RUN(a_launcher_and_its_program_are_one_agent),
      RUN(an_agents_helper_is_no_agent_of_its_own), RUN(two_cards_for_one_process))
