/*
 * Random documents in random layouts, with comments: what is put in is there and nothing else changed, by jansson's
 * judgement; taking it away again, in any order, gives the first bytes back. An argument is the seed of an earlier run.
 */
#include "base/cleanup.h"
#include "base/jedit.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { ROUNDS = 3000, DOC_BYTES = 1 << 20, LEVELS = 4, STEPS_MAX = 8 };

static uint64_t state, first_seed;

/* xorshift64*: good enough to pick cases, the same everywhere. */
static uint32_t below(uint32_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717U) >> 33) % limit;
}

static void NORETURN fail(const char *what, struct span before, struct span after) {
    printf("not ok - seed %" PRIu64 ": %s\n--- before\n%.*s\n--- after\n%.*s\n", first_seed, what,
           SPAN_ARG(before), SPAN_ARG(after));
    exit(1);
}

/* Writing a document in some layout */

enum layout { MINIFIED, SPACED, LINES, TABS, WILD };

struct pen {
    struct buf *out;
    enum layout layout;
    const char *newline;
    bool comments;
};

static void put(struct pen *pen, const char *text) {
    (void)buf_append_span(pen->out, span_str(text));
}

static void put_wild_space(struct pen *pen) {
    static const char *const spaces[] = {" ", "  ", "\t", "\n", "\r\n", " \n\t"};
    for (uint32_t left = below(4); left; left--)
        put(pen, spaces[below(ARRAY_LEN(spaces))]);
}

static void put_comment(struct pen *pen) {
    static const char *const inside[] = {"", " said \"so\" ", " { ", " , ", "// ", " ] \t "};
    if (!pen->comments || below(4)) return;
    bool line = pen->layout >= LINES && below(2);
    put(pen, line ? " //" : " /*");
    put(pen, inside[below(ARRAY_LEN(inside))]);
    put(pen, line ? pen->newline : "*/");
}

static void put_break(struct pen *pen, unsigned depth) {
    put_comment(pen);
    if (pen->layout == WILD) put_wild_space(pen);
    if (pen->layout != LINES && pen->layout != TABS) return;
    put(pen, pen->newline);
    for (unsigned i = 0; i < depth; i++)
        put(pen, pen->layout == TABS ? "\t" : "    ");
}

static void put_scalar(struct pen *pen) {
    static const char *const scalars[] = {
        "null", "true", "-1.5e3", "0", "\"\"", "\"a \\\"b\\\" // c\"", "\"\\u00e9{\"", "\"\xC3\xA9\""};
    put(pen, scalars[below(ARRAY_LEN(scalars))]);
}

static void put_name(struct pen *pen, unsigned i) {
    static const char *const colons[] = {":", ": ", ": ", ": "};
    (void)buf_printf(pen->out, "\"%s%u\"", below(4) ? "k" : "\\u006b", i);
    if (pen->layout == WILD) put_wild_space(pen);
    put(pen, colons[pen->layout < WILD ? pen->layout : 0]);
    if (pen->layout == WILD) put_wild_space(pen);
}

static void put_value(struct pen *pen, unsigned depth) {
    uint32_t kind = depth == 0 ? below(4) != 0 : depth < LEVELS ? below(4) : 2;
    if (kind > 1) {
        put_scalar(pen);
        return;
    }
    bool object = kind == 1;
    uint32_t count = below(4);
    put(pen, object ? "{" : "[");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) put(pen, pen->layout == SPACED ? ", " : ",");
        put_break(pen, depth + 1);
        if (object) put_name(pen, i);
        put_value(pen, depth + 1);
    }
    if (count || !below(3)) put_break(pen, depth);
    put(pen, object ? "}" : "]");
}

static void put_document(struct buf *out) {
    struct pen pen = {.out = out,
                      .layout = (enum layout)below(WILD + 1),
                      .newline = below(2) ? "\n" : "\r\n",
                      .comments = below(2)};
    put_break(&pen, 0);
    put_value(&pen, 0);
    put_break(&pen, 0);
}

/* The judge */

/* Without its comments: jansson knows none. */
static void strip(struct span text, struct buf *out) {
    for (size_t i = 0; i < text.n;) {
        size_t from = i;
        if (text.p[i] == '"') {
            for (i++; text.p[i] != '"'; i++)
                if (text.p[i] == '\\') i++;
            i++;
        } else if (span_starts(span_skip(text, i), SPAN("//"))) {
            while (i < text.n && text.p[i] != '\n')
                i++;
            continue;
        } else if (span_starts(span_skip(text, i), SPAN("/*"))) {
            i = (size_t)((const char *)memmem(text.p + i + 2, text.n - i - 2, "*/", 2) - text.p) + 2;
            continue;
        } else {
            i++;
        }
        (void)buf_append(out, text.p + from, i - from);
    }
}

static json_t *judge(struct span text) {
    AUTO(buf) struct buf plain = BUF_INIT(DOC_BYTES);
    strip(text, &plain);
    json_t *json = json_loadb(plain.p, plain.n, JSON_DECODE_ANY, NULL);
    if (!json) fail("jansson cannot read it", text, buf_span(&plain));
    return json;
}

/* Walks to a random container; its path is left in `path`. */
static json_t *random_container(json_t *at, struct jedit_step *path, char names[][16], size_t *ret_depth) {
    size_t depth = 0;
    while (depth < STEPS_MAX - 1 && below(4)) {
        size_t count = json_is_object(at) ? json_object_size(at) : json_array_size(at);
        uint32_t i = count ? below((uint32_t)count) : 0;
        (void)snprintf(names[depth], sizeof names[depth], "k%u", i);
        json_t *child = json_is_object(at) ? json_object_get(at, names[depth]) : json_array_get(at, i);
        if (!json_is_object(child) && !json_is_array(child)) break;
        path[depth] =
            json_is_object(at) ? (struct jedit_step){.name = span_str(names[depth])} : JEDIT_INDEX(i);
        at = child;
        depth++;
    }
    *ret_depth = depth;
    return at;
}

static const char *const additions[] = {
    "1", "[]", "{}", "{\"type\":\"command\",\"n\":[1,{\"x\":\"a, b: {c}\"}]}", "[[1,2],[]]", "\"\\\"\""};

/* Adds one thing to the tree, too, so that both can be compared. */
static struct jedit_step add_to_tree(json_t *container, const char *name, const char *value) {
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    if (json_is_object(container)) {
        (void)json_object_set_new(container, name, json);
        return (struct jedit_step){.name = span_str(name)};
    }
    (void)json_array_append_new(container, json);
    return JEDIT_INDEX(json_array_size(container) - 1);
}

static void check_document(void) {
    static const char *const new_names[] = {"new", "\xC3\xBC\"\\"};
    AUTO(buf) struct buf text = BUF_INIT(DOC_BYTES);
    AUTO(buf) struct buf once = BUF_INIT(DOC_BYTES);
    AUTO(buf) struct buf twice = BUF_INIT(DOC_BYTES);
    AUTO(buf) struct buf back = BUF_INIT(DOC_BYTES);
    AUTO(buf) struct buf first = BUF_INIT(DOC_BYTES);
    struct jedit_step path[STEPS_MAX], steps[2];
    char names[STEPS_MAX][16];
    size_t depth;
    struct err err = {0};
    put_document(&text);
    if (jedit_check(buf_span(&text), &err) < 0) fail(err.msg, buf_span(&text), SPAN_NONE);

    json_t *tree = judge(buf_span(&text)), *container = random_container(tree, path, names, &depth);
    struct buf *from = &text;
    for (size_t i = 0; i < 2; i++) {
        struct buf *to = i ? &twice : &once;
        const char *value = additions[below(ARRAY_LEN(additions))];
        path[depth] = steps[i] = add_to_tree(container, new_names[i], value);
        if (jedit_put(buf_span(from), path, depth + 1, span_str(value), to, &err) < 0)
            fail(err.msg, buf_span(from), SPAN_NONE);
        json_t *now = judge(buf_span(to));
        if (!json_equal(now, tree)) fail("it means something else", buf_span(from), buf_span(to));
        json_decref(now);
        from = to;
    }
    json_decref(tree);

    if (below(2)) { /* the newest first: each step back must be exact */
        if (jedit_remove(buf_span(&twice), path, depth + 1, &first, &err) < 0 ||
            !span_eq(buf_span(&first), buf_span(&once)))
            fail("removing the second", buf_span(&once), buf_span(&first));
        path[depth] = steps[0];
    } else {
        path[depth] = steps[0];
        if (jedit_remove(buf_span(&twice), path, depth + 1, &first, &err) < 0)
            fail(err.msg, buf_span(&twice), SPAN_NONE);
        path[depth] = steps[1].name.n ? steps[1] : steps[0];
    }
    if (jedit_remove(buf_span(&first), path, depth + 1, &back, &err) < 0)
        fail(err.msg, buf_span(&first), SPAN_NONE);
    if (!span_eq(buf_span(&back), buf_span(&text)))
        fail("not the first bytes", buf_span(&text), buf_span(&back));
}

int main(int argc, char **argv) {
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    else if (getrandom(&first_seed, sizeof first_seed, 0) != sizeof first_seed)
        return 1;
    state = first_seed ? first_seed : 1;
    printf("1..1\n# seed %" PRIu64 "\n", first_seed);
    (void)fflush(stdout);
    for (int i = 0; i < ROUNDS; i++)
        check_document();
    printf("ok 1 - what is added can be taken away\n");
    return 0;
}
