/* What one connection may take, in bytes and milliseconds, beside struct http_limits. */
#pragma once

enum {
    NET_READ_BYTES = 64 * 1024,
    NET_SEALED_BYTES =
        32 * 1024, /* over TLS; with what is left of the record before, less than can be held */
    NET_RECORD_BYTES = 16 * 1024, /* plain text of one TLS record */
    NET_UNSENT_MAX = 64 * 1024,   /* more unsent bytes: pull no messages, take no requests */
    NET_PIECES_MAX = 48,          /* the same, for many small messages */
    NET_PIPELINE_MAX = 16,        /* requests of one connection that wait for their answer */
    NET_TURN_BYTES = 1024 * 1024, /* written at one go; then other connections have their turn */
    NET_ARENA_BYTES = 64 * 1024 * 1024,
    NET_LINGER_MS = 1000, /* after our last byte, for the peer to read it and close */
    NET_CLOSE_MS = 1000,  /* for the peer's close frame after ours */
    NET_STOP_MS = 250,    /* instead of either when the server stops: nobody holds that up */
    NET_SHUT_MS = 2000,   /* for who is not let in to say something, and be told so */
    NET_DROPPED_MAX =
        16 * 1024 * 1024,             /* bytes read and dropped behind our last one, so that it is not lost */
    NET_DROPPED_STRANGE = 256 * 1024, /* the same, of who is none of ours */
    NET_LISTENERS_MAX = 3,
};
