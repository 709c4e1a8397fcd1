#include "term/vt_states.h"

#define TO(action, state) ((action) << 4 | (state))
#define C0(value) [0x00 ... 0x17] = (value), [0x19] = (value), [0x1c ... 0x1f] = (value)
/* From every state: the C1 controls, and those that break off. */
#define C1_ANYWHERE                                                                 \
    [0x80 ... 0x8f] = TO(EXECUTE, GROUND), [0x90] = TO(CLEAR, DCS_ENTRY),           \
              [0x91 ... 0x97] = TO(EXECUTE, GROUND), [0x98] = TO(IGNORE, STRING),   \
              [0x99 ... 0x9a] = TO(EXECUTE, GROUND), [0x9b] = TO(CLEAR, CSI_ENTRY), \
              [0x9d] = TO(OSC_START, OSC), [0x9e ... 0x9f] = TO(IGNORE, STRING)
#define ANYWHERE                                                                            \
    [0x18] = TO(EXECUTE, GROUND), [0x1a] = TO(EXECUTE, GROUND), [0x1b] = TO(CLEAR, ESCAPE), \
    C1_ANYWHERE, [0x9c] = TO(IGNORE, GROUND)

const uint8_t vt_transitions[STATES][VT_OTHER + 1] = {
    [GROUND] = {ANYWHERE, C0(TO(EXECUTE, GROUND)),
                [0x20 ... 0x7e] = TO(PRINT, GROUND), [VT_OTHER] = TO(PRINT, GROUND)},
    [ESCAPE] = {ANYWHERE, C0(TO(EXECUTE, ESCAPE)), [0x20 ... 0x2f] = TO(COLLECT, ESCAPE_BETWEEN),
                [0x30 ... 0x4f] = TO(ESC_DISPATCH, GROUND), ['P'] = TO(CLEAR, DCS_ENTRY),
                [0x51 ... 0x57] = TO(ESC_DISPATCH, GROUND), ['X'] = TO(IGNORE, STRING),
                [0x59 ... 0x5a] = TO(ESC_DISPATCH, GROUND), ['['] = TO(CLEAR, CSI_ENTRY),
                ['\\'] = TO(ESC_DISPATCH, GROUND), [']'] = TO(OSC_START, OSC), ['^'] = TO(IGNORE, STRING),
                ['_'] = TO(IGNORE, STRING),
                [0x60 ... 0x7e] = TO(ESC_DISPATCH, GROUND), [0x7f] = TO(IGNORE, ESCAPE)},
    [ESCAPE_BETWEEN] = {ANYWHERE, C0(TO(EXECUTE, ESCAPE_BETWEEN)),
                        [0x20 ... 0x2f] = TO(COLLECT, ESCAPE_BETWEEN),
                        [0x30 ... 0x7e] = TO(ESC_DISPATCH, GROUND), [0x7f] = TO(IGNORE, ESCAPE_BETWEEN)},
    [CSI_ENTRY] = {ANYWHERE, C0(TO(EXECUTE, CSI_ENTRY)), [0x20 ... 0x2f] = TO(COLLECT, CSI_BETWEEN),
                   [0x30 ... 0x3b] = TO(PARAM, CSI_PARAM), [0x3c ... 0x3f] = TO(COLLECT, CSI_PARAM),
                   [0x40 ... 0x7e] = TO(CSI_DISPATCH, GROUND), [0x7f] = TO(IGNORE, CSI_ENTRY)},
    [CSI_PARAM] = {ANYWHERE, C0(TO(EXECUTE, CSI_PARAM)), [0x20 ... 0x2f] = TO(COLLECT, CSI_BETWEEN),
                   [0x30 ... 0x3b] = TO(PARAM, CSI_PARAM), [0x3c ... 0x3f] = TO(IGNORE, CSI_IGNORE),
                   [0x40 ... 0x7e] = TO(CSI_DISPATCH, GROUND), [0x7f] = TO(IGNORE, CSI_PARAM)},
    [CSI_BETWEEN] = {ANYWHERE, C0(TO(EXECUTE, CSI_BETWEEN)), [0x20 ... 0x2f] = TO(COLLECT, CSI_BETWEEN),
                     [0x30 ... 0x3f] = TO(IGNORE, CSI_IGNORE),
                     [0x40 ... 0x7e] = TO(CSI_DISPATCH, GROUND), [0x7f] = TO(IGNORE, CSI_BETWEEN)},
    [CSI_IGNORE] = {ANYWHERE, C0(TO(EXECUTE, CSI_IGNORE)), [0x20 ... 0x3f] = TO(IGNORE, CSI_IGNORE),
                    [0x40 ... 0x7e] = TO(IGNORE, GROUND), [0x7f] = TO(IGNORE, CSI_IGNORE),
                    [VT_OTHER] = TO(IGNORE, CSI_IGNORE)},
    [STRING] = {ANYWHERE, C0(TO(IGNORE, STRING)), [0x20 ... 0x7f] = TO(IGNORE, STRING)},
    [OSC] = {C1_ANYWHERE, [0x00 ... 0x06] = TO(IGNORE, OSC), [0x07] = TO(OSC_END, GROUND),
             [0x08 ... 0x17] = TO(IGNORE, OSC), [0x18] = TO(OSC_END, GROUND), [0x19] = TO(IGNORE, OSC),
             [0x1a] = TO(OSC_END, GROUND), [0x1b] = TO(OSC_END, ESCAPE), [0x1c ... 0x1f] = TO(IGNORE, OSC),
             [0x20 ... 0x7f] = TO(OSC_PUT, OSC), [0x9c] = TO(OSC_END, GROUND), [VT_OTHER] = TO(OSC_PUT, OSC)},
    [DCS_ENTRY] = {ANYWHERE, C0(TO(IGNORE, DCS_ENTRY)), [0x20 ... 0x2f] = TO(COLLECT, DCS_BETWEEN),
                   [0x30 ... 0x3b] = TO(PARAM, DCS_PARAM), [0x3c ... 0x3f] = TO(COLLECT, DCS_PARAM),
                   [0x40 ... 0x7e] = TO(DCS_HOOK, DCS_STRING), [0x7f] = TO(IGNORE, DCS_ENTRY)},
    [DCS_PARAM] = {ANYWHERE, C0(TO(IGNORE, DCS_PARAM)), [0x20 ... 0x2f] = TO(COLLECT, DCS_BETWEEN),
                   [0x30 ... 0x3b] = TO(PARAM, DCS_PARAM), [0x3c ... 0x3f] = TO(IGNORE, DCS_IGNORE),
                   [0x40 ... 0x7e] = TO(DCS_HOOK, DCS_STRING), [0x7f] = TO(IGNORE, DCS_PARAM)},
    [DCS_BETWEEN] = {ANYWHERE, C0(TO(IGNORE, DCS_BETWEEN)), [0x20 ... 0x2f] = TO(COLLECT, DCS_BETWEEN),
                     [0x30 ... 0x3f] = TO(IGNORE, DCS_IGNORE),
                     [0x40 ... 0x7e] = TO(DCS_HOOK, DCS_STRING), [0x7f] = TO(IGNORE, DCS_BETWEEN)},
    [DCS_IGNORE] = {ANYWHERE, C0(TO(IGNORE, DCS_IGNORE)),
                    [0x20 ... 0x7f] = TO(IGNORE, DCS_IGNORE), [VT_OTHER] = TO(IGNORE, DCS_IGNORE)},
    [DCS_STRING] = {C1_ANYWHERE, C0(TO(DCS_PUT, DCS_STRING)), [0x18] = TO(DCS_END, GROUND),
                    [0x1a] = TO(DCS_END, GROUND), [0x1b] = TO(DCS_END, ESCAPE),
                    [0x20 ... 0x7e] = TO(DCS_PUT, DCS_STRING), [0x7f] = TO(IGNORE, DCS_STRING),
                    [0x9c] = TO(DCS_END, GROUND), [VT_OTHER] = TO(DCS_PUT, DCS_STRING)},
};
