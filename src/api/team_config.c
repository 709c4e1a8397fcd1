#include "api/team_config.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/jmend.h"
#include "base/jscan.h"
#include "platform/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 128, DEPTH_MAX = 64 };

int team_config_dir(char ret[PATH_BYTES]) {
    const char *config = getenv("CLAUDE_CONFIG_DIR"), *home = getenv("HOME");
    char claude[PATH_BYTES];
    if (config && config[0]) return path_join(ret, config, "teams");
    if (!home || !home[0]) return -ENOENT;
    int r = path_join(claude, home, ".claude");
    return r < 0 ? r : path_join(ret, claude, "teams");
}

/* Letters, digits and "_-. " stay; what is left must name something in the directory, not the directory or its parent. */
static bool confine(struct span name, char ret[NAME_BYTES]) {
    size_t n = 0;
    for (size_t i = 0; i < name.n && n + 1 < NAME_BYTES; i++) {
        char c = name.p[i];
        bool harmless = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        c == '_' || c == '-' || c == '.' || c == ' ';
        if (harmless) ret[n++] = c;
    }
    ret[n] = '\0';
    return n > 0 && strspn(ret, ". ") < n;
}

static int read_file(int root, const char *file, struct buf *ret) {
    struct stat st;
    AUTO(fd) int fd = beneath_open(root, file, O_RDONLY, &st);
    if (fd < 0) return fd;
    return st.st_size > TEAM_CONFIG_BYTES_MAX ? -EINVAL : file_read_fd(fd, ret);
}

int team_config_read(const char *dir, struct span team, struct buf *ret) {
    char name[NAME_BYTES], file[PATH_BYTES];
    if (!confine(team, name)) return -EINVAL;
    AUTO(fd) int root = beneath_root(dir);
    int r = root < 0 ? root : path_join(file, name, "config.json");
    if (r == 0) r = read_file(root, file, ret);
    if (r < 0) return r;
    AUTO(arena) struct arena arena = ARENA_INIT(TEAM_CONFIG_BYTES_MAX);
    struct span json;
    if (jmend(buf_span(ret), DEPTH_MAX, &arena, &json) < 0 || jscan_kind(json) != JKIND_OBJECT)
        return -EINVAL;
    AUTO(buf) struct buf mended = BUF_INIT(TEAM_CONFIG_BYTES_MAX);
    if (buf_append_span(&mended, json) < 0) return -EINVAL;
    buf_clear(ret);
    return buf_append_span(ret, buf_span(&mended)) < 0 ? -EINVAL : 0;
}

/* The members are an object by name, or a list of objects that have one. */
static bool find_member(struct span members, struct span name, struct arena *arena, struct span *ret) {
    if (jscan_kind(members) == JKIND_OBJECT) {
        struct jmember m[] = {{name, {0}}};
        if (jscan_object(members, m, ARRAY_LEN(m)) != 1) return false;
        *ret = m[0].value;
        return jscan_kind(*ret) == JKIND_OBJECT;
    }
    struct span rest = members, item, text;
    while (jscan_kind(members) == JKIND_ARRAY && jscan_array_next(&rest, &item) == 1) {
        struct jmember m[] = {JMEMBER("name")};
        if (jscan_kind(item) != JKIND_OBJECT || jscan_object(item, m, ARRAY_LEN(m)) != 1) continue;
        if (jscan_string(m[0].value, arena, &text) < 0 || !span_eq(text, name)) continue;
        *ret = item;
        return true;
    }
    return false;
}

static struct span text_of(struct span value, struct arena *arena) {
    struct span text;
    return jscan_kind(value) == JKIND_STRING && jscan_string(value, arena, &text) == 0 ? text : SPAN_NONE;
}

bool team_config_member(struct span config, struct span name, struct arena *arena,
                        struct team_config_member *ret) {
    struct jmember top[] = {JMEMBER("members")};
    struct jmember m[] = {JMEMBER("tmuxPaneId"), JMEMBER("backendType"), JMEMBER("color")};
    struct span member;
    if (jscan_object(span_trim(config), top, ARRAY_LEN(top)) != 1 ||
        !find_member(top[0].value, name, arena, &member) || jscan_object(member, m, ARRAY_LEN(m)) < 0)
        return false;
    *ret = (struct team_config_member){.pane = text_of(m[0].value, arena),
                                       .backend = text_of(m[1].value, arena),
                                       .color = text_of(m[2].value, arena)};
    return true;
}
