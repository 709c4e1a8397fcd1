/* What comes from outside about who is logged in: the file of tokens, and the headers and addresses of a request. */
#include "crypto/secret.h"
#include "net/credentials.h"
#include "net/peer.h"
#include "net/tokens.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct span key = {"key", 3};
static const int64_t now = INT64_C(1800000000000);

static void require(bool condition) {
    if (!condition) abort();
}

static void on_ended(void *user, uint64_t pass) {
    (void)pass;
    ++*(size_t *)user;
}

/* What was read is written as a file that reads the same. */
static void check_file(struct span text) {
    struct tokens t, again;
    size_t ended = 0;
    tokens_init(&t, on_ended, &ended);
    tokens_init(&again, on_ended, &ended);
    int r = tokens_read(&t, text, key, now);
    require(ended == 0 && (r == 0 || t.count == 0) && t.count <= TOKENS_MAX);
    struct buf out = BUF_INIT(TOKENS_FILE_BYTES), twice = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&t, key, &out);
    require(!out.failed && tokens_read(&again, buf_span(&out), key, now) == 0);
    tokens_write(&again, key, &twice);
    require(span_eq(buf_span(&out), buf_span(&twice)));
    size_t count = t.count;
    (void)tokens_sweep(&t, now + TOKENS_LIFE_MS + TOKENS_HURRY_MS);
    require(ended == count);
    buf_fini(&out);
    buf_fini(&twice);
    tokens_fini(&t);
    tokens_fini(&again);
}

/* It has the form of one, and lies in what came. */
static void check_secret(struct span text, struct span secret) {
    require(secret_is_one(secret) && secret.p >= text.p && secret.p + secret.n <= text.p + text.n);
}

static void check_headers(struct span text) {
    char name[CREDENTIALS_NAME_BYTES], agent[USER_AGENT_BYTES];
    credentials_cookie_name(text, text.n % 2, name);
    struct credentials c = credentials_of(&(struct credentials_request){
        .cookie_name = "ostler_login_3333",
        .cookie = text,
        .key = text.n % 2 ? text : SPAN_NONE,
        .protocols = text,
        .authorization = text,
        .query_token = text,
    });
    require(c.count <= CREDENTIALS_MAX && c.cookie_count <= CREDENTIALS_COOKIES_MAX);
    for (size_t i = 0; i < c.count; i++)
        check_secret(text, c.token[i]);
    for (size_t i = 0; i < c.cookie_count; i++)
        check_secret(text, c.cookie[i]);
    if (c.key.n) check_secret(text, c.key);
    user_agent_short(text, agent);
    require(user_agent_harmless(span_str(agent)));
    struct peer_block one = peer_block(text), local = peer_block(SPAN("127.0.0.1"));
    require(peer_block_is_here(&one) == (memcmp(&one, &local, sizeof one) == 0));
}

/* Beside the text itself: as lines below a head that is right. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    check_headers(text);
    check_file(text);
    struct tokens none;
    size_t ended = 0;
    struct buf file = BUF_INIT(1 << 20);
    tokens_init(&none, on_ended, &ended);
    tokens_write(&none, key, &file);
    (void)buf_append_span(&file, text);
    if (!file.failed) check_file(buf_span(&file));
    buf_fini(&file);
    tokens_fini(&none);
    return 0;
}
