/*
 * The questions of ostler setup, with what is set now as the answers. Lines go in, text for any terminal comes out: pure. Each
 * question is asked (wizard_ask), answered (wizard_take), and so on until `step` is one of the last two.
 */
#pragma once

#include "base/buf.h"
#include "config/config.h"
#include "crypto/password.h"

enum { WIZARD_TEXT_MAX = 64 << 10, WIZARD_WHO_BYTES = 128, WIZARD_PRESET_BYTES = 64 };

/* What the machine has to say about it. */
struct wizard_facts {
    const char *file;            /* where the answers go */
    const char *labels[CLI_N_];  /* what the CLIs are called */
    bool installed[CLI_N_];      /* which CLIs are there */
    unsigned events[DENSITY_N_]; /* how many of Claude Code's each density has */
    /* Why the port cannot be had now: "is taken by node (pid 42)"; false when it can. */
    bool (*port_trouble)(void *user, uint16_t port, char ret[WIZARD_WHO_BYTES]);
    void *user;
};

enum wizard_password { PASSWORD_KEEP, PASSWORD_SET, PASSWORD_REMOVE };

struct wizard_answers {
    uint16_t port;
    unsigned clis; /* bits 1 << enum cli */
    enum config_density density;
    bool debug;
    unsigned history_hours;
    enum wizard_password password; /* keep, without one: none */
    char new_password[PASSWORD_MAX + 1];
};

enum wizard_step {
    WIZARD_PORT,
    WIZARD_CLIS,
    WIZARD_DENSITY,
    WIZARD_DEBUG,
    WIZARD_HISTORY,
    WIZARD_PASSWORD,
    WIZARD_NEW_PASSWORD,
    WIZARD_SAME_AGAIN,
    WIZARD_SUMMARY,
    WIZARD_DONE, /* the answers are to be saved */
    WIZARD_LEFT, /* nothing is */
};

struct wizard {
    const struct wizard_facts *facts;
    size_t width; /* columns */
    bool colour;
    bool has_password;      /* now */
    unsigned history_hours; /* now */
    enum wizard_step step;
    bool again;        /* the same question again: what it is about was said already */
    bool from_summary; /* one answer is changed, and then the rest stands */
    uint16_t warned;   /* of this port they know that it cannot be had now */
    struct wizard_answers answers;

    /* What is asked for next. */
    const char *prompt;
    char preset[WIZARD_PRESET_BYTES]; /* the answer that Enter stands for; "": none */
    bool is_secret;
};

/* `now` is what is set; without a file, the CLIs that are installed are what is proposed. */
void wizard_init(struct wizard *w, const struct wizard_facts *facts, const struct config *now, size_t width,
                 bool colour);
/* Forgets the password. */
void wizard_fini(struct wizard *w);

/* Writes what is to be read before the prompt. */
void wizard_ask(struct wizard *w, struct buf *out);
/* Takes the answer to it, and writes what there is to say about that. */
void wizard_take(struct wizard *w, struct span answer, struct buf *out);

/* What the answers are, a line each. */
void wizard_summary(const struct wizard *w, struct buf *out);
