/* SPDX-License-Identifier: MIT */
/* The input is an archive or a disc image; it is a file without a name, reached by its descriptor. */
#include "property.h"
#include <stdio.h>
#include <unistd.h>

const char fuzz_promise[] =
    "an archive or disc image is listed under names that lead nowhere but down, and its "
    "members are read or refused";

static int put_file(const uint8_t *bytes, size_t size) {
    static int file = -1;
    char memory[] = "/dev/shm/mapstone-fuzz-XXXXXX", disk[] = "/tmp/mapstone-fuzz-XXXXXX";
    if (file < 0) {
        file = mkstemp(memory);
        char *place = file < 0 ? disk : memory; /* ten times slower */
        if (file < 0)
            file = mkstemp(disk);
        HOLDS(file >= 0);
        unlink(place);
    }
    HOLDS(ftruncate(file, 0) == 0);
    HOLDS(pwrite(file, bytes, size, 0) == (ssize_t)size);
    return file;
}

/* Down only, and nothing that a terminal would interpret. */
static void is_a_name(const char *name) {
    HOLDS(*name && *name != '/');
    for (const char *part = name;; part = strchr(part, '/') + 1) {
        HOLDS(*part && *part != '/');
        HOLDS(!(part[0] == '.' && (part[1] == 0 || part[1] == '/')));
        HOLDS(!(part[0] == '.' && part[1] == '.' && (part[2] == 0 || part[2] == '/')));
        if (!strchr(part, '/'))
            break;
    }
    for (; *name; name++)
        HOLDS((uint8_t)*name >= 0x20 && *name != 0x7F);
}

static volatile uint8_t seen;

static void member_is_read(mst_container *container, size_t index, uint64_t limit) {
    mst_container_bytes bytes;
    mst_diagnostic why;
    const char *name = mst_container_name(container, index);
    is_a_name(name);
    size_t found = mst_container_find(container, name);
    HOLDS(found < mst_container_count(container) && strcmp(mst_container_name(container, found), name) == 0);
    uint8_t first[64];
    size_t count;
    if (index % 3 == 0 && mst_container_peek(container, index, first, sizeof first, &count, NULL) == MST_OK)
        HOLDS(count <= sizeof first);
    memset(&why, 0x7F, sizeof why);
    mst_status status = mst_container_read(container, index, &bytes, &why);
    if (status != MST_OK) {
        fuzz_is_told(&why, status);
        HOLDS(bytes.size == 0);
        return;
    }
    HOLDS(bytes.size <= limit);
    for (size_t i = 0; i < bytes.size; i++) /* every byte is readable */
        seen ^= ((const uint8_t *)bytes.data)[i];
    mst_container_release(container, &bytes);
}

void fuzz_property(fuzz_input *in) {
    fuzz_memory memory = {0};
    uint64_t reported = 0;
    mst_container_options options = {.size = sizeof options,
                                     .allocator = fuzz_allocator(&memory),
                                     .member_limit = 1u << 20,
                                     .report = fuzz_count_findings,
                                     .report_user = &reported};
    char place[40];
    mst_container *container = NULL;
    mst_diagnostic why;
    memset(&why, 0x7F, sizeof why);
    snprintf(place, sizeof place, "/proc/self/fd/%d", put_file(in->bytes, in->size));
    mst_container_is_archive(in->bytes, in->size);
    if (fuzz_below(&in->random, 8) == 0)
        memory.fail_at = 1 + fuzz_below(&in->random, 40);
    mst_status status = mst_container_open(place, &options, &container, &why);
    if (status != MST_OK) {
        HOLDS(!container);
        fuzz_is_told(&why, status);
    } else {
        size_t count = mst_container_count(container);
        for (size_t i = 0; i < count && i < 12; i++)
            member_is_read(container, fuzz_below(&in->random, 3) ? i : fuzz_next(&in->random) % count,
                           options.member_limit);
        mst_resolver resolver = mst_container_resolver(container);
        const void *bytes;
        size_t size;
        if (count)
            resolver.find(resolver.user, mst_container_name(container, count / 2), &bytes, &size);
        mst_container_close(container);
    }
    HOLDS(memory.bytes == 0);
}
