#include "config/config.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "config/keys.h"
#include "test.h"

#include <errno.h>

#define HASH                                                                                                    \
    "00112233445566778899aabbccddeeff"                                                                          \
    ":3e19ebeabf15ad17c24de695284e79441c0d80c6d98b95a3c052c58a0d57b09f83b0742a5805af28a0b5bbcf673af62819b91eb8" \
    "30a104fb0bb42def767f52aa"

static void parse(const char *text, struct config *ret) {
    struct err err = {0};
    if (config_parse(span_str(text), "config.json", ret, &err) < 0) fail_msg("%s", err.msg);
}

static void check_defaults(const char *text) {
    AUTO(config) struct config c;
    parse(text, &c);
    CHECK_INT(c.port, 3333);
    CHECK(!c.host && !c.password_hash && !c.tls_cert && !c.tls_key);
    CHECK_INT(c.density, DENSITY_MEDIUM);
    CHECK(!c.debug);
    CHECK_INT(c.process_check_ms, 15000);
    CHECK_INT(c.history_hours, 0);
    CHECK_INT(c.clis, 1 << CLI_CLAUDE);
    CHECK_INT(c.max_terminals, 100);
    CHECK_INT(c.rest_minutes, 60);
    CHECK(!c.trusted_proxies && !c.server_names);
}

TEST(what_a_file_does_not_say_has_its_default) {
    check_defaults("");
    check_defaults("  \n");
    check_defaults("{}");
    check_defaults("\xef\xbb\xbf{}");
    check_defaults("// nothing yet\n");
    check_defaults("{\"somebody\": {\"else\": [1, 2]}, \"Port\": 1}");
    check_defaults("{\"host\": null, \"passwordHash\": null, \"tlsCert\": null, \"trustedProxies\": []}");
}

TEST(every_key_is_read) {
    AUTO(config) struct config c;
    parse(
        "{\n  // the board\n  \"port\": 4000,\n  \"host\": \"0.0.0.0\",\n  \"hookDensity\": \"low\", \"debug\": true,\n"
        "  \"processCheckInterval\": 500, \"sessionHistoryHours\": 168, /* a week */\n"
        "  \"enabledClis\": [\"codex\", /* and */ \"claude\", \"codex\"], \"passwordHash\": \"" HASH "\",\n"
        "  \"maxTerminals\": 7, \"restAfterMinutes\": 0, \"trustedProxies\": [\"10.0.0.1\", \"::1\"], \"serverNames\": [\"b\\u00f6rd.example\"],\n"
        "  \"tlsCert\": \"/etc/cert.pem\", \"tlsKey\": \"/etc/key.pem\"\n}\n",
        &c);
    CHECK_INT(c.port, 4000);
    CHECK_STR(c.host, "0.0.0.0");
    CHECK_INT(c.density, DENSITY_LOW);
    CHECK(c.debug);
    CHECK_INT(c.process_check_ms, 500);
    CHECK_INT(c.history_hours, 168);
    CHECK_INT(c.clis, 1 << CLI_CLAUDE | 1 << CLI_CODEX);
    CHECK_STR(c.password_hash, HASH);
    CHECK_INT(c.max_terminals, 7);
    CHECK_INT(c.rest_minutes, 0);
    CHECK_INT(strv_count((const char *const *)c.trusted_proxies), 2);
    CHECK_STR(c.trusted_proxies[1], "::1");
    CHECK_STR(c.server_names[0], "börd.example");
    CHECK_STR(c.tls_cert, "/etc/cert.pem");
    CHECK_STR(c.tls_key, "/etc/key.pem");
}

TEST(no_cli_at_all_is_a_choice) {
    AUTO(config) struct config c;
    parse("{\"enabledClis\": []}", &c);
    CHECK_INT(c.clis, 0);
}

/* Of two the last one counts, as for every common parser; the place is the last one's. */
TEST(of_a_key_that_occurs_twice_the_last_counts) {
    AUTO(config) struct config c;
    parse("{\"port\": 1, \"port\": 2}", &c);
    CHECK_INT(c.port, 2);
}

static const struct {
    const char *text, *message;
} bad[] = {
    {"{", "config.json: line 1, column 2: "},
    {"{\n  \"port\": 4000,\n}", "config.json: line 3, column 1: there is a comma before this bracket"},
    {"{\n  \"port\" 4000\n}", "config.json: line 2, column 10: a colon is missing"},
    {"{'port': 4000}", "config.json: line 1, column 2: "},
    {"{\"port\": 4000} {}", "config.json: line 1, column 16: something follows"},
    {"/* never closed", "config.json: line 1, column 1: this comment has no end"},
    {"\xff\xfe{\0}", "config.json: line 1, column 1: "},
    {"[1]", "config.json: line 1, column 1: there is no object in braces"},
    {"\n null", "config.json: line 2, column 2: there is no object in braces"},
    {"3333", "config.json: line 1, column 1: there is no object in braces"},
    {"{\"port\": 0}", "config.json: line 1, column 10: port takes a whole number from 1 to 65535, not 0"},
    {"{\"port\": -1}", "config.json: line 1, column 10: port takes a whole number from 1 to 65535, not -1"},
    {"{\n\t\"port\": 70000}",
     "config.json: line 2, column 10: port takes a whole number from 1 to 65535, not 70000"},
    {"{\"port\": 3333.5}",
     "config.json: line 1, column 10: port takes a whole number from 1 to 65535, not 3333.5"},
    {"{\"port\": 1e3}", "config.json: line 1, column 10: port takes a whole number"},
    {"{\"port\": \"3333\"}",
     "config.json: line 1, column 10: port takes a whole number from 1 to 65535, not \"3333\""},
    {"{\"port\": null}",
     "config.json: line 1, column 10: port takes a whole number from 1 to 65535, not null"},
    {"{\"port\": 99999999999999999999999}", "config.json: line 1, column 10: port takes a whole number"},
    {"{\"\\u0070ort\": true}",
     "config.json: line 1, column 15: port takes a whole number from 1 to 65535, not true"},
    {"{\"é\": 1, \"port\": {}}", "config.json: line 1, column 18: port takes a whole number"},
    {"{\"host\": \"\"}", "config.json: line 1, column 10: host takes some text or null, not \"\""},
    {"{\"host\": \"a\\nb\"}", "config.json: line 1, column 10: host takes some text or null, not \"a\\nb\""},
    {"{\"host\": \"a\\u0000b\"}", "config.json: line 1, column 10: host takes some text or null"},
    {"{\"host\": [\"::1\"]}", "config.json: line 1, column 10: host takes some text or null, not [\"::1\"]"},
    {"{\"hookDensity\": \"huge\"}",
     "config.json: line 1, column 17: hookDensity takes \"high\", \"medium\" or \"low\", not \"huge\""},
    {"{\"hookDensity\": 2}",
     "config.json: line 1, column 17: hookDensity takes \"high\", \"medium\" or \"low\", not 2"},
    {"{\"debug\": \"yes\"}", "config.json: line 1, column 11: debug takes true or false, not \"yes\""},
    {"{\"debug\": 1}", "config.json: line 1, column 11: debug takes true or false, not 1"},
    {"{\"processCheckInterval\": 99}",
     "config.json: line 1, column 26: processCheckInterval takes a whole number from 100 to 3600000, not 99"},
    {"{\"sessionHistoryHours\": -1}",
     "config.json: line 1, column 25: sessionHistoryHours takes a whole number from 0 to 87600, not -1"},
    {"{\"enabledClis\": \"claude\"}", "config.json: line 1, column 17: enabledClis takes a list of claude, "},
    {"{\"enabledClis\": [\"clod\"]}", "config.json: line 1, column 17: enabledClis takes a list of claude, "},
    {"{\"enabledClis\": [1]}", "config.json: line 1, column 17: enabledClis takes a list of claude, "},
    {"{\"enabledClis\": {\"claude\": true}}",
     "config.json: line 1, column 17: enabledClis takes a list of claude, "},
    {"{\"maxTerminals\": 0}",
     "config.json: line 1, column 18: maxTerminals takes a whole number from 1 to 10000, not 0"},
    {"{\"trustedProxies\": \"::1\"}",
     "config.json: line 1, column 20: trustedProxies takes a list of texts, not \"::1\""},
    {"{\"serverNames\": [\"a\", \"\"]}",
     "config.json: line 1, column 17: serverNames takes a list of texts, not [\"a\", \"\"]"},
};

TEST(what_is_wrong_is_told_with_its_place) {
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct config c = {.port = 1};
        struct err err = {0};
        CHECK_INT(config_parse(span_str(bad[i].text), "config.json", &c, &err), -EINVAL);
        if (!span_starts(span_str(err.msg), span_str(bad[i].message)))
            fail_msg("%s: \"%s\", not \"%s\"", bad[i].text, err.msg, bad[i].message);
        CHECK(c.port == 1 && !c.host); /* untouched */
        CHECK_INT(config_parse(span_str(bad[i].text), "config.json", &c, NULL), -EINVAL);
    }
}

TEST(a_long_value_is_cut_in_the_sentence) {
    struct config c;
    struct err err = {0};
    char text[5000] = "{\"port\": \"";
    memset(text + strlen(text), 'x', 4000);
    memcpy(text + 4010, "\"}", 3);
    CHECK_INT(config_parse(span_str(text), "config.json", &c, &err), -EINVAL);
    CHECK(strlen(err.msg) < 200);
}

TEST(a_hash_is_in_no_sentence) {
    static const char *const hashes[] = {"\"s3cret\"", "\"\"", "12345678", "\"" HASH "0\"", "[\"" HASH "\"]"};
    for (size_t i = 0; i < ARRAY_LEN(hashes); i++) {
        struct config c;
        struct err err = {0};
        char text[400];
        (void)snprintf(text, sizeof text, "{\"passwordHash\": %s}", hashes[i]);
        CHECK_INT(config_parse(span_str(text), "config.json", &c, &err), -EINVAL);
        CHECK_STR(
            err.msg,
            "config.json: line 1, column 18: passwordHash takes what ostler password set writes, or null");
    }
}

/* Changing */

static void check_edit(const char *text, const char *key, const char *value, const char *expected) {
    AUTO(buf) struct buf out = BUF_INIT(10000);
    struct err err = {0};
    const struct config_change change = {key, value};
    if (config_edit(span_str(text), "config.json", &change, &out, &err) < 0)
        fail_msg("%s: %s", value, err.msg);
    CHECK_SPAN(buf_span(&out), expected);
}

TEST(values_are_set_as_they_are_typed) {
    check_edit("{}", "port", "4000", "{\n  \"port\": 4000\n}");
    check_edit("{\"port\": 1}", "port", " 4000 ", "{\"port\": 4000}");
    check_edit("{\"debug\": false}", "debug", "on", "{\"debug\": true}");
    check_edit("{\"debug\": true}", "debug", "No", "{\"debug\": false}");
    check_edit("{\"debug\": true}", "debug", "false", "{\"debug\": false}");
    check_edit("{\"hookDensity\": \"low\"}", "hookDensity", "high", "{\"hookDensity\": \"high\"}");
    check_edit("{\"hookDensity\": \"low\"}", "hookDensity", "\"high\"", "{\"hookDensity\": \"high\"}");
    check_edit("{\"host\": null}", "host", "::1", "{\"host\": \"::1\"}");
    check_edit("{\"host\": null}", "host", "127", "{\"host\": \"127\"}");
    check_edit("{\"host\": \"::1\"}", "host", "null", "{\"host\": null}");
    check_edit("{\"tlsCert\": null}", "tlsCert", "/a \"b\"/c", "{\"tlsCert\": \"/a \\\"b\\\"/c\"}");
    check_edit("{\"enabledClis\": [\"claude\"]}", "enabledClis", "codex, gemini,",
               "{\"enabledClis\": [\"codex\", \"gemini\"]}");
    check_edit("{\"enabledClis\": [\"claude\"]}", "enabledClis", "[\"codex\"]",
               "{\"enabledClis\": [\"codex\"]}");
    check_edit("{\"serverNames\": [\"a\"]}", "serverNames", "10", "{\"serverNames\": [\"10\"]}");
    check_edit("{\"passwordHash\": null}", "passwordHash", HASH, "{\"passwordHash\": \"" HASH "\"}");
}

TEST(the_rest_of_the_file_keeps_its_bytes) {
    check_edit("{\n\t\"theme\":\"dark\", // mine\n\t\"port\" : 1,\n\t\"z\":[ ]\n}\n", "port", "2",
               "{\n\t\"theme\":\"dark\", // mine\n\t\"port\" : 2,\n\t\"z\":[ ]\n}\n");
    check_edit("{\n\t\"theme\":\"dark\", // mine\n\t\"port\" : 1,\n\t\"z\":[ ]\n}\n", "theme", "",
               "{ // mine\n\t\"port\" : 1,\n\t\"z\":[ ]\n}\n");
    check_edit("{\n  \"a\": 1\n}\n", "debug", "on", "{\n  \"a\": 1,\n  \"debug\": true\n}\n");
    check_edit("{\n  \"port\": \"wrong\"\n}\n", "port", "4000", "{\n  \"port\": 4000\n}\n");
    check_edit("{\n  \"port\": \"wrong\"\n}\n", "debug", NULL, "{\n  \"port\": \"wrong\"\n}\n");
    check_edit("{\n  \"port\": \"wrong\"\n}\n", "port", NULL, "{}\n");
    check_edit("", "nothing", "", "");
}

static void check_refused(const char *text, const char *key, const char *value, int code,
                          const char *message) {
    AUTO(buf) struct buf out = BUF_INIT(10000);
    struct err err = {0};
    const struct config_change change = {key, value};
    CHECK_INT(config_edit(span_str(text), "config.json", &change, &out, &err), code);
    if (!span_starts(span_str(err.msg), span_str(message))) fail_msg("\"%s\", not \"%s\"", err.msg, message);
}

TEST(a_value_that_makes_no_sense_is_refused) {
    check_refused("{}", "port", "0", -EINVAL, "port takes a whole number from 1 to 65535, not 0");
    check_refused("{}", "port", "-1", -EINVAL, "port takes a whole number from 1 to 65535, not -1");
    check_refused("{}", "port", "70000", -EINVAL, "port takes a whole number from 1 to 65535, not 70000");
    check_refused("{}", "port", "many", -EINVAL, "port takes a whole number from 1 to 65535, not \"many\"");
    check_refused("{}", "port", "[]", -EINVAL, "port takes a whole number from 1 to 65535, not []");
    check_refused("{}", "debug", "maybe", -EINVAL, "debug takes true or false, not \"maybe\"");
    check_refused("{}", "hookDensity", "none", -EINVAL,
                  "hookDensity takes \"high\", \"medium\" or \"low\", not \"none\"");
    check_refused("{}", "enabledClis", "claude, clod", -EINVAL, "enabledClis takes a list of claude, ");
    check_refused("{}", "enabledClis", "[1]", -EINVAL, "enabledClis takes a list of claude, ");
    check_refused("{}", "passwordHash", "s3cret", -EINVAL,
                  "passwordHash takes what ostler password set writes, or null");
    check_refused("{}", "prot", "1", -ENOENT, "there is no key \"prot\"");
    check_refused("{\"port\": 1,}", "port", "2", -EINVAL, "config.json: line 1, column 12: ");
    check_refused("{\"port\": 1,}", "port", "", -EINVAL, "config.json: line 1, column 12: ");
    check_refused("[]", "port", "2", -EINVAL, "config.json: line 1, column 1: there is no object in braces");
}

/* A default that its own key refused would keep every daemon from starting. */
TEST(defaults_are_values) {
    for (size_t i = 0; i < keys_count; i++) {
        AUTO(config) struct config c = {0};
        CHECK_INT(jvalid(span_str(keys[i].initial), 4), 0);
        CHECK_INT(key_read(&keys[i], span_str(keys[i].initial), &c, NULL), 0);
        CHECK(keys[i].about && keys[i].about[0]);
    }
}

TEST(the_list_of_keys_has_all_of_them) {
    struct span names = SPAN(CONFIG_KEYS);
    for (size_t i = 0; i < keys_count; i++)
        CHECK_SPAN(span_split(&names, ' '), keys[i].name);
    CHECK_INT(names.n, 0);
}

TESTS(RUN(what_a_file_does_not_say_has_its_default), RUN(every_key_is_read), RUN(no_cli_at_all_is_a_choice),
      RUN(of_a_key_that_occurs_twice_the_last_counts), RUN(what_is_wrong_is_told_with_its_place),
      RUN(a_long_value_is_cut_in_the_sentence), RUN(a_hash_is_in_no_sentence),
      RUN(values_are_set_as_they_are_typed), RUN(the_rest_of_the_file_keeps_its_bytes),
      RUN(a_value_that_makes_no_sense_is_refused), RUN(defaults_are_values),
      RUN(the_list_of_keys_has_all_of_them))
