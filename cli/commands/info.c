/* SPDX-License-Identifier: MIT */
/* mapstone info: statistics about files. */
#include "../../src/core/hash.h"
#include "../../src/files/ledger.h"
#include "../../src/level/sources.h"
#include "../../src/scene/geometry.h"
#include "../inputs/many_files.h"
#include "../output/level_lists.h"
#include "../output/needed_files.h"
#include "../output/show.h"
#include "../output/summary.h"
#include "commands.h"
#include <mapstone/image.h>
#include <mapstone/scene.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES_SHOW  12 /* without --all */
#define PICTURES_SHOW 8  /* without --all */
#define FILES_SHOW    16 /* without --all; more are only summarised */

/* ---- counts by class ------------------------------------------------------------------------------ */

/* An empty slot is only a negative number. */
static bool is_empty_slot(const mst_value *row) {
    mst_value field, more;
    int64_t number;
    mst_iterator it = mst_iterate(row);
    return mst_next(&it, &field) && mst_get_integer(&field, &number) == MST_OK && number < 0 &&
           !mst_next(&it, &more);
}

/* The class of a row; NULL if it has none. */
static const char *class_of(const mst_value *row, char text[256]) {
    mst_value field;
    if (mst_value_type(row) != MST_TYPE_RECORD)
        return NULL;
    if (mst_member(row, "class_name", &field) == MST_OK && mst_get_text(&field, text, 256, NULL) == MST_OK)
        return text;
    if (mst_member(row, "class", &field) == MST_OK)
        return mst_get_name(&field);
    if (is_empty_slot(row))
        return "empty";
    const char *name = NULL; /* of the first number that has a name */
    for (mst_iterator it = mst_iterate(row); !name && mst_next(&it, &field);)
        if (mst_value_type(&field) == MST_TYPE_INTEGER)
            name = mst_get_name(&field);
    return name;
}

static tallies count_classes(const mst_document *document) {
    tallies all = {0};
    const char *rows = mst_document_format(document)->rows;
    mst_value list, row;
    mst_diagnostic why;
    if (!rows[0] || mst_find(mst_root(document), rows, &list, &why) != MST_OK)
        return all;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &row);) {
        char text[256];
        const char *name = class_of(&row, text);
        if (name)
            tallies_add(&all, name, 1);
    }
    tallies_sort(&all);
    return all;
}

/* ---- lengths of lists ----------------------------------------------------------------------------- */

static void put_list_line(void *user, const char *path, const mst_value *list) {
    print(user, "  %-30s %llu\n", path, (unsigned long long)mst_count(list));
}

static void put_list_json(void *user, const char *path, const mst_value *list) {
    put_json_key(user, path);
    print(user, "%llu", (unsigned long long)mst_count(list));
}

/* ---- the figures ---------------------------------------------------------------------------------- */

/* An image in the file. */
typedef struct picture {
    char name[MST_IMAGE_NAME];
    uint32_t width, height;
} picture;

typedef struct figures {
    const mst_format_information *format;
    uint32_t version;
    uint64_t size;
    char sha256[65];
    const char *other; /* the second of two files; NULL: there is one */
    size_t other_size;
    char other_sha256[65];
    bool has_ledger, has_bounds;
    mst_ledger ledger;
    const char *opaque; /* largest unknown field, if it is most of the file; else NULL */
    uint64_t opaque_bytes;
    mst_bounds bounds, file_bounds;
    double unit_metres;
    int axes[3]; /* of the file, as mst_scene_axes returns them */
    tallies classes;
    picture *pictures;
    size_t picture_count;
    uint64_t memory;
} figures;

static double understood(const mst_ledger *ledger) {
    uint64_t lost = ledger->bytes[MST_BYTES_GAP] + ledger->bytes[MST_BYTES_RAW];
    return ledger->size ? 100.0 * (double)(ledger->size - (lost < ledger->size ? lost : ledger->size)) /
                              (double)ledger->size
                        : 100.0;
}

/* Never 100.00 if a byte is not understood. */
static double shown_share(const mst_ledger *ledger) {
    double share = understood(ledger);
    return share < 100.0 && share > 99.99 ? 99.99 : share;
}

static mst_status find_opaque(void *user, const mst_event *event) {
    figures *all = user;
    if (event->kind == MST_EVENT_LEAF && event->byte_class == MST_BYTES_RAW &&
        event->length > all->opaque_bytes) {
        all->opaque = event->name;
        all->opaque_bytes = event->length;
    }
    return MST_OK;
}

/* Returns an exit code. */
static int gather_pictures(figures *all, job *work) {
    size_t count = mst_image_count(work->opened.document);
    all->pictures = need(calloc(count + 1, sizeof *all->pictures));
    for (; all->picture_count < count; all->picture_count++) {
        picture *one = &all->pictures[all->picture_count];
        mst_pixels pixels = {0};
        mst_diagnostic why;
        if (mst_image_read(work->opened.document, all->picture_count, 0, NULL, &pixels, one->name, &why) !=
            MST_OK)
            return say_diagnosis(work->input->path, &why);
        one->width = pixels.width;
        one->height = pixels.height;
        mst_pixels_free(&pixels);
    }
    return EXIT_YES;
}

static int gather(figures *all, job *work) {
    const mst_document *document = work->opened.document;
    size_t size;
    mst_diagnostic why;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    all->format = mst_document_format(document);
    all->version = mst_document_version(document);
    all->size = size;
    mst_sha256_text(bytes, size, all->sha256);
    if (mst_document_file_count(document) > 1) {
        bytes = mst_document_file(document, 1, &all->other, &all->other_size);
        mst_sha256_text(bytes, all->other_size, all->other_sha256);
    }
    int code = EXIT_YES;
    mst_status status = mst_byte_coverage(document, &all->ledger, &why);
    all->has_ledger = status == MST_OK;
    if (status == MST_NO_MEMORY)
        code = say_diagnosis(work->input->path, &why);
    if (all->has_ledger && all->ledger.bytes[MST_BYTES_RAW] > all->ledger.size / 2)
        mst_walk_files(document, find_opaque, all);
    if (all->opaque_bytes <= all->size / 2)
        all->opaque = NULL;
    all->classes = count_classes(document);
    mst_scene *scene = NULL;
    status = mst_level_scene(work->opened.level,
                             &(mst_scene_options){.size = sizeof(mst_scene_options), .no_textures = 1},
                             &scene, &why);
    if (status == MST_NO_MEMORY || status == MST_IO) /* other failures: nothing to measure */
        code = say_diagnosis(work->input->path, &why);
    if (status == MST_OK) {
        all->bounds = mst_scene_bounds(scene, ~(1u << MST_ROLE_HELPER));
        if (all->bounds.minimum[0] > all->bounds.maximum[0]) /* only helpers */
            all->bounds = mst_scene_bounds(scene, 0);
        all->has_bounds = all->bounds.minimum[0] <= all->bounds.maximum[0];
        all->file_bounds = mst_scene_file_bounds(scene, &all->bounds);
        all->unit_metres = scene->unit_metres;
        mst_scene_axes(scene, all->axes);
    }
    mst_scene_free(scene);
    all->memory = mst_document_memory(document);
    return worse(code, gather_pictures(all, work));
}

static void put_box(stream *out, const char *name, const mst_bounds *box) {
    const float *a = box->minimum, *b = box->maximum;
    print(out, "  %-14s %.2f %.2f %.2f .. %.2f %.2f %.2f", name, (double)a[0], (double)a[1], (double)a[2],
          (double)b[0], (double)b[1], (double)b[2]);
}

/* The bounds in metres, and in the file's units and axes if they differ. */
static void put_bounds(stream *out, const figures *all) {
    static const char *const names[] = {"-z", "-y", "-x", "?", "x", "y", "z"};
    const int *axes = all->axes;
    bool turned = axes[0] != 1 || axes[1] != 2 || axes[2] != 3;
    put_box(out, "bounds", &all->bounds);
    put_text(out, " m\n");
    if (all->format->editor_unit) {
        mst_bounds shown = all->bounds;
        for (int i = 0; i < 3; i++) {
            shown.minimum[i] *= (float)all->format->editor_per_metre;
            shown.maximum[i] *= (float)all->format->editor_per_metre;
        }
        put_box(out, "in the editor", &shown);
        print(out, " %s\n", all->format->editor_unit);
    }
    if (all->unit_metres == 1 && !turned)
        return;
    put_box(out, "in the file", &all->file_bounds);
    print(out, " units, %.4g a metre", 1 / all->unit_metres);
    if (turned)
        print(out, "; world X Y Z are the file's %s %s %s", names[axes[0] + 3], names[axes[1] + 3],
              names[axes[2] + 3]);
    put_text(out, "\n");
}

static void put_json_box(stream *out, const char *name, const mst_bounds *box) {
    const float *a = box->minimum, *b = box->maximum;
    print(out, ",\"%s\":{\"minimum\":[%.9g,%.9g,%.9g],\"maximum\":[%.9g,%.9g,%.9g]}", name, (double)a[0],
          (double)a[1], (double)a[2], (double)b[0], (double)b[1], (double)b[2]);
}

static void put_lines(job *work, const figures *all) {
    stream *out = &work->out;
    paint(out, COLOR_BOLD);
    put_visible(out, work->input->path);
    unpaint(out);
    print(out, "\n  %-14s %s, %s\n", "format", all->format->id, all->format->title);
    if (all->version || all->format->versions[0])
        print(out, "  %-14s %lu\n", "version", (unsigned long)all->version);
    print(out, "  %-14s %llu bytes\n", "size", (unsigned long long)all->size);
    print(out, "  %-14s %s\n", "sha256", all->sha256);
    if (all->other) {
        print(out, "  %-14s ", "with");
        put_visible(out, all->other);
        print(out, ", %zu bytes\n  %-14s %s\n", all->other_size, "", all->other_sha256);
    }
    if (all->has_ledger) {
        print(out, "  %-14s %.2f %%", "understood", shown_share(&all->ledger));
        for (size_t i = 0; i < 5; i++)
            print(out, "%s%llu %s", i ? ", " : " (bytes: ", (unsigned long long)all->ledger.bytes[i],
                  byte_class_name((mst_byte_class)i));
        print(out, ")\n");
        if (all->ledger.overlap || all->ledger.holes)
            print(out, "  %-14s %llu bytes twice, %llu bytes never\n", "ledger",
                  (unsigned long long)all->ledger.overlap, (unsigned long long)all->ledger.holes);
    }
    if (all->opaque)
        print(out, "  %-14s %s, %llu bytes: copied unchanged\n", "not understood", all->opaque,
              (unsigned long long)all->opaque_bytes);
    if (all->has_bounds)
        put_bounds(out, all);
    print(out, "  %-14s %llu bytes\n", "memory", (unsigned long long)all->memory);
    bool everything = options_has(work->batch->given, OPTION_ALL);
    size_t pictures = everything || all->picture_count <= PICTURES_SHOW ? all->picture_count : PICTURES_SHOW;
    for (size_t i = 0; i < pictures; i++) {
        const picture *one = &all->pictures[i];
        if (!i)
            print(out, "  %-14s %zu (", "images", all->picture_count);
        put_text(out, i ? ", " : "");
        put_visible(out, one->name);
        print(out, " %lu x %lu", (unsigned long)one->width, (unsigned long)one->height);
    }
    if (pictures)
        put_text(out, pictures < all->picture_count ? ", ...; --all shows them)\n" : ")\n");
    print(out, " lists\n");
    each_list(work->opened.document, put_list_line, out);
    if (all->classes.count)
        print(out, " %s by class\n", all->format->rows);
    size_t shown = everything ? all->classes.count : CLASSES_SHOW;
    for (size_t i = 0; i < all->classes.count && i < shown; i++) {
        print(out, "  %6llu ", (unsigned long long)all->classes.items[i].count);
        put_visible(out, all->classes.items[i].name);
        put_text(out, "\n");
    }
    if (all->classes.count > shown)
        print(out, "  ... and %zu more classes (--all shows them)\n", all->classes.count - shown);
}

static void put_json_object(job *work, const figures *all) {
    stream *out = &work->out;
    put_text(out, "{");
    put_json_member(out, "file", work->input->path);
    put_json_member(out, "format", all->format->id);
    put_json_member(out, "title", all->format->title);
    if (all->version || all->format->versions[0])
        print(out, ",\"version\":%lu", (unsigned long)all->version);
    print(out, ",\"size\":%llu", (unsigned long long)all->size);
    put_json_member(out, "sha256", all->sha256);
    if (all->other) {
        put_text(out, ",\"with\":{");
        put_json_member(out, "file", all->other);
        print(out, ",\"size\":%zu", all->other_size);
        put_json_member(out, "sha256", all->other_sha256);
        put_text(out, "}");
    }
    if (all->has_ledger) {
        print(out, ",\"understood\":%.6f,\"ledger\":{", understood(&all->ledger));
        for (size_t i = 0; i < 5; i++)
            print(out, "\"%s\":%llu,", byte_class_name((mst_byte_class)i),
                  (unsigned long long)all->ledger.bytes[i]);
        print(out, "\"spans\":%llu,\"overlap\":%llu,\"holes\":%llu}", (unsigned long long)all->ledger.spans,
              (unsigned long long)all->ledger.overlap, (unsigned long long)all->ledger.holes);
    }
    if (all->opaque) {
        put_json_member(out, "not_understood", all->opaque);
        print(out, ",\"not_understood_bytes\":%llu", (unsigned long long)all->opaque_bytes);
    }
    if (all->has_bounds) {
        put_json_box(out, "bounds", &all->bounds);
        put_json_box(out, "file_bounds", &all->file_bounds);
        print(out, ",\"unit_metres\":%.9g", all->unit_metres);
    }
    print(out, ",\"memory\":%llu,\"lists\":{", (unsigned long long)all->memory);
    each_list(work->opened.document, put_list_json, out);
    put_text(out, "},\"classes\":{");
    for (size_t i = 0; i < all->classes.count; i++) {
        put_json_key(out, all->classes.items[i].name);
        print(out, "%llu", (unsigned long long)all->classes.items[i].count);
    }
    put_text(out, "},\"images\":[");
    for (size_t i = 0; i < all->picture_count; i++) {
        const picture *one = &all->pictures[i];
        put_text(out, i ? ",{" : "{");
        put_json_member(out, "name", one->name);
        print(out, ",\"width\":%lu,\"height\":%lu}", (unsigned long)one->width, (unsigned long)one->height);
    }
    put_text(out, "]}\n");
}

/* ---- descriptions --------------------------------------------------------------------------------- */

/* The requested description (mst_describe); NULL: none. */
static const char *asked_for(const options *given) {
    return options_has(given, OPTION_TRIGGERS)     ? "triggers"
           : options_has(given, OPTION_MAPS)       ? "maps"
           : options_has(given, OPTION_RECTANGLES) ? "rectangles"
                                                   : NULL;
}

/* Writes the lines of that description. */
static int put_words(job *work, const char *what) {
    stream text = stream_memory(), *out = &work->out;
    bool json = options_has(work->batch->given, OPTION_JSON);
    mst_describe_options how = {.size = sizeof how, .sidecars = mst_level_sidecars(work->opened.level)};
    mst_diagnostic why;
    if (mst_describe(work->opened.document, what, &how, stream_sink(&text), &why) != MST_OK) {
        stream_free(&text);
        work->skipped = work->known = why.status == MST_UNSUPPORTED && !work->input->named;
        return work->skipped ? EXIT_YES : job_unfit(work, &why);
    }
    if (!text.size && !json && work->input->named)
        say(MST_INFORMATION, "%s has no %s", work->input->path, what);
    put(&text, "", 1);
    if (json) {
        put_text(out, "{");
        put_json_member(out, "file", work->input->path);
        print(out, ",\"%s\":[", what);
    } else if (work->batch->inputs->many) {
        paint(out, COLOR_BOLD);
        put_visible(out, work->input->path);
        unpaint(out);
        put_text(out, "\n");
    }
    for (char *line = text.data, *next; *line; line = next) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = 0;
        if (json) {
            put_text(out, line == text.data ? "" : ",");
            put_json_string(out, line, length);
        } else {
            put_visible(out, line);
            put_text(out, "\n");
        }
    }
    put_text(out, json ? "]}\n" : "");
    stream_free(&text);
    return EXIT_YES;
}

/* Many files are summarised instead of listed. */
static bool is_told_together(const batch *all) {
    const options *given = all->given;
    if (options_has(given, OPTION_SUMMARY))
        return true;
    return all->inputs->count > FILES_SHOW && !options_has(given, OPTION_ALL) &&
           !options_has(given, OPTION_JSON);
}

static int info_one(job *work) {
    int code = job_open(work, SOURCE_JSON);
    if (code >= 0)
        return code;
    const mst_document *document = work->opened.document;
    const char *what = asked_for(work->batch->given);
    if (options_has(work->batch->given, OPTION_ASSETS))
        return put_assets(work);
    if (what)
        return put_words(work, what);
    figures all = {0};
    if (is_told_together(work->batch)) {
        mst_diagnostic why;
        for (size_t i = 0, size; i < mst_document_file_count(document); i++) {
            mst_document_file(document, i, NULL, &size);
            all.size += size;
        }
        all.has_ledger = mst_byte_coverage(document, &all.ledger, &why) == MST_OK;
        all.classes = count_classes(document);
        code = EXIT_YES;
    } else {
        code = gather(&all, work);
        if (options_has(work->batch->given, OPTION_JSON))
            put_json_object(work, &all);
        else
            put_lines(work, &all);
    }
    summary_part *part = need(calloc(1, sizeof *part));
    part->format = mst_document_format(document);
    part->version = mst_document_version(document);
    part->bytes = all.size;
    part->lost = all.ledger.bytes[MST_BYTES_GAP] + all.ledger.bytes[MST_BYTES_RAW];
    part->place = (mst_level_candidate){.name = work->input->relative, .format = part->format};
    mst_level_group(&part->place, 1);
    part->classes = all.classes;
    part->maps = stream_memory();
    mst_diagnostic no;
    if (part->format->maps)
        mst_describe(document, "maps", NULL, stream_sink(&part->maps), &no);
    work->result = part;
    free(all.pictures);
    return code;
}

static void add_up(job *work) {
    if (work->result)
        summary_add(work->batch->user, work->result);
    free(work->result);
}

static int run(const options *given) {
    if (!given->operand_count)
        return options_usage(given, "info needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given))
        return EXIT_TROUBLE;
    inputs all = inputs_expand(given);
    summary sum = {0};
    batch work = {.given = given, .inputs = &all, .run = info_one, .done = add_up, .user = &sum};
    int code = batch_run(&work);
    if (asked_for(given) || options_has(given, OPTION_ASSETS)) {
        batch_say_sum(&work, "described");
    } else if (!stdout_failed() && (all.many || options_has(given, OPTION_SUMMARY))) {
        bool json = options_has(given, OPTION_JSON);
        if (!json || options_has(given, OPTION_SUMMARY)) {
            stream out = stream_stdout();
            summary_put(&sum, &out, json, options_has(given, OPTION_ALL));
            stream_free(&out);
        }
        stream to = json ? stream_stderr() : stream_stdout();
        mst_ledger ledger = {.size = sum.bytes, .bytes = {[MST_BYTES_RAW] = sum.lost}};
        batch_sum(&work, &to, "opened", NULL);
        print(&to, "; %llu bytes, understood %.2f %%\n", (unsigned long long)sum.bytes, shown_share(&ledger));
        stream_free(&to);
    }
    summary_free(&sum);
    inputs_free(&all);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    OPTION_ROW_JSON("one JSON object per line"),
    {OPTION_ALL, 'a', "all", NULL, NULL, "show every file, and all classes and images"},
    {OPTION_SUMMARY, 0, "summary", NULL, NULL, "show only the totals of all files"},
    {OPTION_TRIGGERS, 0, "triggers", NULL, NULL, "instead, describe the effects of triggers in words"},
    {OPTION_MAPS, 0, "maps", NULL, NULL, "instead, list the maps of a file with several"},
    {OPTION_RECTANGLES, 0, "rectangles", NULL, NULL, "instead, list the textures that make up pages"},
    {OPTION_ASSETS, 0, "assets", NULL, NULL,
     "instead, list the models, materials and textures that a level needs, found or missing"},
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_SUMMARY, OPTION_TRIGGERS},
                                      {OPTION_SUMMARY, OPTION_MAPS},
                                      {OPTION_SUMMARY, OPTION_RECTANGLES},
                                      {OPTION_SUMMARY, OPTION_ASSETS},
                                      {OPTION_ALL, OPTION_ASSETS},
                                      {OPTION_TRIGGERS, OPTION_ASSETS},
                                      {OPTION_MAPS, OPTION_ASSETS},
                                      {OPTION_RECTANGLES, OPTION_ASSETS},
                                      {OPTION_ALL, OPTION_TRIGGERS},
                                      {OPTION_ALL, OPTION_MAPS},
                                      {OPTION_ALL, OPTION_RECTANGLES},
                                      {OPTION_MAPS, OPTION_TRIGGERS},
                                      {OPTION_RECTANGLES, OPTION_TRIGGERS},
                                      {OPTION_RECTANGLES, OPTION_MAPS},
                                      {OPTION_NONE, OPTION_NONE}};

const command info_command = {
    .name = "info",
    .operands = "FILE...",
    .summary = "show format, size, counts, bounds and the share that is understood",
    .description =
        "Opens files and prints statistics:\n\n"
        "- format and version, size and SHA-256\n"
        "- the lengths of lists, and the number of entries of each class\n"
        "- the bounding box in metres\n"
        "- how many bytes are fields, derived from others, padding, gaps or raw. All but gaps and raw bytes "
        "count as understood; a part that is not understood, and is most of the file, is named.\n"
        "- the images in the file, with their sizes\n\n"
        "--assets lists the files that a level refers to, and the files that these refer to: kind, whether "
        "it was found, the number of references, size, name, and the first file that refers to it. They are "
        "searched for in the mod around the level's folder \"maps\" and in --search-path.\n\n"
        "For a directory, archive or disc image it also prints totals: formats, versions, levels of several "
        "sectors (files called LEVEL_X_Y) and entries by class. For more than 16 files it prints only the "
        "totals, unless --all or --json is given.",
    .options = rows,
    .examples = "mapstone info maps/a.level\nmapstone info --json -j 0 maps/ | jq .understood\n"
                "mapstone info --summary game.rvm",
    .run = run,
    .clashes = clashes,
    .output_is_stdout = true,
};
