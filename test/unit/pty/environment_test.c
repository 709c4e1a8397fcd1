#include "pty/environment.h"

#include "base/cleanup.h"
#include "base/str.h"
#include "test.h"

TEST(what_describes_somebody_elses_terminal_or_agent_is_not_passed) {
    static const char *const passed[] = {"PATH=/bin",
                                         "VIRTUAL_ENV=/v",
                                         "NVM_DIR=/n",
                                         "NO_COLOR=1",
                                         "OSTLER_HOME=/o",
                                         "ANTHROPIC_API_KEY=k",
                                         "CLAUDE_CODE_USE_BEDROCK=1",
                                         "CLAUDE_CONFIG_DIR=/c",
                                         "SSH_AUTH_SOCK=/s",
                                         "BASH_FUNC_x%%=() { :; }",
                                         "TERMINFO=/t",
                                         "EMPTY="};
    static const char *const others[] = {"TERM=screen",
                                         "TERM_PROGRAM=kitty",
                                         "KITTY_WINDOW_ID=1",
                                         "TMUX=/x,1,2",
                                         "TMUX_PANE=%1",
                                         "COLUMNS=7",
                                         "CLAUDECODE=1",
                                         "CLAUDE_CODE_ENTRYPOINT=cli",
                                         "CLAUDE_CODE_SESSION_ATTENDED=0",
                                         "CLAUDE_CODE_AGENT_NAME=x",
                                         "OSTLER_HOSTED=7",
                                         "OSTLER_WORKER=x",
                                         "AGENT_MANAGER_TERMINAL_ID=x",
                                         "OSTLER_RESOLVE_WITH=x",
                                         "SHLVL=2",
                                         "PWD=/",
                                         "_=/bin/x",
                                         "NOTIFY_SOCKET=/n",
                                         "no variable"};
    for (size_t i = 0; i < ARRAY_LEN(passed); i++)
        if (!environment_is_passed(passed[i])) fail_msg("%s", passed[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (environment_is_passed(others[i])) fail_msg("%s", others[i]);
    AUTO(strv) char **none = environment_pass(NULL);
    CHECK(none && !none[0]);
}

TEST(secrets_are_told_by_name_and_by_what_they_look_like) {
    struct redact_set *set = NULL;
    CHECK_INT(redact_compile(SPAN_NONE, &set, NULL), 0);
    static const char *const secret[] = {"MY_TOKEN=x",
                                         "API_KEY=x",
                                         "aws_secret_access_key=x",
                                         "DB_PASSWORD=x",
                                         "PGPASSWORD=x",
                                         "DB_PASS=x",
                                         "DBPASS=x",
                                         "SSHPASS=x",
                                         "sshpass_file=x",
                                         "MYSQL_PWD=x",
                                         "GPG_PASSPHRASE=x",
                                         "AWS_CREDS=x",
                                         "AZURE_STORAGE_CONNECTION_STRING=AccountName=a;AccountKey=b",
                                         "SLACK_WEBHOOK_URL=https://host/services/T0/B0/x",
                                         "GITHUB_PAT=x",
                                         "SSH_AUTH_SOCK=/s",
                                         "GOOGLE_APPLICATION_CREDENTIALS=/f",
                                         "INNOCENT=ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                                         "DATABASE_URL=postgres://me:hunter2@host/db",
                                         "ARGS=--password=hunter2"};
    static const char *const plain[] = {"PATH=/usr/bin:/bin", "HOME=/home/me",      "PWD_FORMAT=x",
                                        "LANG=de_DE.UTF-8",   "GIT_AUTHOR_NAME=Me", "URL=https://host/path",
                                        "COMPASS=north",      "GO_BYPASS=1",        "PASSES=2",
                                        "PASSAGE=x",          "PATHS=/a",           "VIRTUAL_ENV=/v"};
    for (size_t i = 0; i < ARRAY_LEN(secret); i++)
        if (!environment_is_secret(set, span_str(secret[i]))) fail_msg("%s", secret[i]);
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (environment_is_secret(set, span_str(plain[i])) != (i == 2)) fail_msg("%s", plain[i]);
    redact_set_free(set);
}

TEST(what_is_kept_has_the_names_of_secrets_alone) {
    char path[] = "PATH=/bin", token[] = "MY_TOKEN=s3cret", key[] = "A_KEY=old",
         empty[] = "EMPTY=", lines[] = "LINED=a\nb";
    char *const env[] = {path, token, key, empty, lines, NULL};
    AUTO(buf) struct buf bytes = BUF_INIT(4096);
    environment_write(env, NULL, &bytes);
    CHECK(!memmem(bytes.p, bytes.n, "s3cret", 6) && !memmem(bytes.p, bytes.n, "old", 3));
    char now_key[] = "A_KEY=new", now_path[] = "PATH=/other", more[] = "MORE=1";
    char *const now[] = {now_key, now_path, more, NULL};
    AUTO(strv) char **back = environment_read(buf_span(&bytes), now);
    CHECK_STR(environment_get(back, "PATH"), "/bin");
    CHECK_STR(environment_get(back, "A_KEY"), "new"); /* a secret that is known now */
    CHECK_STR(environment_get(back, "EMPTY"), "");
    CHECK_STR(environment_get(back, "LINED"), "a\nb");
    CHECK(!environment_get(back, "MY_TOKEN") && !environment_get(back, "MORE"));
    CHECK(environment_read(SPAN_NONE, now) == NULL);
    environment_unset(back, "PATH");
    environment_unset(back, "NOT_THERE");
    CHECK(!environment_get(back, "PATH"));
    CHECK_STR(environment_get(back, "EMPTY"), "");
}

TESTS(RUN(what_describes_somebody_elses_terminal_or_agent_is_not_passed),
      RUN(secrets_are_told_by_name_and_by_what_they_look_like),
      RUN(what_is_kept_has_the_names_of_secrets_alone))
