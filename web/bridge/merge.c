/* SPDX-License-Identifier: MIT */
/* Importing changes made elsewhere: to a model in another program, or in another version of the level.
 * Pages do not use directories: the internal function beneath the public one is called directly. */
#include "../../cli/output/conflict_lines.h"
#include "../../src/patch/drafts.h"
#include "bridge.h"
#include <mapstone/import.h>
#include <string.h>

mst_status web_import(answer *to, const opened *of, const char *model, uint32_t size) {
    answer reported = {.text = stream_memory()};
    const mst_import_options how = {.size = sizeof how, .report = put_finding, .user = &reported};
    mst_imported *found = NULL;
    mst_status status = mst_import(opened_level(of), model, size, &how, &found, &to->why);
    for (uint32_t i = 0; status == MST_OK && i < web_count(of); i++) {
        const char *script = mst_imported_script(found, i);
        if (!*script)
            continue;
        print(&to->text, "{\"document\":%u", i);
        put_json_member(&to->text, "script", script);
        put_text(&to->text, "}\n");
    }
    mst_imported_free(found);
    return answer_end_with(to, status, &reported);
}

/* ---- merging --------------------------------------------------------------------------------------------
 */

typedef struct merge_state {
    answer *reported;
    const char *choices, *end; /* in the form that web_merge takes */
    stream paths;              /* of the conflicts, each with a NUL */
} merge_state;

/* The choice for a path: its side, the path, and for 'v', after a NUL, the JSON. NULL if there is none. */
static const char *choice_of(const merge_state *m, const char *path) {
    for (const char *at = m->choices; at < m->end;) {
        const char *next = at + strlen(at) + 1;
        if (strcmp(at + 1, path) == 0)
            return at;
        at = *at == 'v' ? next + strlen(next) + 1 : next;
    }
    return NULL;
}

static mst_status choose(void *user, const mst_conflict *conflict, mst_resolution *resolution) {
    const char *choice = choice_of(user, conflict->path);
    if (choice && *choice == 'v')
        resolution->value = choice + strlen(choice) + 1;
    else if (choice)
        resolution->side = *choice == 'o' ? MST_PREFER_OURS : MST_PREFER_THEIRS;
    return MST_OK;
}

static mst_status take(void *user, const mst_conflict *conflict) {
    merge_state *m = user;
    const char *choice = choice_of(m, conflict->path);
    const bool followed = choice && conflict->decided != MST_PREFER_NONE;
    conflict_put_json(&m->reported->text, conflict,
                      !followed        ? NULL
                      : *choice == 'o' ? "ours"
                      : *choice == 't' ? "theirs"
                                       : "value");
    put(&m->paths, conflict->path, strlen(conflict->path) + 1);
    return MST_OK;
}

/* Writes a line for each conflict: its path in the result. */
static void put_paths(const merge_state *m, const mst_document *base, const mst_document *result) {
    mst_arena arena;
    mst_patch_steps steps = {0};
    mst_list_change *lists = NULL;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_steps_between(base, result, &arena, &steps, NULL, NULL);
    if (status == MST_OK)
        status = mst_changes_of_steps(&steps, base->size, &arena, &lists);
    for (size_t at = 0; status == MST_OK && at < m->paths.size; at += strlen(m->paths.data + at) + 1) {
        const char *now = mst_path_translated(lists, m->paths.data + at, &arena);
        put_text(&m->reported->text, "{");
        put_json_member(&m->reported->text, "now", now ? now : "");
        put_text(&m->reported->text, "}\n");
    }
    mst_arena_end(&arena);
}

mst_status web_merge(answer *to, const opened *ours, uint32_t ours_index, const opened *base,
                     uint32_t base_index, const opened *theirs, uint32_t theirs_index, const char *choices,
                     uint32_t size) {
    mst_document *all[3] = {opened_document(ours, ours_index, to), NULL, NULL};
    if (all[0])
        all[1] = opened_document(base, base_index, to);
    if (all[1])
        all[2] = opened_document(theirs, theirs_index, to);
    if (!all[2])
        return answer_end(to, MST_ARGUMENT);
    answer reported = {.text = stream_memory()};
    merge_state m = {
        .reported = &reported, .choices = choices, .end = choices + size, .paths = stream_memory()};
    const mst_check_options checks = {
        .size = sizeof checks, .details = 1, .sidecars = mst_level_sidecars(opened_level(ours))};
    const mst_merge_options how = {
        .size = sizeof how, .conflict = take, .resolve = choose, .user = &m, .checks = &checks};
    mst_status status = mst_merge_beside(all[0], all[1], all[2], &how, NULL, NULL, &to->why);
    if (status == MST_OK)
        put_paths(&m, all[1], all[0]);
    stream_free(&m.paths);
    return answer_end_with(to, status, &reported);
}
