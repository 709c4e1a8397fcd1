/* What a browser sends to be notified, and the file in which that is kept. */
#include "api/push_list.h"
#include "api/push_ticket.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void check_file(struct span text) {
    struct push_list one, two;
    struct buf written = BUF_INIT(PUSH_LIST_FILE_BYTES), again = BUF_INIT(PUSH_LIST_FILE_BYTES);
    push_list_init(&one);
    push_list_init(&two);
    if (push_list_read(&one, text) == 0) {
        push_list_write(&one, &written);
        require(!written.failed && push_list_read(&two, buf_span(&written)) == 0);
        push_list_write(&two, &again);
        require(span_eq(buf_span(&written), buf_span(&again)));
    } else {
        require(one.count == 0);
    }
    push_list_fini(&one);
    push_list_fini(&two);
    buf_fini(&written);
    buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned char key[PUSH_TICKET_KEY_BYTES];
    struct span text = span_of((const char *)data, size);
    struct push_sub sub;
    struct push_ticket ticket;
    struct err err = {0};
    if (push_sub_parse(text, NULL, 0, &sub, &err) == 0) {
        require(sub.endpoint && span_istarts(span_str(sub.endpoint), SPAN("https://")) &&
                p256_is_point(sub.to.point));
        push_sub_fini(&sub);
    } else {
        require(err.msg[0]);
    }
    check_file(text);
    (void)push_ticket_read(text, key, 0, &ticket);
    return 0;
}
