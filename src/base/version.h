/* What this program was built from; version.c is written by tools/version.sh. OSTLER_VERSION, a macro, is the release alone. */
#pragma once

extern const char version_text[];   /* "0.1.0", or between releases "0.1.0-dev.42+gbe22c9a" */
extern const char version_commit[]; /* in full; "" when unknown */
extern const char version_date[];   /* of the commit: "2026-11-16" */
