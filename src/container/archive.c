/* SPDX-License-Identifier: MIT */
/*
 * Archives by libarchive: tar, 7-Zip, cabinets, ISO 9660 images, and members of zip archives that are
 * compressed otherwise than by deflate. Most can only be read from the front; members passed on the way to
 * another are kept for a while, so that reading in any order takes few passes. Sizes in the archive are not
 * trusted: limits apply to the bytes actually unpacked. libarchive allocates with malloc.
 */
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../core/unreachable.h"
#include "container.h"

#if MST_WITH_ARCHIVE

#include "libarchive.h"

#include <stdio.h>
#include <string.h>

/* The amount of passed members to keep until requested: KEPT_ALWAYS bytes or 1/KEPT_PART of all members,
 * whichever is more. */
#define KEPT_ALWAYS (UINT64_C(64) << 20)
#define KEPT_PART   8

struct mst_container_pass {
    struct archive *archive;
    uint64_t next;                      /* the number of the next entry */
    uint64_t kept, all;                 /* bytes kept; size of all members according to the archive */
    mst_container_member *first, *last; /* the kept members, in the order in which they were passed */
    bool seekable;                      /* plain tar: reading can begin at any entry */
    bool listed;                        /* ISO 9660: passing entries reads directories alone */
};

/* Loads libarchive for a container, unless already loaded. */
static mst_status need_library(mst_container *container, const mst_container_member *member,
                               mst_diagnostic *diagnostic) {
    mst_libarchive library;
    char why[160];
    if (container->libarchive)
        return MST_OK;
    if (!mst_libarchive_load(&library, why, sizeof why))
        return mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED, why);
    mst_libarchive *kept = mst_arena_zero(&container->arena, 1, sizeof *kept);
    if (!kept)
        return mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    *kept = library;
    container->libarchive = kept;
    return MST_OK;
}

static struct archive *open_bytes(const mst_libarchive *library, const void *data, size_t size, bool zip) {
    struct archive *archive = library->read_new();
    if (!archive)
        return NULL;
    if (zip) {
        library->read_support_format_zip_streamable(archive);
    } else {
        library->read_support_filter_gzip(archive);
        library->read_support_filter_bzip2(archive);
        library->read_support_filter_xz(archive);
        library->read_support_format_tar(archive);
        library->read_support_format_7zip(archive);
        library->read_support_format_cab(archive);
        library->read_support_format_iso9660(archive);
    }
    if (library->read_open_memory(archive, data, size) == ARCHIVE_OK)
        return archive;
    library->read_free(archive);
    return NULL;
}

static const char *reason(const mst_libarchive *library, struct archive *archive) {
    const char *text = library->error_string(archive);
    return text ? text : "it cannot be unpacked";
}

static bool is_file(const mst_libarchive *library, struct archive_entry *entry) {
    return library->entry_filetype(entry) == AE_IFREG && !library->entry_hardlink(entry);
}

/* ---- unpacking ------------------------------------------------------------------------------------ */

/* An entry whose header was just read. */
typedef struct begun {
    struct archive *archive;
    struct archive_entry *entry;
    uint64_t packed; /* upper bound of its packed size */
} begun;

/* Unpacks an entry within the limits. Memory grows with the bytes actually unpacked. */
static mst_status unpack(mst_container *container, mst_container_member *member, const begun *at,
                         mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    struct archive *archive = at->archive;
    uint64_t limit = mst_container_member_limit(container, member, at->packed);
    if (library->entry_is_data_encrypted(at->entry) == 1)
        return mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED, "it is encrypted");
    mst_buffer made = {.allocator = container->allocator};
    mst_sink sink = mst_buffer_sink(&made);
    mst_status status = MST_OK;
    for (;;) {
        const void *piece;
        size_t length;
        la_int64_t offset;
        int result = library->read_data_block(archive, &piece, &length, &offset);
        if (result == ARCHIVE_EOF)
            break;
        if (result != ARCHIVE_OK) { /* a warning is a wrong checksum or size */
            status = mst_container_fail(container, member, diagnostic, MST_DAMAGED, reason(library, archive));
            break;
        }
        if (!length)
            continue;
        if ((uint64_t)offset != made.size) {
            status = mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED, "it has holes");
            break;
        }
        if (length > limit - made.size) {
            status = mst_container_bursts(container, member, at->packed, diagnostic);
            break;
        }
        if (sink.write(sink.user, piece, length) != MST_OK) {
            status =
                mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
            break;
        }
    }
    if (status == MST_OK)
        mst_container_count_unpacked(container, member, made.size);
    if (status == MST_OK && made.size) {
        void *less =
            made.size < made.capacity
                ? container->allocator.resize(container->allocator.user, made.data, made.capacity, made.size)
                : made.data;
        if (less) {
            *bytes = (mst_container_bytes){less, made.size, less};
            return MST_OK;
        }
        status = mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    }
    mst_buffer_free(&made);
    if (status == MST_OK)
        *bytes = (mst_container_bytes){.data = ""};
    return status;
}

/* Unpacks at most `*size` bytes of an entry; `*size` receives their number. */
static mst_status unpack_beginning(const mst_container *container, const mst_container_member *member,
                                   const begun *at, uint8_t *first, size_t *size,
                                   mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    size_t count = 0;
    while (count < *size) {
        la_ssize_t n = library->read_data(at->archive, first + count, *size - count);
        if (n < 0)
            return mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                      reason(library, at->archive));
        if (n == 0)
            break;
        count += (size_t)n;
    }
    *size = count;
    return MST_OK;
}

/* Reads the header of the entry at the beginning of the bytes. The caller frees `at->archive`, even on
 * failure. */
static mst_status begin_entry(const mst_container *container, const mst_container_member *member,
                              const uint8_t *data, size_t size, bool zip, begun *at,
                              mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    at->packed = size;
    at->archive = open_bytes(library, data, size, zip);
    if (!at->archive)
        return mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    if (library->read_next_header(at->archive, &at->entry) >= ARCHIVE_WARN)
        return MST_OK;
    return mst_container_fail(container, member, diagnostic, MST_DAMAGED, reason(library, at->archive));
}

/* Unpacks the member at the beginning of the bytes. */
static mst_status unpack_first(mst_container *container, mst_container_member *member, const uint8_t *data,
                               size_t size, bool zip, mst_container_bytes *bytes,
                               mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    begun at = {0};
    mst_status status = begin_entry(container, member, data, size, zip, &at, diagnostic);
    if (status == MST_OK)
        status = unpack(container, member, &at, bytes, diagnostic);
    if (at.archive)
        library->read_free(at.archive);
    return status;
}

static mst_status peek_first(const mst_container *container, const mst_container_member *member,
                             const uint8_t *data, size_t size, bool zip, void *first, size_t *count,
                             mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    begun at = {0};
    mst_status status = begin_entry(container, member, data, size, zip, &at, diagnostic);
    if (status == MST_OK)
        status = unpack_beginning(container, member, &at, first, count, diagnostic);
    if (at.archive)
        library->read_free(at.archive);
    return status;
}

mst_status mst_container_peek_zip(mst_container *container, const mst_container_member *member,
                                  const uint8_t *data, size_t size, void *first, size_t *count,
                                  mst_diagnostic *diagnostic) {
    mst_status status = need_library(container, member, diagnostic);
    return status == MST_OK ? peek_first(container, member, data, size, true, first, count, diagnostic)
                            : status;
}

mst_status mst_container_unpack_zip(mst_container *container, mst_container_member *member,
                                    const uint8_t *data, size_t size, mst_container_bytes *bytes,
                                    mst_diagnostic *diagnostic) {
    if (member->size > mst_container_member_limit(container, member, size)) /* known without unpacking */
        return mst_container_bursts(container, member, size, diagnostic);
    mst_status status = need_library(container, member, diagnostic);
    if (status == MST_OK)
        status = unpack_first(container, member, data, size, true, bytes, diagnostic);
    if (status == MST_OK && bytes->size != member->size) {
        mst_container_release(container, bytes);
        status = mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                    "it does not unpack to the size in the archive's directory");
    }
    return status;
}

/* ---- passes --------------------------------------------------------------------------------------- */

static void end_pass(mst_container *container) {
    const mst_libarchive *library = container->libarchive;
    if (container->pass->archive)
        library->read_free(container->pass->archive);
    container->pass->archive = NULL;
    container->pass->next = 0;
}

static bool begin_pass(mst_container *container) {
    const mst_libarchive *library = container->libarchive;
    end_pass(container);
    container->pass->archive = open_bytes(library, container->file.data, container->file.size, false);
    return container->pass->archive != NULL;
}

/* The member with an entry's number; NULL if the entry is not a member. */
static mst_container_member *member_of_number(const mst_container *container, uint64_t number) {
    mst_container_member *const *numbers = container->in_order.items;
    MST_LOWER_BOUND(low, middle, container->members.count, numbers[middle]->position < number);
    if (MST_UNREACHABLE(low == container->members.count)) /* called only for entries before a member */
        return NULL;
    return numbers[low]->position == number ? numbers[low] : NULL;
}

static uint64_t kept_max(const mst_container *container) {
    uint64_t part = container->pass->all / KEPT_PART;
    return part > KEPT_ALWAYS ? part : KEPT_ALWAYS;
}

/* Removes the first kept member from the list and frees its bytes. */
static void release_first(mst_container *container) {
    struct mst_container_pass *pass = container->pass;
    mst_container_member *first = pass->first;
    pass->kept -= first->kept.size;
    pass->first = first->next_kept;
    if (!pass->first)
        pass->last = NULL;
    first->next_kept = NULL;
    mst_container_release(container, &first->kept);
    first->kept.data = NULL;
}

/* Removes a member from the kept ones and returns its bytes. */
static mst_container_bytes take_kept(mst_container *container, mst_container_member *member) {
    struct mst_container_pass *pass = container->pass;
    mst_container_member *before = pass->first == member ? NULL : pass->first;
    while (before && before->next_kept != member)
        before = before->next_kept;
    *(before ? &before->next_kept : &pass->first) = member->next_kept;
    if (pass->last == member)
        pass->last = before;
    mst_container_bytes bytes = member->kept;
    pass->kept -= bytes.size;
    member->next_kept = NULL;
    member->kept = (mst_container_bytes){0};
    return bytes;
}

/* Keeps the bytes of a passed member, and releases the oldest ones beyond the limit. */
static mst_status keep(mst_container *container, mst_container_member *member, const begun *at,
                       mst_diagnostic *diagnostic) {
    struct mst_container_pass *pass = container->pass;
    mst_status status = unpack(container, member, at, &member->kept, diagnostic);
    if (status != MST_OK) {
        member->kept = (mst_container_bytes){0};
        return status;
    }
    *(pass->last ? &pass->last->next_kept : &pass->first) = member;
    pass->last = member;
    pass->kept += member->kept.size;
    while (pass->first != member && pass->kept > kept_max(container))
        release_first(container);
    return MST_OK;
}

/* Advances to a member's entry, with another pass from the front if it was passed already. */
static mst_status go_to(mst_container *container, const mst_container_member *member, begun *at,
                        mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    struct mst_container_pass *pass = container->pass;
    bool again = !pass->archive || pass->next > member->position;
    if (again && !pass->listed && container->passes >= container->pass_max)
        return mst_fail(diagnostic, MST_IO,
                        "cannot read %s: the archive was read %u times from its beginning; extract it first",
                        member->name, container->passes);
    if (again && !begin_pass(container))
        return mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    container->passes += again;
    for (;;) {
        *at = (begun){.archive = pass->archive, .packed = container->file.size};
        int result = library->read_next_header(pass->archive, &at->entry);
        uint64_t number = pass->next++;
        if (result == ARCHIVE_EOF || result < ARCHIVE_WARN) {
            mst_status status = mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                                   reason(library, pass->archive));
            end_pass(container);
            return status;
        }
        if (number == member->position)
            return MST_OK;
        mst_container_member *passed = member_of_number(container, number);
        if (passed && !pass->listed && !passed->kept.data && passed->size <= kept_max(container))
            keep(container, passed, at, NULL); /* a failure is reported when the member is read */
    }
}

static mst_status read_member(mst_container *container, mst_container_member *member,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    if (container->pass->seekable) {
        size_t begin = (size_t)member->position;
        return unpack_first(container, member, container->file.data + begin, container->file.size - begin,
                            false, bytes, diagnostic);
    }
    if (member->kept.data) {
        *bytes = take_kept(container, member);
        return MST_OK;
    }
    begun at;
    mst_status status = go_to(container, member, &at, diagnostic);
    return status == MST_OK ? unpack(container, member, &at, bytes, diagnostic) : status;
}

static mst_status peek(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic) {
    if (container->pass->seekable) {
        size_t begin = (size_t)member->position;
        return peek_first(container, member, container->file.data + begin, container->file.size - begin,
                          false, first, size, diagnostic);
    }
    begun at;
    if (!member->kept.data) {
        mst_status status = go_to(container, member, &at, diagnostic);
        bool fits = member->size <= kept_max(container) &&
                    member->size <= mst_container_member_limit(container, member, container->file.size);
        if (status == MST_OK && fits)
            status = keep(container, member, &at, diagnostic);
        else if (status == MST_OK)
            return unpack_beginning(container, member, &at, first, size, diagnostic);
        if (status != MST_OK)
            return status;
    }
    *size = member->kept.size < *size ? member->kept.size : *size;
    memcpy(first, member->kept.data, *size);
    return MST_OK;
}

/* ---- listing -------------------------------------------------------------------------------------- */

static mst_status add_entry(mst_container *container, struct archive_entry *entry, uint64_t position,
                            mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    const char *name = library->entry_pathname_utf8(entry);
    if (!name)
        name = library->entry_pathname(entry);
    if (!name || !is_file(library, entry))
        return MST_OK;
    mst_container_member *member;
    mst_status status = mst_container_add_foreign(container, name, strlen(name), &member, diagnostic);
    if (member) {
        la_int64_t size = library->entry_size(entry);
        member->size = size > 0 ? (uint64_t)size : 0;
        member->position = position;
    }
    return status;
}

/* Whether an entry of that size can be passed within the total limit. A plain tar need not be unpacked. */
static bool may_pass(const mst_container *container, uint64_t size) {
    const mst_libarchive *library = container->libarchive;
    const struct mst_container_pass *pass = container->pass;
    la_int64_t unpacked = library->filter_bytes(pass->archive, 0);
    uint64_t passed = unpacked > 0 ? (uint64_t)unpacked : 0;
    passed = passed > pass->all ? passed : pass->all;
    return pass->seekable || (passed <= container->total && size <= container->total - passed);
}

/* All entries after one that exceeds the limit are left out too. */
static mst_status omit_rest(mst_container *container, struct archive_entry *entry,
                            mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    char safe[80] = "";
    const char *name = library->entry_pathname(entry);
    if (name)
        mst_name_make_safe(name, strlen(name), safe, sizeof safe);
    char why[160];
    snprintf(why, sizeof why,
             "it and all files after it: the archive unpacks to more than %llu bytes; set a member limit to "
             "allow more",
             (unsigned long long)container->total);
    return mst_container_omit(container, why, safe, diagnostic);
}

static bool is_image(const mst_container *container) {
    const size_t length = sizeof MST_ISO_MARK - 1;
    return container->file.size >= MST_ISO_MARK_AT + length &&
           memcmp(container->file.data + MST_ISO_MARK_AT, MST_ISO_MARK, length) == 0;
}

static mst_status list(mst_container *container, mst_diagnostic *diagnostic) {
    const mst_libarchive *library = container->libarchive;
    struct mst_container_pass *pass = container->pass;
    if (!begin_pass(container)) /* such as a compressed file that is not an archive */
        return mst_container_fail(container, NULL, diagnostic, MST_UNKNOWN,
                                  "it is not an archive of a known kind");
    for (;; pass->next++) {
        struct archive_entry *entry;
        int result = library->read_next_header(pass->archive, &entry);
        if (result == ARCHIVE_EOF && !pass->next && is_image(container)) /* not even the root */
            return mst_container_fail(container, NULL, diagnostic, MST_DAMAGED,
                                      "the image ends before its directory");
        if (result == ARCHIVE_EOF)
            return MST_OK;
        if (result < ARCHIVE_WARN)
            return mst_container_fail(container, NULL, diagnostic, MST_DAMAGED,
                                      reason(library, pass->archive));
        if (pass->next == 0) {
            int kind = library->format(pass->archive) & ARCHIVE_FORMAT_BASE_MASK;
            bool plain = library->filter_count(pass->archive) == 1;
            pass->seekable = kind == ARCHIVE_FORMAT_TAR && plain;
            pass->listed = kind == ARCHIVE_FORMAT_ISO9660 && plain;
        }
        la_int64_t here = library->read_header_position(pass->archive), listed = library->entry_size(entry);
        uint64_t size = listed > 0 ? (uint64_t)listed : 0;
        if (!may_pass(container, size))
            return omit_rest(container, entry, diagnostic);
        pass->all += size;
        if (pass->next >= 2 * (uint64_t)MST_CONTAINER_MEMBERS_MAX)
            return mst_container_fail(container, NULL, diagnostic, MST_IO, "it has too many entries");
        if (pass->seekable &&
            MST_UNREACHABLE((uint64_t)here > container->file.size)) /* libarchive has read it there */
            return mst_container_fail(container, NULL, diagnostic, MST_DAMAGED,
                                      "an entry is not where it should be");
        mst_status status =
            add_entry(container, entry, pass->seekable ? (uint64_t)here : pass->next, diagnostic);
        if (status != MST_OK)
            return status;
    }
}

mst_status mst_container_list_archive(mst_container *container, mst_diagnostic *diagnostic) {
    static const mst_container_kind kind = {read_member, mst_container_release_memory, end_pass, peek};
    mst_status status = need_library(container, NULL, diagnostic);
    if (status != MST_OK)
        return status;
    container->pass = mst_arena_zero(&container->arena, 1, sizeof *container->pass);
    if (!container->pass)
        return mst_container_fail(container, NULL, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    container->kind = &kind;
    status = list(container, diagnostic);
    end_pass(container);
    return status;
}

bool mst_container_is_streamed(const mst_container *container) {
    return container && container->pass && !container->pass->seekable;
}

#else

static mst_status cannot_unpack(const mst_container *container, const mst_container_member *member,
                                mst_diagnostic *diagnostic) {
    return mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED,
                              "it is compressed, and this build of mapstone cannot unpack it");
}

mst_status mst_container_unpack_zip(mst_container *container, mst_container_member *member,
                                    const uint8_t *data, size_t size, mst_container_bytes *bytes,
                                    mst_diagnostic *diagnostic) {
    (void)data, (void)size;
    *bytes = (mst_container_bytes){.data = ""};
    return cannot_unpack(container, member, diagnostic);
}

mst_status mst_container_peek_zip(mst_container *container, const mst_container_member *member,
                                  const uint8_t *data, size_t size, void *first, size_t *count,
                                  mst_diagnostic *diagnostic) {
    (void)data, (void)size, (void)first, (void)count;
    return cannot_unpack(container, member, diagnostic);
}

bool mst_container_is_streamed(const mst_container *container) {
    (void)container;
    return 0;
}

mst_status mst_container_list_archive(mst_container *container, mst_diagnostic *diagnostic) {
    return mst_container_fail(container, NULL, diagnostic, MST_UNSUPPORTED,
                              "this build of mapstone reads only zip archives");
}

#endif
