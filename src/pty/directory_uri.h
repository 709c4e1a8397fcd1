/* The directory that a shell names by OSC 7. Pure. */
#pragma once

#include "base/path.h"
#include "base/span.h"

/* The path of "file://HOST/PATH", percent-decoded, or of a plain absolute path. False for anything else: another machine's,
 * one with a NUL or a control character, one that is too long. */
bool directory_uri_path(struct span uri, char ret[PATH_BYTES]);
