/* SPDX-License-Identifier: MIT */
/* Checks that the tables beside TRKBLK.tab have its numbers of blocks; otherwise blocks would get the lines
 * and routes of others. */
#include "../../../core/diagnose.h"
#include "../maps/small.h"
#include "../names.h"
#include "../packing/pair.h"
#include <mapstone/search.h>

/* Counts the words of a table; false if it is missing or has no end mark. */
static bool count_words(const mst_resolver *resolver, const char *name, uint32_t *words) {
    const void *bytes;
    size_t size;
    return resolver->find(resolver->user, name, &bytes, &size) == MST_OK &&
           mst_sfa_table_read(bytes, size, words, NULL) == MST_OK;
}

static mst_status report(mst_checker *checker, uint32_t index, const char *name, uint32_t expected,
                         uint32_t found) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    mst_path_step(finding.path, sizeof finding.path, 0, "first_blocks", index);
    finding.offset = 2 * (uint64_t)index;
    finding.length = 2;
    MST_SET(finding.expected, "%u in %s", expected, name);
    MST_SET(finding.found, "%u", found);
    return mst_checker_report(checker, "SFA-TRKBLK-COUNT", &finding);
}

mst_status mst_sfa_check_block_counts(mst_checker *checker, uint32_t count) {
    const mst_resolver *resolver = mst_sfa_resolver_of(checker);
    const mst_document *document = checker->document;
    char name[64];
    uint32_t words;
    mst_status status = MST_OK;
    if (!resolver || count < 2)
        return MST_OK;
    uint32_t total = mst_load16(document->data + 2 * (size_t)(count - 1), true);
    /* a table extends to the last block of its directory; the words of preceding directories are 0 */
    for (uint32_t mod = 0; mod + 1 < count && status == MST_OK; mod++) {
        const mst_sfa_directory *directory = mst_sfa_directory_of((int)mod);
        if (!directory || !directory->has_files)
            continue;
        uint32_t next = mst_load16(document->data + 2 * (size_t)(mod + 1), true);
        mst_diagnostic_set(name, sizeof name, "%s/mod%d.tab", directory->name, mst_sfa_file_number((int)mod));
        if (count_words(resolver, name, &words) && words != next)
            status = report(checker, mod + 1, name, next, words);
        mst_diagnostic_set(name, sizeof name, "%s/VOXMAP.tab", directory->name);
        /* it covers either all blocks of the game or those up to its directory's last */
        if (status == MST_OK && count_words(resolver, name, &words) && words != next && words != total)
            status = report(checker, mod + 1, name, next, words);
    }
    /* one more offset for the end of the last block */
    if (status == MST_OK && count_words(resolver, "HITS.tab", &words) && words != total + 1)
        status = report(checker, count - 1, "HITS.tab", total + 1, words);
    return status;
}
