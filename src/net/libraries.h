/* Which libraries this folder was built with. */
#pragma once

const char *net_llhttp_version(void);
const char *net_wslay_version(void);
