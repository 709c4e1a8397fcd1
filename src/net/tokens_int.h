/* What tokens.c and tokens_file.c share. */
#pragma once

#include "net/tokens.h"

/* Its time is up, or the clock says nonsense. */
bool token_is_over(const struct token *one, int64_t now_ms);
/* Takes a heap token into the table: false when there is one of that id or with those secrets. */
bool tokens_take(struct tokens *t, struct token *one);
/* Without a word to anybody. */
void tokens_forget(struct tokens *t, struct token *one);
