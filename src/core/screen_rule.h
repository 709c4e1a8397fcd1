/* Does an agent's screen show a dialog? It tells of questions that no hook knows: may this folder be trusted, is this the plan;
 * and that one was answered: it is gone then. Pure: text in, words out. */
#pragma once

#include "base/arena.h"
#include "core/enums.h"

enum { SCREEN_RULE_ROWS = 40 }; /* of a screen, from its bottom, that are looked at */

/* `rows` are the last ones of the screen, the lowest first, without blanks at their ends. False when none of the CLI's dialogs is
 * at the bottom; otherwise the question, or what else says what it is about. */
bool screen_rule_asks(enum cli cli, const struct span *rows, size_t count, struct span *ret_question);
