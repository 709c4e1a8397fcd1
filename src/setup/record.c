#include "setup/record.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/own_linked.h"
#include "base/path.h"
#include "base/str.h"

#include <errno.h>

enum { RECORD_BYTES_MAX = 1 << 20 };

static bool truth(struct span value) {
    bool b = false;
    return jscan_bool(value, &b) && b;
}

static void parse(struct span text, struct setup_record *ret) {
    struct jmember m[] = {JMEMBER("density"), JMEMBER("created"), JMEMBER("madeDirectories"),
                          JMEMBER("blank"),   JMEMBER("kept"),    JMEMBER("version")};
    AUTO(arena) struct arena arena = ARENA_INIT(4 * (size_t)RECORD_BYTES_MAX);
    struct span s, element;
    if (jvalid(text, 8) < 0 || jscan_object(text, m, ARRAY_LEN(m)) < 0) return;
    if (jscan_string(m[0].value, &arena, &s) < 0 || !config_density_from_str(s, &ret->density)) return;
    ret->exists = true;
    ret->past.created = truth(m[1].value);
    int64_t made = 0;
    (void)jscan_i64(m[2].value, &made);
    ret->made_dirs = made > 0 && made < 16 ? (int)made : 0;
    if (jscan_kind(m[3].value) == JKIND_STRING && jscan_string(m[3].value, &arena, &s) == 0)
        ret->past.blank = str_dup(s);
    if (jscan_string(m[5].value, &arena, &s) == 0) (void)cli_version_parse(s, &ret->version);
    struct span rest = m[4].value;
    while (rest.n && jscan_array_next(&rest, &element) == 1)
        if (jscan_string(element, &arena, &s) == 0) strv_push(&ret->past.kept, s);
}

void setup_record_load(const char *file, struct setup_record *ret) {
    AUTO(buf) struct buf text = BUF_INIT(RECORD_BYTES_MAX);
    *ret = (struct setup_record){.density = DENSITY_MEDIUM};
    if (file_read(file, &text) == 0) parse(buf_span(&text), ret);
}

int setup_record_save(const char *file, const struct setup_record *record, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(RECORD_BYTES_MAX), was = BUF_INIT(RECORD_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    jwrite_object(&w);
    char version[CLI_VERSION_BYTES];
    cli_version_print(record->version, version);
    jwrite_kcstr(&w, "density", config_density_to_str(record->density));
    jwrite_kcstr(&w, "version", version[0] ? version : NULL);
    jwrite_kbool(&w, "created", record->past.created);
    jwrite_ki64(&w, "madeDirectories", record->made_dirs);
    jwrite_kcstr(&w, "blank", record->past.blank);
    jwrite_key(&w, "kept");
    jwrite_array(&w);
    for (size_t i = 0; record->past.kept && record->past.kept[i]; i++)
        jwrite_cstr(&w, record->past.kept[i]);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    (void)buf_append_char(&text, '\n');
    if (file_read(file, &was) == 0 && span_eq(buf_span(&was), buf_span(&text))) return 0;
    int r = path_make_parent(file);
    if (r == 0) r = file_replace(file, buf_span(&text), 0600, true);
    return r < 0 ? err_set(err, r, "cannot write %s: %s", file, own_why(r)) : 0;
}
