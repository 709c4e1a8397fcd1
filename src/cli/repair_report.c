#include "cli/repair_report.h"

#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/screen.h"
#include "repair/claude.h"

#include <inttypes.h>
#include <stdio.h>

enum { STATUS_WIDTH = 10, LINKS_WIDTH = 20, OBJECT_BYTES_MAX = 64 << 10 };

/* ---- programs -------------------------------------------------------------------------------------------------- */

static void json_scan(struct jwrite *w, const struct scan_verdict *v) {
    jwrite_kcstr(w, "status", transcript_status_to_str(v->status));
    jwrite_ku64(w, "chainDepth", v->depth);
    jwrite_ku64(w, "orphanCount", v->orphans);
    jwrite_ku64(w, "messageCount", v->messages);
    jwrite_ku64(w, "fileSize", v->mark.size);
    jwrite_kcstr(w, "resumeIssue", resume_issue_to_str(v));
    jwrite_ku64(w, "cycleCount", v->cycles);
    jwrite_ku64(w, "gluedCount", v->glued);
}

static void json_mend(struct jwrite *w, const struct mend_verdict *v, bool failed) {
    jwrite_kcstr(w, "status", mend_status_to_str(failed ? MEND_FAILED : v->status));
    jwrite_ku64(w, "orphansFixed", v->orphans_fixed);
    jwrite_ku64(w, "resumeIssuesFixed", v->stop_hooks_fixed);
    jwrite_ku64(w, "newChainDepth", v->depth);
    jwrite_kcstr(w, "backupPath", v->backup[0] ? v->backup : NULL);
    jwrite_ku64(w, "cyclesFixed", v->cycles_fixed);
    jwrite_ku64(w, "gluedFixed", v->glued_fixed);
}

static void print_json(const struct repair_report *r, const char *path, const struct mender_outcome *o,
                       bool failed) {
    AUTO(buf) struct buf out = BUF_INIT(OBJECT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kstr(&w, "sessionId", claude_session_of(span_str(path)));
    jwrite_kcstr(&w, "filePath", path);
    if (r->is_scan)
        json_scan(&w, &o->scan);
    else
        json_mend(&w, &o->mend, failed);
    if (r->dry_run) jwrite_kbool(&w, "dryRun", true);
    if (failed && o->err.msg[0]) jwrite_kcstr(&w, "error", o->err.msg);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

/* ---- people ---------------------------------------------------------------------------------------------------- */

#define RED "\x1b[31m"
#define GREEN "\x1b[32m"
#define YELLOW "\x1b[33m"

static void print_status(const char *status, const char *colour) {
    bool painted = screen_has_colour();
    screen_literal(painted ? colour : "");
    screen_print("%-*s", STATUS_WIDTH, status);
    screen_literal(painted ? "\x1b[0m " : " ");
}

static void add_text(struct buf *out, uint64_t n, const char *text) {
    if (n) (void)buf_printf(out, "%s%s", out->n ? ", " : "", text);
}

/* "3 orphans, 1 cycle, 1 glued line, stop hook", or nothing. */
static void breaks_text(struct buf *out, const struct breaks *b) {
    add_text(out, b->orphans, screen_count(b->orphans, "orphan", "orphans").text);
    add_text(out, b->cycles, screen_count(b->cycles, "cycle", "cycles").text);
    add_text(out, b->glued, screen_count(b->glued, "glued line", "glued lines").text);
    add_text(out, b->stop_hooks, "stop hook");
}

static void print_breaks(const struct breaks *b) {
    AUTO(buf) struct buf text = BUF_INIT(256);
    breaks_text(&text, b);
    screen_print("%-*s ", LINKS_WIDTH, text.n ? text.p : "-");
}

static struct breaks found(const struct scan_verdict *v) {
    return (struct breaks){v->orphans, v->cycles, v->glued, v->stop_hook_inline};
}

static struct breaks mended(const struct mend_verdict *v) {
    return (struct breaks){v->orphans_fixed, v->cycles_fixed, v->glued_fixed, v->stop_hooks_fixed};
}

static void print_failure(const struct repair_report *r, const char *status, const char *path,
                          const char *why) {
    print_status(status, RED);
    screen_print("%8s %8s ", "-", "-");
    if (r->is_scan) screen_print("%8s ", "-");
    screen_print("%-*s ", LINKS_WIDTH, "-");
    screen_path(path);
    /* Most sentences begin with the file's name. */
    bool is_named = strncmp(why, path, strlen(path)) == 0;
    if (why[0] && !is_named) screen_literal(": ");
    screen_text(span_str(is_named ? why + strlen(path) : why));
    (void)putchar('\n');
}

static void print_scan(const char *path, const struct scan_verdict *v) {
    bool broken = v->status == TRANSCRIPT_CORRUPTED;
    print_status(transcript_status_to_str(v->status), broken ? YELLOW : GREEN);
    screen_print("%8" PRIu64 " %8" PRIu64 " %8s ", v->messages, v->depth, screen_size(v->mark.size).text);
    struct breaks breaks = found(v);
    print_breaks(&breaks);
    screen_path(path);
    (void)putchar('\n');
}

static void print_mend(const struct repair_report *r, const char *path, const struct mender_outcome *o) {
    const struct mend_verdict *v = &o->mend;
    bool is_mended = v->status == MEND_REPAIRED;
    if (is_mended)
        print_status(r->dry_run ? "mendable" : "mended", r->dry_run ? YELLOW : GREEN);
    else
        print_status("healthy", GREEN);
    screen_print("%8" PRIu64 " %8" PRIu64 " ", is_mended ? v->before.depth : v->depth, v->depth);
    struct breaks breaks = mended(v);
    print_breaks(&breaks);
    screen_path(path);
    (void)putchar('\n');
}

static void print_head(struct repair_report *r) {
    if (r->has_head) return;
    r->has_head = true;
    if (r->is_scan)
        screen_print("%-*s %8s %8s %8s %-*s %s\n", STATUS_WIDTH, "STATUS", "MESSAGES", "CHAIN", "SIZE",
                     LINKS_WIDTH, "BROKEN", "TRANSCRIPT");
    else
        screen_print("%-*s %8s %8s %-*s %s\n", STATUS_WIDTH, "STATUS", "CHAIN", "THEN", LINKS_WIDTH,
                     r->dry_run ? "TO MEND" : "MENDED", "TRANSCRIPT");
}

/* ---- both ------------------------------------------------------------------------------------------------------ */

static bool has_failed(const struct repair_report *r, const struct mender_outcome *o) {
    if (o->scan.status == TRANSCRIPT_MISSING || o->scan.status == TRANSCRIPT_UNREADABLE) return true;
    return !r->is_scan && o->mend.status == MEND_FAILED;
}

static bool is_healthy(const struct repair_report *r, const struct mender_outcome *o) {
    return r->is_scan ? o->scan.status == TRANSCRIPT_HEALTHY : o->mend.status == MEND_ALREADY_HEALTHY;
}

static void count(struct repair_report *r, const struct mender_outcome *o) {
    r->files++;
    if (has_failed(r, o)) {
        r->failed++;
        return;
    }
    if (is_healthy(r, o))
        r->healthy++;
    else if (r->is_scan)
        r->broken++;
    else
        r->mended++;
    struct breaks breaks = r->is_scan ? found(&o->scan) : mended(&o->mend);
    r->breaks.orphans += breaks.orphans;
    r->breaks.cycles += breaks.cycles;
    r->breaks.glued += breaks.glued;
    r->breaks.stop_hooks += breaks.stop_hooks;
}

void repair_report_file(struct repair_report *r, const char *path, const struct mender_outcome *outcome) {
    bool failed = has_failed(r, outcome);
    count(r, outcome);
    if (r->json) {
        print_json(r, path, outcome, failed);
        return;
    }
    if (r->only_changes && !failed && is_healthy(r, outcome)) return;
    print_head(r);
    bool is_absent =
        outcome->scan.status == TRANSCRIPT_MISSING || outcome->scan.status == TRANSCRIPT_UNREADABLE;
    if (failed)
        print_failure(r, is_absent ? transcript_status_to_str(outcome->scan.status) : "failed", path,
                      outcome->err.msg);
    else if (r->is_scan)
        print_scan(path, &outcome->scan);
    else
        print_mend(r, path, outcome);
}

static void end_of_scan(const struct repair_report *r) {
    if (r->broken)
        screen_print(" ostler repair fix mends what is corrupted, and keeps a backup.");
    else if (r->breaks.stop_hooks)
        screen_print(" ostler repair fix --active mends the stop hook.");
}

static void end_of_mend(const struct repair_report *r) {
    if (r->mended && r->dry_run)
        screen_print(" Nothing was changed.");
    else if (r->mended)
        screen_print(" Originals lie beside them as *.backup-*; ostler repair undo FILE puts one back.");
}

/* One part of the whole, if there is any of it. */
static void print_share(const char **gap, uint64_t n, const char *what) {
    if (n == 0) return;
    screen_print("%s%" PRIu64 " %s", *gap, n, what);
    *gap = ", ";
}

void repair_report_end(const struct repair_report *r) {
    if (r->json) return;
    if (r->files == 0) {
        screen_print("No transcripts found.\n");
        return;
    }
    if (r->has_head) (void)putchar('\n');
    AUTO(buf) struct buf links = BUF_INIT(256);
    breaks_text(&links, &r->breaks);
    screen_print("%s: ", screen_count(r->files, "transcript", "transcripts").text);
    if (r->healthy == r->files) {
        screen_print(r->files == 1 ? "healthy" : "all healthy");
    } else {
        const char *gap = "";
        print_share(&gap, r->healthy, "healthy");
        print_share(&gap, r->broken, "corrupted");
        print_share(&gap, r->mended, r->dry_run ? "to mend" : "mended");
    }
    if (links.n) screen_print(" (%.*s)", SPAN_ARG(buf_span(&links)));
    if (r->failed)
        screen_print("%s%" PRIu64 " could not be %s", r->failed < r->files ? ", " : "", r->failed,
                     r->is_scan ? "read" : "mended");
    (void)putchar('.');
    if (r->is_scan)
        end_of_scan(r);
    else
        end_of_mend(r);
    (void)putchar('\n');
}
