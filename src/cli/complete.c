#include "cli/complete.h"

#include <string.h>

enum complete_kind complete_kind(const char *complete) {
    static const char *const names[] = {
        [COMPLETE_FILE] = "@file",       [COMPLETE_DIR] = "@dir",         [COMPLETE_TERMINAL] = "@terminal",
        [COMPLETE_REQUEST] = "@request", [COMPLETE_PROGRAM] = "@program", [COMPLETE_COMMAND] = "@command",
    };
    if (!complete) return COMPLETE_NOTHING;
    for (size_t i = COMPLETE_FILE; i < ARRAY_LEN(names); i++)
        if (strcmp(complete, names[i]) == 0) return (enum complete_kind)i;
    return COMPLETE_CHOICE;
}

void complete_quote(const char *text, const char *escaped, const char *quote, FILE *to) {
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputs(quote, to);
        else if (strchr(escaped, *text))
            (void)fprintf(to, "\\%c", *text);
        else
            (void)fputc(*text, to);
    }
}
