#include "net/libraries.h"

#include <llhttp.h>
#include <wslay/wslayver.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *net_llhttp_version(void) {
    return TEXT(LLHTTP_VERSION_MAJOR) "." TEXT(LLHTTP_VERSION_MINOR) "." TEXT(LLHTTP_VERSION_PATCH);
}

const char *net_wslay_version(void) {
    return WSLAY_VERSION;
}
