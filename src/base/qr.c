#include "base/qr.h"

#include <errno.h>
#include <stdlib.h>

enum {
    VERSIONS = 10,
    CODEWORDS_MAX = 346,
    CORRECTION_MAX = 26, /* bytes behind each block */
    LONG_COUNT = 10,     /* from this version on the length takes two bytes */
    WITH_VERSION = 7,    /* from this one on the version is written down */
    FIELD_POLYNOMIAL = 0x11d,
    PAD_ONE = 0xec,
    PAD_TWO = 0x11,
};

/* At level M: bytes of correction for each block; blocks, and data bytes in each; as many of a byte more. */
static const struct layout {
    int correction, blocks, data, longer, align[2];
} layouts[VERSIONS + 1] = {
    [1] = {10, 1, 16, 0, {0, 0}},    [2] = {16, 1, 28, 0, {18, 0}},  [3] = {26, 1, 44, 0, {22, 0}},
    [4] = {18, 2, 32, 0, {26, 0}},   [5] = {24, 2, 43, 0, {30, 0}},  [6] = {16, 4, 27, 0, {34, 0}},
    [7] = {18, 4, 31, 0, {22, 38}},  [8] = {22, 2, 38, 2, {24, 42}}, [9] = {22, 3, 36, 2, {26, 46}},
    [10] = {26, 4, 43, 1, {28, 50}},
};

/* What is being drawn. */
struct drawing {
    struct qr *qr;
    bool fixed[QR_SIZE_MAX][QR_SIZE_MAX]; /* patterns, which no mask touches */
    int version;
};

static int data_bytes(const struct layout *l) {
    return l->blocks * l->data + l->longer * (l->data + 1);
}

/* ---- the codewords ------------------------------------------------------------------------------------------------ */

struct bits {
    uint8_t bytes[CODEWORDS_MAX];
    int n;
};

static void put_bits(struct bits *b, unsigned value, int count) {
    for (int i = count - 1; i >= 0; i--, b->n++)
        if (value >> i & 1) b->bytes[b->n / 8] = (uint8_t)(b->bytes[b->n / 8] | 0x80 >> b->n % 8);
}

/* Mode, length, the text, an end, and padding up to what the version holds. */
static void write_data(struct span text, int version, struct bits *b) {
    int room = data_bytes(&layouts[version]) * 8;
    put_bits(b, 4, 4);
    put_bits(b, (unsigned)text.n, version >= LONG_COUNT ? 16 : 8);
    for (size_t i = 0; i < text.n; i++)
        put_bits(b, (unsigned char)text.p[i], 8);
    put_bits(b, 0, MIN(4, room - b->n));
    b->n = (b->n + 7) / 8 * 8;
    for (unsigned pad = PAD_ONE; b->n < room; pad = pad == PAD_ONE ? PAD_TWO : PAD_ONE)
        put_bits(b, pad, 8);
}

static uint8_t multiply(uint8_t a, uint8_t b) {
    unsigned product = 0, x = a;
    for (unsigned y = b; y; y >>= 1) {
        if (y & 1) product ^= x;
        x <<= 1;
        if (x & 0x100) x ^= FIELD_POLYNOMIAL;
    }
    return (uint8_t)product;
}

/* The coefficients of (x - 1)(x - 2)(x - 4)…, without the leading 1. */
static void write_generator(int degree, uint8_t ret[CORRECTION_MAX]) {
    uint8_t root = 1;
    memset(ret, 0, CORRECTION_MAX);
    ret[degree - 1] = 1;
    for (int i = 0; i < degree; i++) {
        for (int j = 0; j < degree; j++)
            ret[j] = (uint8_t)(multiply(ret[j], root) ^ (j + 1 < degree ? ret[j + 1] : 0));
        root = multiply(root, 2);
    }
}

/* The remainder of Reed and Solomon's division. */
static void correct(const uint8_t *data, int n, const uint8_t *generator, int degree, uint8_t *ret) {
    memset(ret, 0, (size_t)degree);
    for (int i = 0; i < n; i++) {
        uint8_t factor = (uint8_t)(data[i] ^ ret[0]);
        memmove(ret, ret + 1, (size_t)degree - 1);
        ret[degree - 1] = 0;
        for (int j = 0; j < degree; j++)
            ret[j] = (uint8_t)(ret[j] ^ multiply(generator[j], factor));
    }
}

/* The first byte of each block, then the second of each, and so on; behind the data the corrections likewise. */
static int interleave(const uint8_t *data, const struct layout *l, uint8_t ret[CODEWORDS_MAX]) {
    uint8_t generator[CORRECTION_MAX], corrections[CORRECTION_MAX];
    int blocks = l->blocks + l->longer, total = data_bytes(l), from = 0;
    write_generator(l->correction, generator);
    for (int b = 0; b < blocks; b++) {
        int n = l->data + (b >= l->blocks);
        for (int i = 0; i < n; i++)
            ret[i < l->data ? i * blocks + b : l->data * blocks + b - l->blocks] = data[from + i];
        correct(data + from, n, generator, l->correction, corrections);
        for (int i = 0; i < l->correction; i++)
            ret[total + i * blocks + b] = corrections[i];
        from += n;
    }
    return total + blocks * l->correction;
}

/* ---- the drawing -------------------------------------------------------------------------------------------------- */

static void set_fixed(struct drawing *d, int row, int col, bool dark) {
    if (row < 0 || col < 0 || row >= d->qr->size || col >= d->qr->size) return;
    d->qr->dark[row][col] = dark;
    d->fixed[row][col] = true;
}

/* The eye with its centre here, and the light line around it. */
static void draw_finder(struct drawing *d, int row, int col) {
    for (int y = -4; y <= 4; y++)
        for (int x = -4; x <= 4; x++) {
            int far = MAX(abs(x), abs(y));
            set_fixed(d, row + y, col + x, far != 2 && far != 4);
        }
}

static void draw_alignment(struct drawing *d, int row, int col) {
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++)
            set_fixed(d, row + y, col + x, MAX(abs(x), abs(y)) != 1);
}

static void draw_alignments(struct drawing *d) {
    const int *at = layouts[d->version].align;
    int places[3] = {6, at[0], at[1]}, count = at[1] ? 3 : at[0] ? 2 : 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            bool eye = (i == 0 && j == 0) || (i == 0 && j == count - 1) || (i == count - 1 && j == 0);
            if (!eye) draw_alignment(d, places[i], places[j]);
        }
}

/* `value` and, behind it, the remainder of its division: what is misread of it can be told. */
static unsigned with_remainder(unsigned value, int bits, unsigned polynomial) {
    unsigned rest = value;
    for (int i = 0; i < bits; i++)
        rest = rest << 1 ^ (rest >> (bits - 1) & 1) * polynomial;
    return value << bits | (rest & ((1U << bits) - 1));
}

static void draw_format(struct drawing *d, int mask) {
    int size = d->qr->size;
    unsigned format = with_remainder((unsigned)mask, 10, 0x537) ^ 0x5412; /* level M is 00 */
    for (int i = 0; i < 15; i++) {
        bool dark = format >> i & 1;
        if (i < 8) {
            set_fixed(d, i < 6 ? i : i + 1, 8, dark);
            set_fixed(d, 8, size - 1 - i, dark);
        } else {
            set_fixed(d, 8, i == 8 ? 7 : 14 - i, dark);
            set_fixed(d, size - 15 + i, 8, dark);
        }
    }
    set_fixed(d, size - 8, 8, true);
}

static void draw_version(struct drawing *d) {
    int size = d->qr->size;
    if (d->version < WITH_VERSION) return;
    unsigned bits = with_remainder((unsigned)d->version, 12, 0x1f25);
    for (int i = 0; i < 18; i++) {
        set_fixed(d, size - 11 + i % 3, i / 3, bits >> i & 1);
        set_fixed(d, i / 3, size - 11 + i % 3, bits >> i & 1);
    }
}

static void draw_patterns(struct drawing *d) {
    int size = d->qr->size;
    for (int i = 0; i < size; i++) {
        set_fixed(d, 6, i, i % 2 == 0);
        set_fixed(d, i, 6, i % 2 == 0);
    }
    draw_finder(d, 3, 3);
    draw_finder(d, 3, size - 4);
    draw_finder(d, size - 4, 3);
    draw_alignments(d);
    draw_format(d, 0); /* its place; what stands there comes with the mask */
    draw_version(d);
}

/* Two columns at a time from the right, upwards and downwards in turn, around the patterns. */
static void draw_codewords(struct drawing *d, const uint8_t *bytes, int n) {
    int size = d->qr->size, bit = 0;
    for (int right = size - 1; right > 0; right -= 2) {
        if (right == 6) right--;
        for (int i = 0; i < 2 * size; i++) {
            int step = i / 2, col = right - i % 2, row = (right + 1) & 2 ? step : size - 1 - step;
            if (d->fixed[row][col]) continue;
            d->qr->dark[row][col] = bit < 8 * n && (bytes[bit / 8] >> (7 - bit % 8) & 1);
            bit++;
        }
    }
}

static bool is_masked(int mask, int r, int c) {
    switch (mask) {
    case 0: return (r + c) % 2 == 0;
    case 1: return r % 2 == 0;
    case 2: return c % 3 == 0;
    case 3: return (r + c) % 3 == 0;
    case 4: return (r / 2 + c / 3) % 2 == 0;
    case 5: return r * c % 2 + r * c % 3 == 0;
    case 6: return (r * c % 2 + r * c % 3) % 2 == 0;
    default: return ((r + c) % 2 + r * c % 3) % 2 == 0;
    }
}

/* Done twice, it is undone. */
static void lay_mask(struct drawing *d, int mask) {
    for (int r = 0; r < d->qr->size; r++)
        for (int c = 0; c < d->qr->size; c++)
            if (!d->fixed[r][c]) d->qr->dark[r][c] ^= is_masked(mask, r, c);
}

/* ---- the choice of a mask ------------------------------------------------------------------------------------------ */

static bool at(const struct qr *q, bool by_column, int line, int i) {
    return by_column ? q->dark[i][line] : q->dark[line][i];
}

/* Runs of one colour, and what looks like an eye. */
static int judge_line(const struct qr *q, bool by_column, int line) {
    static const bool eye[] = {1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0};
    int points = 0, run = 1;
    for (int i = 1; i <= q->size; i++) {
        if (i < q->size && at(q, by_column, line, i) == at(q, by_column, line, i - 1)) {
            run++;
            continue;
        }
        if (run >= 5) points += run - 2;
        run = 1;
    }
    for (int i = 0; i + 11 <= q->size; i++) {
        bool forth = true, back = true;
        for (int j = 0; j < 11; j++) {
            forth = forth && at(q, by_column, line, i + j) == eye[j];
            back = back && at(q, by_column, line, i + j) == eye[10 - j];
        }
        points += 40 * (forth + back);
    }
    return points;
}

static int judge(const struct qr *q) {
    int points = 0, dark = 0;
    for (int i = 0; i < q->size; i++)
        points += judge_line(q, false, i) + judge_line(q, true, i);
    for (int r = 0; r < q->size; r++)
        for (int c = 0; c < q->size; c++) {
            dark += q->dark[r][c];
            if (r == 0 || c == 0) continue;
            bool one = q->dark[r][c];
            if (q->dark[r - 1][c] == one && q->dark[r][c - 1] == one && q->dark[r - 1][c - 1] == one)
                points += 3;
        }
    int all = q->size * q->size;
    return points + abs(dark * 20 - all * 10) / all * 10;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static int version_for(size_t n) {
    for (int v = 1; v <= VERSIONS; v++)
        if ((int)n + (v >= LONG_COUNT ? 3 : 2) <= data_bytes(&layouts[v])) return v;
    return 0;
}

/* All but the mask. */
static int draw(struct span text, struct drawing *d) {
    struct bits data = {0};
    uint8_t codewords[CODEWORDS_MAX] = {0};
    d->version = text.n <= QR_TEXT_MAX ? version_for(text.n) : 0;
    if (!d->version) return -EMSGSIZE;
    *d->qr = (struct qr){.size = 17 + 4 * d->version};
    write_data(text, d->version, &data);
    int n = interleave(data.bytes, &layouts[d->version], codewords);
    draw_patterns(d);
    draw_codewords(d, codewords, n);
    return 0;
}

static void finish(struct drawing *d, int mask) {
    lay_mask(d, mask);
    draw_format(d, mask);
    d->qr->mask = mask;
}

int qr_make_masked(struct span text, int mask, struct qr *ret) {
    struct drawing d = {.qr = ret};
    int r = draw(text, &d);
    if (r == 0) finish(&d, mask);
    return r;
}

int qr_make(struct span text, struct qr *ret) {
    struct drawing d = {.qr = ret};
    int r = draw(text, &d), best = 0, fewest = -1;
    if (r < 0) return r;
    for (int mask = 0; mask < QR_MASKS; mask++) {
        finish(&d, mask);
        int points = judge(ret);
        if (fewest < 0 || points < fewest) {
            fewest = points;
            best = mask;
        }
        lay_mask(&d, mask);
    }
    finish(&d, best);
    return 0;
}
