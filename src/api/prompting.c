/* What an agent is told from here beside answers: the next prompt, and to stop. */
#include "api/api.h"
#include "base/jscan.h"
#include "core/input_box.h"

/* {text}: a prompt, typed as a person would. */
void api_prompt_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    struct span raw, text = SPAN_NONE;
    if (!s || !api_body_member(x, "text", &raw)) return;
    bool is_text = jscan_kind(raw) == JKIND_STRING && jscan_string(raw, http_request(x)->arena, &text) == 0;
    if (!is_text || !span_trim(text).n || text.n > INPUT_BOX_TEXT_MAX) {
        http_reply_error(x, 400, "text must be a prompt, of %d bytes at most", INPUT_BOX_TEXT_MAX);
        return;
    }
    api->prompt(api->user, x, s, text);
}

void api_interrupt_session(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    const struct session *s = api_find_session(api, x, params);
    if (s) api->interrupt(api->user, x, s);
}
