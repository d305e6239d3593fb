/* SPDX-License-Identifier: MIT */
/* Saved games: their identification and checks. */
#include "../../check/finding.h"
#include "../present.h"
#include "revenant.h"
#include "revenant_words.h"

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
    variant->version = mst_load32(bytes + AT_STREAM_VERSION, false);
    bool named = length >= wanted && is_word(name + length - wanted, wanted, end);
    bool known = mst_load32(bytes + AT_LIST_VERSION, false) == LIST_VERSION;
    return named && known;
}

bool mst_revenant_save_fallback(mst_variant *variant) {
    if (variant->layout)
        return false;
    variant->layout = 1;
    return true;
}

static mst_status check_tail(mst_checker *checker, const mst_value *player, uint64_t index,
                             const char *name) {
    mst_value tail;
    uint64_t offset, size = 0;
    if (mst_member(player, name, &tail) == MST_OK)
        mst_value_span(&tail, &offset, &size);
    if (!size)
        return MST_OK;
    mst_finding_of(checker, &tail, "players[%llu].%s", (unsigned long long)index, name);
    return mst_report(checker, "REV-SAVE-TAIL", "no bytes", "%llu bytes", (unsigned long long)size);
}

static mst_status check_tails(mst_checker *checker, const mst_value *players) {
    mst_value player;
    mst_status status = MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(players); status == MST_OK && mst_next(&it, &player); index++) {
        status = check_tail(checker, &player, index, "unknown_tail");
        if (status == MST_OK)
            status = check_tail(checker, &player, index, "inventory_tail");
    }
    return status;
}

mst_status mst_revenant_check_save(mst_checker *checker) {
    mst_value root = mst_root(checker->document), players = mst_member_in(&root, "players"), trailing;
    mst_status status = MST_OK;
    uint64_t offset, size = 0;
    if (checker->document->variant.layout) {
        mst_finding_of(checker, &players, "players");
        status = mst_checker_report(checker, "REV-SAVE-PLAYER");
    } else {
        status = check_tails(checker, &players);
    }
    if (status == MST_OK && mst_member(&root, "trailing", &trailing) == MST_OK)
        mst_value_span(&trailing, &offset, &size);
    if (!size)
        return status;
    mst_finding_of(checker, &trailing, "trailing");
    return mst_report(checker, "REV-SAVE-TRAILING", "nothing", "%llu bytes", (unsigned long long)size);
}
