#include "base/tar.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Where the fields of a head are, and how long. */
enum {
    NAME_AT = 0,
    NAME_LEN = 100,
    MODE_AT = 100,
    UID_AT = 108,
    GID_AT = 116,
    ID_LEN = 8,
    SIZE_AT = 124,
    TIME_AT = 136,
    NUMBER_LEN = 12,
    SUM_AT = 148,
    SUM_LEN = 8,
    TYPE_AT = 156,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LEN = 155,
};

static const char magic[] = "ustar\0"
                            "00";

/* Numbers are octal digits; what does not fit is binary with the first bit set, as all tars understand. */
static void put_number(char *field, size_t len, uint64_t value) {
    bool fits = value >> 3 * (len - 1) == 0;
    if (!fits) memset(field, 0, len);
    for (size_t i = len - 1; i > 0; i--) {
        if (fits)
            field[i - 1] = (char)('0' + (value & 7));
        else
            field[i] = (char)(value & 0xff);
        value >>= fits ? 3 : 8;
    }
    field[fits ? len - 1 : 0] = fits ? '\0' : (char)0x80;
}

static bool get_binary(const char *field, size_t len, uint64_t *ret) {
    uint64_t value = 0;
    for (size_t i = 1; i < len; i++) {
        if (value >> 55) return false;
        value = value << 8 | (unsigned char)field[i];
    }
    *ret = value;
    return (unsigned char)field[0] == 0x80;
}

static bool get_number(const char *field, size_t len, uint64_t *ret) {
    uint64_t value = 0;
    size_t i = 0;
    if ((unsigned char)field[0] & 0x80) return get_binary(field, len, ret);
    while (i < len && field[i] == ' ')
        i++;
    size_t first = i;
    for (; i < len && field[i] >= '0' && field[i] <= '7'; i++)
        value = value << 3 | (uint64_t)(field[i] - '0');
    *ret = value;
    return i > first && (i == len || field[i] == '\0' || field[i] == ' ');
}

/* The sum of all bytes, with blanks in the place of the sum itself. */
static uint64_t sum_of(const char block[TAR_BLOCK]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : (unsigned char)block[i];
    return sum;
}

/* Parts that lead down, of characters that people can read. */
static bool is_name(const char *name) {
    for (const char *p = name;;) {
        size_t n = strcspn(p, "/");
        if (n == 0 || strncmp(p, ".", n) == 0 || (n == 2 && p[0] == '.' && p[1] == '.')) return false;
        for (size_t i = 0; i < n; i++)
            if ((unsigned char)p[i] < ' ' || p[i] == 0x7f || p[i] == '\\') return false;
        if (!p[n]) return true;
        p += n + 1;
    }
}

/* Where a long name is cut: at a slash, with the end in one field and the beginning in the other. */
static int put_name(char block[TAR_BLOCK], const char *name) {
    size_t n = strlen(name), cut = 0;
    for (size_t i = 1; n > NAME_LEN && !cut && i < n - 1; i++)
        if (name[i] == '/' && n - i - 1 <= NAME_LEN) cut = i;
    if (n > NAME_LEN && (!cut || cut > PREFIX_LEN)) return -ENAMETOOLONG;
    memcpy(block + PREFIX_AT, name, cut);
    memcpy(block + NAME_AT, name + (cut ? cut + 1 : 0), n - (cut ? cut + 1 : 0));
    return 0;
}

int tar_write(char block[TAR_BLOCK], const struct tar_entry *entry) {
    memset(block, 0, TAR_BLOCK);
    if (!is_name(entry->name) || entry->mtime < 0) return -EINVAL;
    int r = put_name(block, entry->name);
    if (r < 0) return r;
    put_number(block + MODE_AT, ID_LEN, 0600);
    put_number(block + UID_AT, ID_LEN, 0);
    put_number(block + GID_AT, ID_LEN, 0);
    put_number(block + SIZE_AT, NUMBER_LEN, entry->size);
    put_number(block + TIME_AT, NUMBER_LEN, (uint64_t)entry->mtime);
    block[TYPE_AT] = '0';
    memcpy(block + MAGIC_AT, magic, sizeof magic - 1);
    put_number(block + SUM_AT, SUM_LEN - 1, sum_of(block));
    block[SUM_AT + SUM_LEN - 1] = ' ';
    return 0;
}

static bool is_empty(const char block[TAR_BLOCK]) {
    for (size_t i = 0; i < TAR_BLOCK; i++)
        if (block[i]) return false;
    return true;
}

static void get_name(const char block[TAR_BLOCK], char ret[TAR_NAME_BYTES]) {
    int prefix = (int)strnlen(block + PREFIX_AT, PREFIX_LEN), n = (int)strnlen(block + NAME_AT, NAME_LEN);
    (void)snprintf(ret, TAR_NAME_BYTES, "%.*s%s%.*s", prefix, block + PREFIX_AT, prefix ? "/" : "", n,
                   block + NAME_AT);
}

int tar_read(const char block[TAR_BLOCK], struct tar_entry *ret) {
    struct tar_entry e = {0};
    uint64_t sum = 0, mtime = 0;
    if (is_empty(block)) return 0;
    if (!get_number(block + SUM_AT, SUM_LEN, &sum) || sum != sum_of(block) ||
        memcmp(block + MAGIC_AT, magic, sizeof magic - 1) != 0)
        return -EBADMSG;
    if (block[TYPE_AT] != '0') return -ENOTSUP;
    if (!get_number(block + SIZE_AT, NUMBER_LEN, &e.size) ||
        !get_number(block + TIME_AT, NUMBER_LEN, &mtime) || e.size > INT64_MAX || mtime > INT64_MAX)
        return -EBADMSG;
    e.mtime = (int64_t)mtime;
    get_name(block, e.name);
    if (!is_name(e.name)) return -ENOTSUP;
    *ret = e;
    return 1;
}
