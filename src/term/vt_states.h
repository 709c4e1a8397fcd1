/* Where a parser is in a sequence, and what a character does there; for whoever must agree about that. */
#pragma once

#include "base/compiler.h"

#include <stdint.h>

enum vt_state {
    GROUND,
    ESCAPE,
    ESCAPE_BETWEEN, /* intermediate bytes */
    CSI_ENTRY,
    CSI_PARAM,
    CSI_BETWEEN,
    CSI_IGNORE,
    STRING, /* SOS, PM, APC: nobody listens */
    OSC,
    DCS_ENTRY,
    DCS_PARAM,
    DCS_BETWEEN,
    DCS_IGNORE,
    DCS_STRING,
    STATES
};

enum vt_action {
    DROP, /* with GROUND it is 0: what a state does not list ends it */
    IGNORE,
    PRINT,
    EXECUTE,
    CLEAR,
    COLLECT,
    PARAM,
    ESC_DISPATCH,
    CSI_DISPATCH,
    OSC_START,
    OSC_PUT,
    OSC_END,
    DCS_HOOK,
    DCS_PUT,
    DCS_END
};

enum { VT_OTHER = 0xa0 /* stands for every character from there on */ };

extern const uint8_t vt_transitions[STATES][VT_OTHER + 1];

/* The state behind the character is in the low four bits, the action (enum vt_action) above them. */
static inline uint8_t vt_transition(uint8_t state, uint32_t code) {
    return vt_transitions[state][MIN(code, (uint32_t)VT_OTHER)];
}
