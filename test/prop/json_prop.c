/*
 * Random documents: what jwrite wrote is valid, and jscan finds in it what jansson finds, in any spelling of white
 * space and escapes, with every engine. Torn documents must at least mean the same to all engines.
 *
 * An argument is the seed of an earlier run.
 */
#include "json_oracle.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { ROUNDS = 500, DOC_BYTES = 1 << 20, LEVELS = 6 };

static uint64_t state;

/* xorshift64*: good enough to pick cases, the same everywhere. */
static uint32_t below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717U) >> 33) % limit;
}

static struct span random_text(char room[256]) {
    static const char *const pieces[] = {"\\",
                                         "\\\\",
                                         "\"",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\n",
                                         "\x01",
                                         "a",
                                         "bc",
                                         " ",
                                         "plain text ",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80",
                                         "\"a\":1",
                                         "/"};
    size_t n = 0;
    for (uint32_t left = below(4) ? below(8) : below(40); left; left--) {
        struct span piece = span_str(pieces[below(ARRAY_LEN(pieces))]);
        if (n + piece.n > 256) break;
        memcpy(room + n, piece.p, piece.n);
        n += piece.n;
    }
    return span_of(room, n);
}

static void write_value(struct jwrite *w, int levels) {
    char text[256];
    switch (below(levels > 0 ? 9 : 7)) {
    case 0: jwrite_null(w); break;
    case 1: jwrite_bool(w, below(2)); break;
    case 2: jwrite_i64(w, (int64_t)((uint64_t)below(1U << 31) << below(33)) * (below(2) ? 1 : -1)); break;
    case 3: jwrite_double(w, ((double)below(1000000) - 500000.0) / (1 + below(1000)) + 0.25); break;
    case 4: jwrite_u64(w, below(100)); break;
    case 7:
        jwrite_array(w);
        for (uint32_t left = below(6); left; left--)
            write_value(w, levels - 1);
        jwrite_array_end(w);
        break;
    case 8:
        jwrite_object(w);
        for (uint32_t left = below(6); left; left--) {
            jwrite_key_span(w, random_text(text));
            write_value(w, levels - 1);
        }
        jwrite_object_end(w);
        break;
    default: jwrite_str(w, random_text(text)); break;
    }
}

static void write_document(struct buf *out) {
    static const char *const names[] = {"a", "b", "type", "", "a\"b", "sess\\ion"};
    char text[256];
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    for (uint32_t left = below(12); left; left--) {
        if (below(2))
            jwrite_key(&w, names[below(ARRAY_LEN(names))]);
        else
            jwrite_key_span(&w, random_text(text));
        write_value(&w, LEVELS);
    }
    jwrite_object_end(&w);
}

/* The same document in another spelling: white space between the tokens, letters as \u escapes. */
static void respell(struct span doc, struct buf *out) {
    bool in_string = false;
    for (size_t i = 0; i < doc.n; i++) {
        char c = doc.p[i];
        if (in_string && c == '\\') {
            (void)buf_append(out, doc.p + i, 2);
            i++;
            continue;
        }
        if (c == '"') in_string = !in_string;
        if (in_string && c >= 'a' && c <= 'z' && below(5) == 0) {
            (void)buf_printf(out, below(2) ? "\\u%04x" : "\\u%04X", (unsigned)c);
            continue;
        }
        bool space = !in_string && c != '"' && strchr("{}[],:", c) && below(3) == 0;
        if (space) (void)buf_append(out, " \n\t\r     ", below(9));
        (void)buf_append_char(out, c);
        if (space) (void)buf_append(out, "\n        ", below(9));
    }
}

/* A copy of exactly the right size, so that the sanitizer sees a read past the end. */
static void check(struct span doc) {
    AUTO(free) char *copy = malloc(doc.n ? doc.n : 1);
    if (!copy) abort();
    memcpy(copy, doc.p, doc.n);
    json_oracle(span_of(copy, doc.n));
}

static bool round_holds(void) {
    AUTO(buf) struct buf doc = BUF_INIT(DOC_BYTES);
    AUTO(buf) struct buf spelled = BUF_INIT(8 * DOC_BYTES);
    write_document(&doc);
    respell(buf_span(&doc), &spelled);
    if (doc.failed || spelled.failed) return false;
    if (jvalid(buf_span(&doc), LEVELS + 2) < 0 || jvalid(buf_span(&spelled), LEVELS + 2) < 0) return false;

    json_t *a = json_loadb(doc.p, doc.n, 0, NULL), *b = json_loadb(spelled.p, spelled.n, 0, NULL);
    bool equal = a && json_equal(a, b);
    json_decref(a);
    json_decref(b);

    check(buf_span(&doc));
    check(buf_span(&spelled));
    check(span_take(buf_span(&spelled), below((uint32_t)spelled.n)));
    spelled.p[below((uint32_t)spelled.n)] = "\\\"{}[],:x"[below(9)];
    check(buf_span(&spelled));
    return equal;
}

int main(int argc, char **argv) {
    uint64_t seed = 0;
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    else if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = 1;
    state = seed ? seed : 1;
    (void)printf("1..1\n# seed %" PRIu64 "\n", state);
    (void)fflush(stdout);
    for (int i = 0; i < ROUNDS; i++) {
        if (!round_holds()) {
            (void)printf("not ok 1 - round %d\n", i);
            return 1;
        }
    }
    (void)printf("ok 1 - %d random documents\n", ROUNDS);
    return 0;
}
