/* SPDX-License-Identifier: MIT */
/* mapstone spec: the formats' reference, from the tables that read and write them. */
#include "commands.h"
#include "formats.h"
#include "names.h"
#include "paths.h"
#include <string.h>

static int list_formats(const options *given) {
    stream out = stream_stdout();
    if (options_has(given, OPTION_JSON))
        put_formats_json(&out);
    else
        put_formats(&out, true);
    stream_free(&out);
    return EXIT_YES;
}

/* The reference has no record `what`; says which names are like it. */
static void blame_name(mst_diagnostic *why, const mst_format_information *format, const char *what) {
    names known = {0};
    const char *name;
    stream text = stream_memory();
    for (size_t i = 0; (name = mst_record_reference_name(format, i)) != NULL; i++)
        names_add(&known, name);
    if (known.count)
        print(&text, "%s describes nothing of the name or number '%s'", format->id, what);
    else
        print(&text, "the reference of %s is complete: 'mapstone spec %s' takes no further name", format->id,
              format->id);
    names_put(&known, &text, what);
    put(&text, "", 1);
    blame(why, MST_NO_PATH, "%s", text.data);
    stream_free(&text);
    names_free(&known);
}

static int run(const options *given) {
    if (!given->operand_count)
        return list_formats(given);
    if (given->operand_count > 2)
        return options_usage(given, "spec takes one format, and the name of one of its records");
    if (options_idle(given, OPTION_JSON, "a format"))
        return EXIT_TROUBLE;
    const mst_format_information *format = format_by_id(given->operands[0]);
    if (!format) {
        if (format_is_known(given, given->operands[0])) /* "json" */
            options_usage(given, "JSON has no reference of its own; name the level's format");
        return EXIT_TROUBLE;
    }
    target out;
    mst_diagnostic why;
    if (!target_begin(&out, "-"))
        return EXIT_TROUBLE;
    const char *what = given->operand_count > 1 ? given->operands[1] : NULL;
    mst_status status = what ? mst_write_record_reference(format, what, target_sink(&out))
                             : mst_write_reference(format, target_sink(&out));
    if (status == MST_NO_PATH)
        blame_name(&why, format, what);
    else if (status != MST_OK)
        blame(&why, status, "the reference could not be written");
    return target_settle(&out, status, NULL, &why);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA, OPTION_ROW_JSON("the list of formats as JSON, one per line"), OPTION_ROW_COMMON};

const command spec_command = {
    .name = "spec",
    .operands = "[FORMAT [NAME]]",
    .summary = "write the reference of a format, or the list of formats",
    .description =
        "Writes the reference of a format as Markdown, generated from the tables that read and write it. "
        "Without FORMAT it lists all formats. NAME is a name or number of one of the many records that some "
        "references leave out, such as the type of an object: what its fields mean, and what they hold in "
        "the "
        "files that were looked at. Completion knows the names.",
    .options = rows,
    .examples =
        "mapstone spec\nmapstone spec ns2-level -o ns2-level.md\nmapstone spec sfa-romlist LargeCrate",
    .run = run,
    .output_is_stdout = true,
};
