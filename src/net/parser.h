/*
 * HTTP/1.1 requests out of bytes: no socket, no clock. It is fed as the bytes come and stops behind each request, so
 * nothing is called back and the caller decides when to go on. Caps are checked before anything is copied.
 *
 * parser.c is the only file that knows llhttp, and it does not include http.h: both name their methods HTTP_GET.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

enum { PARSER_HEADERS_MAX = 128 };

struct parser_limits {
    size_t url, headers, body; /* 414, 431, 413 past them */
};

/* A header as places in `text`, which may move while it grows. Names are lower case. */
struct parsed_place {
    uint32_t name, name_n, value, value_n;
};

struct parsed {
    struct buf text; /* target, then names and values, one behind the other */
    struct buf body;
    struct parsed_place headers[PARSER_HEADERS_MAX];
    size_t header_count;
    size_t target_n;
    uint64_t length;    /* of the body, if it was announced so; 0 when it comes in chunks */
    const char *method; /* "GET" */
    bool keep_alive;
    bool old;              /* HTTP/1.0 */
    bool upgrade;          /* to a WebSocket; other upgrades are not noticed */
    bool expects_continue; /* the client waits for "100 Continue" before it sends the body */
};

void parsed_init(struct parsed *d, const struct parser_limits *limits);
void parsed_fini(struct parsed *d);
void parsed_reset(struct parsed *d); /* for the next request; keeps memory of ordinary size */
struct span parsed_target(const struct parsed *d);
/* The first header of that lower-case name; empty when absent. */
struct span parsed_header(const struct parsed *d, struct span name);
bool parsed_has(const struct parsed *d, struct span name); /* though it may be empty */

/* All headers of that name as one list, with commas; empty when absent, or when the arena is full. */
struct span parsed_joined(const struct parsed *d, struct span name, struct arena *arena);

enum parser_result {
    PARSER_MORE,    /* everything was taken, the request is not complete */
    PARSER_HEAD,    /* its head is, and announces a body: parser_take_body() if that is wanted */
    PARSER_REQUEST, /* one is complete; what is left belongs to the next, or to the WebSocket */
    PARSER_REFUSED, /* parser_refusal() says why; the parser is of no use any more */
};

enum parser_stage { PARSER_IDLE, PARSER_IN_HEAD, PARSER_IN_BODY };

struct parser;

struct parser *parser_new(const struct parser_limits *limits);
void parser_free(struct parser *p);
/* Takes bytes from the front of `*bytes` into `d`, which must be the same until a request is complete. */
enum parser_result parser_feed(struct parser *p, struct parsed *d, struct span *bytes);
/* How large the body may become, at most what the limits say; -EFBIG when it is announced to be larger. */
int parser_take_body(const struct parser *p, struct parsed *d, size_t max);
enum parser_stage parser_stage(const struct parser *p);
/* The status to refuse with, and a sentence. */
int parser_refusal(const struct parser *p, const char **ret_why);
