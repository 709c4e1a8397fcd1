/* Where a parser is in a sequence; for the parser's own files, and for what is loaded. */
#pragma once

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
