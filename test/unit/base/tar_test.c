#include "base/tar.h"

#include "test.h"

#include <errno.h>

static int written(const char *name, uint64_t size, char block[TAR_BLOCK]) {
    struct tar_entry e = {.size = size, .mtime = 1700000000};
    (void)snprintf(e.name, sizeof e.name, "%s", name);
    return tar_write(block, &e);
}

/* Sets a byte and mends the sum, as somebody would who means harm. */
static void tamper(char block[TAR_BLOCK], size_t at, const char *bytes, size_t n) {
    memcpy(block + at, bytes, n);
    memset(block + 148, ' ', 8);
    unsigned sum = 0;
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)block[i];
    (void)snprintf(block + 148, 7, "%06o", sum);
}

TEST(what_is_written_is_read) {
    static const char *const names[] = {"a", "state/ostler.db", "a/b.c/d-e_f"};
    static const uint64_t sizes[] = {0, 1, 511, 512, 077777777777, 0100000000000, INT64_MAX};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
            char block[TAR_BLOCK];
            struct tar_entry e;
            CHECK_INT(written(names[i], sizes[k], block), 0);
            CHECK_INT(tar_read(block, &e), 1);
            CHECK_STR(e.name, names[i]);
            CHECK_INT(e.size, sizes[k]);
            CHECK_INT(e.mtime, 1700000000);
        }
}

TEST(long_names_are_cut_at_a_slash) {
    char name[300], block[TAR_BLOCK];
    struct tar_entry e;
    (void)snprintf(name, sizeof name, "%0120d/%090d", 1, 2);
    CHECK_INT(written(name, 5, block), 0);
    CHECK_INT(tar_read(block, &e), 1);
    CHECK_STR(e.name, name);
    (void)snprintf(name, sizeof name, "%0101d", 1);
    CHECK_INT(written(name, 5, block), -ENAMETOOLONG);
    (void)snprintf(name, sizeof name, "%0160d/%090d", 1, 2);
    CHECK_INT(written(name, 5, block), -ENAMETOOLONG);
}

TEST(names_that_lead_elsewhere_are_neither_written_nor_read) {
    static const char *const names[] = {"/etc/passwd", "../x", "a/../b", "a/..", ".",    "..",    "a//b",
                                        "a/",          "",     "a/./b",  "a\nb", "a\\b", "a\033b"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char block[TAR_BLOCK], field[100] = "";
        struct tar_entry e;
        CHECK_INT(written(names[i], 1, block), -EINVAL);
        CHECK_INT(written("x", 1, block), 0);
        (void)snprintf(field, sizeof field, "%s", names[i]);
        tamper(block, 0, field, sizeof field);
        CHECK_INT(tar_read(block, &e), -ENOTSUP);
    }
    char block[TAR_BLOCK];
    struct tar_entry e;
    CHECK_INT(written("x", 1, block), 0);
    tamper(block, 345, "..", 2);
    CHECK_INT(tar_read(block, &e), -ENOTSUP);
}

TEST(only_plain_files_are_read) {
    for (int type = 0; type < 256; type++) {
        char block[TAR_BLOCK], byte = (char)type;
        struct tar_entry e;
        CHECK_INT(written("x", 1, block), 0);
        tamper(block, 156, &byte, 1);
        CHECK_INT(tar_read(block, &e), type == '0' ? 1 : -ENOTSUP);
    }
}

TEST(damage_is_noticed) {
    char whole[TAR_BLOCK], block[TAR_BLOCK];
    struct tar_entry e;
    CHECK_INT(written("state/ostler.db", 1234, whole), 0);
    for (size_t i = 0; i < TAR_BLOCK; i++) {
        memcpy(block, whole, sizeof block);
        block[i] ^= 1;
        bool is_blank = (i >= 148 && i < 156); /* of the sum's own field some bytes say nothing */
        if (!is_blank) CHECK(tar_read(block, &e) < 0);
    }
    memset(block, 0, sizeof block);
    CHECK_INT(tar_read(block, &e), 0);
    CHECK_INT(written("x", 1, block), 0);
    tamper(block, 124, "-0000000001", 11);
    CHECK_INT(tar_read(block, &e), -EBADMSG);
    tamper(block, 124, "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
    CHECK_INT(tar_read(block, &e), -EBADMSG);
}

TEST(padding_fills_a_block) {
    CHECK_INT(tar_padding(0), 0);
    CHECK_INT(tar_padding(1), 511);
    CHECK_INT(tar_padding(512), 0);
    CHECK_INT(tar_padding(513), 511);
}

TESTS(RUN(what_is_written_is_read), RUN(long_names_are_cut_at_a_slash),
      RUN(names_that_lead_elsewhere_are_neither_written_nor_read), RUN(only_plain_files_are_read),
      RUN(damage_is_noticed), RUN(padding_fills_a_block))
