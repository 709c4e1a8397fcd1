#include "pty/environment.h"

#include "base/cleanup.h"
#include "base/str.h"

#include <stdlib.h>

/* Names that end in '=' are whole ones, others begin like this. */
static const char *const not_passed[] = {
    /* an agent's marks for its children */
    "CLAUDECODE=", "CLAUDE_PID=", "CLAUDE_PROJECT_DIR=", "CLAUDE_ENV_FILE=", "CLAUDE_JOB_DIR=",
    "CLAUDE_EFFORT=", "CLAUDE_CODE_SESSION_",
    "CLAUDE_CODE_CHILD_SESSION=", "CLAUDE_CODE_PARENT_SESSION_ID=", "CLAUDE_CODE_MESSAGING_",
    "CLAUDE_CODE_ENTRYPOINT=", "CLAUDE_CODE_EXECPATH=", "CLAUDE_CODE_SSE_PORT=",
    "CLAUDE_CODE_BRIDGE_SESSION_ID=", "CLAUDE_CODE_REMOTE=", "CLAUDE_CODE_TEAM_NAME=", "CLAUDE_CODE_AGENT_",
    "CLAUDE_CODE_HOST_SHORT_TEMP_DIRS=", "CODEX_THREAD_ID=", "CODEX_SANDBOX",
    "GEMINI_CLI=", "OPENCODE=", "OPENCODE_PID=", "COPILOT_CLI=", "AI_AGENT=",
    /* ours */
    "AGENT_MANAGER_", "OSTLER_WORKER=", "OSTLER_HOSTED=", "OSTLER_TERMINAL=", "OSTLER_TTY=", "OSTLER_RESOLV",
    "VSCODE_RESOLVING_ENVIRONMENT=",
    /* the terminal around them */
    "TERM=", "TERMCAP=", "COLORTERM=", "COLORFGBG=", "TERM_PROGRAM",
    "TERM_SESSION_ID=", "TERMINAL_EMULATOR=", "TMUX", "STY=", "WINDOW=", "WINDOWID=", "ZELLIJ",
    "COLUMNS=", "LINES=", "INSIDE_EMACS=", "VTE_VERSION=", "KITTY_", "WEZTERM_", "GHOSTTY_", "ALACRITTY_",
    "ITERM_", "LC_TERMINAL", "KONSOLE_",
    "WT_SESSION=", "WT_PROFILE_ID=", "VSCODE_INJECTION=", "VSCODE_SHELL_",
    "VSCODE_PID=", "SSH_TTY=", "GPG_TTY=",
    /* the service around the daemon */
    "INVOCATION_ID=", "JOURNAL_STREAM=", "NOTIFY_SOCKET=", "LISTEN_FDS=", "LISTEN_PID=", "LISTEN_FDNAMES=",
    "SYSTEMD_EXEC_PID=", "MEMORY_PRESSURE_", "WATCHDOG_",
    /* the shell's own */
    "HISTFILE=", "SHLVL=", "PWD=", "OLDPWD=", "_="};

bool environment_is_passed(const char *variable) {
    for (size_t i = 0; i < ARRAY_LEN(not_passed); i++)
        if (span_starts(span_str(variable), span_str(not_passed[i]))) return false;
    return strchr(variable, '=') != NULL;
}

char **environment_pass(const char *const *from) {
    char **env = strv_dup((const char *const[]){NULL});
    for (; from && *from; from++)
        if (environment_is_passed(*from)) strv_push(&env, span_str(*from));
    return env;
}

const char *environment_get(char *const *env, const char *name) {
    size_t n = strlen(name);
    for (; env && *env; env++)
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=') return *env + n + 1;
    return NULL;
}

void environment_unset(char **env, const char *name) {
    size_t n = strlen(name);
    for (; *env; env++) {
        if (strncmp(*env, name, n) != 0 || (*env)[n] != '=') continue;
        free(*env);
        for (char **at = env; (*at = at[1]); at++)
            ;
        return;
    }
}

/* Is it one of the words that the name is made of? */
static bool has_word(struct span name, const char *word) {
    while (name.n)
        if (span_ieq(span_split(&name, '_'), span_str(word))) return true;
    return false;
}

/* Is one of its words a password by its end: DBPASS, SSHPASS? Two words of every day are none. */
static bool has_pass(struct span name) {
    while (name.n) {
        struct span word = span_split(&name, '_');
        bool ends = word.n >= 4 && span_ieq(span_skip(word, word.n - 4), SPAN("pass"));
        if (ends && !span_ieq(word, SPAN("bypass")) && !span_ieq(word, SPAN("compass"))) return true;
    }
    return false;
}

static bool is_secret_name(struct span name) {
    static const char *const parts[] = {"key",        "token",   "secret",           "passw",
                                        "credential", "auth",    "passphrase",       "cookie",
                                        "private",    "webhook", "connection_string"};
    static const char *const words[] = {"pwd", "pw",   "pat",   "pin", "dsn",
                                        "jwt", "cred", "creds", "otp", "sas"};
    bool names_somebody = has_word(name, "author"); /* GIT_AUTHOR_NAME */
    for (size_t i = 0; i < ARRAY_LEN(parts) && !names_somebody; i++)
        if (span_icontains(name, span_str(parts[i]))) return true;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (has_word(name, words[i])) return true;
    return has_pass(name);
}

bool environment_is_secret(const struct redact_set *set, struct span variable) {
    struct span value = variable, name = span_split(&value, '=');
    if (is_secret_name(name)) return true;
    if (!set) return false;
    AUTO(free) char *masked = str_dup(variable);
    redact_text(set, masked, variable.n);
    return memcmp(masked, variable.p, variable.n) != 0;
}

void environment_write(char *const *env, const struct redact_set *set, struct buf *out) {
    for (; *env; env++) {
        struct span variable = span_str(*env), rest = variable, name = span_split(&rest, '=');
        (void)buf_append_span(out, environment_is_secret(set, variable) ? name : variable);
        (void)buf_append_char(out, '\0');
    }
}

char **environment_read(struct span bytes, char *const *now) {
    char **env = NULL;
    while (bytes.n) {
        struct span variable = span_split(&bytes, '\0');
        if (!variable.n) continue;
        AUTO(free) char *name = memchr(variable.p, '=', variable.n) ? NULL : str_dup(variable);
        const char *value = name ? environment_get(now, name) : NULL;
        if (!name)
            strv_push(&env, variable);
        else if (value)
            strv_set_env(&env, name, value);
    }
    return env;
}
