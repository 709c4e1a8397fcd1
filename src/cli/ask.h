/*
 * Questions to whoever sits at the terminal. Prompts go to standard error, so that they are seen whatever becomes of the output.
 * Without a terminal an answer is the next line of standard input, and nothing is shown.
 *
 * All answer 0, -ECANCELED when the person gives up (Ctrl-D; Ctrl-C, too, for passwords: elsewhere it ends the program), or
 * another negative errno with a sentence.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { ASK_PASSWORD_BYTES = 1024 + 1 };

/* Is there somebody to ask? */
bool ask_has_person(void);

/* "prompt [preset]: "; an empty answer is the preset (NULL: it is empty). -EMSGSIZE when the answer does not fit. */
int ask_line(const char *prompt, const char *preset, char *ret, size_t room, struct err *err);

/* "prompt [Y/n] "; asks again until it understands. At the end of the input it is the preset. */
int ask_yes_no(const char *prompt, bool preset, bool *ret, struct err *err);

/* "prompt: " and a star for each character. Clear `ret` with explicit_bzero() when it has served. */
int ask_password(const char *prompt, char ret[ASK_PASSWORD_BYTES], struct err *err);

/* A new one: at least PASSWORD_MIN characters and, from a person, twice the same; they are told what is wrong and asked again.
 * From a pipe one line is enough, and one that does not do is -EINVAL. */
int ask_new_password(char ret[ASK_PASSWORD_BYTES], struct err *err);
