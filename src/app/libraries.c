#include "app/libraries.h"

#include "crypto/digest.h"
#include "net/libraries.h"
#include "store/check.h"
#include "term/redact.h"

#include <uv.h>

void libraries_each(void (*each)(void *user, const char *name, const char *version), void *user) {
    char pcre2[REDACT_LIBRARY_BYTES];
    redact_library(pcre2);
    each(user, "libuv", uv_version_string());
    each(user, "sqlite", store_sqlite_version());
    each(user, "openssl", digest_library());
    each(user, "llhttp", net_llhttp_version());
    each(user, "wslay", net_wslay_version());
    each(user, "zstd", store_zstd_version());
    each(user, "pcre2", pcre2);
}
