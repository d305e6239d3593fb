/* SPDX-License-Identifier: MIT */
/* mapstone get: values by their paths. */
#define _GNU_SOURCE
#include "../../src/files/offset_path.h"
#include "../../src/read/opened.h"
#include "../inputs/opened_source.h"
#include "../output/added.h"
#include "../output/label_cells.h"
#include "../output/show.h"
#include "commands.h"
#include <mapstone/place.h>
#include <stdlib.h>
#include <string.h>

static mst_status put_one(const options *given, stream *out, const mst_value *value, mst_diagnostic *why) {
    if (options_has(given, OPTION_RAW)) {
        const void *bytes;
        size_t size;
        mst_type type = mst_value_type(value);
        if (type == MST_TYPE_TEXT || type == MST_TYPE_BYTES) {
            if (mst_get_bytes(value, &bytes, &size) != MST_OK)
                return blame(why, MST_ARGUMENT, "it has no bytes of its own");
        } else { /* any other value: its bytes in the file */
            uint64_t offset, length;
            bytes = mst_document_bytes(value->document, &size);
            mst_value_span(value, &offset, &length);
            if (offset > size || length > size - offset)
                return blame(why, MST_ARGUMENT, "it has no bytes of its own");
            bytes = (const char *)bytes + offset;
            size = (size_t)length;
        }
        put(out, bytes, size);
        return MST_OK;
    }
    mst_value only = *value; /* a list with one element counts as that element, as in `set` */
    while (mst_value_type(&only) == MST_TYPE_LIST && mst_count(&only) == 1 &&
           mst_element(&only, 0, &only) == MST_OK)
        ;
    if (is_scalar(&only) && !is_flags(&only) && !options_has(given, OPTION_JSON)) {
        put_value_plain(out, &only);
        put_text(out, "\n");
        return MST_OK;
    }
    mst_json_options how = {.size = sizeof how, .compact = options_has(given, OPTION_COMPACT)};
    return mst_write_json(value, &how, stream_sink(out), why);
}

/* Prints bytes that are stored plane by plane as records; `stride` 0: the stride of their data set. */
static mst_status put_interleaved(const options *given, stream *out, const mst_value *value, uint32_t stride,
                                  mst_diagnostic *why) {
    mst_value bytes = *value, block = *value, field;
    if (mst_value_type(&block) == MST_TYPE_RECORD)
        mst_member(value, "data_set", &block);
    uint64_t stored = 0;
    if (mst_value_type(&block) == MST_TYPE_RECORD && mst_member(&block, "elements", &bytes) == MST_OK &&
        !stride && mst_member(&block, "stride", &field) == MST_OK &&
        mst_get_unsigned(&field, &stored) == MST_OK)
        stride = (uint32_t)stored;
    const void *planes;
    size_t size;
    uint64_t count;
    if (mst_get_bytes(&bytes, &planes, &size) != MST_OK)
        return blame(why, MST_ARGUMENT, "--interleaved needs bytes or a data set");
    char *records = need(malloc(size + 1));
    mst_status status = mst_read_interleaved(&bytes, stride, records, size, &count, why);
    if (status == MST_OK && options_has(given, OPTION_RAW)) {
        put(out, records, size);
    } else if (status == MST_OK) {
        for (uint64_t i = 0; i < count; i++) {
            print(out, "[%llu]", (unsigned long long)i);
            for (uint32_t j = 0; j < stride; j++)
                print(out, " %02x", (unsigned char)records[i * stride + j]);
            put_text(out, "\n");
        }
    }
    free(records);
    return status;
}

/* PATH or PATH:STRIDE. */
static bool split_stride(const char *text, char **path, uint32_t *stride) {
    const char *colon = strrchr(text, ':'), *bracket = strrchr(text, ']');
    *stride = 0;
    if (!colon || (bracket && colon < bracket)) { /* a colon of a slice */
        *path = need(strdup(text));
        return true;
    }
    char *end;
    unsigned long number = strtoul(colon + 1, &end, 10);
    *path = copy_of(text, (size_t)(colon - text));
    *stride = (uint32_t)number;
    return end != colon + 1 && !*end && number > 0 && number <= 65536;
}

typedef struct print_state {
    const options *given;
    stream *out;
    mst_diagnostic *why;
    label_cells *labels;
    const char *word; /* of labels to print for elements; NULL: prints the elements */
} print_state;

/* Prints numbers that reference something as its name where the format does, unless JSON is requested. */
static bool print_name(const print_state *p, const mst_document *document, const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !options_has(p->given, OPTION_JSON) && !options_has(p->given, OPTION_RAW) &&
           is_added_column(mst_document_format(document), dot + 1) &&
           has_labels_at(p->labels, document, path) &&
           put_labels_at(p->out, p->labels, document, path, false);
}

static mst_status print_found(void *user, const char *path, const mst_value *value) {
    const print_state *p = user;
    return print_name(p, value->document, path) ? MST_OK : put_one(p->given, p->out, value, p->why);
}

/* Prints the labels of a selected element. */
static mst_status print_labels(void *user, const char *path, const mst_value *value) {
    const print_state *p = user;
    stream whole = stream_memory();
    print(&whole, "%s.%s", path, p->word);
    put(&whole, "", 1);
    bool done =
        put_labels_at(p->out, p->labels, value->document, whole.data, options_has(p->given, OPTION_JSON));
    stream_free(&whole);
    return done ? MST_OK : MST_NO_PATH;
}

/* Handles the labels of elements at the end of a path that does not exist. MST_NO_PATH: there are none. */
static mst_status get_labels(const print_state *given, const mst_document *document, const char *path) {
    const char *dot = strrchr(path, '.');
    mst_diagnostic unused;
    if (!dot || strchr(dot, ']') || options_has(given->given, OPTION_RAW))
        return MST_NO_PATH;
    print_state p = *given;
    p.word = dot + 1;
    char *elements = copy_of(path, (size_t)(dot - path));
    mst_status status = MST_NO_PATH;
    if (mst_is_selector(elements, 0))
        status = mst_select(mst_root(document), elements, print_labels, &p, NULL, &unused);
    else if (put_labels_at(p.out, p.labels, document, path, options_has(p.given, OPTION_JSON)))
        status = MST_OK;
    free(elements);
    return status;
}

/* Prints the field at an offset: "objects[3].flags: 12", or the range of bytes if no path names them. */
static mst_status print_field(void *user, const mst_file_field *field) {
    const print_state *p = user;
    bool packed = field->place.kind == MST_PLACE_PACKED;
    uint64_t begin = packed ? field->place.inner : field->place.offset;
    uint64_t length = packed ? field->place.inner_length : field->place.length;
    if (field->value && options_has(p->given, OPTION_RAW))
        return put_one(p->given, p->out, field->value, p->why);
    if (options_has(p->given, OPTION_JSON)) {
        put_text(p->out, "{");
        put_json_member(p->out, "path", field->path);
        put_json_member(p->out, "name", field->name);
        put_json_member(p->out, "class", byte_class_name(field->byte_class));
        print(p->out, ",\"offset\":%llu,\"length\":%llu", (unsigned long long)begin,
              (unsigned long long)length);
        if (field->value) {
            put_json_key(p->out, "value");
            put_value_json(p->out, field->value);
        }
        put_text(p->out, "}\n");
        return MST_OK;
    }
    put_visible(p->out, *field->path ? field->path : "the file");
    if (field->value) {
        put_text(p->out, ": ");
        put_value_short(p->out, field->value);
        put_text(p->out, "\n");
        return MST_OK;
    }
    if (field->byte_class == MST_BYTES_GAP)
        return blame(p->why, MST_NO_PATH,
                     "no field has that byte: it is in a gap of %llu bytes that begins at 0x%llx",
                     (unsigned long long)length, (unsigned long long)begin);
    print(p->out, ": %s, %llu bytes from 0x%llx\n", field->name, (unsigned long long)length,
          (unsigned long long)begin);
    return MST_OK;
}

/* Prints the value at a path or an offset, or all that a selector matches. */
static mst_status get_one(const options *given, stream *out, const mst_document *document, const char *path,
                          bool interleaved, uint32_t stride, mst_diagnostic *why) {
    mst_document *inside;
    mst_value value;
    label_cells labels = {0};
    print_state p = {given, out, why, &labels, NULL};
    mst_status status;
    if (*path == '@')
        return mst_offset_field(document, path + 1, print_field, &p, why);
    if (!interleaved && mst_is_selector(path, 0) && !strchr(path, '@')) {
        status = mst_select(mst_root(document), path, print_found, &p, NULL, why);
    } else {
        status = find_inside(document, path, &inside, &value, why);
        if (status == MST_OK && interleaved)
            status = put_interleaved(given, out, &value, stride, why);
        else if (status == MST_OK && (inside || !print_name(&p, document, path)))
            status = put_one(given, out, &value, why);
        mst_close(inside);
    }
    if (status == MST_NO_PATH && !interleaved && get_labels(&p, document, path) == MST_OK)
        status = MST_OK;
    label_cells_free(&labels);
    return status;
}

static int run(const options *given) {
    const char *file = input_single(given);
    if (!file || !format_is_known(given, given->value[OPTION_FROM]))
        return EXIT_TROUBLE;
    if (given->operand_count < 2 && !options_has(given, OPTION_INTERLEAVED))
        return options_usage(given, "get needs a path, such as 'objects[0].class_name'");
    if (options_has(given, OPTION_RAW) && !may_be_binary("-", "--raw"))
        return EXIT_TROUBLE;
    source opened;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&opened, file, given, SOURCE_JSON, &why) != MST_OK) {
        code = say_diagnosis(file, &why);
    } else {
        stream out = stream_stdout();
        bool have_file = false;
        for (size_t i = 0; i < given->argument_count; i++) {
            const argument *one = &given->arguments[i];
            bool interleaved = one->id == OPTION_INTERLEAVED;
            bool path_wanted = one->id == OPTION_NONE && have_file;
            have_file = have_file || one->id == OPTION_NONE;
            if (!interleaved && !path_wanted)
                continue;
            char *path = NULL;
            uint32_t stride = 0;
            mst_status status = MST_OK;
            if (!interleaved)
                path = need(strdup(one->value));
            else if (!split_stride(one->value, &path, &stride))
                status =
                    blame(&why, MST_ARGUMENT, "--interleaved needs PATH:STRIDE, with a stride in 1..65536");
            if (status == MST_OK)
                status = get_one(given, &out, opened.document, path, interleaved, stride, &why);
            free(path);
            if (status != MST_OK) {
                stream_flush(&out);
                code = worse(code, say_diagnosis(file, &why));
            }
        }
        stream_free(&out);
    }
    if (opened.salvaged)
        code = worse(code, EXIT_DAMAGED);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {OPTION_ROW_OUTPUT_DATA,
                                  OPTION_ROW_JSON("also numbers and strings as JSON"),
                                  {OPTION_COMPACT, 'c', "compact", NULL, NULL, "JSON on one line"},
                                  {OPTION_RAW, 'r', "raw", NULL, NULL, "the bytes as stored in the file"},
                                  {OPTION_INTERLEAVED, 0, "interleaved", "PATH[:STRIDE]", NULL,
                                   "print bytes or a data set, stored plane by plane, as records"},
                                  OPTION_ROW_FROM,
                                  OPTION_ROW_SALVAGE,
                                  OPTION_ROW_COMMON};

static const option_pair clashes[] = {
    {OPTION_JSON, OPTION_RAW}, {OPTION_COMPACT, OPTION_RAW}, {OPTION_NONE, OPTION_NONE}};

const command get_command = {
    .name = "get",
    .operands = "FILE PATH...",
    .summary = "print values by their paths",
    .description =
        "Prints the value at each PATH: a number or string (or a list of one) as a plain line; a list, a "
        "record or flags (a list of names) as JSON. Exits with 3 if a path does not exist.\n\n"
        "Paths look like jq's. Quote them: brackets are patterns to the shell.\n\n"
        "- 'objects[12].properties[3].value': by index\n"
        "- 'objects[-1]': a negative index counts from the end\n"
        "- 'objects[class_name=ns2_gamerules]': the first element with that value\n"
        "- 'objects[flags=+light]': the first element with that flag\n"
        "- 'mesh.vertices[0:100].position': a slice, several elements\n"
        "- 'mesh.faces[within=Hub].layer': the names of layers, groups, materials and locations of elements "
        "(Natural Selection 2); numbers that name these are printed as names unless with --json\n"
        "- 'blocks[3].blocks[0]@content.blocks[1]': after @ the path continues in the unpacked content; with "
        "nothing after it, --raw prints the unpacked bytes\n"
        "- @0x2e33e: what has the byte at that offset of the file, with its path; @0x10+0x24 in packed data, "
        "@2:0x8 in the "
        "second file of a pair, as tree --offsets prints them",
    .options = rows,
    .examples = "mapstone get maps/a.level version \"objects[0].class_name\"\n"
                "mapstone get maps/a.level \"objects[class_name=tech_point].properties[name=origin].value\"",
    .run = run,
    .clashes = clashes,
    .output_is_stdout = true,
};
