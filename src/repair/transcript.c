#include "repair/transcript.h"

#include "base/jscan.h"
#include "base/jtext.h"

#include <errno.h>

enum { WORD_BYTES = 64 };

const struct span line_member_names[LINE_MEMBER_N_] = {
    [LINE_UUID] = {"uuid", 4},       [LINE_PARENT] = {"parentUuid", 10}, [LINE_TYPE] = {"type", 4},
    [LINE_SUBTYPE] = {"subtype", 7}, [LINE_DATA] = {"data", 4},          [LINE_TOOL_USE] = {"toolUseID", 9},
};

void transcript_init(struct transcript *t, uint64_t seed) {
    t->waiting = 0;
    t->messages = BUF_INIT((size_t)(UINT32_MAX - 1) * sizeof(struct message));
    t->glued = 0;
    t->cuts = BUF_INIT(SIZE_MAX / 2);
    ids_init(&t->ids, seed);
}

void transcript_fini(struct transcript *t) {
    buf_fini(&t->messages);
    buf_fini(&t->cuts);
    ids_fini(&t->ids);
}

/* Whether a raw value is this string, in any spelling. */
static bool is_word(struct span raw, const char *word) {
    char text[WORD_BYTES];
    size_t n, word_n = strlen(word);
    if (raw.n < word_n + 2 || raw.p[0] != '"') return false;
    struct span inside = span_of(raw.p + 1, raw.n - 2);
    /* What is spelled with escapes is longer. */
    if (inside.n == word_n) return memcmp(inside.p, word, word_n) == 0;
    if (!memchr(inside.p, '\\', inside.n)) return false;
    return jtext_decode(inside, text, sizeof text, &n) == 0 && span_eq_str(span_of(text, n), word);
}

static bool is_stop_hook(const struct line *line) {
    struct jmember m[] = {JMEMBER("type"), JMEMBER("hookEvent")};
    if (line->cut[LINE_DATA] || jscan_kind(line->raw[LINE_DATA]) != JKIND_OBJECT ||
        jscan_object(line->raw[LINE_DATA], m, ARRAY_LEN(m)) < 0)
        return false;
    return is_word(m[0].value, "hook_progress") && is_word(m[1].value, "Stop");
}

static enum message_kind kind_of(const struct line *line) {
    struct span type = line->raw[LINE_TYPE], subtype = line->raw[LINE_SUBTYPE];
    if (is_word(type, "assistant")) return MESSAGE_ASSISTANT;
    if (is_word(type, "progress")) return is_stop_hook(line) ? MESSAGE_STOP_HOOK_PROGRESS : MESSAGE_OTHER;
    if (!is_word(type, "system")) return MESSAGE_OTHER;
    if (is_word(subtype, "turn_duration")) return MESSAGE_TURN_DURATION;
    if (is_word(subtype, "compact_boundary")) return MESSAGE_COMPACT_BOUNDARY;
    return is_word(subtype, "stop_hook_summary") ? MESSAGE_STOP_HOOK_SUMMARY : MESSAGE_OTHER;
}

bool transcript_is_boundary(const struct line *line) {
    return kind_of(line) == MESSAGE_COMPACT_BOUNDARY;
}

static int intern(struct transcript *t, const struct line *line, enum line_member which, uint32_t *ret) {
    return ids_intern(&t->ids, line->raw[which], line->cut[which], ret);
}

/* What it reads is named here; what has no type is none of its own and may be anything. */
static bool is_left_out(struct span type) {
    static const char *const read[] = {"user", "assistant", "system", "attachment"};
    bool is_text = type.n && type.p[0] == '"';
    for (size_t i = 0; i < ARRAY_LEN(read); i++)
        if (is_word(type, read[i])) return false;
    return is_text;
}

/*
 * A compaction may keep the last messages before it. Claude Code puts them behind an anchor (the summary) when it resumes, and
 * whoever follows the anchor behind them. That works by the anchor's id alone, and only as long as it is the parent that
 * is named: without the anchor, who follows it is no orphan.
 */
static int add_anchors(struct transcript *t, struct span text) {
    struct jmember metadata = JMEMBER("compactMetadata");
    struct jmember kept[] = {JMEMBER("preservedSegment"), JMEMBER("preservedMessages")};
    if (jscan_object(text, &metadata, 1) < 1 || jscan_kind(metadata.value) != JKIND_OBJECT ||
        jscan_object(metadata.value, kept, ARRAY_LEN(kept)) < 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        struct jmember anchor = JMEMBER("anchorUuid");
        uint32_t id;
        if (jscan_kind(kept[i].value) != JKIND_OBJECT || jscan_object(kept[i].value, &anchor, 1) < 1)
            continue;
        int r = ids_intern(&t->ids, anchor.value, false, &id);
        if (r < 0) return r;
        if (id != ID_FALSY) ids_at(&t->ids, id)->is_anchor = true;
    }
    return 0;
}

/* Whether it sums up what was before the boundary that is the message before it. Only there it has to be known. */
static bool is_summary(const struct transcript *t, const struct line *line) {
    struct jmember mark = JMEMBER("isCompactSummary");
    uint32_t n = transcript_count(t);
    bool yes = false;
    if (n == 0 || transcript_at(t, n - 1)->kind != MESSAGE_COMPACT_BOUNDARY) return false;
    return jscan_object(line->text, &mark, 1) == 1 && jscan_bool(mark.value, &yes) && yes;
}

struct transcript_line transcript_begin_line(const struct transcript *t, uint64_t at) {
    return (struct transcript_line){at, t->cuts.n, transcript_count(t)};
}

int transcript_cut(struct transcript *t, uint64_t at) {
    const uint64_t *cuts = (const uint64_t *)(const void *)t->cuts.p;
    size_t n = t->cuts.n / sizeof at;
    if (n && cuts[n - 1] == at) return 0;
    return buf_append(&t->cuts, &at, sizeof at) < 0 ? -ENOMEM : 0;
}

void transcript_drop_cut(struct transcript *t, uint64_t at) {
    const uint64_t *cuts = (const uint64_t *)(const void *)t->cuts.p;
    size_t n = t->cuts.n / sizeof at;
    if (n && cuts[n - 1] == at) t->cuts.n -= sizeof at;
}

void transcript_end_line(struct transcript *t, const struct transcript_line *line) {
    if (transcript_count(t) == line->messages) t->cuts.n = line->cuts;
    t->glued += t->cuts.n > line->cuts;
}

int transcript_add(struct transcript *t, const struct line *line) {
    struct message m = {.parent_at = line->parent_at, .is_side = line->is_side};
    int r = intern(t, line, LINE_UUID, &m.id);
    if (r < 0 || m.id == ID_FALSY) return r;
    r = intern(t, line, LINE_PARENT, &m.parent);
    if (r < 0) return r;
    m.parent_len = (uint32_t)MIN(line->parent_len, (uint64_t)UINT32_MAX);
    m.kind = (uint16_t)kind_of(line);
    m.is_left_out = m.kind == MESSAGE_OTHER && is_left_out(line->raw[LINE_TYPE]);
    m.is_left_out |= m.kind == MESSAGE_STOP_HOOK_PROGRESS;
    if (m.kind == MESSAGE_OTHER && is_summary(t, line)) m.kind = MESSAGE_COMPACT_SUMMARY;
    if (m.kind == MESSAGE_COMPACT_BOUNDARY) r = add_anchors(t, line->text);
    if (r < 0) return r;
    if (m.kind == MESSAGE_STOP_HOOK_SUMMARY || m.kind == MESSAGE_STOP_HOOK_PROGRESS)
        r = intern(t, line, LINE_TOOL_USE, &m.tool_use);
    if (r < 0) return r;
    if (buf_append(&t->messages, &m, sizeof m) < 0) return -ENOMEM;
    struct id_entry *own = ids_at(&t->ids, m.id);
    t->waiting -= own->awaited;
    own->awaited = 0;
    own->last = transcript_count(t);
    struct id_entry *parent = m.parent == ID_FALSY ? NULL : ids_at(&t->ids, m.parent);
    if (parent && !parent->last && parent->awaited < AWAITED_MAX) {
        parent->awaited++;
        t->waiting++;
    }
    return 0;
}
