/*
 * A transcript as its messages: who each one is, whom it follows, and where in the file that is written. Everything
 * else of a line is forgotten at once, so that a file of gigabytes costs some 60 bytes a message.
 */
#pragma once

#include "repair/ids.h"
#include "repair/verdict.h"

/* What the rules have to know of a message. */
enum message_kind {
    MESSAGE_OTHER,
    MESSAGE_ASSISTANT,
    MESSAGE_COMPACT_BOUNDARY,
    MESSAGE_COMPACT_SUMMARY, /* right behind its boundary */
    MESSAGE_TURN_DURATION,
    MESSAGE_STOP_HOOK_SUMMARY,
    MESSAGE_STOP_HOOK_PROGRESS,
};

struct message {
    uint64_t parent_at;  /* where the value of its `parentUuid` is in the file */
    uint32_t parent_len; /* its bytes; 0 when there is none */
    uint32_t id, parent; /* numbers of struct ids; parent ID_FALSY: it begins a chain */
    uint32_t tool_use;   /* `toolUseID` of stop hooks' messages */
    uint16_t kind;       /* enum message_kind */
    uint8_t is_side;     /* of a subagent, among those of the conversation */
    uint8_t is_left_out; /* Claude Code does not read it when it resumes: who follows it follows nobody */
};

struct transcript {
    struct ids ids;
    struct buf messages; /* struct message, in the order of the file */
    uint64_t waiting;    /* of them follow one that has not come yet: if that lasts, they are orphans */
    uint64_t glued;      /* lines with a message that hold more than that */
    struct buf cuts;     /* uint64_t: where in the file they have to end instead, in order */
};

enum { AWAITED_MAX = (1 << 24) - 1 };

#define MESSAGE_NONE UINT32_MAX

/* The members of a line that are looked at. */
enum line_member {
    LINE_UUID,
    LINE_PARENT,
    LINE_TYPE,
    LINE_SUBTYPE,
    LINE_DATA,
    LINE_TOOL_USE,
    LINE_MEMBER_N_
};
extern const struct span line_member_names[LINE_MEMBER_N_];

/* A line that is a valid object: the raw values of those members, empty when absent. */
struct line {
    struct span raw[LINE_MEMBER_N_];
    bool cut[LINE_MEMBER_N_]; /* the text is only the beginning */
    uint64_t parent_at;       /* where the raw parent is in the file */
    uint64_t parent_len;
    bool is_side;
    struct span text; /* all of it; empty when it was too long to be held */
};

void transcript_init(struct transcript *t, uint64_t seed);
void transcript_fini(struct transcript *t);

/* Whether it says that what was before it has been compacted. Claude Code (2.1.85 to 2.1.325) does not see it where it is not the
 * first of its line, and to uncover it there would take from a resume what it has: such a one is no message. */
bool transcript_is_boundary(const struct line *line);

/* Adds the line if it is a message. -ENOMEM, -EFBIG. */
int transcript_add(struct transcript *t, const struct line *line);

/* A line of the file that may hold several of the above. */
struct transcript_line {
    uint64_t at;
    size_t cuts;
    uint32_t messages; /* how many of both there were before it */
};

struct transcript_line transcript_begin_line(const struct transcript *t, uint64_t at);
/* Something else begins at `at` in the same line. -ENOMEM. */
int transcript_cut(struct transcript *t, uint64_t at);
/* It is to be left there after all. */
void transcript_drop_cut(struct transcript *t, uint64_t at);
/* What holds no message may stay as it is. */
void transcript_end_line(struct transcript *t, const struct transcript_line *line);

static inline uint32_t transcript_count(const struct transcript *t) {
    return (uint32_t)(t->messages.n / sizeof(struct message));
}

static inline struct message *transcript_at(const struct transcript *t, uint32_t i) {
    return (struct message *)(void *)t->messages.p + i;
}

/* The message that a message follows: the last one with that id. MESSAGE_NONE for the first of a chain and for an orphan. */
static inline uint32_t transcript_link(const struct transcript *t, uint32_t i) {
    uint32_t parent = transcript_at(t, i)->parent;
    return parent == ID_FALSY ? MESSAGE_NONE : ids_at(&t->ids, parent)->last - 1;
}

/* Its parent is not there, and Claude Code does not know better. */
static inline bool transcript_is_orphan(const struct transcript *t, uint32_t i) {
    uint32_t parent = transcript_at(t, i)->parent;
    return parent != ID_FALSY && transcript_link(t, i) == MESSAGE_NONE && !ids_at(&t->ids, parent)->is_anchor;
}
