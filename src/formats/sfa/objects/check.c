/* SPDX-License-Identifier: MIT */
/* Checks of a list of objects. */
#include "../../../core/diagnose.h"
#include "objects.h"
#include <stdlib.h>

#define GROUPED 0x10 /* of load_flags */

/* Offsets in a record. */
enum { AT_WORDS = 2, AT_LOAD_FLAGS = 4, AT_BOUND = 6, AT_KIND = 0x19 };

bool mst_sfa_object_at(const uint8_t *data, uint64_t offset, uint64_t end, mst_sfa_object_header *header) {
    if (!mst_fits(offset, MST_SFA_OBJECT_MIN, end))
        return false;
    unsigned words = data[offset + AT_WORDS];
    if (words < MST_SFA_OBJECT_MIN / 4 || !mst_fits(offset, 4 * (uint64_t)words, end))
        return false;
    header->offset = offset;
    header->size = 4 * (uint64_t)words;
    header->type = (int16_t)mst_load16(data + offset, true);
    header->words = words;
    header->kind = header->type == MST_SFA_CURVE && header->size > AT_KIND ? data[offset + AT_KIND] : 0;
    return true;
}

typedef struct known_id {
    uint32_t id;
    uint32_t index; /* of the object */
    uint64_t offset;
} known_id;

typedef struct checking {
    mst_checker *checker;
    const uint8_t *data;
    const char *path;
    known_id *ids; /* ascending; equal ids in the order of the list */
    uint32_t count;
} checking;

static int compare_ids(const void *a, const void *b) {
    const known_id *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* A finding about a field of an object; `field` NULL: about the object. */
static void begin_finding(const checking *l, mst_diagnostic *finding, uint32_t index, const char *field,
                          uint64_t component, uint64_t offset, uint64_t size) {
    memset(finding, 0, sizeof *finding);
    size_t length = mst_path_step(finding->path, sizeof finding->path, 0, l->path, index);
    if (field)
        mst_path_step(finding->path, sizeof finding->path, length, field, component);
    finding->offset = offset;
    finding->length = size;
}

/* The sort key of a list: objects without a group come first, then those of groups, ascending, then curves
 * and checkpoints. */
static unsigned sort_key(const uint8_t *record, int type) {
    if (type == MST_SFA_CURVE || type == MST_SFA_CHECKPOINT)
        return 0x200;
    return record[AT_LOAD_FLAGS] & GROUPED ? 0x100u + record[AT_BOUND] : 0;
}

static mst_status check_object(const checking *l, const mst_sfa_object_header *header, uint32_t index,
                               unsigned before) {
    const uint8_t *record = l->data + header->offset;
    mst_diagnostic finding;
    mst_status status = MST_OK;
    if (sort_key(record, header->type) < before) {
        begin_finding(l, &finding, index, NULL, 0, header->offset, header->size);
        status = mst_checker_report(l->checker, "SFA-ROMLIST-ORDER", &finding);
    }
    unsigned words = mst_sfa_words_of(header->type, header->kind);
    if (status == MST_OK && words && words != header->words) {
        begin_finding(l, &finding, index, NULL, 0, header->offset + AT_WORDS, 1);
        MST_SET(finding.expected, "%u words", words);
        MST_SET(finding.found, "%u", header->words);
        status = mst_checker_report(l->checker, "SFA-ROMLIST-WIDTH", &finding);
    }
    unsigned flags = record[AT_LOAD_FLAGS];
    if (status == MST_OK && header->type != MST_SFA_CURVE && (flags > 0x20 || (flags & (flags - 1)))) {
        begin_finding(l, &finding, index, "load_flags", UINT64_MAX, header->offset + AT_LOAD_FLAGS, 1);
        MST_SET(finding.expected, "0, 1, 2, 4, 8, 16 or 32");
        MST_SET(finding.found, "%u", flags);
        status = mst_checker_report(l->checker, "SFA-ROMLIST-FLAGS", &finding);
    }
    return status;
}

/* One finding for each nonzero id that several objects have, at the second of them. */
static mst_status check_repeats(const checking *l) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < l->count && status == MST_OK;) {
        uint32_t after = i + 1;
        while (after < l->count && l->ids[after].id == l->ids[i].id)
            after++;
        if (after - i > 1 && l->ids[i].id) {
            mst_diagnostic finding;
            begin_finding(l, &finding, l->ids[i + 1].index, "id", UINT64_MAX,
                          l->ids[i + 1].offset + MST_SFA_OBJECT_AT_ID, 4);
            MST_SET(finding.found, "0x%08X, %u objects", l->ids[i].id, after - i);
            status = mst_checker_report(l->checker, "SFA-ROMLIST-ID", &finding);
        }
        i = after;
    }
    return status;
}

mst_status mst_sfa_check_objects(mst_checker *checker, const uint8_t *data, uint64_t begin, uint64_t end,
                                 const char *path) {
    checking l = {.checker = checker, .data = data, .path = path};
    mst_sfa_object_header header;
    uint64_t offset, count = 0;
    for (offset = begin; mst_sfa_object_at(data, offset, end, &header); offset += header.size)
        count++;
    if (!count)
        return MST_OK;
    l.ids = mst_arena_zero(&checker->scratch, (size_t)count, sizeof *l.ids);
    if (!l.ids)
        return MST_NO_MEMORY;
    for (offset = begin; mst_sfa_object_at(data, offset, end, &header); offset += header.size) {
        l.ids[l.count] = (known_id){mst_load32(data + offset + MST_SFA_OBJECT_AT_ID, true), l.count, offset};
        l.count++;
    }
    qsort(l.ids, l.count, sizeof *l.ids, compare_ids);
    mst_status status = MST_OK;
    unsigned before = 0;
    uint32_t index = 0;
    for (offset = begin; status == MST_OK && mst_sfa_object_at(data, offset, end, &header);
         offset += header.size) {
        status = check_object(&l, &header, index++, before);
        before = sort_key(data + offset, header.type);
    }
    if (status == MST_OK)
        status = check_repeats(&l);
    if (status == MST_OK)
        status = mst_sfa_check_bits(checker, data, begin, end, path);
    return status == MST_OK ? mst_sfa_check_links(checker, data, begin, end, path) : status;
}
