#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/redact.h"
#include "term/redact_token.h"
#include "test.h"

#include <errno.h>

static struct redact_set *defaults(void) {
    static struct redact_set *set;
    if (!set) CHECK_INT(redact_compile(SPAN_NONE, &set, NULL), 0);
    return set;
}

/* Fed in pieces of `piece` bytes, with nothing after it. */
static void redacted(const struct redact_set *set, struct span text, size_t piece, struct buf *out) {
    struct redact *r = redact_new(set);
    for (struct span left = text; left.n; left = span_skip(left, piece))
        CHECK_INT(redact_feed(r, span_take(left, piece), out), 0);
    redact_rest(r);
    CHECK_INT(redact_flush(r, out), 0);
    CHECK_INT(redact_held(r), 0);
    CHECK_INT(out->n, text.n);
    redact_free(r);
}

static void check_pieces(const struct redact_set *set, struct span text, struct span expected) {
    static const size_t pieces[] = {1, 2, 3, 5, 16, 1000000};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        AUTO(buf) struct buf out = BUF_INIT(1 << 24);
        redacted(set, text, pieces[i], &out);
        if (!span_eq(buf_span(&out), expected))
            fail_msg("in pieces of %zu: \"%.*s\" became\n\"%.*s\", not\n\"%.*s\"", pieces[i], SPAN_ARG(text),
                     SPAN_ARG(buf_span(&out)), SPAN_ARG(expected));
    }
}

static void check(const char *text, const char *expected) {
    check_pieces(defaults(), span_str(text), span_str(expected));
}

static void untouched(const char *text) {
    check(text, text);
}

TEST(values_behind_telling_words_are_masked) {
    check("password=hunter2\r\n", "password=*******\r\n");
    check("Password: hunter2\r\n", "Password: *******\r\n");
    check("PASSWORD:\t\thunter2 rest\r\n", "PASSWORD:\t\t******* rest\r\n");
    check("{\"password\": \"hunter2\"}\n", "{\"password\": \"*******\"}\n");
    check("Password: swordfish\r\n", "Password: *********\r\n");
    check("api_key=abc123def456 apikey: 0f9e8d7c6b5a\n", "api_key=************ apikey: ************\n");
    check("export TOKEN=abcdef\n", "export TOKEN=******\n");
    check("?token=a1b2c3d4e5&x=1\n", "?token=**********&x=1\n");
    check("client_secret: s3cr3tv4lu3\n", "client_secret: ***********\n");
    check("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG\n",
          "aws_secret_access_key = *********************\n");
    check("token=a1b2c3d4 words", "token=******** words");
    check("token=a1b2c3d4", "token=********");
}

TEST(values_stand_in_tables_and_on_the_next_line) {
    check("| password | hunter2 |\r\n", "| password | ******* |\r\n");
    check("\xE2\x94\x82 db_password \xE2\x94\x82 hunter2 \xE2\x94\x82\r\n",
          "\xE2\x94\x82 db_password \xE2\x94\x82 ******* \xE2\x94\x82\r\n");
    check("Your password is:\r\n\r\n    hunter2\r\n", "Your password is:\r\n\r\n    *******\r\n");
    untouched("| password | string | required |\r\n");
    untouched("| token | the token of the session |\r\n");
}

TEST(command_lines_are_masked) {
    check("tool --password hunter2 -v\r\n", "tool --password ******* -v\r\n");
    check("tool --password=hunter2\r\n", "tool --password=*******\r\n");
    check("mysql -u root -phunter2 shop\r\n", "mysql -u root -p******* shop\r\n");
    check("curl -s -u me:hunter2 https://x\r\n", "curl -s -u me:******* https://x\r\n");
    check("sshpass -p hunter2 ssh x\r\n", "sshpass -p ******* ssh x\r\n");
    check("db:5432:shop:app:hunter2\r\n", "db:5432:shop:app:*******\r\n");
    check("machine x login me password hunter2\r\n", "machine x login me password *******\r\n");
    untouched("usage: mysql [-p] [-u user]\r\n");
    untouched("the --password option, --password-file FILE and --password=PASSWORD\r\n");
}

/* One of each, by the table, and what is nearly one. */
TEST(every_token_of_the_table_is_known) {
    static const char filler[] = "a1B2c3D4e5F60718293a4b5c6d7e8f9A0B1C2D3E4F";
    for (size_t i = 0; i < REDACT_TOKENS_N; i++) {
        const struct redact_token *t = &REDACT_TOKENS[i];
        AUTO(buf) struct buf token = BUF_INIT(1 << 16);
        (void)buf_append_span(&token, span_str(t->inside ? "x 12345678" : "x "));
        size_t from = token.n;
        (void)buf_append_span(&token, span_str(t->prefix));
        for (size_t k = 0; k < t->min; k++) {
            char c = filler[k % (sizeof filler - 1)];
            if (t->alphabet == TOKEN_UPPER && c >= 'a') c = (char)(c & ~0x20);
            if (t->alphabet == TOKEN_LETTER && c < 'A') c = (char)(c + 'a' - '0');
            (void)buf_append_char(&token, t->dots && k % 9 == 8 ? '.' : c);
        }
        size_t to = token.n;
        AUTO(buf) struct buf shorter = BUF_INIT(1 << 16);
        (void)buf_append_span(&shorter, span_take(buf_span(&token), token.n - 1));
        (void)buf_append_span(&token, SPAN(" y\r\n"));
        (void)buf_append_span(&shorter, SPAN(" y\r\n"));
        AUTO(buf) struct buf out = BUF_INIT(1 << 16);
        redacted(defaults(), buf_span(&token), 7, &out);
        for (size_t k = from; k < to; k++)
            if (out.p[k] != '*') fail_msg("%s (%s): \"%.*s\"", t->kind, t->prefix, SPAN_ARG(buf_span(&out)));
        CHECK(span_ends(buf_span(&out), SPAN(" y\r\n")));
        bool covered = strncmp(t->prefix, "sk-", 3) == 0 || strncmp(t->prefix, "sk.", 3) == 0 ||
                       strncmp(t->prefix, "eyJ", 3) == 0 ||
                       strncmp(t->prefix, "xox", 3) == 0; /* by a shorter one */
        if (!covered) check_pieces(defaults(), buf_span(&shorter), buf_span(&shorter));
    }
}

TEST(values_that_are_not_simply_behind_their_name_are_masked) {
    check("- name: APP_TOKEN\r\n  value: a1b2c3d4e5f6\r\n", "- name: APP_TOKEN\r\n  value: ************\r\n");
    check("define('APP_SECRET', 'a1b2c3d4e5f6');\r\n", "define('APP_SECRET', '************');\r\n");
    check("api_key: Some(\"x\"), app_secret: Some(\"a1b2c3d4e5f6\")\r\n",
          "api_key: Some(\"x\"), app_secret: Some(\"************\")\r\n");
    check("const APP_TOKEN: string = 'a1b2c3d4e5f6';\r\n", "const APP_TOKEN: string = '************';\r\n");
    check("setenv APP_TOKEN a1b2c3d4e5f6\r\n", "setenv APP_TOKEN ************\r\n");
    check("The password is \"hunter2\".\r\n", "The password is \"*******\".\r\n");
    check("$ echo \"root:hunter2\" | chpasswd\r\n", "$ echo \"root:*******\" | chpasswd\r\n");
    untouched("define('TOKEN_KIND', 'identifier');\r\n");
    untouched("token: string = 'identifier'; the token is \"bearer\"\r\n");
}

/* Much plain text, in which a place is refuted where it stands, and the same in pieces. */
TEST(a_place_in_plain_text_is_decided_as_in_pieces) {
    static const char *const lines[] = {
        "a token of the parser, the password was read from the keyring, key: value\r\n",
        "export APP_TOKEN=a1b2c3d4e5f6g7 and more words behind it on the line\r\n",
        "see https://example.org/secret and sk-this-is-no-key, pass the salt\r\n"};
    AUTO(buf) struct buf text = BUF_INIT(1 << 20);
    for (size_t i = 0; i < 900; i++)
        (void)buf_append_span(&text, span_str(lines[i * i % 7 % ARRAY_LEN(lines)]));
    AUTO(buf) struct buf once = BUF_INIT(1 << 20);
    redacted(defaults(), buf_span(&text), text.n, &once);
    CHECK(memmem(once.p, once.n, "a1b2", 4) == NULL);
    for (size_t cut = 1; cut < 3000; cut = cut * 3 + 1) {
        AUTO(buf) struct buf cuts = BUF_INIT(1 << 20);
        redacted(defaults(), buf_span(&text), cut, &cuts);
        CHECK(span_eq(buf_span(&once), buf_span(&cuts)));
    }
}

TEST(tokens_are_found_where_a_program_broke_the_line) {
    check("ghp_0123456789abcdef\r\nghijABCDEFGHIJ012345\r\nnext\r\n",
          "********************\r\n********************\r\nnext\r\n");
    check(
        "\xE2\x94\x82 ghp_0123456789abcdef \xE2\x94\x82\r\n\xE2\x94\x82 ghijABCDEFGHIJ012345 \xE2\x94\x82\r\n",
        "\xE2\x94\x82 ******************** \xE2\x94\x82\r\n\xE2\x94\x82 ******************** \xE2\x94\x82\r\n");
    check("  1 ghp_0123456789abcdef\r\n  2 ghijABCDEFGHIJ012345\r\n",
          "  1 ********************\r\n  2 ********************\r\n");
    check("gh\xE2\x80\x8Bp_0123456789abc\xC2\xAD"
          "defghij\xEF\xBB\xBF"
          "ABCDEFGHIJ01\xCC\x81"
          "2345\n",
          "**\xE2\x80\x8B***************\xC2\xAD*******\xEF\xBB\xBF************\xCC\x81****\n");
    check("sk-ant-api03-AbCdEfGhIjKl0123456789\r\nDone in 3 s\r\n",
          "***********************************\r\nDone in 3 s\r\n");
    /* Though there is enough on the first line, and though the text may end right behind the mark. */
    check("sk-ant-api03-AbCdEfGhIjKl0123456789\r\n > mNoPqR45\r\n",
          "***********************************\r\n > ********\r\n");
    check("sk-ant-api03-AbCdEfGhIjKl0123456789\r\n+ mNoPqR45\r\n",
          "***********************************\r\n+ ********\r\n");
    check("r8_0Ct4ycUm68VxVhFl42\r\n  12  Vbh0ff5qW3qXJ0VLRM\r\n  13  r\r\n",
          "*********************\r\n  12  ******************\r\n  13  *\r\n");
    check("ghp_0123456789abcdef \xE2\033[m\x94\x82\r\n\xE2\033[m\x94\x82 ghijABCDEFGHIJ012345\r\n",
          "******************** \xE2\033[m\x94\x82\r\n\xE2\033[m\x94\x82 ********************\r\n");
}

/* The first of two pieces ends anywhere, also in the midst of a border. */
TEST(half_a_border_is_none) {
    static const char text[] =
        "plain words that have nothing to do with it, and some more of them in front\r\n"
        "\xE2\x94\x82 \xE2\x94\x82 dp.st.prd.zyd0G6p3bF26amgpvLFR6t \xE2\x94\x82 \xE2\x94\x82\r\n"
        "\xE2\x94\x82 \xE2\x94\x82 j7G3nIIlpK0k3xp2wowDO            \xE2\x94\x82 \xE2\x94\x82\r\n";
    struct span whole = span_of(text, sizeof text - 1);
    AUTO(buf) struct buf expected = BUF_INIT(1 << 12);
    redacted(defaults(), whole, whole.n, &expected);
    CHECK(!memmem(expected.p, expected.n, "zyd0", 4) && !memmem(expected.p, expected.n, "j7G3", 4));
    for (size_t cut = 1; cut < whole.n; cut++) {
        AUTO(buf) struct buf out = BUF_INIT(1 << 12);
        redacted(defaults(), whole, cut, &out);
        if (!span_eq(buf_span(&out), buf_span(&expected)))
            fail_msg("in pieces of %zu it became\n%.*s", cut, SPAN_ARG(buf_span(&out)));
    }
}

TEST(token_shapes_are_masked) {
    check("id AKIAIOSFODNN7EXAMPLE.\n", "id ********************.\n");
    check("id ASIAIOSFODNN7EXAMPLE\n", "id ********************\n");
    check("ghp_0123456789abcdefghijABCDEFGHIJ012345\n", "****************************************\n");
    check("(gho_0123456789abcdefghijABCDEFGHIJ012345)\n", "(****************************************)\n");
    check("github_pat_11ABCDEFG0abcdefghij_KLMNOP\n", "**************************************\n");
    check("sk-ant-api03-AbCdEfGhIjKlMnOp-_x\n", "********************************\n");
    check("sk-proj-AbCdEfGh1234567890\n", "**************************\n");
    check("sk-AbCdEfGh1234567890AbCd\n", "*************************\n");
    check("AIzaSyA1234567890abcdefghijklmnopqrstuv\n", "***************************************\n");
    check("xoxb-1234567890-abcdefghij0\n", "***************************\n");
    check("glpat-abcdefghij1234567890\n", "**************************\n");
    check("npm_abcdefghijklmnopqrstuvwxyz0123456789\n", "****************************************\n");
    check("sk_live_abcdefghijklmnop1234\n", "****************************\n");
    check("rk_live_abcdefghijklmnop1234\n", "****************************\n");
    check("a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123 b\n",
          "a ********************************************* b\n");
}

TEST(headers_and_urls_are_masked) {
    check("Authorization: Bearer abc.d3f-ghi\r\n", "Authorization: Bearer ***********\r\n");
    check("authorization: Basic dXNlcjpwYXNz\r\n", "authorization: Basic ************\r\n");
    check("-H 'Bearer abcdefgh1jklmn2pqrst4vwx'\n", "-H 'Bearer ************************'\n");
    check("git clone https://me:hunter2@example.org/x.git\n",
          "git clone https://me:*******@example.org/x.git\n");
    check("postgres://app:p%40ss@db:5432/x\n", "postgres://app:******@db:5432/x\n");
}

TEST(private_keys_are_masked) {
    check("-----BEGIN RSA PRIVATE KEY-----\r\n"
          "MIIEowIBAAKCAQEA1234567890+/abcd\r\n"
          "QUJDREVGRw==\r\n"
          "-----END RSA PRIVATE KEY-----\r\n$ ",
          "-----BEGIN RSA PRIVATE KEY-----\r\n"
          "********************************\r\n"
          "************\r\n"
          "-----END RSA PRIVATE KEY-----\r\n$ ");
    check("\"-----BEGIN PRIVATE KEY-----\\nMIIEowIBAAKCAQEA1234\\nQUJD\\n-----END PRIVATE KEY-----\\n\"\n",
          "\"-----BEGIN PRIVATE KEY-----****************************\\n-----END PRIVATE KEY-----\\n\"\n");
    check(" 1\t-----BEGIN PRIVATE KEY-----\r\n 2\tMIIEowIBAAKCAQEA1234\r\n 3\tMIIEowIBAAKCAQEA1234\r\n",
          " 1\t-----BEGIN PRIVATE KEY-----\r\n *\t********************\r\n *\t********************\r\n");
}

TEST(ordinary_text_is_left_alone) {
    static const char *const texts[] = {
        "the token was accepted, the password too\r\n",
        "tokens: 1234 used\r\n",
        "secrets are kept secret, said the secretary: nobody asked\r\n",
        "Password:\r\nLogin incorrect\r\n",
        "Enter token:   \r\nok\r\n",
        "bearer of bad news\r\n",
        "password = get_password()\r\n",
        "const token: string = await read(secret);\r\n",
        "  passwordHash: null,\r\n",
        "export API_KEY=<your key> TOKEN=$TOKEN SECRET=********\r\n",
        "api_key = os.environ[\"OPENAI_API_KEY\"]\r\n",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8\r\n",
        "request 550e8400-e29b-41d4-a716-446655440000\r\n",
        "\"integrity\": \"sha512-9fceb02d0ae598e95dc970b74767f19372d61af8AB==\"\r\n",
        "postgres://user:password@localhost and https://$USER:$PASS@host\r\n",
        "http://localhost:8080/path and mail@example.org\r\n",
        "https://example.org/a:b@c\r\n",
        "see https://example.org: it @works\r\n",
        "task-force disk-usage-statistics-of-2024-01 risk-AbCdEfGh1234567890AbCd\r\n",
        "sk-fading-circle-large-container\r\n",
        "eyJ is how they begin\r\n",
        "npm_config_registry npm_lifecycle_event_of_something\r\n",
        "-----BEGIN CERTIFICATE-----\r\nMIIEowIBAAKCAQEA1234567890\r\n-----END CERTIFICATE-----\r\n",
        "grep 'BEGIN PRIVATE KEY': -----BEGIN PRIVATE KEY-----\r\nother.c: something else\r\n",
        "AKIA is no key, nor is XAKIAIOSFODNN7EXAMPLE or AKIAIOSFODNN7EXAMPLEXX\r\n",
        "\033]0;user@host: ~\007\033[32muser@host\033[0m:\033[34m~\033[0m$ ",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        untouched(texts[i]);
}

TEST(escape_sequences_are_looked_through_and_kept) {
    check("tok\033[1;31men\033[0m=a1b2\033[32mc3\033[0md4\r\n",
          "tok\033[1;31men\033[0m=****\033[32m**\033[0m**\r\n");
    check("gh\033[0mp_0123456789\033]8;;http://x/\033\\abcdefghijABCDEFGHIJ\033]8;;\033\\012345\n",
          "**\033[0m************\033]8;;http://x/\033\\********************\033]8;;\033\\******\n");
    check("pass\007word=a1\033(Bb\016c\n", "pass\007word=**\033(B*\016*\n");
    untouched("\033[38;5;42mtoken\033[m \033Pq#0;token=abc\033\\was\r\n");
}

TEST(titles_are_searched_on_their_own) {
    check("\033]0;export TOKEN=abcdef\007$ ", "\033]0;export TOKEN=******\007$ ");
    check("\033]2;password=abc1\033\\def\n", "\033]2;password=****\033\\def\n");
    check("to\033]0;password=abc1\007ken=a1b2c3d4\n", "to\033]0;password=****\007ken=********\n");
    check("\033]0;to\007\033]0;ken=abc\007x", "\033]0;to\007\033]0;ken=abc\007x"); /* two titles */
    check("\033]0;a title\007\033]ghp_0123456789abcdefghijABCDEFGHIJ012345\007x",
          "\033]0;a title\007\033]****************************************\007x");
}

TEST(masks_take_the_same_room) {
    check("PASSWORD=a1b2\xC3\xA9\xE2\x82\xAC\xE6\xBC\xA2\xF0\x9F\x98\x80\xF0\x9D\x93\x90\n",
          "PASSWORD=****\xC2\xB7\xE2\x80\xA2\xEF\xBC\x8A\xF0\x9F\x94\x92\xF0\x9F\x9E\x84\n");
    check("PASSWORD=e1\xCC\x81x\n", "PASSWORD=**\xCC\x81*\n");
    check("PASSWORD=a1\xFFz\xC3\n", "PASSWORD=**\xFF*\xC3\n"); /* what is no character stays */
    check("PASSWORD=x1\xE6\xBC\033[0m\xA2x\n", "PASSWORD=**\xE6\xBC\033[0m\xA2*\n");
}

TEST(only_what_may_begin_is_held_back) {
    struct redact *r = redact_new(defaults());
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    CHECK_INT(redact_feed(r, SPAN("ordinary output, then the tok"), &out), 0);
    CHECK_SPAN(buf_span(&out), "ordinary output, then the ");
    CHECK_INT(redact_held(r), 3);
    redact_rest(r); /* forgets nothing */
    CHECK_INT(redact_feed(r, SPAN("en was"), &out), 0);
    CHECK_INT(redact_held(r), 9); /* "token was:" and a line end may follow */
    CHECK_INT(redact_feed(r, SPAN(" spent\r\n"), &out), 0);
    CHECK_SPAN(buf_span(&out), "ordinary output, then the token was spent\r\n");
    CHECK_INT(redact_feed(r, SPAN("password: "), &out), 0);
    CHECK_INT(redact_held(r), 10);
    redact_free(r);
}

/* A secret that is longer than anything that is held back. */
TEST(endless_secrets_stay_masked) {
    for (size_t piece = 1; piece <= 100000; piece = piece == 1 ? 777 : piece * 11) {
        AUTO(buf) struct buf text = BUF_INIT(1 << 20);
        AUTO(buf) struct buf out = BUF_INIT(1 << 20);
        size_t n = piece == 1 ? 3 * REDACT_HOLD_BYTES : 300000;
        (void)buf_append_span(&text, SPAN("a token="));
        for (size_t i = 0; i < n; i++)
            (void)buf_append_char(&text, "a1B2c3D4e5F6g7H8"[i % 16]);
        (void)buf_append_span(&text, SPAN(" and password=abc1 done\r\n"));
        redacted(defaults(), buf_span(&text), piece, &out);
        CHECK(memcmp(out.p, "a token=", 8) == 0);
        for (size_t i = 8; i < 8 + n; i++)
            if (out.p[i] != '*') fail_msg("byte %zu of the secret is '%c'", i - 8, out.p[i]);
        CHECK_SPAN(span_skip(buf_span(&out), 8 + n), " and password=**** done\r\n");
    }
}

TEST(what_is_held_is_bounded) {
    struct redact *r = redact_new(defaults());
    AUTO(buf) struct buf out = BUF_INIT(1 << 24);
    CHECK_INT(redact_feed(r, SPAN("token"), &out), 0);
    for (int i = 0; i < 3000; i++) { /* a picture in the midst of it */
        CHECK_INT(redact_feed(r, i ? SPAN("0123456789abcdef0123456789abcdef") : SPAN("\033Pq"), &out), 0);
        CHECK(redact_held(r) <= REDACT_HOLD_BYTES + 5000);
    }
    CHECK_INT(redact_feed(r, SPAN("\033\\=abc123def was it\r\n"), &out), 0);
    CHECK_INT(redact_held(r), 0);
    CHECK(span_ends(buf_span(&out), SPAN("\033\\=********* was it\r\n")));
    redact_free(r);
}

TEST(another_goes_on_where_one_was_interrupted) {
    static const char text[] = "see token=abc1\033[1mdef2 and \033[31mpassword: hunter2 end\r\n";
    static const char expected[] = "see token=****\033[1m**** and \033[31mpassword: ******* end\r\n";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        AUTO(buf) struct buf out = BUF_INIT(1 << 20);
        struct redact *r = redact_new(defaults());
        CHECK_INT(redact_feed(r, span_of(text, cut), &out), 0);
        redact_free(r); /* what it held back is sent again */
        r = redact_new(defaults());
        redact_resume(r, buf_span(&out));
        CHECK_INT(redact_held(r), 0);
        CHECK_INT(redact_feed(r, span_skip(span_of(text, sizeof text - 1), out.n), &out), 0);
        CHECK_INT(redact_flush(r, &out), 0);
        CHECK_SPAN(buf_span(&out), expected);
        redact_free(r);
    }
}

TEST(patterns_can_be_given) {
    struct redact_set *set;
    struct err err;
    static const char patterns[] =
        "# comment\n\n  hush\\d+  \n[0-9]{4}-(?<secret>[0-9]{4})\nx(?:(?<secret>a)|b)y\n";
    CHECK_INT(redact_compile(span_str(patterns), &set, &err), 0);
    check_pieces(set, SPAN("hush12 1234-5678 xay xby token=abc\n"),
                 SPAN("****** 1234-**** x*y *** token=abc\n"));
    redact_set_free(set);

    CHECK_INT(redact_compile(SPAN("fine\n(unclosed\n"), &set, &err), -EINVAL);
    CHECK(strstr(err.msg, "Line 2"));
    CHECK_INT(redact_compile(SPAN("(*UTF)x\n"), &set, &err), -EINVAL);
    AUTO(buf) struct buf many = BUF_INIT(1 << 20);
    for (int i = 0; i <= REDACT_PATTERNS_MAX; i++)
        (void)buf_append_span(&many, SPAN("ab\n"));
    CHECK_INT(redact_compile(buf_span(&many), &set, &err), -EINVAL);
    buf_clear(&many);
    for (int i = 0; i <= REDACT_PATTERN_BYTES_MAX; i++)
        (void)buf_append_char(&many, 'a');
    CHECK_INT(redact_compile(buf_span(&many), &set, &err), -EINVAL);

    CHECK_INT(redact_compile(SPAN(""), &set, &err), 0); /* none at all */
    check_pieces(set, SPAN("token=abc\n"), SPAN("token=abc\n"));
    redact_set_free(set);
}

TEST(endless_work_is_refused) {
    struct redact_set *set;
    CHECK_INT(redact_compile(SPAN("(?:a+)+(?:a+)+(?:a+)+b\nsecret=\\w+\n"), &set, NULL), 0);
    struct redact *r = redact_new(set);
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    CHECK_INT(
        redact_feed(r, SPAN("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! secret=abc \n"), &out),
        0);
    CHECK(redact_refused(r) > 0);
    CHECK(span_ends(buf_span(&out), SPAN("! ********** \n")));
    redact_free(r);
    redact_set_free(set);
}

TEST(whole_texts) {
    char text[] = "export API_KEY=abc\nand on\n";
    redact_text(defaults(), text, strlen(text));
    CHECK_STR(text, "export API_KEY=***\nand on\n");
    redact_text(defaults(), text, 0);
}

static int forget_defaults(void **state) {
    (void)state;
    redact_set_free(defaults());
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RUN(values_behind_telling_words_are_masked),
        RUN(values_stand_in_tables_and_on_the_next_line),
        RUN(command_lines_are_masked),
        RUN(every_token_of_the_table_is_known),
        RUN(values_that_are_not_simply_behind_their_name_are_masked),
        RUN(a_place_in_plain_text_is_decided_as_in_pieces),
        RUN(tokens_are_found_where_a_program_broke_the_line),
        RUN(half_a_border_is_none),
        RUN(token_shapes_are_masked),
        RUN(headers_and_urls_are_masked),
        RUN(private_keys_are_masked),
        RUN(ordinary_text_is_left_alone),
        RUN(escape_sequences_are_looked_through_and_kept),
        RUN(titles_are_searched_on_their_own),
        RUN(masks_take_the_same_room),
        RUN(only_what_may_begin_is_held_back),
        RUN(endless_secrets_stay_masked),
        RUN(what_is_held_is_bounded),
        RUN(another_goes_on_where_one_was_interrupted),
        RUN(patterns_can_be_given),
        RUN(endless_work_is_refused),
        RUN(whole_texts),
    };
    return cmocka_run_group_tests(tests, NULL, forget_defaults);
}
