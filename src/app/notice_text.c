#include "app/notice_text.h"

#include "base/jwrite.h"
#include "base/str.h"
#include "base/utf8.h"
#include "crypto/digest.h"

static struct span line_of(const struct notice_text *t) {
    return span_str(t->request ? t->request->text : t->session->primary->conversation.notice.text);
}

/* All that is asked, or said. */
static struct span whole_of(const struct notice_text *t) {
    const char *detail = t->request ? t->request->detail : t->session->primary->conversation.notice.detail;
    return detail && detail[0] ? span_str(detail) : line_of(t);
}

static size_t count_lines(struct span text) {
    size_t n = 0;
    while (text.n) {
        (void)span_split(&text, '\n');
        n++;
    }
    return n;
}

bool notice_text_is_whole(const struct notice_text *t) {
    struct span whole = whole_of(t);
    return utf8_cut_units(whole, NOTICE_WHOLE_UNITS).n == whole.n && count_lines(whole) <= NOTICE_WHOLE_LINES;
}

void notice_text_topic(const struct notice_item *item, char ret[PUSH_TOPIC_BYTES]) {
    char hash[DIGEST_SHA256_HEX];
    digest_sha256(span_str(item->key), hash);
    memcpy(ret, hash, PUSH_TOPIC_BYTES - 1);
    ret[PUSH_TOPIC_BYTES - 1] = '\0';
}

static const char *title_of(const struct session *s) {
    return s->title && s->title[0] ? s->title : str_or_empty(s->project_name);
}

static void put_facts(struct jwrite *w, const struct notice_text *t) {
    const struct session *s = t->session;
    jwrite_kcstr(w, "kind", attention_kind_to_str(t->item->kind));
    jwrite_kcstr(w, "title", title_of(s));
    jwrite_kcstr(w, "project", str_or_empty(s->project_name));
    jwrite_kcstr(w, "sessionId", s->id);
    jwrite_kcstr(w, "requestId", t->request ? t->request->id : NULL);
    jwrite_ki64(w, "at", t->item->since_ms);
}

static void put_tag(struct jwrite *w, const struct notice_item *item) {
    char topic[PUSH_TOPIC_BYTES];
    notice_text_topic(item, topic);
    jwrite_kcstr(w, "tag", topic);
}

static void put_can(struct jwrite *w, unsigned decisions) {
    jwrite_key(w, "can");
    jwrite_array(w);
    if (decisions & PUSH_ALLOW) jwrite_cstr(w, "allow");
    if (decisions & PUSH_DENY) jwrite_cstr(w, "deny");
    jwrite_array_end(w);
}

void notice_text_push(const struct notice_text *t, struct buf *out) {
    struct span whole = whole_of(t), shown = utf8_cut_units(whole, NOTICE_TEXT_UNITS);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    put_facts(&w, t);
    jwrite_kstr(&w, "text", shown);
    jwrite_kbool(&w, "cut", shown.n < whole.n);
    jwrite_kbool(&w, "whole", notice_text_is_whole(t));
    jwrite_kcstr(&w, "digest", t->digest);
    put_can(&w, t->ticket.n ? t->decisions : 0);
    if (t->ticket.n) jwrite_kstr(&w, "token", t->ticket);
    put_tag(&w, t->item);
    jwrite_key(&w, "url");
    char url[ID_BYTES + 16] = "/session/";
    memcpy(url + strlen(url), t->session->id, sizeof t->session->id);
    jwrite_cstr(&w, url);
    jwrite_object_end(&w);
}

void notice_text_over(const struct notice_item *item, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kbool(&w, "gone", true);
    jwrite_kcstr(&w, "kind", attention_kind_to_str(item->kind));
    put_tag(&w, item);
    jwrite_object_end(&w);
}

void notice_text_command(const struct notice_text *t, const char *url, struct buf *out) {
    const struct conversation *c = &t->session->primary->conversation;
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    put_facts(&w, t);
    jwrite_kstr(&w, "text", line_of(t));
    jwrite_kstr(&w, "detail", whole_of(t));
    jwrite_kcstr(&w, "tool", t->request ? t->request->tool : NULL);
    jwrite_kcstr(&w, "cli", cli_to_str(c->cli));
    jwrite_kcstr(&w, "directory", t->session->project_path);
    jwrite_kcstr(&w, "url", url);
    jwrite_object_end(&w);
}
