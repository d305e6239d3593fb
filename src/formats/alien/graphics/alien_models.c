/* SPDX-License-Identifier: MIT */
/* Files of models of Alien Trilogy: pickups, boxes and switches, the menu. */
#include "../../../check/finding.h"
#include "../../../core/text.h"
#include "../../../edit/fix_findings.h"
#include "../../present.h"
#include "../alien.h"
#include "../sections.h"
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
#define RECORDS(X) \
    X(mst_alien_unknown_section) X(mst_alien_model_quad) X(mst_alien_model_vertex) X(mst_alien_model) X(models)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

static const mst_case cases[] = {
    {.id = MST_NAMED('M', 0, 0, 0),
     .any = 0x00FFFFFFu,
     .accepts = mst_alien_accepts_model,
     .field = {.name = "models",
               .kind = MST_KIND_RECORD,
               .record = &mst_alien_model,
               .flags = MST_FIELD_REPEATED | MST_FIELD_WITH_HEADER | MST_FIELD_APPEND,
               .doc =
                   "M000, M001, ... The game finds a model by the number in its name; there may be gaps."}},
};
static const mst_chunks chunks = {.cases = cases,
                                  .case_count = MST_COUNT_OF(cases),
                                  .big = true,
                                  .align = 2,
                                  .unknown = &mst_alien_unknown_sections};

static const mst_field models_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "FORM"},
    {.name = "size", U32, .flags = MST_FIELD_SIZE | MST_FIELD_BIG},
    {.name = "type", .kind = MST_KIND_CHAR8, FIXED(4), .doc = "The number of sections, in four digits."},
    {.name = "sections", .kind = MST_KIND_CHUNKS, .chunks = &chunks, .doc = "M000, M001, ..."},
    MST_ALIEN_TRAILING(),
};
RECORD(models, "models", "the file: a container of models");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- checks -------------------------------------------------------------------------------------- */

static const mst_code_information codes[] = {
    {"ALIEN-MAGIC", MST_ERROR, "the file does not begin with FORM"},
    {"ALIEN-GFX-SIZE", MST_ERROR, "the file ends inside a section, or its size does not match it"},
    {"ALIEN-MODEL-SIZE", MST_ERROR,
     "the size of a model's section does not match its counts: its bytes are kept unchanged"},
    {"ALIEN-GFX-TAIL", MST_WARNING, "bytes follow the end of the container"},
    {"ALIEN-GFX-COUNT", MST_WARNING, "the number of sections differs from the number in the type"},
    {"ALIEN-GFX-TWICE", MST_WARNING, "another model has the same number: the game uses the last"},
    {"ALIEN-QUAD-VERTEX", MST_WARNING, "the quad refers to a missing vertex: it is not drawn"},
    {"ALIEN-MODEL-LAST", MST_WARNING,
     "the last quad of a model, and no other, must be marked as the last: the game draws too few or too many "
     "quads"},
    {"ALIEN-NONZERO", MST_WARNING, "a byte that is 0 in all known models is not 0: its meaning is not known"},
    {"ALIEN-SECTION", MST_WARNING, "the section is not known: its bytes are kept unchanged"},
};
static const mst_codes models_codes = MST_CODES(codes);

static uint64_t count_sections(const mst_document *document) {
    mst_value root = mst_root(document), known = mst_member_in(&root, "models"),
              others = mst_member_in(&root, "unknown_sections");
    return mst_count(&known) + mst_count(&others);
}

/* The number in the type; UINT64_MAX: none. */
static uint64_t stored_count(const mst_document *document, mst_value *type) {
    mst_value root = mst_root(document);
    *type = mst_member_in(&root, "type");
    const uint8_t *digits = mst_bytes_in(type, 4);
    uint64_t number = 0;
    for (int i = 0; i < 4; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return UINT64_MAX;
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    return number;
}

#define NUMBERS 1000 /* number of possible names */

static mst_status check_models(mst_checker *checker, const mst_value *list) {
    mst_status status = MST_OK;
    mst_value model;
    uint64_t index = 0, count = mst_count(list), seen_count = 0;
    uint8_t(*seen)[4] = mst_arena_take(&checker->scratch, (size_t)count + 1, sizeof *seen);
    if (!seen)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(list); status == MST_OK && index < count && mst_next(&it, &model);
         index++) {
        mst_value name = mst_member_in(&model, "name");
        const uint8_t *letters = mst_bytes_in(&name, 4);
        bool twice = false;
        for (uint64_t i = 0; i < seen_count && !twice; i++)
            twice = memcmp(seen[i], letters, 4) == 0;
        if (twice) {
            mst_finding_of(checker, &name, "models[%llu].name", (unsigned long long)index);
            status = mst_report(checker, "ALIEN-GFX-TWICE", "a unique name", "%.4s", (const char *)letters);
        } else if (seen_count < NUMBERS) {
            memcpy(seen[seen_count++], letters, 4);
        }
        char path[64];
        snprintf(path, sizeof path, "models[%llu].quads", (unsigned long long)index);
        if (status == MST_OK)
            status = mst_alien_check_model_end(checker, &model, path);
    }
    return status;
}

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), trailing = mst_member_in(&root, "trailing"), type, section,
              list = mst_member_in(&root, "models"), others = mst_member_in(&root, "unknown_sections");
    uint64_t sections = count_sections(checker->document), stored = stored_count(checker->document, &type),
             index = 0;
    mst_status status = check_models(checker, &list);
    for (mst_iterator it = mst_iterate(&others); status == MST_OK && mst_next(&it, &section); index++) {
        mst_value name = mst_member_in(&section, "name");
        bool model = *mst_bytes_in(&name, 4) == 'M';
        mst_finding_of(checker, &section, "unknown_sections[%llu]", (unsigned long long)index);
        status = model ? mst_report(checker, "ALIEN-MODEL-SIZE", "OBJ1, its counts and that many", "others")
                       : mst_report(checker, "ALIEN-SECTION", "M and a number", "another name");
    }
    if (status == MST_OK && stored != sections) {
        char expected[24];
        snprintf(expected, sizeof expected, "%04llu", (unsigned long long)sections);
        mst_finding_of(checker, &type, "type");
        status = stored == UINT64_MAX
                     ? mst_report(checker, "ALIEN-GFX-COUNT", expected, "no number")
                     : mst_report(checker, "ALIEN-GFX-COUNT", expected, "%04llu", (unsigned long long)stored);
    }
    const void *bytes;
    size_t size = 0;
    mst_get_bytes(&trailing, &bytes, &size);
    if (status == MST_OK && size) {
        mst_finding_of(checker, &trailing, "trailing");
        status = mst_report(checker, "ALIEN-GFX-TAIL", "no bytes after the container", "%lu bytes",
                            (unsigned long)size);
    }
    return status;
}

/* Updates the number of sections if it was right before. */
static void fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_value type;
    uint64_t was = count_sections(before), is = count_sections(after), stored = stored_count(before, &type);
    if (was == is || stored != was || is > 9999)
        return;
    stored_count(after, &type);
    for (uint64_t k = 4; k-- > 0; is /= 10)
        bytes[type.offset + k] = (uint8_t)('0' + is % 10);
}

/* ---- the format ---------------------------------------------------------------------------------- */

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 16 && memcmp(bytes, "FORM", 4) == 0 && bytes[12] == 'M' && bytes[13] >= '0' &&
           bytes[13] <= '9';
}

const mst_format mst_format_alien_models = {
    .information = {.id = "alien-models",
                    .title = "Alien Trilogy models",
                    .extensions = ".bnd",
                    .media_type = "",
                    .versions = "",
                    .rows = "models"},
    .tables.root = &models,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .fix_up = fix_up,
    .set = &(const mst_set_rules){.names_elsewhere = {"texture", "rectangle_lists"}},
    .check.problem_codes = MST_ALIEN_PROBLEM_CODES("ALIEN-MAGIC", "ALIEN-GFX-SIZE"),
    .check.codes = &models_codes,
    .check.dangling = MST_DANGLING("ALIEN-QUAD-VERTEX", "ALIEN-MODEL-LAST", "ALIEN-GFX-COUNT"),
    .check.fixes = MST_FIXES({"ALIEN-GFX-COUNT", "sets it to the number of sections", NULL}),
    .check.check = check,
    .build_scene = mst_alien_model_scene,
    .tables.listed = MST_LISTED({"models", "models", NULL, "alien-graphics.md 2.7"}),
    .tables.introduction =
        "Models of Alien Trilogy (`GFX`): `PICKMOD.BND` of pickups, which show the model of their type's "
        "number; `OBJ3D.BND` of boxes\n"
        "and switches; `OPTOBJ.BND` of the menu. A quad's `texture` is an index through the rectangles of "
        "`PICKGFX.BND`, of a panel\n"
        "(`PNL0GFX?.BND`, `PNL1GFX?.BND`) or, in the menu, of list `BXmm` of `OPTGFX.BND` for model mm.\n",
    .tables.sources = "The tables of the PC's program; programs that show models. No such file is public: "
                      "doors and lifts of levels are the\nsame.\n",
};
