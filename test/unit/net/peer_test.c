#include "net/peer.h"

#include "test.h"

TEST(this_machine) {
    static const char *const yes[] = {"127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"};
    static const char *const no[] = {
        "",        "10.0.0.1",        "128.0.0.1",      "::",        "::2",
        "fe80::1", "::ffff:10.0.0.1", "127.0.0.1.evil", "localhost", "127.0.0.1 "};
    for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
        struct peer_block b = peer_block(span_str(yes[i]));
        CHECK(peer_block_is_here(&b));
        CHECK(!peer_block_is_ours(&b)); /* an address proves nothing */
    }
    for (size_t i = 0; i < ARRAY_LEN(no); i++) {
        struct peer_block b = peer_block(span_str(no[i]));
        CHECK(!peer_block_is_here(&b));
    }
}

TEST(users_of_this_machine) {
    struct peer_block owner = peer_block_user(1000, true), root = peer_block_user(0, true),
                      other = peer_block_user(1000, false), another = peer_block_user(1001, false);
    CHECK(peer_block_is_ours(&owner) && peer_block_is_here(&owner));
    CHECK_INT(memcmp(&owner, &root, sizeof owner), 0);
    CHECK(!peer_block_is_ours(&other) && peer_block_is_here(&other));
    CHECK(memcmp(&owner, &other, sizeof owner) != 0);
    CHECK(memcmp(&other, &another, sizeof other) != 0);
}

static bool same(const char *a, const char *b) {
    struct peer_block x = peer_block(span_str(a)), y = peer_block(span_str(b));
    return memcmp(&x, &y, sizeof x) == 0;
}

TEST(who_counts_as_one) {
    CHECK(same("10.0.0.1", "10.0.0.1"));
    CHECK(!same("10.0.0.1", "10.0.0.2"));
    CHECK(same("10.0.0.1", "::ffff:10.0.0.1"));
    CHECK(same("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"));
    CHECK(!same("2001:db8:1:2::1", "2001:db8:1:3::1"));
    CHECK(same("127.0.0.1", "127.1.2.3"));
    CHECK(same("127.0.0.1", "::1"));
    CHECK(same("what", "ever"));
    CHECK(!same("", "127.0.0.1"));
    CHECK(!same("10.0.0.1", "a00:1::")); /* the same bytes at the beginning */
}

TESTS(RUN(this_machine), RUN(users_of_this_machine), RUN(who_counts_as_one))
