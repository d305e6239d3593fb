/* SPDX-License-Identifier: MIT */
/*
 * Archives by libarchive: tar, 7-Zip, cabinets, and the members of zip archives that are packed. Most can
 * only be read from the front; what is passed on the way to a member is kept for a while, so that members in
 * any order cost few passes. What unpacks is believed by its real size alone. libarchive allocates by malloc.
 */
#include "../core/diagnose.h"
#include "../core/never.h"
#include "set.h"

#if MST_WITH_ARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#define ALL_MOST  (UINT64_C(16) << 30) /* bytes that an archive may unpack to */
#define KEPT_MOST ((size_t)64 << 20)   /* bytes of members that were passed, kept until they are asked for */

struct mst_file_set_pass {
    struct archive *archive;
    uint64_t next; /* the number of the entry that comes next */
    size_t kept;   /* bytes */
    bool whole;    /* plain tar: every entry can be begun at */
};

static struct archive *open_bytes(const void *data, size_t size, bool zip) {
    struct archive *archive = archive_read_new();
    if (!archive)
        return NULL;
    if (zip) {
        archive_read_support_format_zip_streamable(archive);
    } else {
        archive_read_support_filter_gzip(archive);
        archive_read_support_filter_bzip2(archive);
        archive_read_support_filter_xz(archive);
        archive_read_support_format_tar(archive);
        archive_read_support_format_7zip(archive);
        archive_read_support_format_cab(archive);
    }
    if (archive_read_open_memory(archive, data, size) == ARCHIVE_OK)
        return archive;
    archive_read_free(archive);
    return NULL;
}

static const char *reason(struct archive *archive) {
    const char *text = archive_error_string(archive);
    return text ? text : "it does not unpack";
}

static bool is_file(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
}

/* ---- unpacking ------------------------------------------------------------------------------------ */

/* The bytes of the entry that was just begun, if they are not more than `limit`. Memory grows with what
 * really comes. */
static mst_status unpack(mst_file_set *set, const mst_file_set_member *member, struct archive *archive,
                         struct archive_entry *entry, uint64_t limit, mst_file_set_bytes *bytes,
                         mst_diagnostic *diagnostic) {
    if (archive_entry_is_data_encrypted(entry) == 1)
        return mst_file_set_fail(set, member, diagnostic, MST_UNSUPPORTED, "it is encrypted");
    mst_memory made = {.allocator = set->allocator};
    mst_sink sink = mst_memory_sink(&made);
    mst_status status = MST_OK;
    for (;;) {
        const void *piece;
        size_t length;
        la_int64_t offset;
        int result = archive_read_data_block(archive, &piece, &length, &offset);
        if (result == ARCHIVE_EOF)
            break;
        if (result != ARCHIVE_OK) { /* a warning is a wrong checksum or size */
            status = mst_file_set_fail(set, member, diagnostic, MST_DAMAGED, reason(archive));
            break;
        }
        if (!length)
            continue;
        if ((uint64_t)offset != made.size) {
            status = mst_file_set_fail(set, member, diagnostic, MST_UNSUPPORTED, "it has holes");
            break;
        }
        if (length > limit - made.size) {
            status = mst_file_set_too_large(set, member, diagnostic);
            break;
        }
        if (sink.write(sink.user, piece, length) != MST_OK) {
            status = mst_file_set_fail(set, member, diagnostic, MST_NO_MEMORY, "there is no memory for it");
            break;
        }
    }
    if (status == MST_OK && made.size) {
        void *less = made.size < made.capacity
                         ? set->allocator.resize(set->allocator.user, made.data, made.capacity, made.size)
                         : made.data;
        if (less) {
            *bytes = (mst_file_set_bytes){less, made.size, less};
            return MST_OK;
        }
        status = mst_file_set_fail(set, member, diagnostic, MST_NO_MEMORY, "there is no memory for it");
    }
    mst_memory_free(&made);
    if (status == MST_OK)
        *bytes = (mst_file_set_bytes){.data = ""};
    return status;
}

/* The member that the bytes begin with. */
static mst_status unpack_first(mst_file_set *set, const mst_file_set_member *member, const uint8_t *data,
                               size_t size, bool zip, mst_file_set_bytes *bytes, mst_diagnostic *diagnostic) {
    struct archive *archive = open_bytes(data, size, zip);
    struct archive_entry *entry;
    if (!archive)
        return mst_file_set_fail(set, member, diagnostic, MST_NO_MEMORY, "there is no memory for it");
    mst_status status = archive_read_next_header(archive, &entry) >= ARCHIVE_WARN
                            ? unpack(set, member, archive, entry, set->limit, bytes, diagnostic)
                            : mst_file_set_fail(set, member, diagnostic, MST_DAMAGED, reason(archive));
    archive_read_free(archive);
    return status;
}

mst_status mst_file_set_unpack_zip(mst_file_set *set, const mst_file_set_member *member, const uint8_t *data,
                                   size_t size, mst_file_set_bytes *bytes, mst_diagnostic *diagnostic) {
    mst_status status = unpack_first(set, member, data, size, true, bytes, diagnostic);
    if (status == MST_OK && bytes->size != member->size) {
        mst_file_set_release(set, bytes);
        status = mst_file_set_fail(set, member, diagnostic, MST_DAMAGED,
                                   "it does not unpack to the size that is said");
    }
    return status;
}

/* ---- going through -------------------------------------------------------------------------------- */

static bool begin_pass(mst_file_set *set) {
    struct mst_file_set_pass *pass = set->pass;
    if (pass->archive)
        archive_read_free(pass->archive);
    pass->archive = open_bytes(set->file.data, set->file.size, false);
    pass->next = 0;
    return pass->archive != NULL;
}

/* The member that an entry is, by its number; NULL if it is none. */
static mst_file_set_member *member_of_number(const mst_file_set *set, uint64_t number) {
    mst_file_set_member *const *numbers = set->places.items;
    size_t low = 0, high = set->members.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle]->position < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (MST_NEVER(low == set->members.count)) /* it is asked about what stands before a member */
        return NULL;
    return numbers[low]->position == number ? numbers[low] : NULL;
}

/* Keeps what is passed, as long as there is room and nobody has had it. A failure is that of whoever asks. */
static void keep(mst_file_set *set, mst_file_set_member *member, struct archive_entry *entry) {
    struct mst_file_set_pass *pass = set->pass;
    if (!member || member->was_read || member->kept.data || member->size > KEPT_MOST - pass->kept)
        return;
    size_t room = KEPT_MOST - pass->kept;
    if (unpack(set, member, pass->archive, entry, room < set->limit ? room : set->limit, &member->kept,
               NULL) == MST_OK)
        pass->kept += member->kept.size;
    else
        member->kept = (mst_file_set_bytes){0};
}

static mst_status read_in_order(mst_file_set *set, mst_file_set_member *member, mst_file_set_bytes *bytes,
                                mst_diagnostic *diagnostic) {
    struct mst_file_set_pass *pass = set->pass;
    if ((!pass->archive || pass->next > member->position) && !begin_pass(set))
        return mst_file_set_fail(set, member, diagnostic, MST_NO_MEMORY, "there is no memory for it");
    for (;;) {
        struct archive_entry *entry;
        int result = archive_read_next_header(pass->archive, &entry);
        uint64_t number = pass->next++;
        if (result == ARCHIVE_EOF || result < ARCHIVE_WARN) {
            mst_status status =
                mst_file_set_fail(set, member, diagnostic, MST_DAMAGED, reason(pass->archive));
            archive_read_free(pass->archive);
            pass->archive = NULL;
            return status;
        }
        if (number == member->position)
            return unpack(set, member, pass->archive, entry, set->limit, bytes, diagnostic);
        keep(set, member_of_number(set, number), entry);
    }
}

static mst_status read_there(mst_file_set *set, const mst_file_set_member *member, mst_file_set_bytes *bytes,
                             mst_diagnostic *diagnostic) {
    size_t at = (size_t)member->position;
    return unpack_first(set, member, set->file.data + at, set->file.size - at, false, bytes, diagnostic);
}

static mst_status read_member(mst_file_set *set, mst_file_set_member *member, mst_file_set_bytes *bytes,
                              mst_diagnostic *diagnostic) {
    member->was_read = true;
    if (set->pass->whole)
        return read_there(set, member, bytes, diagnostic);
    if (member->kept.data) {
        *bytes = member->kept;
        member->kept = (mst_file_set_bytes){0};
        set->pass->kept -= bytes->size;
        return MST_OK;
    }
    return read_in_order(set, member, bytes, diagnostic);
}

static void close_pass(mst_file_set *set) {
    if (set->pass->archive)
        archive_read_free(set->pass->archive);
}

/* ---- listing -------------------------------------------------------------------------------------- */

static mst_status add_entry(mst_file_set *set, struct archive_entry *entry, uint64_t position,
                            mst_diagnostic *diagnostic) {
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name)
        name = archive_entry_pathname(entry);
    if (!name || !is_file(entry))
        return MST_OK;
    mst_file_set_member *member;
    mst_status status = mst_file_set_add_foreign(set, name, strlen(name), &member, diagnostic);
    if (member) {
        la_int64_t size = archive_entry_size(entry);
        member->size = size > 0 ? (uint64_t)size : 0;
        member->position = position;
    }
    return status;
}

static mst_status list(mst_file_set *set, mst_diagnostic *diagnostic) {
    struct mst_file_set_pass *pass = set->pass;
    if (!begin_pass(set)) /* a file that is packed and nothing more, for one */
        return mst_file_set_fail(set, NULL, diagnostic, MST_UNKNOWN, "what it begins with is no archive");
    for (;; pass->next++) {
        struct archive_entry *entry;
        int result = archive_read_next_header(pass->archive, &entry);
        if (result == ARCHIVE_EOF)
            return MST_OK;
        if (result < ARCHIVE_WARN)
            return mst_file_set_fail(set, NULL, diagnostic, MST_DAMAGED, reason(pass->archive));
        if (pass->next == 0)
            pass->whole = (archive_format(pass->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR &&
                          archive_filter_count(pass->archive) == 1;
        la_int64_t here = archive_read_header_position(pass->archive), size = archive_entry_size(entry);
        la_int64_t come = archive_filter_bytes(pass->archive, 0);
        uint64_t unpacked = (size > 0 ? (uint64_t)size : 0) + (come > 0 ? (uint64_t)come : 0);
        if (unpacked > ALL_MOST)
            return mst_file_set_fail(set, NULL, diagnostic, MST_IO, "it unpacks to more than 16 GiB");
        if (pass->next >= 2 * (uint64_t)MST_SET_MEMBERS_MOST)
            return mst_file_set_fail(set, NULL, diagnostic, MST_IO, "it has too many entries");
        if (pass->whole && MST_NEVER((uint64_t)here > set->file.size)) /* that is where it read it */
            return mst_file_set_fail(set, NULL, diagnostic, MST_DAMAGED,
                                     "an entry is not where it should be");
        mst_status status = add_entry(set, entry, pass->whole ? (uint64_t)here : pass->next, diagnostic);
        if (status != MST_OK)
            return status;
    }
}

mst_status mst_file_set_list_archive(mst_file_set *set, mst_diagnostic *diagnostic) {
    static const mst_file_set_kind kind = {read_member, mst_file_set_release_memory, close_pass};
    set->pass = mst_arena_zero(&set->arena, 1, sizeof *set->pass);
    if (!set->pass)
        return mst_file_set_fail(set, NULL, diagnostic, MST_NO_MEMORY, "there is no memory for it");
    set->kind = &kind;
    mst_status status = list(set, diagnostic);
    if (set->pass->archive)
        archive_read_free(set->pass->archive);
    set->pass->archive = NULL;
    set->pass->next = 0;
    return status;
}

#else

mst_status mst_file_set_unpack_zip(mst_file_set *set, const mst_file_set_member *member, const uint8_t *data,
                                   size_t size, mst_file_set_bytes *bytes, mst_diagnostic *diagnostic) {
    (void)data;
    (void)size;
    *bytes = (mst_file_set_bytes){.data = ""};
    return mst_file_set_fail(set, member, diagnostic, MST_UNSUPPORTED,
                             "it is packed, and this build of mapstone cannot unpack");
}

mst_status mst_file_set_list_archive(mst_file_set *set, mst_diagnostic *diagnostic) {
    return mst_file_set_fail(set, NULL, diagnostic, MST_UNSUPPORTED,
                             "this build of mapstone reads no archives but zip");
}

#endif
