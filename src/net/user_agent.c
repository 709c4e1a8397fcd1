#include "net/user_agent.h"

#include <stdio.h>

enum { VERSION_DIGITS = 5, PRODUCT_CHARS = 32 };

static bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_harmless(char c) {
    return is_alnum(c) || (c != '\0' && strchr(" .:_-/()+@%", c));
}

bool user_agent_harmless(struct span text) {
    for (size_t i = 0; i < text.n; i++)
        if (!is_harmless(text.p[i])) return false;
    return true;
}

/* Behind the first `mark`; nothing when it is not there. */
static struct span behind(struct span s, const char *mark) {
    size_t n = strlen(mark);
    const char *at = s.n ? memmem(s.p, s.n, mark, n) : NULL;
    return at ? span_skip(s, (size_t)(at - s.p) + n) : SPAN_NONE;
}

static bool has(struct span s, const char *mark) {
    return behind(s, mark).p != NULL;
}

/* Browsers claim to be each other: who is named first here is who it is. */
static const struct {
    const char *mark, *name;
} browsers[] = {
    {"Edg/", "Edge"},       {"EdgA/", "Edge"},
    {"OPR/", "Opera"},      {"SamsungBrowser/", "Samsung Internet"},
    {"FxiOS/", "Firefox"},  {"Firefox/", "Firefox"},
    {"CriOS/", "Chrome"},   {"Chrome/", "Chrome"},
    {"Version/", "Safari"},
};

static const struct {
    const char *mark, *name;
} systems[] = {
    {"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"},   {"Windows", "Windows"},
    {"Mac OS X", "macOS"},  {"CrOS", "ChromeOS"}, {"Linux", "Linux"}, {"FreeBSD", "FreeBSD"},
};

static const char *system_of(struct span header) {
    for (size_t i = 0; i < ARRAY_LEN(systems); i++)
        if (has(header, systems[i].mark)) return systems[i].name;
    return NULL;
}

static bool name_browser(struct span header, char ret[USER_AGENT_BYTES]) {
    if (!span_starts(header, SPAN("Mozilla/"))) return false;
    for (size_t i = 0; i < ARRAY_LEN(browsers); i++) {
        struct span version = behind(header, browsers[i].mark);
        size_t n = 0;
        while (n < MIN(version.n, (size_t)VERSION_DIGITS) && version.p[n] >= '0' && version.p[n] <= '9')
            n++;
        if (n == 0) continue;
        const char *system = system_of(header);
        (void)snprintf(ret, USER_AGENT_BYTES, "%s %.*s%s%s", browsers[i].name, (int)n, version.p,
                       system ? " on " : "", system ? system : "");
        return true;
    }
    return false;
}

void user_agent_short(struct span header, char ret[USER_AGENT_BYTES]) {
    if (name_browser(header, ret)) return;
    size_t n = 0;
    for (size_t i = 0; i < header.n && header.p[i] != ' ' && n < PRODUCT_CHARS; i++)
        if (is_harmless(header.p[i])) ret[n++] = header.p[i];
    ret[n] = '\0';
    if (strcmp(ret, "-") == 0) ret[0] = '\0'; /* which stands for nothing */
}
