/* SPDX-License-Identifier: MIT */
#include "dry_run.h"
#include "change_lines.h"
#include <stdlib.h>

int dry_run_begin(dry_run *all, const char *file, const source *opened) {
    mst_diagnostic why;
    all->documents = mst_level_count(opened->level);
    return mst_convert(opened->document, NULL, NULL, NULL, &all->before, &why) == MST_OK
               ? EXIT_YES
               : say_diagnosis(file, &why);
}

/* `alone`: no other file has changes. */
static int print_changes(const mst_document *before, const mst_document *after, const mst_diff_options *how,
                         const options *given, const char *name, bool alone, stream *out) {
    changes all = {.everything = options_has(given, OPTION_ALL), .view_state = true};
    mst_diagnostic why;
    int code = EXIT_YES;
    if (mst_diff(before, after, how, changes_take, &all, &why) != MST_OK)
        code = say_diagnosis(name, &why);
    bool any = code == EXIT_YES && changes_any(&all);
    all.view_state = false; /* except if nothing else has changed: the edit was for that */
    all.view_state = !changes_any(&all);
    if (any && !alone)
        changes_put_heading(out, name);
    if (any)
        changes_put(&all, out, alone ? "" : "  ", all.everything);
    changes_free(&all);
    return code;
}

/* Prints the changes in a file that was opened for the edit: the file on the disk is still unchanged. */
static int print_other(const options *given, const source *after, size_t index, stream *out) {
    const mst_document *document = mst_level_document(after->level, index);
    char *path = saved_path(document, mst_level_path(after->level, index), 0);
    options own = *given; /* without the options for the edited file */
    own.value[OPTION_FROM] = mst_document_format(document)->id;
    own.value[OPTION_AS_PATH] = NULL;
    source before;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&before, path, &own, SOURCE_EDIT, &why) != MST_OK)
        code = say_diagnosis(path, &why);
    else
        code = print_changes(before.document, document, NULL, given, path, false, out);
    source_close(&before);
    free(path);
    return code;
}

int dry_run_print(const dry_run *all, const options *given, const char *file, const source *after) {
    size_t count = mst_level_count(after->level);
    const mst_diff_options how = {.size = sizeof how, .in_place = after->in_place};
    stream out = stream_stdout();
    int code = print_changes(all->before, after->document, &how, given, file,
                             count == all->documents && !given->among, &out);
    for (size_t i = all->documents; i < count && code == EXIT_YES; i++)
        code = print_other(given, after, i, &out);
    stream_free(&out);
    return code;
}

void dry_run_end(dry_run *all) {
    mst_close(all->before);
    all->before = NULL;
}
