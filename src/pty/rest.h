/* How a terminal is put to rest, for the files of this folder. */
#pragma once

struct terminal;

void rest_due(struct terminal *t);      /* DUE_REST */
void rest_consider(struct terminal *t); /* it lives, or the last one who looked has left */
void rest_cancel(struct terminal *t);   /* something happens in it */
void rest_put_off(struct terminal *t);  /* somebody wants it to stay: as if they had looked just now */
