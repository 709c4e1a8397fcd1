#include "net/forwarded.h"

/* Cuts the part behind the last comma off `*list`. */
static struct span take_last(struct span *list) {
    const char *comma = list->n ? memrchr(list->p, ',', list->n) : NULL;
    struct span last = comma ? span_skip(*list, (size_t)(comma - list->p) + 1) : *list;
    *list = comma ? span_take(*list, (size_t)(comma - list->p)) : SPAN_NONE;
    return span_trim(last);
}

/* "1.2.3.4", "1.2.3.4:5678", "::1", "[::1]", "[::1]:5678". */
static bool read_address(struct span text, struct addr *ret) {
    if (addr_parse(text, ret)) return true;
    struct span rest = text;
    if (span_starts(text, SPAN("["))) {
        rest = span_skip(text, 1);
        return addr_parse(span_split(&rest, ']'), ret);
    }
    struct span address = span_split(&rest, ':');
    return rest.n && !memchr(rest.p, ':', rest.n) && addr_parse(address, ret);
}

struct forwarded forwarded_read(const struct forwarded_headers *h, const struct addr *peer,
                                const struct addr_range *trusted, size_t count) {
    struct span list = h->from, protos = h->proto, hosts = h->host;
    struct forwarded f = {.client = *peer};
    while (list.n && addr_in(&f.client, trusted, count) && read_address(take_last(&list), &f.client)) {}
    f.secure = span_ieq(take_last(&protos), SPAN("https"));
    f.host = take_last(&hosts);
    return f;
}
