/* SPDX-License-Identifier: MIT */
/* mapstone identify: the formats of files. */
#include "../inputs/many_files.h"
#include "commands.h"
#include <string.h>

static void put_json_object(job *work, const mst_format_information *format, uint64_t size, uint32_t version,
                            const mst_diagnostic *why) {
    stream *out = &work->out;
    put_text(out, "{");
    put_json_member(out, "file", work->input->path);
    put_json_key(out, "format");
    if (format)
        put_json_string(out, format->id, strlen(format->id));
    else
        put_text(out, "null");
    if (format) {
        put_json_member(out, "title", format->title);
        put_json_member(out, "media_type", format->media_type);
        if (version)
            print(out, ",\"version\":%lu", (unsigned long)version);
    }
    if (size < INT64_MAX) /* else it was not read to its end */
        print(out, ",\"size\":%llu", (unsigned long long)size);
    if (why->status != MST_OK) {
        put_json_member(out, "status", mst_status_text(why->status));
        put_json_member(out, "message", why->message);
        if (why->found[0])
            put_json_member(out, "found", why->found);
    }
    put_text(out, "}\n");
}

static void put_line(job *work, const mst_format_information *format, uint32_t version,
                     const mst_diagnostic *why) {
    stream *out = &work->out;
    put_visible(out, work->input->path);
    put_text(out, ": ");
    if (!format) {
        const char *found = why->found[0] ? why->found : why->message;
        put_text(out, "unknown");
        if (found[0]) {
            put_text(out, " (");
            put_visible(out, found);
            put_text(out, ")");
        }
    } else {
        put_text(out, format->id);
        if (version)
            print(out, " version %lu", (unsigned long)version);
        print(out, ", %s", format->title);
        if (why->status != MST_OK) {
            print(out, ", %s", why->status == MST_DAMAGED ? "damaged" : mst_status_text(why->status));
            put_text(out, ": ");
            put_visible(out, why->message);
        }
    }
    put_text(out, "\n");
}

static int identify_one(job *work) {
    const char *path = work->input->path;
    mst_diagnostic damage;
    input named = *work->input; /* of a pair, both files are identified */
    named.named = true;
    blame(&damage, MST_OK, "%s", "");
    damage.status = source_open(&work->opened, &named, work->batch->given, SOURCE_IDENTIFY, &damage);
    const mst_format_information *format = work->opened.format;
    bool unknown = !format && damage.status == MST_UNKNOWN;
    if (damage.status == MST_IO || damage.status == MST_NO_MEMORY || (!format && !unknown))
        return say_diagnosis(path, &damage);
    if (unknown && !work->input->named) {
        work->skipped = true;
        return EXIT_YES;
    }
    work->unknown = unknown;
    int code = unknown ? EXIT_NO : exit_code(damage.status);
    uint32_t version = damage.status == MST_OK ? mst_document_version(work->opened.document) : 0;
    if (options_has(work->batch->given, OPTION_JSON))
        put_json_object(work, format, work->opened.file_size, version, &damage);
    else
        put_line(work, format, version, &damage);
    return code;
}

static int run(const options *given) {
    if (!given->operand_count)
        return options_usage(given, "identify needs a file or directory");
    inputs all = inputs_expand(given);
    batch work = {.given = given, .inputs = &all, .run = identify_one};
    int code = batch_run(&work);
    if (all.many && !stdout_failed()) {
        stream to = options_has(given, OPTION_JSON) ? stream_stderr() : stream_stdout();
        batch_sum(&work, &to, "known", NULL);
        put_text(&to, "\n");
        stream_free(&to);
    }
    inputs_free(&all);
    return code;
}

static const option_row rows[] = {OPTION_ROW_OUTPUT_DATA, OPTION_ROW_JSON("one JSON object per line"),
                                  OPTION_ROW_AS_PATH, OPTION_ROW_BATCH, OPTION_ROW_COMMON};

const command identify_command = {
    .name = "identify",
    .operands = "FILE...",
    .summary = "identify the formats of files",
    .description = "Identifies files by their content, from their first 4096 bytes, and prints format, "
                   "version and title. Exits with 1 if a file named explicitly is unknown, with 4 if one of "
                   "a known format is damaged.",
    .options = rows,
    .examples = "mapstone identify maps/a.level\nmapstone identify --json maps/",
    .run = run,
    .output_is_stdout = true,
};
