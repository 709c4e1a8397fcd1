#include "base/id.h"

#include <errno.h>
#include <sys/random.h>

void id_from_position(char out[ID_BYTES], char letter, uint64_t pos) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char reversed[ID_BYTES];
    size_t n = 0;
    do {
        reversed[n++] = digits[pos % 36];
        pos /= 36;
    } while (pos);
    *out++ = letter;
    while (n)
        *out++ = reversed[--n];
    *out = '\0';
}

int id_random_hex(char *out, size_t bytes) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes; i++) {
        unsigned char b;
        if (getrandom(&b, 1, 0) != 1) return -EIO;
        *out++ = digits[b >> 4];
        *out++ = digits[b & 15];
    }
    *out = '\0';
    return 0;
}
