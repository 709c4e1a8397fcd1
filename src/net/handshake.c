#include "net/handshake.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

enum { KEY_CHARS = 24, KEY_BYTES = 16 };

bool handshake_key_valid(struct span key) {
    if (key.n != KEY_CHARS || !span_ends(key, SPAN("=="))) return false;
    unsigned char decoded[KEY_CHARS];
    return EVP_DecodeBlock(decoded, (const unsigned char *)key.p, KEY_CHARS) == KEY_BYTES + 2;
}

void handshake_accept(struct span key, char out[HANDSHAKE_ACCEPT_BYTES]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    assert(key.n == KEY_CHARS);
    unsigned char text[KEY_CHARS + sizeof guid - 1], digest[SHA_DIGEST_LENGTH];
    memcpy(text, key.p, KEY_CHARS);
    memcpy(text + KEY_CHARS, guid, sizeof guid - 1);
    (void)SHA1(text, sizeof text, digest);
    (void)EVP_EncodeBlock((unsigned char *)out, digest, sizeof digest);
}
