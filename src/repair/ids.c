#include "repair/ids.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/utf8.h"
#include "repair/js_string.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CELLS = 1024, UUID_CHARS = 36, NUMBER_CHARS = 32 };

#define ENTRIES_BYTES_MAX ((size_t)UINT32_MAX * sizeof(struct id_entry))

static uint64_t mix(uint64_t a, uint64_t b) {
    __uint128_t product = (__uint128_t)(a ^ UINT64_C(0x9E3779B97F4A7C15)) * (b | 1);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

void ids_init(struct ids *ids, uint64_t seed) {
    *ids = (struct ids){.entries = BUF_INIT(ENTRIES_BYTES_MAX),
                        .cells = BUF_INIT((size_t)UINT32_MAX * 4 * sizeof(struct id_cell)),
                        .seed = mix(seed, UINT64_C(0xD1342543DE82EF95)), /* a small one must do as well */
                        .text = ARENA_INIT(SIZE_MAX / 2)};
}

void ids_fini(struct ids *ids) {
    buf_fini(&ids->entries);
    buf_fini(&ids->cells);
    arena_fini(&ids->text);
}

struct id_entry *ids_at(const struct ids *ids, uint32_t number) {
    assert(number && number <= ids->count);
    return (struct id_entry *)(void *)ids->entries.p + (number - 1);
}

/* Looking up */

static uint64_t hash_of(const struct ids *ids, const struct id_entry *e) {
    if (e->kind != ID_STRING)
        return mix(mix(e->uuid[0] ^ ids->seed, ids->seed + e->kind), e->uuid[1] ^ ids->seed);
    uint64_t h = ids->seed;
    for (struct span s = e->text; s.n;) {
        uint64_t word = 0;
        size_t n = MIN(s.n, sizeof word);
        memcpy(&word, s.p, n);
        h = mix(h ^ word, ids->seed + n);
        s = span_skip(s, n);
    }
    return h;
}

static bool same(const struct id_entry *x, const struct id_entry *y) {
    if (x->kind != y->kind) return false;
    return x->kind == ID_STRING ? span_eq(x->text, y->text)
                                : x->uuid[0] == y->uuid[0] && x->uuid[1] == y->uuid[1];
}

static size_t cell_count(const struct ids *ids) {
    return ids->cells.n / sizeof(struct id_cell);
}

/* The cell that leads to it, or the free one where it goes. */
static struct id_cell *find_cell(const struct ids *ids, const struct id_entry *e, uint32_t hash) {
    struct id_cell *cells = (struct id_cell *)(void *)ids->cells.p;
    size_t mask = cell_count(ids) - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        if (!cells[i].number) return &cells[i];
        if (cells[i].hash == hash && same(ids_at(ids, cells[i].number), e)) return &cells[i];
    }
}

/* Twice the room, at most two thirds of it taken. */
static int grow_cells(struct ids *ids) {
    size_t n = cell_count(ids) ? cell_count(ids) * 2 : FIRST_CELLS;
    struct buf grown = BUF_INIT(ids->cells.cap);
    struct id_cell *to = (struct id_cell *)(void *)buf_reserve(&grown, n * sizeof *to);
    if (!to) return -ENOMEM;
    memset(to, 0, n * sizeof *to);
    const struct id_cell *from = (const struct id_cell *)(const void *)ids->cells.p;
    for (size_t k = 0; k < cell_count(ids); k++) {
        if (!from[k].number) continue;
        size_t i = from[k].hash & (n - 1);
        while (to[i].number)
            i = (i + 1) & (n - 1);
        to[i] = from[k];
    }
    buf_grew(&grown, n * sizeof *to);
    buf_fini(&ids->cells);
    ids->cells = grown;
    return 0;
}

static int append(struct ids *ids, const struct id_entry *e, uint32_t *ret) {
    if (ids->count == UINT32_MAX - 1) return -EFBIG;
    if (buf_append(&ids->entries, e, sizeof *e) < 0) return -ENOMEM;
    *ret = ++ids->count;
    return 0;
}

static int intern(struct ids *ids, struct id_entry *e, uint32_t *ret) {
    if (e->kind == ID_UNIQUE) return append(ids, e, ret);
    /* A message follows the one before it, nearly always. */
    if (ids->count && e->kind == ID_UUID && same(ids_at(ids, ids->count), e)) {
        *ret = ids->count;
        return 0;
    }
    if ((size_t)ids->hashed * 3 >= cell_count(ids) * 2 && grow_cells(ids) < 0) return -ENOMEM;
    uint32_t hash = (uint32_t)hash_of(ids, e);
    struct id_cell *cell = find_cell(ids, e, hash);
    if (cell->number) {
        *ret = cell->number;
        return 0;
    }
    if (e->kind == ID_STRING) {
        struct span copy = arena_dup(&ids->text, e->text);
        if (!copy.p) return -ENOMEM;
        e->text = copy;
    }
    int r = append(ids, e, &cell->number);
    if (r < 0) return r;
    cell->hash = hash;
    ids->hashed++;
    *ret = cell->number;
    return 0;
}

/* UUIDs: 32 lower-case digits with four dashes */

static uint64_t load(const char *p, size_t n) {
    uint64_t v = 0;
    memcpy(&v, p, n);
    return v;
}

/* Eight digits at once into eight nibbles; false when any is none. A digit is known by being spelled again the same. */
static bool read_hex(uint64_t text, uint32_t *ret) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t letter = text >> 6 & ones, v = (text & ones * 0x0F) + letter * 9;
    if (v & ones * 0xF0 || v + ones * '0' + letter * ('a' - '0' - 10) != text) return false;
    if (((v + ones * 6) >> 4 & ones) != letter) return false;
    v = (v | v >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    v = (v | v >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    *ret = (uint32_t)(v | v >> 16);
    return true;
}

static bool read_uuid(struct span s, struct id_entry *ret) {
    const char *p = s.p;
    if (s.n != UUID_CHARS || p[8] != '-' || p[13] != '-' || p[18] != '-' || p[23] != '-') return false;
    uint32_t v[4];
    if (!read_hex(load(p, 8), &v[0]) || !read_hex(load(p + 9, 4) | load(p + 14, 4) << 32, &v[1]) ||
        !read_hex(load(p + 19, 4) | load(p + 24, 4) << 32, &v[2]) || !read_hex(load(p + 28, 8), &v[3]))
        return false;
    *ret = (struct id_entry){.uuid = {(uint64_t)v[0] << 32 | v[1], (uint64_t)v[2] << 32 | v[3]},
                             .kind = ID_UUID};
    return true;
}

/* read_hex() has put the first digit into the lowest bits. */
static int write_uuid(const struct id_entry *e, struct buf *out) {
    static const char digits[] = "0123456789abcdef";
    const uint32_t v[4] = {(uint32_t)(e->uuid[0] >> 32), (uint32_t)e->uuid[0], (uint32_t)(e->uuid[1] >> 32),
                           (uint32_t)e->uuid[1]};
    char text[UUID_CHARS + 2], *p = text;
    *p++ = '"';
    for (size_t i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20) *p++ = '-';
        *p++ = digits[v[i / 8] >> i % 8 * 4 & 0xF];
    }
    *p = '"';
    return buf_append(out, text, sizeof text);
}

/* Everything else */

static int intern_string(struct ids *ids, struct span inside, uint32_t *ret) {
    struct id_entry e;
    AUTO(buf) struct buf text = BUF_INIT((size_t)ID_VALUE_MAX * 3);
    if (js_string_decode(inside, &text) < 0) return -ENOMEM;
    if (text.n == 0) {
        *ret = ID_FALSY;
        return 0;
    }
    if (!read_uuid(buf_span(&text), &e)) e = (struct id_entry){.text = buf_span(&text), .kind = ID_STRING};
    return intern(ids, &e, ret);
}

static int intern_number(struct ids *ids, struct span raw, uint32_t *ret) {
    /* Text that was checked to be a number, and ends: what is too large is infinite, as in JavaScript. */
    AUTO(buf) struct buf text = BUF_INIT(ID_VALUE_MAX);
    if (buf_append_span(&text, raw) < 0) return -ENOMEM;
    double value = strtod(text.p, NULL);
    struct id_entry e = {.kind = ID_NUMBER};
    if (fpclassify(value) == FP_ZERO) {
        *ret = ID_FALSY;
        return 0;
    }
    e.number = value;
    return intern(ids, &e, ret);
}

int ids_intern(struct ids *ids, struct span raw, bool cut, uint32_t *ret) {
    struct id_entry e = {.kind = ID_UNIQUE};
    /* However it came, of a large one no more than this is known. */
    if (cut || raw.n > ID_VALUE_MAX) return intern(ids, &e, ret);
    switch (jscan_kind(raw)) {
    case JKIND_STRING:
        raw = span_of(raw.p + 1, raw.n - 2);
        if (LIKELY(read_uuid(raw, &e))) return intern(ids, &e, ret);
        return intern_string(ids, raw, ret);
    case JKIND_NUMBER: return intern_number(ids, raw, ret);
    case JKIND_BOOL:
        e.kind = ID_TRUE;
        if (raw.p[0] == 't') return intern(ids, &e, ret);
        break;
    case JKIND_OBJECT:
    case JKIND_ARRAY: return intern(ids, &e, ret);
    case JKIND_NULL:
    case JKIND_NONE: break;
    }
    *ret = ID_FALSY;
    return 0;
}

static int write_number(const struct id_entry *e, struct buf *out) {
    double value = e->number;
    if (isinf(value)) return buf_append_span(out, value < 0 ? SPAN("-1e999") : SPAN("1e999"));
    char text[NUMBER_CHARS];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        double again = strtod(text, NULL);
        if (again >= value && again <= value) break;
    }
    return buf_append_span(out, span_str(text));
}

int ids_write(const struct ids *ids, uint32_t number, struct buf *out) {
    if (number == ID_FALSY) return buf_append_span(out, SPAN("null"));
    const struct id_entry *e = ids_at(ids, number);
    switch ((enum id_kind)e->kind) {
    case ID_UUID: return write_uuid(e, out);
    case ID_STRING: return js_string_write(e->text, out);
    case ID_NUMBER: return write_number(e, out);
    case ID_TRUE: return buf_append_span(out, SPAN("true"));
    case ID_UNIQUE: break;
    }
    return -EINVAL;
}
