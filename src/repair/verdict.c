#include "repair/verdict.h"

#define NAME_X(c, s) s,
static const char *const transcript_names[] = {TRANSCRIPT_STATUS_MAP(NAME_X)};
static const char *const mend_names[] = {MEND_STATUS_MAP(NAME_X)};

const char *transcript_status_to_str(enum transcript_status status) {
    return transcript_names[status];
}

bool transcript_status_from_str(struct span name, enum transcript_status *ret) {
    for (size_t i = 0; i < ARRAY_LEN(transcript_names); i++) {
        if (!span_eq_str(name, transcript_names[i])) continue;
        *ret = (enum transcript_status)i;
        return true;
    }
    return false;
}

const char *mend_status_to_str(enum mend_status status) {
    return mend_names[status];
}

const char *resume_issue_to_str(const struct scan_verdict *v) {
    return v->stop_hook_inline ? "inline_stop_hook_progress" : NULL;
}
