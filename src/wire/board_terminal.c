#include "wire/board_terminal.h"

#include "base/jscan.h"

#include <errno.h>

enum { CELLS_MAX = 1000 };

enum member { M_ID, M_DATA, M_COLS, M_ROWS, M_IDS, M_N_ };

static int read_id(struct span raw, struct arena *arena, struct span *ret, struct err *err) {
    if (jscan_kind(raw) != JKIND_STRING || jscan_string(raw, arena, ret) < 0 || !ret->n ||
        ret->n > BOARD_TERMINAL_ID_MAX)
        return err_set(err, -EINVAL, "terminalId must be a terminal's id");
    return 0;
}

static int read_input(const struct jmember *m, struct arena *arena, struct board_terminal_request *req,
                      struct err *err) {
    if (jscan_kind(m[M_DATA].value) != JKIND_STRING || jscan_string(m[M_DATA].value, arena, &req->data) < 0)
        return err_set(err, -EINVAL, "data must be a string");
    if (req->data.n > BOARD_TERMINAL_INPUT_MAX)
        return err_set(err, -EINVAL, "an input may have %d bytes at most: send it in pieces",
                       BOARD_TERMINAL_INPUT_MAX);
    return 0;
}

static int read_size(const struct jmember *m, struct board_terminal_request *req, struct err *err) {
    int64_t cols, rows;
    if (!jscan_i64(m[M_COLS].value, &cols) || !jscan_i64(m[M_ROWS].value, &rows) || cols < 1 || rows < 1 ||
        cols > CELLS_MAX || rows > CELLS_MAX)
        return err_set(err, -EINVAL, "cols and rows must be integers between 1 and %d", CELLS_MAX);
    req->cols = (unsigned)cols;
    req->rows = (unsigned)rows;
    return 0;
}

static int read_ids(struct span raw, struct arena *arena, struct board_terminal_request *req,
                    struct err *err) {
    struct span rest = raw, item;
    int r;
    if (jscan_kind(raw) != JKIND_ARRAY) return err_set(err, -EINVAL, "terminalIds must be a list of ids");
    req->ids = arena_alloc(arena, BOARD_THUMBNAILS_MAX * sizeof *req->ids);
    if (!req->ids) return err_set(err, -EINVAL, "too many terminals");
    while ((r = jscan_array_next(&rest, &item)) == 1) {
        if (req->ids_count == BOARD_THUMBNAILS_MAX)
            return err_set(err, -EINVAL, "terminalIds may name %d terminals at most", BOARD_THUMBNAILS_MAX);
        r = read_id(item, arena, &req->ids[req->ids_count], err);
        if (r < 0) return r;
        req->ids_count++;
    }
    return r < 0 ? err_set(err, -EINVAL, "terminalIds must be a list of ids") : 0;
}

int board_terminal_request_parse(struct span type, struct span message, struct arena *arena,
                                 struct board_terminal_request *ret, struct err *err) {
    static const struct {
        struct span name;
        enum board_terminal_type type;
    } types[] = {
        {SPAN("terminal_subscribe"), BOARD_TERMINAL_SUBSCRIBE},
        {SPAN("terminal_unsubscribe"), BOARD_TERMINAL_UNSUBSCRIBE},
        {SPAN("terminal_input"), BOARD_TERMINAL_INPUT},
        {SPAN("terminal_resize"), BOARD_TERMINAL_RESIZE},
        {SPAN("terminal_disconnect"), BOARD_TERMINAL_DISCONNECT},
        {SPAN("terminal_thumbnails"), BOARD_TERMINAL_THUMBNAILS},
    };
    struct jmember m[M_N_] = {
        [M_ID] = JMEMBER("terminalId"), [M_DATA] = JMEMBER("data"),       [M_COLS] = JMEMBER("cols"),
        [M_ROWS] = JMEMBER("rows"),     [M_IDS] = JMEMBER("terminalIds"),
    };
    if (jscan_object(message, m, M_N_) < 0) return err_set(err, -EINVAL, "a message must be one JSON object");
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (!span_eq(type, types[i].name)) continue;
        struct board_terminal_request req = {.type = types[i].type};
        int r = req.type == BOARD_TERMINAL_THUMBNAILS ? read_ids(m[M_IDS].value, arena, &req, err)
                                                      : read_id(m[M_ID].value, arena, &req.id, err);
        if (r == 0 && req.type == BOARD_TERMINAL_INPUT) r = read_input(m, arena, &req, err);
        if (r == 0 && req.type == BOARD_TERMINAL_RESIZE) r = read_size(m, &req, err);
        if (r == 0) *ret = req;
        return r;
    }
    return err_set(err, -EINVAL, "unknown message type: %.*s", (int)MIN(type.n, (size_t)64), type.p);
}
