#include "wire/team_json.h"

#include "base/str.h"

void team_json(struct jwrite *w, const struct team *team) {
    const struct session *parent = team->parent;
    jwrite_object(w);
    jwrite_kcstr(w, "teamId", team->id);
    jwrite_kcstr(w, "parentSessionId", parent ? session_wire_id(parent) : team->parent_session_id);
    jwrite_key(w, "childSessionIds");
    jwrite_array(w);
    list_for_each(pos, &team->members)
        jwrite_cstr(w, session_wire_id(list_entry(pos, struct session, in_team)));
    jwrite_array_end(w);
    jwrite_kcstr(w, "teamName", str_or_empty(team->name));
    jwrite_ki64(w, "createdAt", team->created_ms);
    jwrite_kcstr(w, "parentId", parent ? parent->id : NULL);
    jwrite_key(w, "childIds");
    jwrite_array(w);
    list_for_each(pos, &team->members)
        jwrite_cstr(w, list_entry(pos, struct session, in_team)->id);
    jwrite_array_end(w);
    jwrite_object_end(w);
}
