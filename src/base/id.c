#include "base/id.h"

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
