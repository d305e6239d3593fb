/* SPDX-License-Identifier: MIT */
#include "undo_patch.h"
#include "streams.h"
#include <mapstone/patch.h>
#include <string.h>

int undo_begin(undo *all, const options *given, const char *file, const source *opened) {
    mst_diagnostic why;
    *all = (undo){.to = given->value[OPTION_UNDO], .documents = mst_level_count(opened->level)};
    if (!all->to)
        return EXIT_YES;
    if (!strcmp(all->to, "-") || !strcmp(file, "-"))
        return options_usage(given,
                             "--undo needs files: the level is read again, and the patch is written first");
    if (is_input(all->to, file) ||
        (given->value[OPTION_OUTPUT] && !strcmp(all->to, given->value[OPTION_OUTPUT])))
        return options_usage(given, "--undo: %s is the level", all->to);
    if (leads_into_archive(all->to))
        return EXIT_TROUBLE;
    return source_open_path(&all->before, file, given, SOURCE_EDIT, &why) == MST_OK
               ? EXIT_YES
               : say_diagnosis(file, &why);
}

int undo_write(undo *all, const char *file, const source *after) {
    mst_patch_options how = {.size = sizeof how, .with_data = 1, .memory_limit = UINT64_MAX};
    mst_diagnostic why;
    target out;
    if (!all->to)
        return EXIT_YES;
    if (mst_level_count(after->level) != all->documents) {
        say(MST_ERROR,
            "%s: other files change with it, and --undo can revert only one: copy the folder instead", file);
        return EXIT_TROUBLE;
    }
    if (!target_begin(&out, all->to))
        return EXIT_TROUBLE;
    mst_status status = mst_patch_make(all->before.document, after->document, &how, target_sink(&out), &why);
    return target_settle(&out, status, all->to, &why);
}

void undo_end(undo *all) {
    source_close(&all->before);
}
