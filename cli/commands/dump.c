/* SPDX-License-Identifier: MIT */
/* mapstone dump: a file as JSON, exact to the byte. */
#include "../inputs/opened_source.h"
#include "commands.h"

static int run(const options *given) {
    const char *file = input_single(given);
    if (!file || !format_is_known(given, given->value[OPTION_FROM]))
        return EXIT_TROUBLE;
    if (given->operand_count > 1)
        return options_usage(given, "dump takes one file; 'mapstone convert -t json -o DIR/' takes many");
    source opened;
    mst_diagnostic why;
    mst_value value;
    const char *path = given->value[OPTION_PATH];
    mst_status status = source_open_path(&opened, file, given, SOURCE_JSON, &why);
    if (status == MST_OK) {
        value = mst_root(opened.document);
        if (path)
            status = mst_find(mst_root(opened.document), path, &value, &why);
    }
    int code;
    target out;
    if (status != MST_OK) {
        code = say_diagnosis(file, &why);
    } else if (!target_begin(&out, "-")) {
        code = EXIT_TROUBLE;
    } else {
        mst_json_options how = {.size = sizeof how, .compact = options_has(given, OPTION_COMPACT)};
        status = mst_write_json(&value, &how, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    if (opened.salvaged)
        code = worse(code, EXIT_DAMAGED);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {OPTION_ROW_OUTPUT_DATA,
                                  {OPTION_COMPACT, 'c', "compact", NULL, NULL, "JSON on one line"},
                                  {OPTION_PATH, 'p', "path", "PATH", NULL, "only the value at PATH"},
                                  OPTION_ROW_FROM,
                                  OPTION_ROW_SALVAGE,
                                  OPTION_ROW_COMMON};

const command dump_command = {
    .name = "dump",
    .operands = "FILE",
    .summary = "write a file as JSON, exact to the byte",
    .description = "Writes the complete file as JSON, from which 'mapstone convert -f json' restores the "
                   "same bytes without the original.",
    .options = rows,
    .examples = "mapstone dump maps/a.level | jq \".objects | length\"\n"
                "mapstone dump maps/a.level | mapstone convert - -f json -t ns2-level -o b.level",
    .run = run,
    .output_is_stdout = true,
};
