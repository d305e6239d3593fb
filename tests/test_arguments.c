/* SPDX-License-Identifier: MIT */
/*
 * Every public function without its required arguments: pointers that are NULL, values of zeros, sinks that
 * cannot be written to. Each gives MST_ARGUMENT, or nothing if it returns no status. The last test verifies
 * that no public function is missing here.
 */
#include "../src/container/container.h"
#include "../src/core/hash.h"
#include "../src/core/memo.h"
#include "../src/core/search.h"
#include "../src/core/spelling.h"
#include "../src/core/text.h"
#include "../src/core/write.h"
#include "../src/edit/fix_findings.h"
#include "../src/export/gltf_check.h"
#include "../src/export/sheet.h"
#include "../src/files/ledger.h"
#include "../src/languages/record_names.h"
#include "../src/level/sources.h"
#include "../src/read/engine.h"
#include "../src/read/opened.h"
#include "../src/scene/geometry.h"
#include "../src/write/rebuild.h"
#include "alien_level.h"
#include "ns2_level.h"
#include <mapstone/mapstone.h>
#include <sys/stat.h>
#include <unistd.h>

static writer file;
static mst_document *document;
static mst_value nothing;
static mst_diagnostic why;

static int open_level(void **state) {
    level_plan plan = {.version = 10};
    (void)state;
    write_level(&file, &plan);
    return mst_open_memory(file.data, file.size, NULL, &document, &why) != MST_OK;
}
static int close_level(void **state) {
    (void)state;
    mst_close(document);
    writer_free(&file);
    return 0;
}

#define REFUSED(call) assert_int_equal((call), MST_ARGUMENT)
/* With a diagnosis, which is filled in, and without. */
#define EXPLAINED(call)                                                                                      \
    do {                                                                                                     \
        mst_diagnostic *diagnostic = &why;                                                                   \
        memset(&why, 0, sizeof why);                                                                         \
        REFUSED(call);                                                                                       \
        assert_int_equal(why.status, MST_ARGUMENT);                                                          \
        assert_true(why.message[0] != 0);                                                                    \
        diagnostic = NULL;                                                                                   \
        REFUSED(call);                                                                                       \
    } while (0)

static mst_status take(void *user, const void *data, size_t size) {
    (void)user, (void)data, (void)size;
    return MST_OK;
}
static const mst_sink sink = {take, NULL}, no_sink;

static mst_status ignore(void *user, const mst_diagnostic *finding) {
    (void)user, (void)finding;
    return MST_OK;
}
static mst_status pass(void *user, const mst_event *event) {
    (void)user, (void)event;
    return MST_OK;
}

static mst_value root(void) {
    return mst_root(document);
}

static void base(void **state) {
    (void)state;
    char text[8] = "x";
    assert_non_null(mst_version());
    assert_non_null(mst_status_text((mst_status)-1));
    assert_int_equal(mst_diagnostic_text(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(mst_diagnostic_text(NULL, NULL, 0), 0);
    mst_diagnostic zeros = {.status = MST_OK};
    assert_true(mst_diagnostic_text(&zeros, NULL, 8) > 0);
    assert_true(mst_name_distance(NULL, "a") == UINT32_MAX && mst_name_distance("a", NULL) == UINT32_MAX);
    char digest[65];
    mst_sha256_text("abc", 3, digest); /* FIPS 180-4's example */
    assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(mst_is_control(0) != 0);
    assert_null(mst_buffer_sink(NULL).write);
    mst_buffer_free(NULL);
    mst_buffer memory = {0};
    mst_buffer_free(&memory);
}

static void opening(void **state) {
    (void)state;
    mst_document *made = document;
    assert_null(mst_format_at(mst_format_count()));
    assert_null(mst_identify(NULL, 100, 100, NULL, NULL));
    assert_null(mst_identify(NULL, 100, 100, NULL, &why));
    char other[40] = "";
    const mst_format_information *two = NULL;
    for (size_t i = 0; i < mst_format_count(); i++)
        if (mst_format_file(mst_format_at(i), "MAPS.bin", 0, other, sizeof other) == 0)
            two = mst_format_at(i);
    assert_non_null(two);
    assert_int_equal(mst_format_file(NULL, "MAPS.bin", 0, other, sizeof other), -1);
    assert_int_equal(mst_format_file(two, NULL, 0, other, sizeof other), -1);
    assert_int_equal(mst_format_file(two, "MAPS.bin", 0, NULL, 0), -1);
    EXPLAINED(mst_open_memory(NULL, 5, NULL, &made, diagnostic));
    assert_null(made);
    EXPLAINED(mst_open_memory(file.data, file.size, NULL, NULL, diagnostic));
    EXPLAINED(mst_open_file(NULL, NULL, &made, diagnostic));
    EXPLAINED(mst_open_file("a", NULL, NULL, diagnostic));
    EXPLAINED(mst_open_json(NULL, 5, NULL, &made, diagnostic));
    EXPLAINED(mst_open_json("{}", 2, NULL, NULL, diagnostic));
    mst_value of_document = root();
    EXPLAINED(mst_open_content(&nothing, NULL, &made, diagnostic));
    EXPLAINED(mst_open_content(NULL, NULL, &made, diagnostic));
    EXPLAINED(mst_open_content(&of_document, NULL, NULL, diagnostic));
    char column[8];
    assert_int_equal(mst_added_column(NULL, "type_name", NULL, column, sizeof column), MST_ARGUMENT);
    assert_int_equal(mst_added_column(&of_document, NULL, NULL, column, sizeof column), MST_ARGUMENT);
    assert_int_equal(mst_added_column(&of_document, "type_name", NULL, NULL, 8), MST_ARGUMENT);
    assert_int_equal(mst_added_column(&of_document, "type_name", NULL, column, 0), MST_ARGUMENT);
    assert_int_equal(mst_added_column(&of_document, "type_name", NULL, column, sizeof column), MST_NO_PATH);
    mst_open_options zeros = {.size = sizeof zeros};
    MUST(mst_open_memory(file.data, file.size, &zeros, &made, &why), &why);
    mst_close(made);
    mst_close(NULL);
    assert_int_equal(mst_open_memory(NULL, 0, NULL, &made, &why), MST_UNKNOWN);
    /* a resolver that finds nothing */
    mst_resolver none = {0};
    zeros.sidecars = &none;
    zeros.name = "MAPS.tab";
    static const uint8_t table[64] = {0};
    mst_status status = mst_open_memory(table, sizeof table, &zeros, &made, &why);
    assert_true(status == MST_OK || made == NULL);
    mst_close(made);
}

static mst_status no_field(void *user, const mst_file_field *field) {
    (void)user, (void)field;
    return MST_STOPPED;
}

static mst_status no_place(void *user, const mst_place *place) {
    (void)user, (void)place;
    return MST_STOPPED;
}

static void of_documents(void **state) {
    (void)state;
    size_t size = 5;
    const char *name = "x";
    assert_null(mst_document_format(NULL));
    assert_string_equal(mst_document_name(NULL), "");
    assert_int_equal(mst_document_version(NULL), 0);
    assert_null(mst_document_bytes(NULL, &size));
    assert_int_equal(size, 0);
    assert_non_null(mst_document_bytes(document, NULL));
    mst_place place = {.kind = MST_PLACE_FILE};
    REFUSED(mst_place_of(NULL, 0, 0, &place));
    assert_int_equal(place.kind, MST_PLACE_MADE);
    REFUSED(mst_place_of(document, 0, 0, NULL));
    mst_file_range range = {.size = sizeof range, .length = 1};
    REFUSED(mst_range_fields(NULL, &range, no_field, NULL, &why));
    REFUSED(mst_range_fields(document, NULL, no_field, NULL, &why));
    REFUSED(mst_range_fields(document, &range, NULL, NULL, &why));
    range.file = 1;
    REFUSED(mst_range_fields(document, &range, no_field, NULL, &why));
    range.size = 1, range.file = 0;
    REFUSED(mst_range_fields(document, &range, no_field, NULL, &why));
    mst_value root = mst_root(document);
    REFUSED(mst_value_places(&(mst_value){0}, no_place, NULL));
    REFUSED(mst_value_places(&root, NULL, NULL));
    mst_undo *undo;
    REFUSED(mst_undo_begin(NULL, &undo, &why));
    assert_null(undo);
    REFUSED(mst_undo_begin(document, NULL, &why));
    REFUSED(mst_undo_end(NULL, document, &why));
    REFUSED(mst_undo_swap(NULL, document, &why));
    assert_int_equal(mst_undo_memory(NULL), 0);
    mst_undo_free(NULL);
    assert_null(mst_place_bytes(NULL, &place, &(size_t){0}));
    assert_null(mst_place_bytes(document, NULL, &(size_t){0}));
    assert_null(mst_place_bytes(document, &place, &(size_t){0}));
    assert_null(mst_place_bytes(document, &place, NULL));
    assert_int_equal(mst_document_file_count(NULL), 0);
    assert_null(mst_document_file(NULL, 0, &name, &size));
    assert_string_equal(name, "");
    assert_non_null(mst_document_file(document, 0, NULL, NULL));
    assert_int_equal(mst_document_memory(NULL), 0);
    assert_int_equal(mst_is_edited(NULL), 0);
    assert_null(mst_checksum_path(NULL));
    assert_null(mst_index_file(NULL));
}

static mst_status stop_at_value(void *user, const char *path, const mst_value *value) {
    (void)user, (void)path, (void)value;
    return MST_UNKNOWN;
}

static void values(void **state) {
    (void)state;
    mst_value found, all = root(), none = mst_root(NULL);
    uint64_t offset = 1, length = 1, count = 1;
    assert_null(none.document);
    for (int zeros = 0; zeros < 2; zeros++) {
        const mst_value *v = zeros ? &nothing : NULL;
        int64_t integer;
        uint64_t number;
        double real;
        char text[8];
        const void *bytes;
        size_t size;
        assert_int_equal(mst_value_type(v), MST_TYPE_NONE);
        assert_string_equal(mst_value_field(v).name, "");
        assert_string_equal(mst_value_field(v).type_name, "");
        mst_value_span(v, &offset, &length);
        assert_int_equal(offset + length, 0);
        REFUSED(mst_member(v, "objects", &found));
        REFUSED(mst_element(v, 0, &found));
        assert_int_equal(mst_count(v), 0);
        mst_iterator it = mst_iterate(v);
        assert_int_equal(mst_next(&it, &found), 0);
        REFUSED(mst_get_integer(v, &integer));
        REFUSED(mst_get_unsigned(v, &number));
        REFUSED(mst_get_real(v, &real));
        REFUSED(mst_get_text(v, text, sizeof text, NULL));
        REFUSED(mst_get_bytes(v, &bytes, &size));
        assert_null(mst_get_name(v));
        REFUSED(mst_get_flags(v, text, sizeof text, NULL));
        mst_target target = {.data = text, .capacity = 1, .type = MST_U8};
        EXPLAINED(mst_read(v, &target, &count, diagnostic));
        EXPLAINED(mst_read_interleaved(v, 1, text, sizeof text, &count, diagnostic));
        EXPLAINED(mst_write_json(v, NULL, sink, diagnostic));
    }
    mst_value_span(&all, NULL, NULL);
    EXPLAINED(mst_find(nothing, "objects", &found, diagnostic));
    EXPLAINED(mst_find(all, NULL, &found, diagnostic));
    EXPLAINED(mst_select(nothing, "objects[*]", stop_at_value, NULL, NULL, diagnostic));
    EXPLAINED(mst_select(all, NULL, stop_at_value, NULL, NULL, diagnostic));
    EXPLAINED(mst_select(all, "objects[*]", NULL, NULL, NULL, diagnostic));
    assert_int_equal(mst_select(all, "objects[*]", stop_at_value, NULL, NULL, &why), MST_UNKNOWN);
    bool meets;
    EXPLAINED(mst_matches(NULL, "name=a", &meets, diagnostic));
    EXPLAINED(mst_matches(&nothing, "name=a", &meets, diagnostic));
    EXPLAINED(mst_matches(&all, NULL, &meets, diagnostic));
    EXPLAINED(mst_matches(&all, "name=a", NULL, diagnostic));
    assert_int_equal(mst_text_matches(NULL, "=a", NULL, &meets), MST_ARGUMENT);
    assert_int_equal(mst_text_matches("a", NULL, NULL, &meets), MST_ARGUMENT);
    assert_int_equal(mst_text_matches("a", "=a", NULL, NULL), MST_ARGUMENT);
    assert_false(mst_is_selector(NULL, 1));
    MUST(mst_find(all, "objects", NULL, &why), &why);
    REFUSED(mst_member(&all, NULL, &found));
    REFUSED(mst_member(&all, "objects", NULL));
    MUST(mst_find(all, "objects", &found, &why), &why);
    REFUSED(mst_element(&found, 0, NULL));
    mst_iterator it = mst_iterate(&all);
    assert_int_equal(mst_next(NULL, &found), 0);
    assert_int_equal(mst_next(&it, NULL), 0);
    MUST(mst_find(all, "version", &found, &why), &why);
    REFUSED(mst_get_integer(&found, NULL));
    REFUSED(mst_get_unsigned(&found, NULL));
    REFUSED(mst_get_real(&found, NULL));
    REFUSED(mst_get_flags(&found, NULL, 5, NULL));
    mst_target target = {.capacity = 1, .type = MST_U8};
    EXPLAINED(mst_read(&found, &target, &count, diagnostic));
    EXPLAINED(mst_read(&found, NULL, &count, diagnostic));
    target.capacity = 0;
    EXPLAINED(mst_read(&found, &target, NULL, diagnostic));
    MUST(mst_read(&found, &target, &count, &why), &why);
    assert_int_equal(count, 0);
    MUST(mst_find(all, "objects[0].class_name", &found, &why), &why);
    const void *bytes;
    size_t size;
    REFUSED(mst_get_text(&found, NULL, 5, NULL));
    MUST(mst_get_text(&found, NULL, 0, NULL), NULL);
    REFUSED(mst_get_bytes(&found, NULL, &size));
    REFUSED(mst_get_bytes(&found, &bytes, NULL));
    MUST(mst_find(all, "mesh.vertices", &found, &why), &why);
    float vertex[3];
    EXPLAINED(mst_read_interleaved(&found, 1, NULL, 5, &count, diagnostic));
    EXPLAINED(mst_read_interleaved(&found, 1, vertex, sizeof vertex, NULL, diagnostic));
    EXPLAINED(mst_write_json(&all, NULL, no_sink, diagnostic));
}

static void editing(void **state) {
    (void)state;
    EXPLAINED(mst_set(NULL, "version", "1", diagnostic));
    EXPLAINED(mst_set(document, NULL, "1", diagnostic));
    EXPLAINED(mst_set(document, "version", NULL, diagnostic));
    EXPLAINED(mst_remove(NULL, "objects[0]", diagnostic));
    EXPLAINED(mst_remove(document, NULL, diagnostic));
    mst_operation whole = {.kind = MST_OPERATION_REMOVE, .path = "objects[0]"},
                  half = {.kind = MST_OPERATION_SET, .path = "version"};
    EXPLAINED(mst_edit(NULL, &whole, 1, NULL, diagnostic));
    EXPLAINED(mst_edit(document, NULL, 1, NULL, diagnostic));
    EXPLAINED(mst_edit(document, &half, 1, NULL, diagnostic));
    mst_transaction *transaction = NULL;
    mst_operations *operations = NULL;
    EXPLAINED(mst_edit_begin(NULL, NULL, &transaction, diagnostic));
    EXPLAINED(mst_edit_begin(document, NULL, NULL, diagnostic));
    EXPLAINED(mst_edit_apply(NULL, &whole, diagnostic));
    EXPLAINED(mst_edit_commit(NULL, diagnostic));
    MUST(mst_edit_begin(document, NULL, &transaction, &why), &why);
    EXPLAINED(mst_edit_apply(transaction, NULL, diagnostic));
    EXPLAINED(mst_edit_apply(transaction, &half, diagnostic));
    mst_edit_abort(transaction);
    mst_edit_abort(NULL);
    assert_null(mst_edit_document(NULL));
    EXPLAINED(mst_operations_read(NULL, "a=5", 3, 0, NULL, diagnostic));
    EXPLAINED(mst_operations_read(&operations, NULL, 3, 0, NULL, diagnostic));
    assert_null(mst_operations_all(operations, NULL));
    mst_operations_free(operations);
    EXPLAINED(mst_insert(NULL, "objects[0]", "{}", diagnostic));
    EXPLAINED(mst_insert(document, NULL, "{}", diagnostic));
    EXPLAINED(mst_insert(document, "objects[0]", NULL, diagnostic));
    EXPLAINED(mst_paste(NULL, document, NULL, diagnostic));
    EXPLAINED(mst_paste(document, NULL, NULL, diagnostic));
    EXPLAINED(mst_update_grid(NULL, diagnostic));
    EXPLAINED(mst_fix(NULL, NULL, NULL, diagnostic));
    mst_labels *labels;
    mst_document *made;
    EXPLAINED(mst_labels_open(NULL, document, "objects", "layer", diagnostic));
    EXPLAINED(mst_labels_open(&labels, NULL, "objects", "layer", diagnostic));
    EXPLAINED(mst_labels_open(&labels, document, NULL, "layer", diagnostic));
    EXPLAINED(mst_labels_open(&labels, document, "objects", NULL, diagnostic));
    assert_null(mst_labels_name(NULL, 0, 0));
    mst_labels_close(NULL);
    EXPLAINED(mst_new(NULL, NULL, &made, diagnostic));
    EXPLAINED(mst_new("ns2-level", NULL, NULL, diagnostic));
    assert_null(mst_template_name(NULL, 0, NULL));
    EXPLAINED(mst_update_index(NULL, document, diagnostic));
    EXPLAINED(mst_update_index(document, NULL, diagnostic));
}

static mst_status see_change(void *user, const mst_difference *change) {
    (void)user, (void)change;
    return MST_OK;
}

static void comparing(void **state) {
    (void)state;
    EXPLAINED(mst_diff(NULL, document, NULL, see_change, NULL, diagnostic));
    EXPLAINED(mst_diff(document, NULL, NULL, see_change, NULL, diagnostic));
    EXPLAINED(mst_diff(document, document, NULL, NULL, NULL, diagnostic));
    mst_sink nowhere = {NULL, NULL}, buffer = mst_buffer_sink(NULL);
    EXPLAINED(mst_patch_make(NULL, document, NULL, buffer, diagnostic));
    EXPLAINED(mst_patch_make(document, NULL, NULL, buffer, diagnostic));
    EXPLAINED(mst_patch_make(document, document, NULL, nowhere, diagnostic));
    uint64_t conflicts;
    EXPLAINED(mst_merge(NULL, document, document, NULL, &conflicts, diagnostic));
    EXPLAINED(mst_merge(document, NULL, document, NULL, &conflicts, diagnostic));
    EXPLAINED(mst_merge(document, document, NULL, NULL, NULL, diagnostic));
    EXPLAINED(mst_patch_apply(NULL, "", 0, NULL, diagnostic));
    EXPLAINED(mst_patch_apply(document, NULL, 0, NULL, diagnostic));
}

static mst_status take_file(void *user, const mst_merged_file *merged) {
    (void)user, (void)merged;
    return MST_OK;
}

/* Files in place of documents: all of them, and no document as well. */
static void comparing_files(void **state) {
    (void)state;
    mst_container *folder = NULL;
    MUST(mst_container_open("include/mapstone", NULL, &folder, &why), &why);
    mst_sink buffer = mst_buffer_sink(NULL), nowhere = {NULL, NULL};
    mst_document *made = document;
    for (int lacking = 0; lacking < 5; lacking++) { /* each of them once */
        mst_container *one = lacking == 0 ? NULL : folder, *other = lacking == 1 ? NULL : folder;
        mst_container *third = lacking == 2 ? NULL : folder;
        mst_document *with = lacking == 4 ? made : NULL;
        const mst_diff_files both = {.size = sizeof both, .old_files = one, .new_files = other};
        const mst_diff_options diff = {.size = sizeof diff, .files = &both};
        if (lacking < 2 || with) {
            EXPLAINED(mst_diff(with, NULL, &diff, see_change, NULL, diagnostic));
            EXPLAINED(mst_diff(NULL, with, &diff, lacking < 2 ? NULL : see_change, NULL, diagnostic));
        }
        const mst_patch_files sides = {
            .size = sizeof sides, .files = one, .new_files = other, .take = take_file};
        const mst_patch_options patch = {.size = sizeof patch, .files = &sides};
        if (lacking < 2 || with)
            EXPLAINED(mst_patch_make(with, NULL, &patch, buffer, diagnostic));
        if (lacking == 0 || with)
            EXPLAINED(mst_patch_apply(with, "", 0, &patch, diagnostic));
        const mst_merge_files all = {.size = sizeof all,
                                     .ours = one,
                                     .base = other,
                                     .theirs = third,
                                     .take = lacking == 3 ? NULL : take_file};
        const mst_merge_options merge = {.size = sizeof merge, .files = &all};
        EXPLAINED(mst_merge(with, NULL, NULL, &merge, NULL, diagnostic));
    }
    const mst_patch_files silent = {.size = sizeof silent, .files = folder, .new_files = folder};
    const mst_patch_options patch = {.size = sizeof patch, .files = &silent};
    EXPLAINED(mst_patch_make(NULL, NULL, &patch, nowhere, diagnostic));
    EXPLAINED(mst_patch_apply(NULL, "", 0, &patch, diagnostic)); /* without a result */
    EXPLAINED(mst_patch_apply(NULL, NULL, 0, &patch, diagnostic));
    const mst_diff_files old = {.size = 0};
    EXPLAINED(mst_diff(NULL, NULL, &(mst_diff_options){.size = sizeof(mst_diff_options), .files = &old}, NULL,
                       NULL, diagnostic));
    mst_container_close(folder);
}

static void saving(void **state) {
    (void)state;
    mst_file_writer *writers[MST_SAVE_FILES] = {NULL};
    mst_file_watch zeros = {0};
    mst_document *made = document;
    size_t count;
    EXPLAINED(mst_save(NULL, sink, diagnostic));
    EXPLAINED(mst_save(document, no_sink, diagnostic));
    EXPLAINED(mst_save_file(NULL, "out/x", diagnostic));
    EXPLAINED(mst_save_file(document, NULL, diagnostic));
    EXPLAINED(mst_save_begin(NULL, "out/x", NULL, writers, &count, diagnostic));
    EXPLAINED(mst_save_begin(document, NULL, NULL, writers, &count, diagnostic));
    EXPLAINED(mst_save_begin(document, "out/x", NULL, NULL, &count, diagnostic));
    EXPLAINED(mst_save_begin(document, "out/x", NULL, writers, NULL, diagnostic));
    EXPLAINED(mst_encode(NULL, sink, diagnostic));
    EXPLAINED(mst_encode(document, no_sink, diagnostic));
    EXPLAINED(mst_rebuild(NULL, &made, diagnostic));
    assert_null(made);
    EXPLAINED(mst_rebuild(document, NULL, diagnostic));
    EXPLAINED(mst_convert(NULL, NULL, NULL, NULL, &made, diagnostic));
    EXPLAINED(mst_convert(document, NULL, NULL, NULL, NULL, diagnostic));
    mst_convert_options as_it_is = {.size = sizeof as_it_is};
    MUST(mst_convert(document, &as_it_is, NULL, NULL, &made, &why), &why);
    mst_close(made);
    mst_file_writer *made_writer = writers[0];
    EXPLAINED(mst_file_create(NULL, NULL, &made_writer, diagnostic));
    EXPLAINED(mst_file_create("out/x", NULL, NULL, diagnostic));
    EXPLAINED(mst_file_recover(NULL, NULL, NULL, diagnostic));
    assert_int_equal(mst_file_replaces(NULL), 0);
    assert_int_equal(mst_file_other_names(NULL), 0);
    assert_null(mst_file_sink(NULL).write);
    mst_file_expect(NULL, NULL, 0);
    mst_file_hurry(NULL);
    mst_file_abandon(NULL);
    EXPLAINED(mst_file_finish(NULL, diagnostic));
    EXPLAINED(mst_file_finish_all(NULL, 1, diagnostic));
    MUST(mst_file_finish_all(NULL, 0, &why), &why);
    mkdir("out", 0777);
    mst_allocator standard = {0};
    const mst_file_options how = {.size = sizeof how, .allocator = &standard, .watch = &zeros};
    MUST(mst_file_create("out/arguments", &how, &writers[0], &why), &why);
    mst_file_writer *missing[] = {writers[0], NULL};
    REFUSED(mst_file_finish_all(missing, 2, &why)); /* and discards the other */
    assert_true(access("out/arguments", F_OK) != 0);
}

static void looking(void **state) {
    (void)state;
    mst_ledger ledger;
    mst_resolver none = {0};
    mst_check_options check = {.size = sizeof check, .sidecars = &none};
    EXPLAINED(mst_byte_coverage(NULL, &ledger, diagnostic));
    EXPLAINED(mst_byte_coverage(document, NULL, diagnostic));
    REFUSED(mst_walk(NULL, pass, NULL));
    REFUSED(mst_walk(document, NULL, NULL));
    REFUSED(mst_walk_files(NULL, pass, NULL));
    REFUSED(mst_walk_files(document, NULL, NULL));
    EXPLAINED(mst_check(NULL, NULL, NULL, NULL, NULL, diagnostic));
    MUST(mst_check(document, &check, NULL, NULL, NULL, &why), &why);
    assert_null(mst_code_at(NULL, 0));
    assert_null(mst_fix_of(NULL, "REV-HASH"));
    assert_null(mst_fix_of(mst_format_at(0), NULL));
    EXPLAINED(mst_describe(NULL, "triggers", NULL, sink, diagnostic));
    EXPLAINED(mst_describe(document, NULL, NULL, sink, diagnostic));
    alien_level *small = malloc(sizeof *small);
    writer map = {0};
    mst_document *alien;
    assert_non_null(small);
    alien_small(small);
    write_alien_level(&map, small, false);
    MUST(mst_open_memory(map.data, map.size, NULL, &alien, &why), &why);
    EXPLAINED(mst_describe(alien, "triggers", NULL, no_sink, diagnostic));
    mst_close(alien);
    writer_free(&map);
    free(small);
    const mst_format_information *format = mst_document_format(document);
    for (int kind = MST_SPECIFICATION_MARKDOWN; kind <= MST_SPECIFICATION_MAGIC; kind++) {
        REFUSED(mst_write_specification(NULL, (mst_specification)kind, NULL, sink));
        REFUSED(mst_write_specification(format, (mst_specification)kind, NULL, no_sink));
        REFUSED(mst_write_specification(format, (mst_specification)kind, "LargeCrate", no_sink));
    }
    REFUSED(mst_write_specification(format, MST_SPECIFICATION_HTML, "LargeCrate", sink)); /* only Markdown */
    REFUSED(mst_write_specification(format, (mst_specification)6, NULL, sink));
    REFUSED(mst_write_specification(format, (mst_specification)-1, NULL, sink));
    REFUSED(mst_write_specification(NULL, MST_SPECIFICATION_MARKDOWN, "LargeCrate", sink));
    assert_null(mst_record_reference_name(NULL, 0));
    char words[8];
    mst_value whole = mst_root(document);
    REFUSED(mst_guess_content(NULL, words, sizeof words));
    REFUSED(mst_guess_content(&whole, NULL, sizeof words));
    REFUSED(mst_guess_content(&whole, words, 0));
}

static void scenes(void **state) {
    (void)state;
    mst_scene *scene = NULL, zeros = {0};
    mst_resolver none = {0};
    mst_scene_options options = {.size = sizeof options, .sidecars = &none};
    const mst_document *missing[] = {document, NULL};
    EXPLAINED(mst_scene_from_document(NULL, NULL, &scene, diagnostic));
    EXPLAINED(mst_scene_from_document(document, NULL, NULL, diagnostic));
    EXPLAINED(mst_scene_from_documents(NULL, 1, NULL, &scene, diagnostic));
    EXPLAINED(mst_scene_from_documents(missing, 2, NULL, &scene, diagnostic));
    EXPLAINED(mst_scene_from_documents(missing, 1, NULL, NULL, diagnostic));
    EXPLAINED(mst_scene_from_documents(missing, 0, NULL, &scene, diagnostic));
    MUST(mst_scene_from_document(document, &options, &scene, &why), &why);
    EXPLAINED(mst_scene_choose(NULL, NULL, diagnostic));
    EXPLAINED(mst_scene_choose(scene, &(mst_scene_choice){.size = sizeof(mst_scene_choice), .only_count = 1},
                               diagnostic));
    EXPLAINED(mst_scene_choose(scene,
                               &(mst_scene_choice){.size = sizeof(mst_scene_choice),
                                                   .hide = (const char *[]){NULL},
                                                   .hide_count = 1},
                               diagnostic));
    mst_pixels pixels = {0};
    EXPLAINED(mst_scene_image_read(NULL, 0, &pixels, diagnostic));
    EXPLAINED(mst_scene_image_read(scene, 0, NULL, diagnostic));
    assert_int_equal(mst_scene_image_read(&zeros, 0, &pixels, &why), MST_NO_PATH);
    EXPLAINED(mst_scene_write_glb(NULL, NULL, sink, diagnostic));
    EXPLAINED(mst_scene_write_glb(scene, NULL, no_sink, diagnostic));
    EXPLAINED(mst_scene_write_gltf(NULL, NULL, "a.bin", sink, sink, diagnostic));
    EXPLAINED(mst_scene_write_gltf(scene, NULL, "a.bin", no_sink, sink, diagnostic));
    EXPLAINED(mst_scene_write_gltf(scene, NULL, "a.bin", sink, no_sink, diagnostic));
    mst_imported *imported;
    EXPLAINED(mst_import(NULL, "{}", 2, NULL, &imported, diagnostic));
    EXPLAINED(mst_scene_export(NULL, NULL, sink, diagnostic));
    EXPLAINED(mst_scene_export(scene, NULL, no_sink, diagnostic));
    EXPLAINED(mst_write_fgd(NULL, sink, diagnostic));
    EXPLAINED(mst_write_fgd("ns2-level", no_sink, diagnostic));
    mst_pixels picture = {0};
    EXPLAINED(mst_scene_draw(NULL, NULL, &picture, diagnostic));
    EXPLAINED(mst_scene_draw(scene, NULL, NULL, diagnostic));
    EXPLAINED(mst_scene_write_png(NULL, NULL, sink, diagnostic));
    EXPLAINED(mst_scene_write_png(scene, NULL, no_sink, diagnostic));
    EXPLAINED(mst_scene_write_svg(NULL, NULL, sink, diagnostic));
    EXPLAINED(mst_scene_write_svg(scene, NULL, no_sink, diagnostic));
    EXPLAINED(mst_scene_draw_changes(NULL, scene, NULL, 0, NULL, &picture, diagnostic));
    EXPLAINED(mst_scene_draw_changes(scene, NULL, NULL, 0, NULL, &picture, diagnostic));
    EXPLAINED(mst_scene_draw_changes(scene, scene, NULL, 1, NULL, &picture, diagnostic));
    EXPLAINED(mst_scene_draw_changes(scene, scene, NULL, 0, NULL, NULL, diagnostic));
    mst_pixels_free(NULL);
    mst_pixels_free(&picture);
    mst_scene_free(scene);
    mst_scene_free(NULL);
    mst_bounds none_at_all = mst_scene_bounds(NULL, 0);
    assert_true(none_at_all.minimum[0] > none_at_all.maximum[0]);
    mst_scene_bounds(&zeros, 0);
    char text[4] = "abc";
    assert_int_equal(mst_scene_source_path(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(mst_scene_source_path(&(mst_scene_source){"", "objects", MST_NO_INDEX}, NULL, 0), 7);
    assert_null(mst_scene_triangle_source(NULL, 0, 0, 0).path);
    assert_null(mst_scene_triangle_source(&zeros, 0, 0, 0).path);
    none_at_all = mst_scene_file_bounds(NULL, &none_at_all);
    assert_true(none_at_all.minimum[0] > none_at_all.maximum[0]);
    none_at_all = mst_scene_file_bounds(&zeros, NULL);
    assert_true(none_at_all.minimum[0] > none_at_all.maximum[0]);
    int axes[3] = {1, 2, 3};
    mst_scene_axes(&zeros, NULL);
    mst_scene_axes(NULL, axes);
    assert_true(!axes[0] && !axes[1] && !axes[2]);
    mst_status status = mst_scene_write_glb(&zeros, NULL, sink, &why);
    assert_true(status == MST_OK || status == MST_ARGUMENT);
    status = mst_scene_draw(&zeros, NULL, &picture, &why);
    assert_true(status == MST_OK || status == MST_ARGUMENT);
    mst_pixels_free(&picture);
    mst_search *search = NULL;
    MUST(mst_search_create(NULL, &search), NULL);
    mst_resolver resolver = mst_search_resolver(search);
    EXPLAINED(mst_gltf_check(NULL, 5, &resolver, ignore, NULL, diagnostic));
    EXPLAINED(mst_gltf_check("{}", 2, NULL, ignore, NULL, diagnostic));
    EXPLAINED(mst_gltf_check("{}", 2, &none, ignore, NULL, diagnostic));
    EXPLAINED(mst_gltf_check("{}", 2, &resolver, NULL, NULL, diagnostic));
    mst_search_free(search);
    assert_null(mst_gltf_code_at(SIZE_MAX));
}

static void pictures(void **state) {
    (void)state;
    mst_pixels pixels = {0};
    uint8_t one[4] = {0};
    char name[MST_IMAGE_NAME];
    mst_pixels_free(NULL);
    mst_pixels_free(&pixels);
    EXPLAINED(mst_pixels_write_png(NULL, sink, diagnostic));
    EXPLAINED(mst_pixels_write_png(&pixels, sink, diagnostic));
    EXPLAINED(mst_pixels_write_png(&(mst_pixels){.width = 1, .height = 1}, sink, diagnostic));
    EXPLAINED(mst_pixels_write_png(&(mst_pixels){.height = 1, .data = one}, sink, diagnostic));
    EXPLAINED(mst_pixels_write_png(&(mst_pixels){.width = 1, .height = 1, .data = one}, no_sink, diagnostic));
    EXPLAINED(mst_pixels_read_png(NULL, 5, &pixels, diagnostic));
    EXPLAINED(mst_pixels_read_png(one, 4, NULL, diagnostic));
    assert_int_equal(mst_image_count(NULL), 0);
    EXPLAINED(mst_image_read(NULL, 0, 0, NULL, &pixels, name, diagnostic));
    EXPLAINED(mst_image_read(document, 0, 0, NULL, NULL, name, diagnostic));
    EXPLAINED(mst_image_read(NULL, 0, 0, NULL, &pixels, NULL, diagnostic));
    assert_int_equal(mst_image_levels(NULL, 0), 0);
    EXPLAINED(mst_image_read(NULL, 0, 1, NULL, &pixels, NULL, diagnostic));
    EXPLAINED(mst_image_read(document, 0, 1, NULL, NULL, NULL, diagnostic));
    EXPLAINED(mst_image_read(document, 0, 1, NULL, &pixels, NULL, diagnostic));
    EXPLAINED(mst_image_replace(NULL, 0, NULL, &pixels, diagnostic));
    EXPLAINED(mst_image_replace(document, 0, NULL, NULL, diagnostic));
}

static void sets(void **state) {
    (void)state;
    mst_memo memo = {0};
    mst_memo_clear(NULL);
    mst_memo_clear(&memo);
    REFUSED(mst_search_create(NULL, NULL));
    mst_search *search;
    MUST(mst_search_create(NULL, &search), NULL);
    EXPLAINED(mst_search_add(NULL, ".", diagnostic));
    EXPLAINED(mst_search_add(search, NULL, diagnostic));
    mst_search_free(search);
    mst_search_free(NULL);
    assert_null(mst_search_resolver(NULL).find);
    assert_null(mst_search_found(NULL));
    mst_search_unmapped(NULL);
    mst_container *set = NULL;
    mst_container_bytes bytes = {0};
    size_t size;
    char first[4];
    EXPLAINED(mst_container_open(NULL, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open(".", NULL, NULL, diagnostic));
    const mst_container_files files = {.size = sizeof files}, unnamed = {.size = sizeof files, .count = 1},
                              old = {.size = 8};
    EXPLAINED(mst_container_open_files(NULL, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_files(&files, NULL, NULL, diagnostic));
    EXPLAINED(mst_container_open_files(&unnamed, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_files(&old, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_slices(NULL, 0, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_slices(&files, 0, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_slices(&unnamed, 0, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_slices(&old, 0, NULL, &set, diagnostic));
    EXPLAINED(mst_container_open_slices(&unnamed, 0, NULL, NULL, diagnostic));
    assert_int_equal(mst_container_is_archive(NULL, 100), 0);
    assert_int_equal(mst_container_count(NULL), 0);
    assert_int_equal(mst_container_omitted(NULL), 0);
    assert_null(mst_container_name(NULL, 0));
    assert_int_equal(mst_container_size(NULL, 0), 0);
    assert_true(mst_container_find(NULL, "a") == SIZE_MAX);
    assert_int_equal(mst_container_is_streamed(NULL), 0);
    assert_true(mst_container_at(NULL, 0) == SIZE_MAX);
    EXPLAINED(mst_container_read(NULL, 0, &bytes, diagnostic));
    mst_container_release(NULL, &bytes);
    EXPLAINED(mst_container_peek(NULL, 0, first, sizeof first, &size, diagnostic));
    assert_null(mst_container_resolver(NULL).find);
    mst_container_close(NULL);
    mst_container_options zeros = {.size = sizeof zeros};
    MUST(mst_container_open("include/mapstone", &zeros, &set, &why), &why);
    assert_true(mst_container_find(set, NULL) == SIZE_MAX);
    EXPLAINED(mst_container_read(set, 0, NULL, diagnostic));
    mst_container_release(set, NULL);
    mst_container_release(set, &bytes);
    EXPLAINED(mst_container_peek(set, 0, NULL, 4, &size, diagnostic));
    EXPLAINED(mst_container_peek(set, 0, first, sizeof first, NULL, diagnostic));
    mst_container_close(set);
}

static mst_status take_level(void *user, const char *opened, const mst_format_information *format) {
    (void)user, (void)opened, (void)format;
    return MST_OK;
}

static void levels(void **state) {
    (void)state;
    mst_level *opened = NULL;
    mst_level_options zeros = {.size = sizeof zeros};
    mst_document *found = document;
    mst_entities *entities = NULL;
    mst_sprites *sprites;
    mst_assets *assets;
    mst_scene *scene = NULL;
    mst_level_cache *cache = NULL;
    size_t size = 5;
    const mst_format_information *format;
    EXPLAINED(mst_level_open(NULL, NULL, &opened, diagnostic));
    EXPLAINED(mst_level_open(".", NULL, NULL, diagnostic));
    EXPLAINED(mst_level_add(NULL, "a", NULL, diagnostic));
    EXPLAINED(mst_level_list(NULL, NULL, take_level, NULL, diagnostic));
    EXPLAINED(mst_level_list(".", NULL, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_identify(NULL, NULL, &format, NULL, diagnostic));
    EXPLAINED(mst_level_identify(".", NULL, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_rename(NULL, 0, "x", diagnostic));
    assert_int_equal(mst_save_path(NULL, "x", 0, NULL, 0), 0);
    REFUSED(mst_level_cache_create(NULL, NULL));
    MUST(mst_level_cache_create(NULL, &cache), NULL);
    assert_int_equal(mst_level_group(NULL, 1), 0);
    mst_level_cache_trim(NULL);
    mst_level_cache_trim(cache);
    mst_level_cache_free(cache);
    mst_level_cache_free(NULL);
    assert_int_equal(mst_level_count(NULL), 0);
    assert_null(mst_level_document(NULL, 0));
    assert_null(mst_level_path(NULL, 0));
    assert_int_equal(mst_level_is_json(NULL, 0), 0);
    assert_int_equal(mst_level_is_salvaged(NULL, 0), 0);
    assert_null(mst_level_bytes_of(NULL, 0, &size));
    assert_int_equal(size, 0);
    assert_null(mst_level_bytes_of(NULL, 0, NULL));
    EXPLAINED(mst_level_find(NULL, "", &found, diagnostic));
    assert_null(mst_level_sidecars(NULL));
    EXPLAINED(mst_level_entities(NULL, &entities, diagnostic));
    mst_entities_free(NULL);
    EXPLAINED(mst_level_scene(NULL, NULL, &scene, diagnostic));
    EXPLAINED(mst_sheet_begin(1, 0, (mst_sink){NULL, NULL}, NULL, diagnostic));
    EXPLAINED(mst_sheet_add(NULL, NULL, diagnostic));
    EXPLAINED(mst_sheet_end(NULL, diagnostic));
    assert_int_equal(mst_format_is_drawn(NULL), 0);
    EXPLAINED(mst_container_replace(NULL, 0, NULL, 0, (mst_sink){NULL, NULL}, diagnostic));
    EXPLAINED(mst_level_assets(NULL, &assets, diagnostic));
    EXPLAINED(mst_assets_of(NULL, 1, NULL, &assets, diagnostic));
    EXPLAINED(mst_assets_of(NULL, 0, NULL, NULL, diagnostic));
    mst_assets_free(NULL);
    assert_string_equal(mst_asset_kind_name((mst_asset_kind)99), "asset");
    EXPLAINED(mst_level_check(NULL, NULL, NULL, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_save(NULL, NULL, diagnostic));
    EXPLAINED(mst_level_save_as(NULL, 0, "out/x", NULL, diagnostic));
    mst_level_close(NULL);
    assert_int_equal(mst_level_open("include/mapstone/level.h", &zeros, &opened, NULL), MST_UNKNOWN);
    assert_null(opened);
    MUST(mst_level_open("samples/outpost.json",
                        &(mst_level_options){.size = sizeof(mst_level_options), .json = 1}, &opened, &why),
         &why);
    assert_null(mst_level_document(opened, 1));
    assert_null(mst_level_path(opened, 1));
    EXPLAINED(mst_level_add(opened, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_find(opened, NULL, &found, diagnostic));
    EXPLAINED(mst_level_find(opened, "", NULL, diagnostic));
    EXPLAINED(mst_level_entities(opened, NULL, diagnostic));
    EXPLAINED(mst_level_scene(opened, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_sprites(NULL, NULL, &sprites, diagnostic));
    EXPLAINED(mst_level_sprites(opened, NULL, NULL, diagnostic));
    size_t *older = malloc(sizeof *older); /* the options of a program that knows only the first member */
    assert_non_null(older);
    *older = sizeof *older;
    assert_int_equal(mst_level_sprites(opened, (const mst_sprites_options *)older, &sprites, NULL),
                     mst_level_sprites(opened, NULL, &sprites, NULL));
    free(older);
    EXPLAINED(mst_level_assets(opened, NULL, diagnostic));
    EXPLAINED(mst_level_save_as(opened, 0, NULL, NULL, diagnostic));
    EXPLAINED(mst_level_save_as(opened, 1, "out/x", NULL, diagnostic));
    mst_level_close(opened);
}

static void no_sprites(void **state) {
    const mst_document *none[] = {NULL};
    mst_sprites *sprites;
    mst_pixels pixels = {0};
    (void)state;
    EXPLAINED(mst_sprites_from_documents(NULL, 1, NULL, &sprites, diagnostic));
    EXPLAINED(mst_sprites_from_documents(none, 0, NULL, &sprites, diagnostic));
    EXPLAINED(mst_sprites_from_documents(none, 1, NULL, &sprites, diagnostic));
    EXPLAINED(mst_sprites_from_documents(none, 1, NULL, NULL, diagnostic));
    EXPLAINED(mst_sprites_draw(NULL, NULL, &pixels, diagnostic));
    assert_int_equal(mst_sprites_at(NULL, 0, 0), SIZE_MAX);
    mst_sprites_free(NULL);
}

/* Every function of the public headers is called above. */
static void none_is_missing(void **state) {
    (void)state;
    static const char *const headers[] = {"base",  "document", "export", "file",   "image",
                                          "level", "picture",  "scene",  "search", "container",
                                          "edit",  "sprites",  "diff",   "asset"};
    size_t size, count = 0, missing = 0;
    char *own = (char *)read_whole("tests/test_arguments.c", &size);
    if (!own)
        skip(); /* not run in the sources */
    own[size - 1] = 0;
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        char path[80];
        snprintf(path, sizeof path, "include/mapstone/%s.h", headers[h]);
        char *text = (char *)read_whole(path, &size);
        assert_non_null(text);
        text[size - 1] = 0;
        for (char *at = text; (at = strstr(at, "\nMST_API ")); at++) {
            char *end = strchr(at, '('), *name = end;
            assert_non_null(end);
            while (name[-1] == '_' || (name[-1] >= '0' && name[-1] <= '9') ||
                   (name[-1] >= 'a' && name[-1] <= 'z'))
                name--;
            char called[80];
            snprintf(called, sizeof called, "%.*s(", (int)(end - name), name);
            if (!strstr(own, called))
                print_error("%s is not called\n", called);
            missing += !strstr(own, called);
            count++;
        }
        free(text);
    }
    free(own);
    assert_int_equal(missing, 0);
    assert_true(count > 90);
}

int test_arguments(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base),      cmocka_unit_test(opening),         cmocka_unit_test(of_documents),
        cmocka_unit_test(values),    cmocka_unit_test(editing),         cmocka_unit_test(saving),
        cmocka_unit_test(looking),   cmocka_unit_test(scenes),          cmocka_unit_test(pictures),
        cmocka_unit_test(sets),      cmocka_unit_test(levels),          cmocka_unit_test(no_sprites),
        cmocka_unit_test(comparing), cmocka_unit_test(comparing_files), cmocka_unit_test(none_is_missing),
    };
    return cmocka_run_group_tests(tests, open_level, close_level);
}
