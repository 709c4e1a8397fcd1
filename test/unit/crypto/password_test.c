#include "crypto/password.h"

#include "test.h"

#define SALT "00112233445566778899aabbccddeeff"
#define HASH                                                            \
    "112233445566778899aabbccddeeff:19de0502def88b9a3d0cabc87e567cc564" \
    "6c57c70c80e943ab79b3d628effc07278eae88c32b075596bbc54a42ffc38a2cb79903319614abd82d8ef830e3bf1e"

/* Made by Node's scryptSync(password, salt, 64), as the dashboard before us did. */
static const struct {
    const char *password, *stored;
} theirs[] = {
    {"correct horse", SALT
     ":3e19ebeabf15ad17c24de695284e79441c0d80c6d98b95a3c052c58a0d57b09f83b0742a5805af28a0b5bbcf673af62819b91eb830"
     "a104fb0bb42def767f52aa"},
    {"", SALT
     ":19de0502def88b9a3d0cabc87e567cc5646c57c70c80e943ab79b3d628effc07278eae88c32b075596bbc54a42ffc38a2cb7990"
     "3319614abd82d8ef830e3bf1e"},
    {"pässwörd…", SALT
     ":cdcc593a68ba7cb084890db8ab3a9f494654af3e283a51cf940e219cc7ccbe197e013eb496dd6d8396172a0f092bba27b1a066f349"
     "8e78ec5a896db1c0c11bb1"},
};

TEST(hashes_of_the_original_verify) {
    for (size_t i = 0; i < ARRAY_LEN(theirs); i++) {
        CHECK(password_verify(span_str(theirs[i].password), span_str(theirs[i].stored)));
        CHECK(!password_verify(SPAN("another"), span_str(theirs[i].stored)));
    }
}

TEST(what_is_hashed_verifies_and_no_two_are_alike) {
    char one[PASSWORD_HASH_BYTES], two[PASSWORD_HASH_BYTES];
    CHECK_INT(password_hash(SPAN("s3cret"), one), 0);
    CHECK_INT(password_hash(SPAN("s3cret"), two), 0);
    CHECK(strcmp(one, two) != 0);
    CHECK(password_is_hash(span_str(one)));
    CHECK(password_verify(SPAN("s3cret"), span_str(one)));
    CHECK(password_verify(SPAN("s3cret"), span_str(two)));
    CHECK(!password_verify(SPAN("s3cret "), span_str(one)));
}

TEST(what_is_no_hash_is_nobodys) {
    static const char *const wrong[] = {
        "", ":", SALT ":", "plain", SALT ":19de0", SALT SALT SALT SALT SALT ":", "zz" HASH};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        CHECK(!password_is_hash(span_str(wrong[i])));
        CHECK(!password_verify(SPAN_NONE, span_str(wrong[i])));
    }
}

TESTS(RUN(hashes_of_the_original_verify), RUN(what_is_hashed_verifies_and_no_two_are_alike),
      RUN(what_is_no_hash_is_nobodys))
