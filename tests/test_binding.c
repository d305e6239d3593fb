/* SPDX-License-Identifier: MIT */
/* Structs filled from records: the fields that bindings name are in the tables, and the filled values are
 * right. */
#include "../src/read/binding.h"
#include "ns2_level.h"

/* ---- the bindings of every format --------------------------------------------------------------- */

static bool is_float(uint8_t kind) {
    return kind == MST_KIND_F32 || kind == MST_KIND_F64;
}

/* Whether every number of the field's kind fits the member. */
static bool number_fits(const mst_field *field, uint8_t type) {
    static const uint8_t kinds[] = {MST_KIND_F32, MST_KIND_F64, MST_KIND_U8,  MST_KIND_I8,  MST_KIND_U16,
                                    MST_KIND_I16, MST_KIND_U32, MST_KIND_I32, MST_KIND_U64, MST_KIND_I64};
    if (type == MST_BOUND_BOOL)
        return !is_float(field->kind);
    uint8_t kind = kinds[type];
    if (is_float(field->kind) || is_float(kind))
        return field->kind == kind;
    unsigned from = mst_kind_width[field->kind], to = mst_kind_width[kind];
    return mst_is_signed(field->kind) == mst_is_signed(kind) ? from <= to
                                                             : !mst_is_signed(field->kind) && from < to;
}

static bool field_fits(const mst_field *field, const mst_binding *binding) {
    if (binding->type == MST_BOUND_VALUE) /* an inline record would be replaced by its field */
        return binding->components == 1 &&
               !(field->record && field->record->is_inline && field->mode == MST_COUNT_ONE);
    /* for lists of any length, as many elements as the member has are taken */
    bool several = field->mode == MST_COUNT_ONE || field->mode == MST_COUNT_FIXED;
    uint32_t count = field->mode == MST_COUNT_ONE ? 1 : field->count;
    return mst_is_number(field) && number_fits(field, binding->type) &&
           (!several || count == binding->components);
}

/* The fault of a binding; NULL: none. */
static const char *wrong_with(const mst_record *record, const mst_binding *binding) {
    size_t found = 0;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (strcmp(field->name, binding->name) != 0)
            continue;
        found++;
        if (!field_fits(field, binding))
            return "is of another type or length";
    }
    return found ? NULL : "is not in the tables";
}

static const mst_record *record_named(const mst_format *format, const char *name) {
    const mst_record *found = NULL;
    for (size_t i = 0; i < format->tables.record_count; i++)
        if (strcmp(format->tables.records[i]->name, name) == 0) {
            assert_null(found); /* names are unique */
            found = format->tables.records[i];
        }
    return found;
}

static void every_binding(void **state) {
    (void)state;
    size_t wrong = 0, looked_at = 0;
    for (size_t f = 0; mst_formats[f]; f++)
        for (size_t i = 0; i < mst_formats[f]->tables.bindings_count; i++) {
            const mst_bindings *bindings = mst_formats[f]->tables.bindings[i];
            const mst_record *record = record_named(mst_formats[f], bindings->record);
            const char *format = mst_formats[f]->information.id;
            if (!record) {
                print_error("%s has no record %s\n", format, bindings->record);
                wrong++;
                continue;
            }
            for (uint16_t b = 0; b < bindings->count; b++, looked_at++) {
                const char *problem = wrong_with(record, &bindings->items[b]);
                if (problem)
                    print_error("%s: %s.%s %s\n", format, record->name, bindings->items[b].name, problem);
                wrong += problem != NULL;
            }
        }
    assert_int_equal(wrong, 0);
    assert_true(looked_at > 8);
}

typedef struct odd {
    float position[2];
    uint8_t narrow;
    mst_value value;
} odd;

/* The check above would detect it. */
static void wrong_bindings(void **state) {
    (void)state;
    static const mst_field fields[] = {
        {.name = "position", .kind = MST_KIND_F32, .mode = MST_COUNT_FIXED, .count = 3},
        {.name = "wide", .kind = MST_KIND_U16},
        {.name = "signed", .kind = MST_KIND_I8},
        {.name = "twice", .kind = MST_KIND_U8},
        {.name = "twice", .kind = MST_KIND_U32},
        {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    };
    static const mst_record record = {.fields = fields, .field_count = MST_COUNT_OF(fields)};
    const mst_binding bad[] = {MST_BINDING(odd, position, "position"), MST_BINDING(odd, narrow, "wide"),
                               MST_BINDING(odd, narrow, "signed"),     MST_BINDING(odd, narrow, "twice"),
                               MST_BINDING(odd, narrow, "text"),       MST_BINDING(odd, position, "wide"),
                               MST_BINDING(odd, value, "absent")};
    for (size_t i = 0; i < MST_COUNT_OF(bad); i++)
        assert_non_null(wrong_with(&record, &bad[i]));
    assert_null(wrong_with(&record, &(mst_binding)MST_BINDING(odd, value, "text")));
}

/* ---- filling ------------------------------------------------------------------------------------ */

typedef struct bound_face {
    uint32_t before;
    float offset[2];
    uint64_t material;
    bool grouped;
    mst_value loops;
    uint32_t after;
} bound_face;
static const mst_binding face_items[] = {
    MST_BINDING(bound_face, loops, "loops"), MST_BINDING(bound_face, material, "material"),
    MST_BINDING(bound_face, offset, "offset"), MST_BINDING(bound_face, grouped, "mapping_group")};
static const mst_bindings face_bindings = MST_BINDINGS(bound_face, "face", face_items);

typedef struct bound_object {
    mst_value class_name, properties, extras;
    uint32_t group;
    uint32_t layer_masks[2];
} bound_object;
static const mst_binding object_items[] = {
    MST_BINDING(bound_object, class_name, "class_name"), MST_BINDING(bound_object, properties, "properties"),
    MST_BINDING(bound_object, extras, "extras"), MST_BINDING(bound_object, group, "group"),
    MST_BINDING(bound_object, layer_masks, "layer_masks")};
static const mst_bindings object_bindings = MST_BINDINGS(bound_object, "object", object_items);

static mst_value find_in(const mst_document *document, const char *path) {
    mst_value value;
    MUST(mst_find(mst_root(document), path, &value, NULL), NULL);
    return value;
}

static mst_document *open_level(writer *w, unsigned version) {
    level_plan plan = {.version = version, .everything = true};
    mst_document *document;
    mst_diagnostic why;
    write_level(w, &plan);
    MUST(mst_open_memory(w->data, w->size, NULL, &document, &why), &why);
    return document;
}

/* Compared with the values found by paths. */
static void structs_and_paths_agree(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        writer w = {0};
        mst_document *document = open_level(&w, version);
        mst_bound face_bound, object_bound;
        mst_bind(document, &face_bindings, &face_bound);
        mst_bind(document, &object_bindings, &object_bound);
        assert_int_equal(face_bound.direct, 3);
        mst_value list = find_in(document, "mesh.faces"), element, expected;
        uint64_t index = 0, number = 0;
        char path[80];
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
            bound_face face = {.before = 7, .after = 8};
            mst_fill(&face_bound, &element, &face);
            assert_int_equal(face.before, 7);
            assert_int_equal(face.after, 8);
            snprintf(path, sizeof path, "mesh.faces[%u].material", (unsigned)index);
            expected = find_in(document, path);
            MUST(mst_get_unsigned(&expected, &number), NULL);
            assert_int_equal(face.material, number);
            snprintf(path, sizeof path, "mesh.faces[%u].mapping_group", (unsigned)index);
            expected = find_in(document, path);
            MUST(mst_get_unsigned(&expected, &number), NULL);
            assert_int_equal(face.grouped, number != 0);
            snprintf(path, sizeof path, "mesh.faces[%u].offset[1]", (unsigned)index);
            expected = find_in(document, path);
            double real;
            MUST(mst_get_real(&expected, &real), NULL);
            assert_true((double)face.offset[1] == real);
            snprintf(path, sizeof path, "mesh.faces[%u].loops", (unsigned)index);
            expected = find_in(document, path);
            assert_int_equal(face.loops.offset, expected.offset);
            assert_int_equal(mst_count(&face.loops), mst_count(&expected));
        }
        assert_true(index > 0);
        list = find_in(document, "objects");
        index = 0;
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
            bound_object object = {.group = 77};
            mst_fill(&object_bound, &element, &object);
            snprintf(path, sizeof path, "objects[%u].class_name", (unsigned)index);
            expected = find_in(document, path);
            assert_int_equal(object.class_name.offset, expected.offset);
            snprintf(path, sizeof path, "objects[%u].properties", (unsigned)index);
            expected = find_in(document, path);
            assert_int_equal(object.properties.offset, expected.offset);
            assert_int_equal(mst_count(&object.properties), mst_count(&expected));
            assert_int_equal(object.extras.document != NULL, version >= 10);
            snprintf(path, sizeof path, "objects[%u].group", (unsigned)index);
            bool has_group = mst_find(mst_root(document), path, &expected, NULL) == MST_OK;
            assert_int_equal(has_group, version >= 5);
            number = 77; /* the earlier value of the struct */
            if (has_group)
                MUST(mst_get_unsigned(&expected, &number), NULL);
            assert_int_equal(object.group, number);
            snprintf(path, sizeof path, "objects[%u].layer_masks[0]", (unsigned)index);
            number = 0;
            if (mst_find(mst_root(document), path, &expected, NULL) == MST_OK)
                MUST(mst_get_unsigned(&expected, &number), NULL);
            assert_int_equal(object.layer_masks[0], number);
        }
        assert_true(index > 0);
        mst_close(document);
        writer_free(&w);
    }
}

/* Nothing is read beyond the end given by the caller. */
static void ends(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document = open_level(&w, 10);
    mst_bound bound;
    mst_bind(document, &face_bindings, &bound);
    mst_value list = find_in(document, "mesh.faces"), face;
    MUST(mst_element(&list, 0, &face), NULL);
    bound_face filled = {.material = 99};
    mst_fill_at(&bound, face.offset, face.offset + bound.size - 1, &filled);
    assert_int_equal(filled.material, 99);
    mst_fill_at(&bound, face.offset, face.offset + bound.size, &filled);
    assert_int_not_equal(filled.material, 99);
    /* a record of another kind */
    filled.material = 99;
    mst_value root = mst_root(document);
    mst_fill(&bound, &root, &filled);
    assert_int_equal(filled.material, 99);
    mst_close(document);
    writer_free(&w);
}

int test_binding(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_binding),
        cmocka_unit_test(wrong_bindings),
        cmocka_unit_test(structs_and_paths_agree),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
