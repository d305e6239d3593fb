/* SPDX-License-Identifier: MIT */
/* Sets: what all kinds of them share. */
#include "set.h"
#include "../core/diagnose.h"
#include "../core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER_LIMIT (UINT64_C(1) << 30)
#define TOTAL_LIMIT  (UINT64_C(16) << 30)
#define PASS_LIMIT   32
/* What is packed. Levels pack to a fifth or tenth, seldom to a twentieth. */
#define RATIO_MAX     200
#define MEMBER_ALWAYS (UINT64_C(16) << 20)
#define TOTAL_ALWAYS  (UINT64_C(64) << 20)
#define FOUND_NAME    48 /* bytes of a name that is too long, to know it by */

/* ---- members -------------------------------------------------------------------------------------- */

mst_file_set_member *mst_file_set_add(mst_file_set *set, const char *name, mst_diagnostic *diagnostic) {
    if (set->members.count >= MST_SET_MEMBERS_MAX) {
        mst_fail(diagnostic, MST_IO, "%s has more than %u files", set->path, MST_SET_MEMBERS_MAX);
        return NULL;
    }
    char *copy = mst_arena_text(&set->arena, name, strlen(name));
    mst_file_set_member *member = copy ? mst_array_push(&set->members, 1) : NULL;
    if (!member) {
        mst_fail(diagnostic, MST_NO_MEMORY, "no memory for the names in %s", set->path);
        return NULL;
    }
    *member = (mst_file_set_member){.name = copy};
    return member;
}

mst_status mst_file_set_add_foreign(mst_file_set *set, const char *name, size_t length,
                                    mst_file_set_member **member, mst_diagnostic *diagnostic) {
    char safe[MST_SET_NAME_MAX + 1];
    *member = NULL;
    if (!mst_name_make_safe(name, length, safe, sizeof safe)) {
        size_t part = length < FOUND_NAME ? length : FOUND_NAME;
        while (part && part < length && ((unsigned char)name[part] & 0xC0) == 0x80)
            part--;
        if (!length) /* as folders may be written */
            return MST_OK;
        if (!mst_name_make_safe(name, part, safe, sizeof safe))
            return mst_file_set_omit(set, "its name leads nowhere", NULL, diagnostic);
        size_t end = strlen(safe);
        snprintf(safe + end, sizeof safe - end, "...");
        return mst_file_set_omit(set, "its name is too long", safe, diagnostic);
    }
    *member = mst_file_set_add(set, safe, diagnostic);
    if (*member)
        return MST_OK;
    return set->members.count >= MST_SET_MEMBERS_MAX ? MST_IO : MST_NO_MEMORY;
}

static int by_place(const void *a, const void *b) {
    const mst_file_set_member *first = *(mst_file_set_member *const *)a,
                              *second = *(mst_file_set_member *const *)b;
    return (first->position > second->position) - (first->position < second->position);
}

static int by_name(const void *a, const void *b) {
    const mst_file_set_member *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : by_place(&first, &second);
}

static int by_folded(const void *a, const void *b) {
    const mst_file_set_member *first = *(mst_file_set_member *const *)a,
                              *second = *(mst_file_set_member *const *)b;
    int order = mst_name_compare(first->name, second->name);
    return order ? order : (first > second) - (first < second);
}

/* Once they lie where they stay. */
static int by_order(const void *a, const void *b) {
    const mst_file_set_member *first = *(mst_file_set_member *const *)a,
                              *second = *(mst_file_set_member *const *)b;
    int order = by_place(a, b);
    return order ? order : (first > second) - (first < second);
}

static int by_base(const void *a, const void *b) {
    const mst_file_set_member *first = *(mst_file_set_member *const *)a,
                              *second = *(mst_file_set_member *const *)b;
    int order = mst_name_compare(mst_name_base(first->name), mst_name_base(second->name));
    return order ? order : (first > second) - (first < second);
}

static mst_status sort(mst_file_set *set, mst_diagnostic *diagnostic) {
    mst_file_set_member *members = set->members.items;
    size_t count = set->members.count;
    if (!count)
        return MST_OK;
    mst_file_set_member **folded = mst_array_push(&set->folded, count);
    mst_file_set_member **bases = mst_array_push(&set->bases, count);
    mst_file_set_member **places = mst_array_push(&set->places, count);
    if (!folded || !bases || !places)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for the names in %s", set->path);
    qsort(members, count, sizeof *members, by_name);
    for (size_t i = 0; i < count; i++)
        folded[i] = bases[i] = places[i] = &members[i];
    qsort(folded, count, sizeof *folded, by_folded);
    qsort(bases, count, sizeof *bases, by_base);
    qsort(places, count, sizeof *places, by_order);
    return MST_OK;
}

/* ---- what went wrong ------------------------------------------------------------------------------ */

mst_status mst_file_set_fail(const mst_file_set *set, const mst_file_set_member *member,
                             mst_diagnostic *diagnostic, mst_status status, const char *why) {
    if (member)
        return mst_fail(diagnostic, status, "cannot read %s in %s: %s", member->name, set->path, why);
    return mst_fail(diagnostic, status, "cannot read %s: %s", set->path, why);
}

mst_status mst_file_set_too_large(const mst_file_set *set, const mst_file_set_member *member,
                                  mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_IO, "%s has more than %llu bytes", member->name,
                    (unsigned long long)set->limit);
}

mst_status mst_file_set_omit(mst_file_set *set, const char *why, const char *found,
                             mst_diagnostic *diagnostic) {
    mst_diagnostic odd;
    set->omitted++;
    if (!set->report)
        return MST_OK;
    mst_fail(&odd, MST_OK, "a file is left out of the set: %s", why);
    odd.severity = MST_WARNING;
    if (found)
        MST_SET(odd.found, "%s", found);
    mst_status status = set->report(set->report_user, &odd);
    return status == MST_OK ? status : mst_file_set_fail(set, NULL, diagnostic, status, "stopped");
}

/* ---- what may unpack to how much -------------------------------------------------------------------- */

static uint64_t by_ratio(uint64_t packed, uint64_t more, uint64_t min) {
    uint64_t bound = packed > (UINT64_MAX - more) / RATIO_MAX ? UINT64_MAX : packed * RATIO_MAX + more;
    return bound > min ? bound : min;
}

uint64_t mst_file_set_bound(const mst_file_set *set, uint64_t packed) {
    uint64_t bound = set->limit_is_given ? set->limit : by_ratio(packed, 0, MEMBER_ALWAYS);
    return bound < set->limit ? bound : set->limit;
}

uint64_t mst_file_set_capacity(const mst_file_set *set, const mst_file_set_member *member, uint64_t packed) {
    uint64_t bound = mst_file_set_bound(set, packed), left = set->total - set->unpacked + member->unpacked;
    return bound < left ? bound : left;
}

mst_status mst_file_set_bursts(const mst_file_set *set, const mst_file_set_member *member, uint64_t packed,
                               mst_diagnostic *diagnostic) {
    uint64_t bound = mst_file_set_bound(set, packed), capacity = mst_file_set_capacity(set, member, packed);
    if (bound == set->limit && capacity == bound)
        return mst_file_set_too_large(set, member, diagnostic);
    if (capacity < bound)
        return mst_fail(
            diagnostic, MST_IO,
            "%s: what was read of %s unpacks to more than %llu bytes; set a member limit to allow "
            "more",
            member->name, mst_name_base(set->path), (unsigned long long)set->total);
    return mst_fail(diagnostic, MST_IO,
                    "%s unpacks to more than %llu bytes, and %u times what is packed; set a member limit to "
                    "allow it",
                    member->name, (unsigned long long)bound, RATIO_MAX);
}

void mst_file_set_count_unpacked(mst_file_set *set, mst_file_set_member *member, uint64_t size) {
    if (size <= member->unpacked)
        return;
    set->unpacked += size - member->unpacked;
    member->unpacked = size;
}

/* ---- opening and closing -------------------------------------------------------------------------- */

int mst_file_set_is_archive(const void *bytes, size_t size) {
    if (!bytes)
        return 0;
    static const struct {
        const char *mark;
        size_t offset, length;
    } marks[] = {{"PK\3\4", 0, 4},
                 {"PK\5\6", 0, 4},
                 {"7z\xBC\xAF\x27\x1C", 0, 6},
                 {"MSCF\0\0\0\0", 0, 8},
                 {"\x1F\x8B\x08", 0, 3},
                 {"\xFD"
                  "7zXZ\0",
                  0, 6},
                 {"1AY&SY", 4, 6},
                 {"ustar", 257, 5}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size >= marks[i].offset + marks[i].length &&
            !memcmp((const char *)bytes + marks[i].offset, marks[i].mark, marks[i].length))
            return marks[i].offset != 4 || !memcmp(bytes, "BZh", 3);
    return mst_file_set_is_disc(bytes, size);
}

mst_status mst_file_set_load(const mst_file_set *set, const char *path, uint64_t limit, mst_file_bytes *bytes,
                             mst_diagnostic *diagnostic) {
    return set->unmapped ? mst_file_read_unmapped(path, &set->allocator, limit, bytes, diagnostic)
                         : mst_file_read(path, &set->allocator, limit, bytes, diagnostic);
}

static mst_status open_set(mst_file_set *set, const char *path, mst_diagnostic *diagnostic) {
    bool directory = mst_directory_read(path, NULL, NULL, NULL) == MST_OK;
    bool slash = directory && path[strlen(path) - 1] != '/'; /* what can be read has a name */
    set->path = mst_arena_printf(&set->arena, "%s%s", path, slash ? "/" : "");
    if (!set->path)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
    mst_status status;
    if (directory) {
        status = mst_file_set_list_directory(set, diagnostic);
    } else {
        status = mst_file_set_load(set, path, 0, &set->file, diagnostic);
        if (status == MST_OK && !mst_file_set_is_archive(set->file.data, set->file.size))
            status = mst_fail(diagnostic, MST_UNKNOWN, "%s is no archive", path);
        if (status != MST_OK)
            return status;
        if (!set->total)
            set->total = set->limit_is_given ? TOTAL_LIMIT : by_ratio(set->file.size, TOTAL_ALWAYS, 0);
        status = mst_file_set_list_zip(set, diagnostic);
        if (status == MST_UNKNOWN)
            status = mst_file_set_list_disc(set, diagnostic);
        if (status == MST_UNKNOWN)
            status = mst_file_set_list_archive(set, diagnostic);
    }
    return status == MST_OK ? sort(set, diagnostic) : status;
}

mst_status mst_file_set_open(const char *path, const mst_file_set_options *options, mst_file_set **result,
                             mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!path || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a place for the set are needed");
    mst_allocator allocator = mst_allocator_or_default(options ? &options->allocator : NULL);
    mst_file_set *set = allocator.resize(allocator.user, NULL, 0, sizeof *set);
    if (!set)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
    memset(set, 0, sizeof *set);
    set->allocator = allocator;
    set->limit = options && options->member_limit ? options->member_limit : MEMBER_LIMIT;
    if (set->limit > SIZE_MAX / 2)
        set->limit = SIZE_MAX / 2;
    set->limit_is_given = options && options->member_limit;
    set->pass_max = options && options->pass_limit ? options->pass_limit : PASS_LIMIT;
    if (options) {
        set->total = options->total_limit;
        set->unmapped = options->unmapped != 0;
        set->report = options->report;
        set->report_user = options->report_user;
    }
    mst_arena_begin(&set->arena, &allocator, 0);
    set->members = (mst_array){.element_size = sizeof(mst_file_set_member), .allocator = allocator};
    set->folded = set->bases = set->places =
        (mst_array){.element_size = sizeof(mst_file_set_member *), .allocator = allocator};
    mst_status status = open_set(set, path, diagnostic);
    if (status != MST_OK)
        mst_file_set_close(set);
    else
        *result = set;
    return status;
}

void mst_file_set_close(mst_file_set *set) {
    if (!set)
        return;
    mst_file_set_member *members = set->members.items;
    for (size_t i = 0; i < set->members.count; i++) {
        mst_file_set_release(set, &members[i].found);
        mst_file_set_release(set, &members[i].kept);
    }
    if (set->kind && set->kind->close)
        set->kind->close(set);
    mst_file_bytes_free(&set->file);
    mst_array_free(&set->members);
    mst_array_free(&set->folded);
    mst_array_free(&set->bases);
    mst_array_free(&set->places);
    mst_arena_end(&set->arena);
    mst_allocator allocator = set->allocator;
    allocator.resize(allocator.user, set, sizeof *set, 0);
}

/* ---- looking -------------------------------------------------------------------------------------- */

static mst_file_set_member *member_at(const mst_file_set *set, size_t index) {
    return set && index < set->members.count ? (mst_file_set_member *)set->members.items + index : NULL;
}

size_t mst_file_set_count(const mst_file_set *set) {
    return set ? set->members.count : 0;
}

const char *mst_file_set_name(const mst_file_set *set, size_t index) {
    const mst_file_set_member *member = member_at(set, index);
    return member ? member->name : NULL;
}

uint64_t mst_file_set_size(const mst_file_set *set, size_t index) {
    const mst_file_set_member *member = member_at(set, index);
    return member ? member->size : 0;
}

uint64_t mst_file_set_omitted(const mst_file_set *set) {
    return set ? set->omitted : 0;
}

size_t mst_file_set_at(const mst_file_set *set, size_t place) {
    if (!set)
        return SIZE_MAX;
    mst_file_set_member *const *places = set->places.items;
    return place < set->places.count
               ? (size_t)(places[place] - (const mst_file_set_member *)set->members.items)
               : SIZE_MAX;
}

static const char *whole(const char *name) {
    return name;
}

/* The member of a sorted list that is called so: the first in this case, else the first in any. */
static mst_file_set_member *find_in(const mst_array *sorted, const char *(*part)(const char *),
                                    const char *name) {
    mst_file_set_member *const *list = sorted->items;
    size_t low = 0, high = sorted->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mst_name_compare(part(list[middle]->name), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    mst_file_set_member *found = NULL;
    for (; low < sorted->count && mst_name_compare(part(list[low]->name), name) == 0; low++) {
        if (strcmp(part(list[low]->name), name) == 0)
            return list[low];
        if (!found)
            found = list[low];
    }
    return found;
}

size_t mst_file_set_find(const mst_file_set *set, const char *name) {
    if (!set || !name)
        return SIZE_MAX;
    const mst_file_set_member *found = find_in(&set->folded, whole, name);
    return found ? (size_t)(found - (const mst_file_set_member *)set->members.items) : SIZE_MAX;
}

/* ---- reading -------------------------------------------------------------------------------------- */

static mst_status no_member(const mst_file_set *set, size_t index, mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_ARGUMENT, "%s has %zu files, and none of the number %zu", set->path,
                    set->members.count, index);
}

mst_status mst_file_set_read(mst_file_set *set, size_t index, mst_file_set_bytes *bytes,
                             mst_diagnostic *diagnostic) {
    if (!set || !bytes)
        return mst_fail(diagnostic, MST_ARGUMENT, "a set and a place for the bytes are needed");
    mst_file_set_member *member = member_at(set, index);
    *bytes = (mst_file_set_bytes){.data = ""};
    if (!member)
        return no_member(set, index, diagnostic);
    if (member->size > set->limit)
        return mst_file_set_too_large(set, member, diagnostic);
    return set->kind->read(set, member, bytes, diagnostic);
}

mst_status mst_file_set_peek(mst_file_set *set, size_t index, void *first, size_t capacity, size_t *size,
                             mst_diagnostic *diagnostic) {
    if (!set || !size || (!first && capacity))
        return mst_fail(diagnostic, MST_ARGUMENT, "a set and places for the bytes and their size are needed");
    mst_file_set_member *member = member_at(set, index);
    mst_file_set_bytes bytes = {0};
    *size = 0;
    if (!member)
        return no_member(set, index, diagnostic);
    size_t count = capacity;
    mst_status status = set->kind->peek ? set->kind->peek(set, member, first, &count, diagnostic)
                                        : set->kind->read(set, member, &bytes, diagnostic);
    if (status != MST_OK)
        return status;
    if (!set->kind->peek) {
        count = bytes.size < capacity ? bytes.size : capacity;
        if (count)
            memcpy(first, bytes.data, count);
        mst_file_set_release(set, &bytes);
    }
    *size = count;
    return MST_OK;
}

void mst_file_set_release(mst_file_set *set, mst_file_set_bytes *bytes) {
    if (!set || !bytes)
        return;
    if (bytes->held)
        set->kind->release(set, bytes);
    *bytes = (mst_file_set_bytes){.data = ""};
}

void mst_file_set_release_memory(mst_file_set *set, mst_file_set_bytes *bytes) {
    set->allocator.resize(set->allocator.user, bytes->held, bytes->size, 0);
}

/* What cannot be read is not there, for most who ask; so it is reported, once. */
static mst_status unreadable(mst_file_set *set, mst_file_set_member *member, mst_diagnostic *why) {
    mst_status status = why->status;
    if (set->report && !member->reported && status != MST_NO_MEMORY) {
        why->status = MST_OK;
        why->severity = MST_WARNING;
        mst_status answer = set->report(set->report_user, why);
        status = answer == MST_OK ? status : answer;
    }
    member->reported = true;
    return status;
}

static mst_status find_sidecar(void *user, const char *name, const void **bytes, size_t *size) {
    mst_file_set *set = user;
    *bytes = NULL;
    *size = 0;
    bool plain = !strchr(name, '/');
    mst_file_set_member *member = name[0] ? find_in(&set->folded, whole, name) : NULL;
    if (!member && plain && name[0])
        member = find_in(&set->bases, mst_name_base, name);
    if (!member)
        return MST_NO_PATH;
    if (!member->found.data) {
        size_t index = (size_t)(member - (mst_file_set_member *)set->members.items);
        mst_file_set_bytes found;
        mst_diagnostic why;
        mst_status status = mst_file_set_read(set, index, &found, &why);
        if (status != MST_OK)
            return unreadable(set, member, &why);
        member->found = found;
    }
    *bytes = member->found.data;
    *size = member->found.size;
    return MST_OK;
}

static mst_status each_sidecar(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                               void *taker) {
    mst_file_set *set = user;
    mst_status status = MST_OK;
    for (size_t i = 0; i < mst_file_set_count(set) && status == MST_OK; i++) {
        const char *name = mst_file_set_name(set, i), *slash = strrchr(name, '/');
        const void *bytes;
        size_t size;
        if (!slash || !mst_text_ends_in(name, (size_t)(slash - name), folder) ||
            !mst_text_ends_in(name, strlen(name), ending))
            continue;
        status = find_sidecar(set, name, &bytes, &size);
        if (status == MST_OK)
            status = take(taker, slash + 1, bytes, size);
        else if (status != MST_NO_MEMORY)
            status = MST_OK; /* what cannot be read is not there */
    }
    return status;
}

mst_resolver mst_file_set_resolver(mst_file_set *set) {
    return set ? (mst_resolver){find_sidecar, set, NULL, each_sidecar}
               : (mst_resolver){NULL, NULL, NULL, NULL};
}
