#include "term/tape.h"

#include <errno.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the files are little-endian");

enum {
    SEGMENT_MAGIC = 0x6a74736f, /* "ostj" */
    SCREEN_MAGIC = 0x7374736f,  /* "osts" */
    OFFSET_BITS = 62,           /* no terminal prints more, and sums cannot overflow */
};

struct head {
    uint32_t magic;
    uint32_t version;
    uint64_t epoch, offset;
    uint64_t size; /* of what follows; 0 in a segment, which grows */
    uint64_t sum;
};
static_assert(sizeof(struct head) == TAPE_HEAD_BYTES, "a head has no holes");

struct record {
    uint32_t size; /* of the payload */
    uint16_t kind;
    uint16_t reserved;
    uint64_t offset;
    uint64_t sum; /* of the fields before, and the payload */
};
static_assert(sizeof(struct record) == TAPE_RECORD_BYTES, "a record's head has no holes");

struct exit_payload {
    int32_t code, signal;
    int64_t at_ms;
};

struct size_payload {
    uint16_t cols, rows;
};

static const uint64_t prime_1 = 0x9e3779b97f4a7c15, prime_2 = 0xd6e8feb86659fd93;

/* Every step can be undone, so that two inputs of one length that differ in a single word never have the same sum. */
static uint64_t mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * prime_1;
    return sum ^ (sum >> 29);
}

/* Four lanes, because one multiplication has to wait for the one before. */
static uint64_t sum_bytes(uint64_t seed, const char *p, size_t n) {
    uint64_t lanes[4] = {seed, seed ^ prime_1, seed ^ prime_2, n * prime_2}, words[4];
    for (; n >= sizeof words; p += sizeof words, n -= sizeof words) {
        memcpy(words, p, sizeof words);
        for (unsigned i = 0; i < 4; i++)
            lanes[i] = mix(lanes[i], words[i]);
    }
    memset(words, 0, sizeof words);
    if (n) memcpy(words, p, n);
    uint64_t sum = prime_2;
    for (unsigned i = 0; i < 4; i++)
        sum = mix(sum, mix(lanes[i], words[i]));
    return sum;
}

static uint64_t sum_head(const struct head *h, struct span body) {
    uint64_t sum = sum_bytes(0, (const char *)h, offsetof(struct head, sum));
    return body.n ? sum_bytes(sum, body.p, body.n) : sum;
}

static uint64_t sum_record(const struct record *r, const char *payload) {
    return sum_bytes(sum_bytes(1, (const char *)r, offsetof(struct record, sum)), payload, r->size);
}

static int put_head(struct buf *out, uint32_t magic, struct tape_place place, struct span body) {
    struct head h = {.magic = magic,
                     .version = TAPE_VERSION,
                     .epoch = place.epoch,
                     .offset = place.offset,
                     .size = body.n};
    h.sum = sum_head(&h, body);
    int r = buf_append(out, &h, sizeof h);
    return r < 0 || !body.n ? r : buf_append_span(out, body);
}

static int get_head(struct span file, uint32_t magic, struct head *ret) {
    if (file.n < sizeof *ret) return -EBADMSG;
    memcpy(ret, file.p, sizeof *ret);
    struct span body = span_skip(file, sizeof *ret);
    if (ret->magic != magic || ret->version != TAPE_VERSION || ret->offset >> OFFSET_BITS ||
        ret->size > body.n)
        return -EBADMSG;
    return ret->sum == sum_head(ret, span_take(body, (size_t)ret->size)) ? 0 : -EBADMSG;
}

int tape_begin(struct buf *out, struct tape_place place) {
    return put_head(out, SEGMENT_MAGIC, place, SPAN_NONE);
}

int tape_put_screen(struct buf *out, struct tape_place place, struct span packed) {
    return put_head(out, SCREEN_MAGIC, place, packed);
}

int tape_get_screen(struct span file, struct tape_place *ret_place, struct span *ret_packed) {
    struct head h;
    int r = get_head(file, SCREEN_MAGIC, &h);
    if (r < 0) return r;
    *ret_place = (struct tape_place){h.epoch, h.offset};
    *ret_packed = span_take(span_skip(file, sizeof h), (size_t)h.size);
    return 0;
}

static int put_record(struct buf *out, enum tape_kind kind, uint64_t offset, const void *payload, size_t n) {
    struct record r = {.size = (uint32_t)n, .kind = (uint16_t)kind, .offset = offset};
    r.sum = sum_record(&r, payload);
    if (!buf_reserve(out, sizeof r + n)) return -ENOBUFS;
    (void)buf_append(out, &r, sizeof r);
    return buf_append(out, payload, n);
}

static int put_output(struct buf *out, uint64_t offset, struct span bytes) {
    while (bytes.n) {
        struct span part = span_take(bytes, TAPE_OUTPUT_BYTES_MAX);
        int r = put_record(out, TAPE_OUTPUT, offset, part.p, part.n);
        if (r < 0) return r;
        offset += part.n;
        bytes = span_skip(bytes, part.n);
    }
    return 0;
}

int tape_put(struct buf *out, const struct tape_record *r) {
    switch (r->kind) {
    case TAPE_OUTPUT: return put_output(out, r->offset, r->bytes);
    case TAPE_RESIZED: {
        struct size_payload size = {(uint16_t)r->cols, (uint16_t)r->rows};
        return put_record(out, r->kind, r->offset, &size, sizeof size);
    }
    case TAPE_GAP: return put_record(out, r->kind, r->offset, &r->to, sizeof r->to);
    case TAPE_EXITED: {
        struct exit_payload how = {r->code, r->signal, r->at_ms};
        return put_record(out, r->kind, r->offset, &how, sizeof how);
    }
    }
    return -EINVAL;
}

int tape_open(struct tape_reader *r, struct span file) {
    struct head h;
    int e = get_head(file, SEGMENT_MAGIC, &h);
    if (e < 0) return e;
    if (h.size) return -EBADMSG;
    *r = (struct tape_reader){
        .place = {h.epoch, h.offset}, .left = span_skip(file, sizeof h), .whole = sizeof h};
    return 0;
}

/* A record whose bytes are right says something impossible only if it was never written by us. */
static bool decode(const struct record *r, struct span payload, struct tape_record *ret) {
    *ret = (struct tape_record){.kind = r->kind, .offset = r->offset};
    switch (ret->kind) {
    case TAPE_OUTPUT: ret->bytes = payload; return payload.n > 0;
    case TAPE_RESIZED: {
        struct size_payload size;
        if (payload.n != sizeof size) return false;
        memcpy(&size, payload.p, sizeof size);
        ret->cols = size.cols;
        ret->rows = size.rows;
        return true;
    }
    case TAPE_GAP:
        if (payload.n != sizeof ret->to) return false;
        memcpy(&ret->to, payload.p, sizeof ret->to);
        return ret->to > r->offset && !(ret->to >> OFFSET_BITS);
    case TAPE_EXITED: {
        struct exit_payload how;
        if (payload.n != sizeof how) return false;
        memcpy(&how, payload.p, sizeof how);
        ret->code = how.code;
        ret->signal = how.signal;
        ret->at_ms = how.at_ms;
        return true;
    }
    }
    return true;
}

static bool next_whole(struct tape_reader *r, struct tape_record *ret) {
    struct record head;
    if (r->left.n < sizeof head) return false;
    memcpy(&head, r->left.p, sizeof head);
    struct span payload = span_skip(r->left, sizeof head);
    if (head.size > TAPE_OUTPUT_BYTES_MAX || head.size > payload.n || head.offset != r->place.offset ||
        head.offset >> OFFSET_BITS || !head.kind || head.sum != sum_record(&head, payload.p))
        return false;
    payload.n = head.size;
    if (!decode(&head, payload, ret)) return false;
    if (ret->kind == TAPE_OUTPUT) r->place.offset += payload.n;
    if (ret->kind == TAPE_GAP) r->place.offset = ret->to;
    r->left = span_skip(r->left, sizeof head + payload.n);
    r->whole += sizeof head + payload.n;
    return true;
}

bool tape_next(struct tape_reader *r, struct tape_record *ret) {
    do {
        if (!r->left.n || r->torn) return false;
        r->torn = !next_whole(r, ret);
    } while (!r->torn && ret->kind > TAPE_EXITED);
    return !r->torn;
}

void tape_seal(char *bytes) {
    struct record head;
    memcpy(&head, bytes - sizeof head, sizeof head);
    head.sum = sum_record(&head, bytes);
    memcpy(bytes - sizeof head, &head, sizeof head);
}
