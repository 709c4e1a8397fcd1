#include "net/user_agent.h"

#include "test.h"

static void check(const char *header, const char *expected) {
    char got[USER_AGENT_BYTES];
    user_agent_short(span_str(header), got);
    CHECK_STR(got, expected);
    CHECK(user_agent_harmless(span_str(got)));
}

TEST(browsers) {
    check(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Chrome 126 on Linux");
    check(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
        "Chrome 126 on Linux");
    check("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 "
          "Safari/537.36 Edg/125.0.2535.51",
          "Edge 125 on Windows");
    check("Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
          "Firefox 128 on Linux");
    check(
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 "
        "Safari/605.1.15",
        "Safari 17 on macOS");
    check(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 "
        "Mobile/15E148 Safari/604.1",
        "Safari 17 on iPhone");
    check(
        "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
        "Chrome/121.0.0.0 Mobile Safari/537.36",
        "Samsung Internet 25 on Android");
    check("Mozilla/5.0 Firefox/99999999999999", "Firefox 99999");
    check("Mozilla/5.0 (Linux) Chrome/x", "Mozilla/5.0");
}

TEST(programs) {
    check("curl/8.5.0", "curl/8.5.0");
    check("node", "node");
    check("python-requests/2.31 (whatever)", "python-requests/2.31");
    check("", "");
    check("-", "");
}

TEST(nothing_speaks_to_a_terminal_or_a_page) {
    check("\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>", "0owned2Jscriptalert(1)/script");
    check("\xe2\x80\xae\xc2\x9b\xff\n\r\t", "");
    check("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    for (int c = 0; c < 256; c++) {
        char one = (char)c, got[USER_AGENT_BYTES];
        user_agent_short(span_of(&one, 1), got);
        CHECK(user_agent_harmless(span_str(got)));
    }
    CHECK(!user_agent_harmless(SPAN("<b>")) && !user_agent_harmless(SPAN("a\0b")) &&
          !user_agent_harmless(SPAN("&amp;")));
}

TESTS(RUN(browsers), RUN(programs), RUN(nothing_speaks_to_a_terminal_or_a_page))
