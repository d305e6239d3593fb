/* SPDX-License-Identifier: MIT */
/* A property on the fixtures of the tests, the samples and the small files of the corpus, with random
 * choices: like fuzzing, without a fuzzer. `on_fixtures [ROUNDS]` */
#include "../fixture_files.h"
#include "../support.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t rounds = 2;

/* The number of a format and a name with which the file opens; SIZE_MAX: it needs one or more other files. */
static size_t kind_of(const test_file *file) {
    mst_document *document = NULL;
    mst_open_options options = {.size = sizeof options, .name = file->name};
    const char *format = NULL;
    if (mst_open_memory(file->bytes, file->size, &options, &document, NULL) == MST_OK)
        format = mst_document_format(document)->id;
    mst_close(document);
    for (size_t i = 0; format && i < fuzz_kind_count(); i++) {
        options = (mst_open_options){
            .size = sizeof(mst_open_options), .format = fuzz_kind_at(i).format, .name = fuzz_kind_at(i).name};
        if (mst_open_memory(file->bytes, file->size, &options, &document, NULL) != MST_OK)
            continue;
        bool same = mst_document_format(document)->id == format;
        mst_close(document);
        if (same)
            return i;
    }
    return SIZE_MAX;
}

static void holds_for_fixtures(void **state) {
    (void)state;
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 1u << 14);
    size_t count = 0;
    for (size_t i = 0; i < all.count; i += sample_step()) {
        const test_file *one = &all.items[i];
        size_t kind = one->size < 1u << 17 ? kind_of(one) : SIZE_MAX;
        if (kind == SIZE_MAX)
            continue;
        uint8_t *input = malloc(one->size + FUZZ_HOW_SIZE);
        assert_non_null(input);
        if (one->size)
            memcpy(input, one->bytes, one->size);
        for (uint32_t round = 1; round <= rounds; round++) {
            print_message("# %s %u\n", one->name, (unsigned)round);
            fuzz_put_how(input + one->size, (uint8_t)kind, round * 7919 + (uint32_t)i);
            LLVMFuzzerTestOneInput(input, one->size + FUZZ_HOW_SIZE);
        }
        free(input);
        count++;
    }
    files_free(&all);
    print_message("# %zu files\n", count);
    assert_true(count > (sample_step() > 1 ? 0 : 5));
}

int main(int argc, char **argv) {
    if (argc > 1)
        rounds = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_for_fixtures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
