#include "core/enums.h"

#include "base/span.h"
#include "core/inbox_enums.h"

/* The names of an enum's values, and the way back, from its map of X(constant, name). */
#define NAME_X(c, s) s,
#define DEFINE_NAMES(type, prefix, map)                          \
    static const char *const prefix##_names[] = {map(NAME_X)};   \
    const char *prefix##_to_str(enum type v) {                   \
        assert((size_t)v < ARRAY_LEN(prefix##_names));           \
        return prefix##_names[v];                                \
    }                                                            \
    bool prefix##_from_str(struct span s, enum type *ret) {      \
        for (size_t i = 0; i < ARRAY_LEN(prefix##_names); i++) { \
            if (!span_eq_str(s, prefix##_names[i])) continue;    \
            *ret = (enum type)i;                                 \
            return true;                                         \
        }                                                        \
        return false;                                            \
    }

DEFINE_NAMES(session_status, session_status, SESSION_STATUS_MAP)
DEFINE_NAMES(animation, animation, ANIMATION_MAP)
DEFINE_NAMES(emote, emote, EMOTE_MAP)
DEFINE_NAMES(transcript_health, transcript_health, TRANSCRIPT_HEALTH_MAP)
DEFINE_NAMES(session_kind, session_kind, SESSION_KIND_MAP)
DEFINE_NAMES(worker_type, worker_type, WORKER_TYPE_MAP)
DEFINE_NAMES(cli, cli, CLI_MAP)
DEFINE_NAMES(evidence_source, evidence_source, EVIDENCE_MAP)
DEFINE_NAMES(attention_kind, attention_kind, ATTENTION_MAP)
DEFINE_NAMES(text_form, text_form, TEXT_FORM_MAP)
DEFINE_NAMES(request_end, request_end, REQUEST_END_MAP)
DEFINE_NAMES(decision, decision, DECISION_MAP)
DEFINE_NAMES(activity, activity, ACTIVITY_MAP)
DEFINE_NAMES(team_role, team_role, TEAM_ROLE_MAP)
DEFINE_NAMES(probe, probe, PROBE_MAP)
DEFINE_NAMES(event_refusal, event_refusal, REFUSAL_MAP)
