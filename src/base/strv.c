#include "base/strv.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

size_t strv_count(const char *const *v) {
    size_t n = 0;
    while (v && v[n])
        n++;
    return n;
}

char **strv_dup(const char *const *v) {
    if (!v) return NULL;
    size_t n = strv_count(v);
    char **copy = xcalloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = xstrdup(v[i]);
    return copy;
}

void strv_free(char **v) {
    for (size_t i = 0; v && v[i]; i++)
        free(v[i]);
    free(v);
}

void strv_push(char ***v, struct span s) {
    size_t n = strv_count((const char *const *)*v);
    *v = xreallocarray(*v, n + 2, sizeof **v);
    (*v)[n] = str_dup(s);
    (*v)[n + 1] = NULL;
}

void strv_set_env(char ***v, const char *name, const char *value) {
    size_t n = strlen(name);
    char *entry = str_format("%s=%s", name, value);
    for (size_t i = 0; *v && (*v)[i]; i++) {
        if (strncmp((*v)[i], name, n) != 0 || (*v)[i][n] != '=') continue;
        free((*v)[i]);
        (*v)[i] = entry;
        return;
    }
    strv_push(v, span_str(entry));
    free(entry);
}
