/* Backups that somebody else has made, with everything in them that must not be there. */
#include "app/backup_stream.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/tar.h"
#include "crypto/digest.h"
#include "store/zstream.h"
#include "temp_dir.h"
#include "test.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

struct packing {
    int fd;
    struct zwriter *z;
    struct buf parts;
};

static struct packing packing_make(void) {
    struct packing p = {.fd = memfd_create("backup", MFD_CLOEXEC), .parts = BUF_INIT(1 << 20)};
    CHECK_INT(zwriter_open(p.fd, &p.z), 0);
    return p;
}

static void cleanup_packing(struct packing *p) {
    zwriter_free(p->z);
    buf_fini(&p->parts);
    (void)close(p->fd);
}

static void put_raw(struct packing *p, const char *block, struct span bytes) {
    static const char zeros[TAR_BLOCK];
    CHECK_INT(zwriter_put(p->z, span_of(block, TAR_BLOCK)), 0);
    CHECK_INT(zwriter_put(p->z, bytes), 0);
    CHECK_INT(zwriter_put(p->z, span_of(zeros, tar_padding(bytes.n))), 0);
}

static void put(struct packing *p, const char *name, struct span bytes) {
    char block[TAR_BLOCK], sha256[DIGEST_SHA256_HEX];
    struct tar_entry e = {.size = bytes.n};
    (void)snprintf(e.name, sizeof e.name, "%s", name);
    CHECK_INT(tar_write(block, &e), 0);
    put_raw(p, block, bytes);
    digest_sha256(bytes, sha256);
    (void)buf_printf(&p->parts, "%s{\"name\":\"%s\",\"size\":%zu,\"sha256\":\"%s\"}", p->parts.n ? "," : "",
                     name, bytes.n, sha256);
}

static void put_manifest(struct packing *p, const char *parts, int format) {
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    char block[TAR_BLOCK];
    struct tar_entry e = {.name = "manifest.json"};
    (void)buf_printf(&text,
                     "{\"format\":%d,\"version\":\"9.9\",\"createdAt\":1,\"secrets\":false,\"parts\":[%s]}",
                     format, parts);
    e.size = text.n;
    CHECK_INT(tar_write(block, &e), 0);
    put_raw(p, block, buf_span(&text));
}

static int finish(struct packing *p, struct err *err) {
    static const char zeros[2 * TAR_BLOCK];
    struct backup_info info;
    CHECK_INT(zwriter_put(p->z, span_of(zeros, sizeof zeros)), 0);
    CHECK_INT(zwriter_end(p->z), 0);
    CHECK_INT(lseek(p->fd, 0, SEEK_SET), 0);
    return backup_read(p->fd, "f", NULL, NULL, &info, err);
}

TEST(a_plain_one_is_read) {
    AUTO(packing) struct packing p = packing_make();
    struct err err = {0};
    put(&p, "state/ostler.db", SPAN("rows"));
    put(&p, "state/terminals/term-1-a/journal/1.seg", SPAN("output"));
    put(&p, "config/config.json", SPAN(""));
    put_manifest(&p, p.parts.p, 1);
    CHECK_INT(finish(&p, &err), 0);
}

TEST(names_that_ostler_does_not_write_are_refused) {
    static const char *const names[] = {"state/bin/ostler-hook",
                                        "state/lock",
                                        "state/run/daemon.json",
                                        "x",
                                        "state/spool/a/b",
                                        "state/spool/.hidden",
                                        "config/other.json",
                                        "state/terminals/x/meta.json",
                                        "state/terminals/term-1/keeper.sock",
                                        "state/hooks/claude.json"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        AUTO(packing) struct packing p = packing_make();
        struct err err = {0};
        put(&p, names[i], SPAN("x"));
        put_manifest(&p, p.parts.p, 1);
        CHECK_INT(finish(&p, &err), -EBADMSG);
        CHECK(strstr(err.msg, "nothing was changed"));
        CHECK(!backup_is_part(names[i]));
    }
}

TEST(a_link_a_device_and_a_way_up_are_refused) {
    for (const char *type = "123456gxLK"; *type; type++) {
        AUTO(packing) struct packing p = packing_make();
        struct err err = {0};
        char block[TAR_BLOCK];
        struct tar_entry e = {.name = "state/ostler.db"};
        CHECK_INT(tar_write(block, &e), 0);
        block[156] = *type;
        memset(block + 148, ' ', 8);
        unsigned sum = 0;
        for (size_t i = 0; i < TAR_BLOCK; i++)
            sum += (unsigned char)block[i];
        (void)snprintf(block + 148, 7, "%06o", sum);
        put_raw(&p, block, SPAN(""));
        put_manifest(&p, "", 1);
        CHECK_INT(finish(&p, &err), -EBADMSG);
    }
}

TEST(what_the_manifest_does_not_say_is_refused) {
    static const char sound[] = "{\"name\":\"state/tokens\",\"size\":1,\"sha256\":"
                                "\"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}";
    static const char *const lists[] = {
        "",
        "{\"name\":\"state/tokens\",\"size\":1}",
        "{\"name\":\"state/tokens\",\"size\":2,\"sha256\":"
        "\"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}",
        "{\"name\":\"state/tokens\",\"size\":1,\"sha256\":"
        "\"3d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}",
        "{\"name\":\"state/tls.pem\",\"size\":1,\"sha256\":"
        "\"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}",
        "7",
    };
    for (size_t i = 0; i <= ARRAY_LEN(lists); i++) {
        AUTO(packing) struct packing p = packing_make();
        struct err err = {0};
        put(&p, "state/tokens", SPAN("x"));
        put_manifest(&p, i < ARRAY_LEN(lists) ? lists[i] : sound, 1);
        CHECK_INT(finish(&p, &err), i < ARRAY_LEN(lists) ? -EBADMSG : 0);
    }
    AUTO(packing) struct packing twice = packing_make();
    struct err err = {0};
    put(&twice, "state/tokens", SPAN("x"));
    put(&twice, "state/tokens", SPAN("y"));
    put_manifest(&twice, twice.parts.p, 1);
    CHECK_INT(finish(&twice, &err), -EBADMSG);
}

TEST(what_follows_and_what_is_missing_is_refused) {
    struct err err = {0};
    AUTO(packing) struct packing late = packing_make();
    put_manifest(&late, "", 1);
    put(&late, "state/tokens", SPAN("x"));
    CHECK_INT(finish(&late, &err), -EBADMSG);
    AUTO(packing) struct packing none = packing_make();
    put(&none, "state/tokens", SPAN("x"));
    CHECK_INT(finish(&none, &err), -EBADMSG);
    AUTO(packing) struct packing newer = packing_make();
    put_manifest(&newer, "", BACKUP_FORMAT + 1);
    CHECK_INT(finish(&newer, &err), -ENOTSUP);
    CHECK(strstr(err.msg, "newer ostler (9.9)"));
}

TEST(one_that_is_cut_anywhere_or_has_a_byte_changed_is_refused) {
    AUTO(packing) struct packing p = packing_make();
    struct err err = {0};
    struct backup_info info;
    put(&p, "state/ostler.db", SPAN("a few rows, a few rows, a few more"));
    put_manifest(&p, p.parts.p, 1);
    CHECK_INT(finish(&p, &err), 0);
    off_t size = lseek(p.fd, 0, SEEK_END);
    char whole[4096];
    CHECK(size > 0 && size < (off_t)sizeof whole && pread(p.fd, whole, (size_t)size, 0) == size);
    for (off_t n = 0; n < size; n++) {
        AUTO(fd) int cut = memfd_create("cut", MFD_CLOEXEC), changed = memfd_create("changed", MFD_CLOEXEC);
        CHECK_INT(write(cut, whole, (size_t)n), n);
        CHECK_INT(lseek(cut, 0, SEEK_SET), 0);
        CHECK(backup_read(cut, "f", NULL, NULL, &info, &err) < 0);
        whole[n] ^= 0x41;
        CHECK_INT(write(changed, whole, (size_t)size), size);
        CHECK_INT(lseek(changed, 0, SEEK_SET), 0);
        bool says_only_how_to_unpack = n < 6; /* the frame's head: its content is the same, or it has none */
        int r = backup_read(changed, "f", NULL, NULL, &info, &err);
        CHECK(r < 0 || (says_only_how_to_unpack && info.parts == 1));
        whole[n] ^= 0x41;
    }
}

/* A megabyte of nothing says that it is an exabyte. */
TEST(a_size_that_cannot_be_is_no_work) {
    AUTO(packing) struct packing p = packing_make();
    struct err err = {0};
    char block[TAR_BLOCK];
    struct tar_entry e = {.name = "state/ostler.db", .size = INT64_MAX};
    CHECK_INT(tar_write(block, &e), 0);
    put_raw(&p, block, SPAN("x"));
    CHECK_INT(finish(&p, &err), -EBADMSG);
}

TEST(more_parts_than_can_be_named_are_refused) {
    AUTO(packing) struct packing p = packing_make();
    struct err err = {0};
    for (int i = 0; i <= BACKUP_PARTS_MAX; i++) {
        char block[TAR_BLOCK];
        struct tar_entry e = {0};
        (void)snprintf(e.name, sizeof e.name, "state/archive/%d", i);
        CHECK_INT(tar_write(block, &e), 0);
        put_raw(&p, block, SPAN(""));
    }
    CHECK_INT(finish(&p, &err), -EBADMSG);
    CHECK(strstr(err.msg, "too many"));
}

TEST(what_unpacks_to_a_thousand_times_as_much_is_no_backup) {
    CHECK(!backup_is_swollen(0, 0));
    CHECK(!backup_is_swollen(100, 1 << 30)); /* a spool of one prompt again and again */
    CHECK(backup_is_swollen(100 << 10, (uint64_t)100 << 30));
    CHECK(!backup_is_swollen((uint64_t)1 << 30, (uint64_t)100 << 30));
    CHECK(backup_is_swollen(1 << 20, UINT64_MAX));
    CHECK(!backup_is_swollen(UINT64_MAX, UINT64_MAX));
}

TESTS(RUN(more_parts_than_can_be_named_are_refused),
      RUN(what_unpacks_to_a_thousand_times_as_much_is_no_backup), RUN(a_plain_one_is_read),
      RUN(names_that_ostler_does_not_write_are_refused), RUN(a_link_a_device_and_a_way_up_are_refused),
      RUN(what_the_manifest_does_not_say_is_refused), RUN(what_follows_and_what_is_missing_is_refused),
      RUN(one_that_is_cut_anywhere_or_has_a_byte_changed_is_refused), RUN(a_size_that_cannot_be_is_no_work))
