/* Lines, and what JSON.parse makes of each of them: for the tests of both readers of lines. */
#pragma once

#include "base/span.h"

enum line_kind {
    LINE_BAD,   /* no object comes of it */
    LINE_EXACT, /* one does, but in a spelling that only jpush() knows */
    LINE_PLAIN, /* one does, written as ordinary writers write */
};

struct json_line {
    struct span text;
    enum line_kind kind;
};

/* A member's value, in every place where one may stand. */
#define IN_OBJECT(value) SPAN("{\"a\":" value "}")
#define BAD_VALUE(value)                                                   \
    {IN_OBJECT(value), LINE_BAD}, {SPAN("{\"a\":[" value "]}"), LINE_BAD}, \
        {SPAN("{\"a\":" value ",\"type\":{}}"), LINE_BAD}, {               \
        SPAN("{\"b\":[0," value ",0]}"), LINE_BAD                          \
    }
#define GOOD_VALUE(value)                                                      \
    {IN_OBJECT(value), LINE_PLAIN}, {SPAN("{\"a\":[" value "]}"), LINE_PLAIN}, \
        {SPAN("{\"a\":" value ",\"type\":{}}"), LINE_PLAIN}, {                 \
        SPAN("{\"b\":[0," value ",0]}"), LINE_PLAIN                            \
    }

static const struct json_line json_lines[] = {
    /* Values */
    GOOD_VALUE("0"),
    GOOD_VALUE("-0"),
    GOOD_VALUE("7"),
    GOOD_VALUE("-12"),
    GOOD_VALUE("10203040506070809010"),
    GOOD_VALUE("0.0"),
    GOOD_VALUE("1.50"),
    GOOD_VALUE("-0.25e-7"),
    GOOD_VALUE("1e5"),
    GOOD_VALUE("1E+05"),
    GOOD_VALUE("0e0"),
    GOOD_VALUE("1e400"),
    GOOD_VALUE("true"),
    GOOD_VALUE("false"),
    GOOD_VALUE("null"),
    GOOD_VALUE("\"\""),
    GOOD_VALUE("\"x y\""),
    GOOD_VALUE("\"{[,:]}\""),
    GOOD_VALUE("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\""),
    GOOD_VALUE("\"\\\\\""),
    GOOD_VALUE("\"\\\\\\\"\""),
    GOOD_VALUE("\"\\uD83D\\uDE00\""),
    GOOD_VALUE("\"\\ud800\""), /* half a pair is a string in JavaScript */
    GOOD_VALUE("\"\x7F\""),
    GOOD_VALUE("\"\xC3\xA9\xF0\x9F\x98\x80\""),
    GOOD_VALUE("\"\xFF\xC3\""), /* read as U+FFFD */
    GOOD_VALUE("{}"),
    GOOD_VALUE("[]"),
    GOOD_VALUE("{\"uuid\":{\"uuid\":[[],{}]}}"),
    GOOD_VALUE("[1,\"a\",[true,null],{\"b\":-1.5}]"),

    {IN_OBJECT(""), LINE_BAD},
    BAD_VALUE("00"),
    BAD_VALUE("01"),
    BAD_VALUE("-01"),
    BAD_VALUE("1."),
    BAD_VALUE("1.e5"),
    BAD_VALUE(".5"),
    BAD_VALUE("+1"),
    BAD_VALUE("-"),
    BAD_VALUE("--1"),
    BAD_VALUE("-x"),
    BAD_VALUE("1e"),
    BAD_VALUE("1e+"),
    BAD_VALUE("1e5.0"),
    BAD_VALUE("1-1"),
    BAD_VALUE("0x1"),
    BAD_VALUE("1_000"),
    BAD_VALUE("12a"),
    BAD_VALUE("1 2"),
    BAD_VALUE("NaN"),
    BAD_VALUE("Infinity"),
    BAD_VALUE("-Infinity"),
    BAD_VALUE("True"),
    BAD_VALUE("tru"),
    BAD_VALUE("truee"),
    BAD_VALUE("truetrue"),
    BAD_VALUE("nul"),
    BAD_VALUE("nulll"),
    BAD_VALUE("fals"),
    BAD_VALUE("undefined"),
    BAD_VALUE("x"),
    BAD_VALUE("'x'"),
    BAD_VALUE("`x`"),
    BAD_VALUE("\"x"),
    BAD_VALUE("\"x\"\"y\""),
    BAD_VALUE("\"x\"y"),
    BAD_VALUE("1\"x\""),
    BAD_VALUE("\"\\x41\""),
    BAD_VALUE("\"\\'\""),
    BAD_VALUE("\"\\U0041\""),
    BAD_VALUE("\"\\u\""),
    BAD_VALUE("\"\\u004\""),
    BAD_VALUE("\"\\u00g1\""),
    BAD_VALUE("\"\\u-041\""),
    BAD_VALUE("\"\\ \""),
    BAD_VALUE("\"\t\""),
    BAD_VALUE("\"\r\""),
    BAD_VALUE("\"\x1F\""),
    BAD_VALUE("\"\0\""),
    BAD_VALUE("\0"),
    BAD_VALUE("{]"),
    BAD_VALUE("[}"),
    BAD_VALUE("{"),
    BAD_VALUE("["),
    BAD_VALUE("}"),
    BAD_VALUE("]"),
    BAD_VALUE("[1,]"),
    BAD_VALUE("[,1]"),
    BAD_VALUE("[,]"),
    BAD_VALUE("[1,,2]"),
    BAD_VALUE("[\"a\":1]"),
    BAD_VALUE("{,}"),
    BAD_VALUE("{\"b\"}"),
    BAD_VALUE("{\"b\",1}"),
    BAD_VALUE("{\"b\":}"),
    BAD_VALUE("{\"b\"::1}"),
    BAD_VALUE("{\"b\":1,}"),
    BAD_VALUE("{\"b\":1:2}"),
    BAD_VALUE("{:1}"),
    BAD_VALUE("{b:1}"),
    BAD_VALUE("{1:1}"),
    BAD_VALUE("{null:1}"),
    BAD_VALUE("{[]:1}"),
    BAD_VALUE("{{}:1}"),
    BAD_VALUE("{\"b\":1\"c\":2}"),
    BAD_VALUE("{\"b\":1}{}"),
    BAD_VALUE("{}[]"),
    BAD_VALUE("[][]"),
    BAD_VALUE("1/**/"),
    BAD_VALUE("1;"),

    /* The object itself */
    {SPAN("{}"), LINE_PLAIN},
    {SPAN("{\"\":0}"), LINE_PLAIN},
    {SPAN("{\"uuid\":\"1\",\"uuid\":\"2\",\"uuid\":3}"), LINE_PLAIN},
    {SPAN("{\"parentUuid\":null,\"uuid\":\"x\",\"type\":\"user\"}"), LINE_PLAIN},
    {SPAN("{\"b\\n\":{\"uuid\\\\\":1},\"uuid\":1}"), LINE_EXACT},
    {SPAN("{\"b\":{\"\\u0075uid\":1},\"uuid\":2}"), LINE_PLAIN},
    {SPAN("{\"\\u0075uid\":1}"), LINE_EXACT},
    {SPAN("{\"uuid\":1,\"uui\\u0064\":2}"), LINE_EXACT},
    {SPAN("{\"uuid\":1,\"\\ud800\":2}"), LINE_EXACT},
    {SPAN(" {}"), LINE_EXACT},
    {SPAN("{} "), LINE_EXACT},
    {SPAN("\t\r {\t} \r"), LINE_EXACT},
    {SPAN("{\"uuid\":1}\r"), LINE_EXACT},
    {SPAN("{ \"uuid\" : \"1\" , \"a\" : [ 1 , { } , [ ] , true ] }"), LINE_EXACT},
    {SPAN("{\"uuid\":1, \"type\":2}"), LINE_EXACT},
    {SPAN("{\"a\":[1 ,2]}"), LINE_EXACT},
    {SPAN(""), LINE_BAD},
    {SPAN(" "), LINE_BAD},
    {SPAN("\r"), LINE_BAD},
    {SPAN("{"), LINE_BAD},
    {SPAN("}"), LINE_BAD},
    {SPAN("{]"), LINE_BAD},
    {SPAN("[]"), LINE_BAD},
    {SPAN("[{\"uuid\":1}]"), LINE_BAD},
    {SPAN("null"), LINE_BAD},
    {SPAN("0"), LINE_BAD},
    {SPAN("\"{}\""), LINE_BAD},
    {SPAN("{}}"), LINE_BAD},
    {SPAN("{}{}"), LINE_BAD},
    {SPAN("{},"), LINE_BAD},
    {SPAN("{}x"), LINE_BAD},
    {SPAN("{}1"), LINE_BAD},
    {SPAN("{}\"\""), LINE_BAD},
    {SPAN("{} x"), LINE_BAD},
    {SPAN("{\"uuid\":1}{\"uuid\":2}"), LINE_BAD},
    {SPAN("{\"type\":\"pr-link\",\"prNu{\"parentUuid\":null}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"type\":\"us"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"type\":\"us\\"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"ty\x01pe\":1}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"ty\\qpe\":1}"), LINE_BAD},
    {SPAN("{'uuid':1}"), LINE_BAD},
    {SPAN("{\"uuid\":1}\0"), LINE_BAD},
    {SPAN("\0\0\0\0"), LINE_BAD},
    {SPAN("\xEF\xBB\xBF{\"uuid\":1}"), LINE_BAD},
    {SPAN("{\"uuid\":1}\xC2\xA0"), LINE_BAD}, /* white space of JavaScript, not of JSON */
    {SPAN("{\"uuid\":\v1}"), LINE_BAD},
    {SPAN("{\"uuid\":\f1}"), LINE_BAD},
    {SPAN("// {}"), LINE_BAD},
};
