/* SPDX-License-Identifier: MIT */
/* Saved games: what they are, and their checks. */
#include "../../schema/finding.h"
#include "../present.h"
#include "revenant.h"
#include "words.h"

#define AT_LIST_VERSION   0x18
#define AT_STREAM_VERSION 0x1C
#define LIST_VERSION      2

bool mst_revenant_save_version_known(uint32_t version) {
    return version == 14 || version == 15;
}

bool mst_revenant_probe_save(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                             mst_variant *variant) {
    static const char end[] = "game.sav";
    size_t length = name ? strlen(name) : 0, wanted = sizeof end - 1;
    if (size < AT_STREAM_VERSION + 4 || file_size < 128)
        return false;
    uint32_t version = mst_load32(bytes + AT_STREAM_VERSION, false);
    bool named = length >= wanted && is_word(name + length - wanted, wanted, end);
    bool known = mst_load32(bytes + AT_LIST_VERSION, false) == LIST_VERSION;
    if (!name || !*name || (named && known))
        variant->version = version;
    return named && known;
}

bool mst_revenant_save_fallback(mst_variant *variant) {
    if (variant->layout)
        return false;
    variant->layout = 1;
    return true;
}

mst_status mst_revenant_check_save(mst_checker *checker) {
    mst_value root = mst_root(checker->document), member;
    mst_status status = MST_OK;
    uint64_t offset, size = 0;
    if (checker->document->variant.layout && mst_member(&root, "players", &member) == MST_OK) {
        mst_diagnostic finding = mst_finding_of(&member, "players");
        status = mst_checker_report(checker, "REV-SAVE-PLAYER", &finding);
    }
    if (status == MST_OK && mst_member(&root, "trailing", &member) == MST_OK)
        mst_value_span(&member, &offset, &size);
    if (!size)
        return status;
    mst_diagnostic finding = mst_finding_of(&member, "trailing");
    return mst_report(checker, "REV-SAVE-TRAILING", &finding, "nothing", "%llu bytes",
                      (unsigned long long)size);
}
