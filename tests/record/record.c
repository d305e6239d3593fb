/* SPDX-License-Identifier: MIT */
/*
 * The recorded results of edits, patches and merges: random operations on the fixtures, the samples and the
 * files of the corpus, and saves of levels in C/histories, each with its status, its diagnosis and its
 * result, as a hash. A change of the editing code must either give the same record or state why it does not.
 *
 *     record RECORD.txt [EVERY]           compares with the record, every EVERYth file
 *     record --write RECORD.txt           writes the record again
 *     record --list NAME                  the operations on those files, line by line: to compare two builds
 */
#include "../../src/core/hash.h"
#include "../../src/write/rebuild.h"
#include "../fixture_files.h"
#include "../support.h"
#undef MUST /* the one of properties ends the program */
#include "../fuzz/plan.h"
#include <inttypes.h>
#include <mapstone/patch.h>
#include <stdio.h>

const char fuzz_promise[] = "what was recorded is what is done";
void fuzz_property(fuzz_input *in) {
    (void)in;
}

/* ---- a record --------------------------------------------------------------------------------------- */

/* The hashes of a file's rounds. They are separate so that a difference states its subject. */
typedef struct record {
    char name[160];
    unsigned edits, done, patches, applied, merges, merged;
    uint64_t edited, told, patch, patched, merge;
} record;

static bool listing;

static void record_begin(record *r, const char *name) {
    *r = (record){
        .edited = MST_HASH, .told = MST_HASH, .patch = MST_HASH, .patched = MST_HASH, .merge = MST_HASH};
    snprintf(r->name, sizeof r->name, "%s", name);
    for (char *at = r->name; *at; at++)
        if (*at == ' ')
            *at = '_';
}

#define RECORD_FORMAT                                                                                        \
    "%s edits %u done %u patches %u applied %u merges %u merged %u  %016" PRIx64 " %016" PRIx64              \
    " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n"

static void record_line(const record *r, char *line, size_t size) {
    snprintf(line, size, RECORD_FORMAT, r->name, r->edits, r->done, r->patches, r->applied, r->merges,
             r->merged, r->edited, r->told, r->patch, r->patched, r->merge);
}

/* ---- hashes ----------------------------------------------------------------------------------------- */

static uint64_t add_files(uint64_t hash, const mst_document *document) {
    fuzz_files files = fuzz_files_of(document);
    for (size_t i = 0; i < files.count; i++)
        hash =
            mst_hash_bytes(mst_hash_number(hash, (uint32_t)files.sizes[i]), files.bytes[i], files.sizes[i]);
    fuzz_files_free(&files);
    return hash;
}

static uint64_t files_hash(const mst_document *document) {
    return add_files(MST_HASH, document);
}

/* The status and the contents of the diagnosis. */
static uint64_t add_status(uint64_t hash, mst_status status, const mst_diagnostic *why) {
    char text[700] = "";
    if (status != MST_OK)
        mst_diagnostic_text(why, text, sizeof text);
    if (listing)
        printf("    status %d %s\n", (int)status, text);
    return mst_hash_text(mst_hash_number(hash, (uint32_t)status), text);
}

static mst_status add_report(void *user, const mst_diagnostic *finding) {
    char text[700];
    uint64_t *hash = user;
    mst_diagnostic_text(finding, text, sizeof text);
    if (listing)
        printf("    %s\n", text);
    *hash = mst_hash_text(*hash, text);
    return MST_OK;
}

static mst_status add_conflict(void *user, const mst_conflict *conflict) {
    uint64_t *hash = user;
    if (listing)
        printf("    conflict %d %s\n", (int)conflict->kind, conflict->path);
    *hash = mst_hash_text(mst_hash_number(*hash, (uint32_t)conflict->kind), conflict->path);
    return MST_OK;
}

/* ---- names ----------------------------------------------------------------------------------------- */

/* "v15/44_12_8.DAT", "a.level#2": a name unique among the files. */
static void own_name(const test_files *files, size_t index, char name[160]) {
    const test_file *one = &files->items[index];
    const char *folder = strrchr(one->directory, '/');
    unsigned number = 1;
    for (size_t i = 0; i < index; i++)
        number += strcmp(files->items[i].name, one->name) == 0 &&
                  strcmp(files->items[i].directory, one->directory) == 0;
    int length = snprintf(name, 160, "%.60s%s%.80s", folder ? folder + 1 : "", folder ? "/" : "", one->name);
    if (number > 1)
        snprintf(name + length, 160 - (size_t)length, "#%u", number);
}

/* ---- kept patches ------------------------------------------------------------------------------------ */

#define KEPT                                                                                                 \
    "%159s %39s %" SCNx64 " %" SCNx64 "\n" /* file, patch, hashes of the old and the new document            \
                                            */
#define KEPT_MAX 7                         /* of one file */

static const char *kept_folder; /* NULL: none is kept */
static FILE *kept_list;
static unsigned kept_count;

static void keep(const record *r, const mst_buffer *text, uint64_t old, uint64_t now) {
    char name[40], path[600];
    if (!kept_folder || text->size > 4000 || r->patches > KEPT_MAX * 4 || r->patches % 4)
        return;
    snprintf(name, sizeof name, "%03u.mspatch", ++kept_count);
    snprintf(path, sizeof path, "%s/%s", kept_folder, name);
    FILE *out = fopen(path, "wb");
    HOLDS(out && fwrite(text->data, 1, text->size, out) == text->size && fclose(out) == 0);
    fprintf(kept_list, "%s %s %016" PRIx64 " %016" PRIx64 "\n", r->name, name, old, now);
}

/* ---- rounds ----------------------------------------------------------------------------------------- */

static mst_document *copy_of(const mst_document *document) {
    mst_document *copy;
    mst_diagnostic why;
    MUST(mst_rebuild(document, &copy, &why), &why);
    return copy;
}

static void list_operations(const fuzz_plan *plan) {
    for (size_t i = 0; listing && i < plan->count; i++) {
        const mst_operation *one = &plan->operations[i];
        printf("  operation %d %s = %.200s about %s old %.60s by %d\n", (int)one->kind, one->path,
               one->value ? one->value : "-", one->about ? one->about : "-", one->old ? one->old : "-",
               (int)one->assignment);
    }
}

/* Typical edits: an element of a list is copied, removed, moved; a value is replaced by another one of its
 * kind. */
static void add_sensible(const mst_document *document, const fuzz_sample *sample, fuzz_random *random,
                         fuzz_plan *all) {
    static const mst_operation_kind kinds[] = {
        MST_OPERATION_DUPLICATE, MST_OPERATION_REMOVE, MST_OPERATION_INSERT, MST_OPERATION_MOVE,
        MST_OPERATION_MOVE_BY,   MST_OPERATION_SCALE,  MST_OPERATION_ROTATE, MST_OPERATION_ADD};
    static const char *const amounts[] = {"1,0,-2", "0.5,0,0.25", "0,0,1"};
    size_t n = all->count++, length;
    const fuzz_thing *thing = &sample->things[fuzz_below(random, sample->count)];
    char *path = all->paths[n], *bracket;
    mst_operation *one = &all->operations[n];
    mst_value value;
    snprintf(path, sizeof all->paths[n], "%s", thing->path);
    *one = (mst_operation){.path = path};
    bracket = strrchr(path, ']');
    if (bracket && fuzz_below(random, 2)) { /* the enclosing element */
        bracket[1] = 0;
        bracket = strchr(path, ']');
        if (fuzz_below(random, 3)) /* of the outermost list */
            bracket[1] = 0;
        one->kind = kinds[fuzz_below(random, sizeof kinds / sizeof *kinds)];
    }
    MUST(mst_find(mst_root(document), path, &value, NULL), NULL);
    all->own[n] = fuzz_json_of(&value, true, &length);
    HOLDS(all->own[n]);
    one->value = all->own[n];
    mst_type type = mst_value_type(&value);
    if (one->kind == MST_OPERATION_SET && (type == MST_TYPE_INTEGER || type == MST_TYPE_REAL)) {
        one->assignment = fuzz_below(random, 2) ? MST_ASSIGN_PLUS : MST_ASSIGN_TIMES;
        one->value = fuzz_below(random, 2) ? "1" : "2";
    } else if (one->kind == MST_OPERATION_ADD) {
        *strrchr(path, '[') = 0;
    } else if (one->kind == MST_OPERATION_MOVE) {
        one->value = "0";
    } else if (one->kind == MST_OPERATION_DUPLICATE || one->kind == MST_OPERATION_REMOVE) {
        one->value = NULL;
    } else if (one->kind == MST_OPERATION_MOVE_BY) {
        one->value = amounts[fuzz_below(random, 3)];
    } else if (one->kind == MST_OPERATION_SCALE || one->kind == MST_OPERATION_ROTATE) {
        one->value = one->kind == MST_OPERATION_SCALE ? "2" : "90deg";
        one->about = fuzz_below(random, 2) ? "1,2,3" : NULL;
    }
}

/* One to four operations, each tried on the result of those before it; those that are refused are recorded
 * and left out. The resulting document; NULL: nothing was done. */
static mst_document *edit(record *r, const mst_document *base, fuzz_random *random) {
    const mst_check_options checks = {.size = sizeof checks, .details = 1};
    mst_edit_options options = {.size = sizeof options, .report = add_report, .user = &r->told};
    mst_document *document = copy_of(base);
    unsigned done = 0;
    mst_diagnostic why;
    fuzz_sample sample;
    options.cascade = fuzz_below(random, 3) > 0;
    options.each = fuzz_below(random, 3) > 0;
    options.drag = fuzz_below(random, 4) > 0;
    options.allow_loss = fuzz_below(random, 4) == 0;
    options.checks = fuzz_below(random, 2) ? &checks : NULL;
    for (uint32_t left = 1 + fuzz_below(random, 4); left-- > 0;) {
        fuzz_plan plan = {.count = 0};
        MUST(fuzz_take_sample(document, random, false, &sample), NULL);
        if (!sample.count)
            break;
        for (uint32_t more = fuzz_below(random, 4) ? 1 : 2; more-- > 0;)
            if (fuzz_below(random, 6))
                add_sensible(document, &sample, random, &plan);
            else
                fuzz_plan_add(document, &sample, random, &plan);
        list_operations(&plan);
        mst_status status = mst_edit(document, plan.operations, plan.count, &options, &why);
        r->edits++;
        r->done += status == MST_OK;
        done += status == MST_OK;
        r->told = add_status(r->told, status, &why);
        r->edited = add_files(mst_hash_number(r->edited, (uint32_t)status), document);
        fuzz_plan_free(&plan);
    }
    if (done)
        return document;
    mst_close(document);
    return NULL;
}

/* The patch from base to now, applied to base, reversed to now, and to another document. */
static void patch(record *r, const mst_document *base, const mst_document *now, const mst_document *other) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_patch_made made = {.operations = 0};
    mst_patch_options options = {.size = sizeof options, .with_data = 1, .made = &made, .plain = true};
    mst_status status = mst_patch_make(base, now, &options, mst_buffer_sink(&text), &why);
    r->patches++;
    r->patch = add_status(mst_hash_bytes(r->patch, text.data, text.size), status, &why);
    if (listing && status == MST_OK)
        printf("    patch of %zu bytes:\n%.*s\n", text.size, (int)(text.size < 2000 ? text.size : 2000),
               (const char *)text.data);
    options = (mst_patch_options){.size = sizeof options, .rejected = add_conflict, .user = &r->patched};
    const mst_document *const on[] = {base, now, other};
    const uint64_t wanted[] = {files_hash(now), files_hash(base), 0};
    if (status == MST_OK && !made.one_way)
        keep(r, &text, wanted[1], wanted[0]);
    for (size_t i = 0; status == MST_OK && i < 3; i++) {
        if (!on[i] || (i == 1 && made.one_way))
            continue;
        mst_document *document = copy_of(on[i]);
        options.reverse = i == 1;
        mst_status applied = mst_patch_apply(document, (const char *)text.data, text.size, &options, &why);
        HOLDS(i == 2 || (applied == MST_OK && files_hash(document) == wanted[i]));
        r->applied += applied == MST_OK;
        r->patched = add_files(add_status(r->patched, applied, &why), document);
        mst_close(document);
    }
    mst_buffer_free(&text);
}

static void merge(record *r, const mst_document *base, const mst_document *ours, const mst_document *theirs,
                  mst_preference prefer) {
    const mst_check_options checks = {.size = sizeof checks, .details = 1};
    mst_merge_options options = {.size = sizeof options,
                                 .checks = &checks,
                                 .prefer = prefer,
                                 .conflict = add_conflict,
                                 .user = &r->merge};
    mst_document *document = copy_of(ours);
    mst_diagnostic why;
    uint64_t conflicts = 0;
    mst_status status = mst_merge(document, base, theirs, &options, &conflicts, &why);
    if (listing)
        printf("    merge: %u conflicts\n", (unsigned)conflicts);
    r->merges++;
    r->merged += status == MST_OK;
    r->merge = add_status(mst_hash_number(r->merge, (uint32_t)conflicts), status, &why);
    r->merge = add_files(r->merge, document);
    mst_close(document);
}

/* ---- files ------------------------------------------------------------------------------------------ */

static unsigned rounds_of(size_t size) {
    return size < 1u << 12 ? 160 : size < 1u << 15 ? 100 : size < 1u << 18 ? 40 : size < 1u << 20 ? 6 : 2;
}

/* False: it needs one or more other files. */
static bool record_file(record *r, const test_file *file, const char *name) {
    const mst_open_options options = {.size = sizeof options, .name = file->name};
    mst_document *base, *before = NULL;
    if (mst_open_memory(file->bytes, file->size, &options, &base, NULL) != MST_OK)
        return false;
    record_begin(r, name);
    for (unsigned round = 0; round < rounds_of(file->size); round++) {
        fuzz_random random = {mst_hash_number(mst_hash_text(MST_HASH, name), round)};
        if (listing)
            printf("%s round %u\n", name, round);
        mst_document *now = edit(r, base, &random);
        if (!now)
            continue;
        patch(r, base, now, before);
        if (before)
            merge(r, base, before, now, round % 4 ? MST_PREFER_NONE : MST_PREFER_THEIRS);
        mst_close(before);
        before = now;
    }
    mst_close(before);
    mst_close(base);
    return true;
}

/* ---- histories -------------------------------------------------------------------------------------- */

#define SAVES 8

static void record_saves(record *r, mst_document *const *saves, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (i + 1 == j || j + 1 == i)
                patch(r, saves[i], saves[j], saves[i < 2 ? count - 1 : 0]);
    for (size_t i = 0; i + 2 < count; i++)
        for (unsigned order = 0; order < 6; order++) {
            size_t a = i + order % 3, b = i + (order + 1 + order / 3) % 3, c = 3 * i + 3 - a - b;
            merge(r, saves[a], saves[b], saves[c], MST_PREFER_NONE);
        }
}

/* Saves are 1.level, 2.level ... of a folder. */
static bool record_history(record *r, const char *folder) {
    mst_document *saves[SAVES];
    size_t count = 0;
    char name[256], path[512];
    for (; count < SAVES; count++) {
        snprintf(name, sizeof name, "histories/ns2/%s/%zu.level", folder, count + 1);
        if (!corpus_path(name, path, sizeof path) || mst_open_file(path, NULL, &saves[count], NULL) != MST_OK)
            break;
    }
    if (!count)
        return false;
    record_begin(r, folder);
    if (listing)
        printf("%s: %zu saves\n", folder, count);
    record_saves(r, saves, count);
    for (size_t i = 0; i < count; i++)
        mst_close(saves[i]);
    return true;
}

/* ---- old patches ------------------------------------------------------------------------------------- */

/* A patch turns one document into the other, by their hashes. */
static void applies(mst_document *document, const uint8_t *text, size_t size, int reverse, uint64_t wanted) {
    const mst_patch_options options = {.size = sizeof options, .reverse = reverse, .exact = 1};
    mst_diagnostic why;
    assert_int_equal(mst_patch_apply(document, (const char *)text, size, &options, &why), MST_OK);
    assert_true(files_hash(document) == wanted);
}

static void apply_kept(const test_file *file, const char *name, uint64_t old, uint64_t now) {
    const mst_open_options options = {.size = sizeof options, .name = file->name};
    mst_document *document;
    char path[600];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", kept_folder, name);
    uint8_t *text = read_whole(path, &size);
    assert_non_null(text);
    assert_int_equal(mst_open_memory(file->bytes, file->size, &options, &document, NULL), MST_OK);
    assert_true(files_hash(document) == old);
    applies(document, text, size, 0, now);
    applies(document, text, size, 1, old);
    mst_close(document);
    free(text);
}

static void old_patches_apply(void **state) {
    (void)state;
    char path[600], file[160], name[40];
    uint64_t old, now;
    unsigned applied = 0;
    test_files files = files_small();
    files_of_samples(&files);
    snprintf(path, sizeof path, "%s/list.txt", kept_folder);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fscanf(list, KEPT, file, name, &old, &now) == 4)
        for (size_t i = 0; i < files.count; i++) {
            char own[160];
            own_name(&files, i, own);
            if (strcmp(own, file) == 0) {
                apply_kept(&files.items[i], name, old, now);
                applied++;
            }
        }
    fclose(list);
    files_free(&files);
    print_message("# %u patches\n", applied);
    assert_true(applied >= (MST_WITH_ZLIB ? 150 : 100));
}

/* ---- all -------------------------------------------------------------------------------------------- */

typedef struct records {
    const char *recorded; /* the text of the record; NULL: there is none */
    FILE *out;            /* where it is written; NULL: it is compared */
    const char *only;     /* files of that name */
    size_t every, met, compared, different;
    record sum;
} records;

static void end(records *all, const record *r) {
    char line[512];
    record_line(r, line, sizeof line);
    all->sum.edits += r->edits;
    all->sum.done += r->done;
    all->sum.patches += r->patches;
    all->sum.applied += r->applied;
    all->sum.merges += r->merges;
    all->sum.merged += r->merged;
    if (all->out)
        fputs(line, all->out);
    if (!all->recorded)
        return;
    char name[200];
    snprintf(name, sizeof name, "\n%s ", r->name);
    const char *at = strstr(all->recorded, name);
    all->compared++;
    if (at && strncmp(at + 1, line, strcspn(line, "\n")) == 0)
        return;
    all->different++;
    print_message("# was %.*s\n#  is %s", at ? (int)strcspn(at + 1, "\n") : 7, at ? at + 1 : "nothing", line);
}

static bool is_turn(records *all, const char *name) {
    return all->only ? strcmp(all->only, name) == 0 : all->met++ % all->every == 0;
}

static void all_files(records *all) {
    test_files files = files_small();
    files_of_samples(&files);
    if (!kept_folder)
        files_of_corpus(&files, 1u << 22);
    for (size_t i = 0; i < files.count; i++) {
        char name[160];
        record r;
        own_name(&files, i, name);
        if (is_turn(all, name) && record_file(&r, &files.items[i], name))
            end(all, &r);
    }
    files_free(&files);
}

static void all_histories(records *all) {
    corpus_list list;
    record r;
    if (!corpus_files("histories/ns2", "", NULL, &list))
        return;
    for (size_t i = 0; i < list.count; i++)
        if (is_turn(all, list.names[i]) && record_history(&r, list.names[i]))
            end(all, &r);
}

static records all = {.every = 1};

static void is_as_recorded(void **state) {
    (void)state;
    all.every *= sample_step();
    all_files(&all);
    all_histories(&all);
    print_message(
        "# %u of %u edits done, %u patches, %u applied, %u of %u merges done; %zu of %zu files differ\n",
        all.sum.done, all.sum.edits, all.sum.patches, all.sum.applied, all.sum.merged, all.sum.merges,
        all.different, all.compared);
    assert_true(!all.recorded || all.compared > 0);
    assert_int_equal(all.different, 0);
}

static FILE *written(const char *path) {
    FILE *out = fopen(path, "w");
    if (!out)
        exit(2);
    return out;
}

static int run_apply(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(old_patches_apply)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_record(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_as_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Without an option: compares. */
static int compare_with(const char *path, const char *every) {
    size_t size;
    uint8_t *text = read_whole(path, &size);
    if (!text || !size)
        return 2;
    text[size - 1] = 0; /* the last line's end */
    all.recorded = (const char *)text;
    all.every = every ? strtoul(every, NULL, 10) : 1;
    int failed = run_record();
    free(text);
    return failed;
}

int main(int argc, char **argv) {
    const char *option = argc > 2 ? argv[1] : "";
    if (strcmp(option, "--list") == 0) {
        listing = true;
        all.only = argv[2];
        return run_record();
    }
    if (strcmp(option, "--apply") == 0) {
        kept_folder = argv[2];
        return run_apply();
    }
    if (strcmp(option, "--keep") == 0) {
        char path[600];
        kept_folder = argv[2];
        snprintf(path, sizeof path, "%s/list.txt", kept_folder);
        kept_list = written(path);
        int failed = run_record();
        return fclose(kept_list) != 0 ? 1 : failed;
    }
    if (strcmp(option, "--write") == 0) {
        all.out = written(argv[2]);
        fputs("# What edits, patches and merges do (record.c): counts, then hashes of results, messages, "
              "patches, what "
              "these make, and merges.\n",
              all.out);
        int failed = run_record();
        return fclose(all.out) != 0 ? 1 : failed;
    }
    return argc > 1 ? compare_with(argv[1], argc > 2 ? argv[2] : NULL) : 2;
}
