/* SPDX-License-Identifier: MIT */
/* Checks that the tables next to TRKBLK.tab have its numbers of blocks; otherwise blocks would get the lines
 * and routes of others. */
#include "../../../check/finding.h"
#include "../packing/pair.h"
#include "../sfa_names.h"
#include "maps_world.h"

/* Counts the words of a table; false if it is missing or has no end mark. */
static bool count_words(const mst_checker *checker, const char *name, uint32_t *words) {
    mst_file_view table;
    return mst_sfa_find_beside(checker, name, &table) &&
           mst_sfa_table_read(table.data, table.size, words, NULL) == MST_OK;
}

static mst_status report(mst_checker *checker, uint32_t index, const char *name, uint32_t expected,
                         uint32_t found) {
    mst_diagnostic *finding =
        mst_finding_at(checker, 2 * (uint64_t)index, 2, "first_blocks[%u]", (unsigned)index);
    MST_SET(finding->expected, "%u in %s", expected, name);
    return mst_report(checker, "SFA-TRKBLK-COUNT", NULL, "%u", found);
}

mst_status mst_sfa_check_block_counts(mst_checker *checker) {
    mst_sfa_first_blocks blocks;
    char name[64];
    uint32_t words;
    mst_status status = mst_sfa_read_first_blocks(checker->document, &checker->scratch, &blocks);
    if (status != MST_OK || !blocks.directories)
        return status;
    uint32_t total = blocks.numbers[blocks.directories];
    /* a table extends to the last block of its directory; the words of preceding directories are 0 */
    for (uint32_t mod = 0; mod < blocks.directories && status == MST_OK; mod++) {
        const mst_sfa_directory *directory = mst_sfa_directory_of((int)mod);
        if (!directory || !directory->has_files)
            continue;
        uint32_t next = blocks.numbers[mod + 1];
        mst_diagnostic_set(name, sizeof name, "%s/mod%d.tab", directory->name, mst_sfa_file_number((int)mod));
        if (count_words(checker, name, &words) && words != next)
            status = report(checker, mod + 1, name, next, words);
        mst_diagnostic_set(name, sizeof name, "%s/VOXMAP.tab", directory->name);
        /* it covers either all blocks of the game or those up to its directory's last */
        if (status == MST_OK && count_words(checker, name, &words) && words != next && words != total)
            status = report(checker, mod + 1, name, next, words);
    }
    /* one more offset for the end of the last block */
    if (status == MST_OK && count_words(checker, "HITS.tab", &words) && words != total + 1)
        status = report(checker, blocks.directories, "HITS.tab", total + 1, words);
    return status;
}
