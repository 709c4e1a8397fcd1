/* The WebSocket side of a connection, for the files of net/. */
#pragma once

#include "net/net_int.h"

size_t ws_conn_unread(const struct conn *c);
void ws_conn_overdrawn(struct conn *c);
void ws_conn_upgrade(struct conn *c, struct http_exchange *x);
void ws_conn_fini(struct conn *c); /* the channel's last call */
void ws_conn_input(struct conn *c, struct span bytes);
void ws_conn_pull(struct conn *c); /* moves messages to c->out while there is room */
bool ws_conn_settle(struct conn *c);
void ws_conn_expired(struct conn *c);
void ws_conn_going_away(struct conn *c);
uint64_t ws_conn_holder(const struct conn *c);
