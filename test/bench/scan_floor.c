/*
 * scan_floor FILE: the least that a reader of JSON does with every byte, as a measure for those that do more. Reads the file in
 * chunks and finds quotes and brackets outside of strings; reads no key, checks nothing, keeps nothing.
 */
#include "base/jblock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10 };

int main(int argc, char **argv) {
    int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    char *chunk = malloc(CHUNK_BYTES);
    if (fd < 0 || !chunk) {
        (void)fprintf(stderr, "usage: scan_floor FILE\n");
        return EXIT_FAILURE;
    }
    struct jblock_carry carry = {0};
    uint64_t brackets = 0;
    for (ssize_t n; (n = read(fd, chunk, CHUNK_BYTES)) > 0;) {
        struct jblock blocks[JBLOCK_BATCH];
        for (struct span rest = span_of(chunk, (size_t)n); rest.n;) {
            size_t count = jblock_classify(&carry, rest, JBLOCK_BATCH, blocks);
            for (size_t i = 0; i < count; i++)
                brackets += blocks[i].opens + blocks[i].closes;
            rest = span_skip(rest, count * JBLOCK_BYTES);
        }
    }
    (void)printf("%llu\n", (unsigned long long)brackets);
    free(chunk);
    (void)close(fd);
    return EXIT_SUCCESS;
}
