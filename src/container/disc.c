/* SPDX-License-Identifier: MIT */
/*
 * Plain GameCube disc images: the file table is a list of entries in which each directory gives its end, and
 * members are views of the image. Compressed images are only recognised by their first bytes.
 */
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "container.h"

#include <string.h>

enum {
    HEADER_SIZE = 0x430,
    AT_TABLE = 0x424, /* its offset, then its size */
    ENTRY_SIZE = 12,
    CODE_SIZE = 4,
    DEPTH_MAX = 32,  /* of directories, without the root */
    SHARED_MAX = 16, /* files may share bytes: their sizes add up to at most this many images */
    TOO_LONG = MST_CONTAINER_NAME_MAX + 1
};

static uint32_t u32(const uint8_t *at) {
    return mst_load32(at, true);
}

typedef struct listing {
    mst_container *container;
    const uint8_t *entries;
    uint64_t offset; /* of the entries in the image */
    uint32_t count;
    const char *names;
    size_t last_end; /* offset of the last NUL in `names`; a name after it would have none */
    uint64_t name_bytes, data_bytes;
    char *path; /* MST_CONTAINER_NAME_MAX bytes: the directory, with a slash at the end, and the entry */
    mst_diagnostic *diagnostic;
} listing;

/* ---- diagnostics ---------------------------------------------------------------------------------- */

typedef struct bound {
    const char *word; /* such as "at most"; NULL: omit expected and found values */
    uint64_t expected, found;
} bound;

static mst_status damaged(const mst_container *container, const mst_container_member *member,
                          mst_diagnostic *diagnostic, uint64_t offset, bound is, const char *why) {
    mst_container_fail(container, member, diagnostic, MST_DAMAGED, why);
    if (diagnostic) {
        diagnostic->offset = offset;
        diagnostic->length = 4;
        MST_SET(diagnostic->code, "%s", MST_CONTAINER_DISC_CODE);
        if (is.word) {
            MST_SET(diagnostic->expected, "%s %llu", is.word, (unsigned long long)is.expected);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)is.found);
        }
    }
    return MST_DAMAGED;
}

/* ---- members -------------------------------------------------------------------------------------- */

/* Finds a member's bytes in the image. */
static mst_status find_member(const mst_container *container, const mst_container_member *member,
                              uint64_t *begin, mst_diagnostic *diagnostic) {
    mst_container_bytes entry;
    uint64_t size = member->size;
    *begin = 0;
    if (!size) /* its offset does not matter */
        return MST_OK;
    mst_status status = mst_container_view(container, member->position, ENTRY_SIZE, &entry, diagnostic);
    if (status != MST_OK)
        return status;
    *begin = u32((const uint8_t *)entry.data + 4);
    mst_container_unview(container, &entry);
    if (mst_fits(*begin, size, container->file.size))
        return MST_OK;
    return damaged(container, member, diagnostic, member->position + 4,
                   (bound){"an end of at most", container->file.size, *begin + size},
                   "it runs beyond the end of the image, which may be cut");
}

static mst_status read_member(mst_container *container, mst_container_member *member,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    uint64_t begin;
    mst_status status = find_member(container, member, &begin, diagnostic);
    return status == MST_OK ? mst_container_view(container, begin, member->size, bytes, diagnostic) : status;
}

static mst_status peek(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic) {
    uint64_t begin;
    mst_container_bytes view;
    mst_status status = find_member(container, member, &begin, diagnostic);
    if (status == MST_OK)
        status = mst_container_view(container, begin, member->size < *size ? member->size : *size, &view,
                                    diagnostic);
    if (status != MST_OK)
        return status;
    *size = view.size;
    if (view.size)
        memcpy(first, view.data, view.size);
    mst_container_unview(container, &view);
    return MST_OK;
}

/* ---- names ---------------------------------------------------------------------------------------- */

/*
 * Appends a name to the `length` bytes of the path. Returns the new length, TOO_LONG if there is no room.
 * Slashes and backslashes (the second byte of many characters in Shift-JIS) would split the name, so they are
 * escaped as %2F and %5C.
 */
static size_t append(const listing *of, size_t length, const char *name, size_t size) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < size && length < TOO_LONG; i++) {
        unsigned char c = (unsigned char)name[i];
        bool divides = c == '/' || c == '\\';
        if (length + (divides ? 3 : 1) > MST_CONTAINER_NAME_MAX)
            return TOO_LONG;
        if (divides) {
            of->path[length++] = '%';
            of->path[length++] = digits[c >> 4];
            of->path[length++] = digits[c & 15];
        } else {
            of->path[length++] = name[i];
        }
    }
    return length;
}

static mst_status too_much(const listing *of, uint32_t index) {
    return damaged(of->container, NULL, of->diagnostic, of->offset + (uint64_t)index * ENTRY_SIZE,
                   (bound){NULL, 0, 0}, "its files hold far more than the image does");
}

/* Writes the path of an entry after the `*length` bytes of its directory's path. */
static mst_status name_entry(listing *of, uint32_t index, size_t *length) {
    const uint8_t *entry = of->entries + (size_t)index * ENTRY_SIZE;
    size_t begin = (size_t)mst_load(entry + 1, 3, true);
    if (begin > of->last_end)
        return damaged(of->container, NULL, of->diagnostic, of->offset + (uint64_t)index * ENTRY_SIZE,
                       (bound){"at most", of->last_end, begin},
                       "a name is not within the names of its file table, or does not end there");
    size_t capacity = of->last_end + 1 - begin;
    const char *name = of->names + begin;
    const char *end = memchr(name, 0, capacity < TOO_LONG ? capacity : TOO_LONG);
    *length = end ? append(of, *length, name, (size_t)(end - name)) : TOO_LONG;
    of->name_bytes += *length; /* bounded, because many paths may repeat the same long names */
    return of->name_bytes <= of->container->file.size ? MST_OK : too_much(of, index);
}

/* ---- the file table ------------------------------------------------------------------------------- */

static mst_status add_file(listing *of, uint32_t index, size_t length) {
    mst_container *container = of->container;
    uint64_t offset = of->offset + (uint64_t)index * ENTRY_SIZE;
    const uint8_t *entry = of->entries + (size_t)index * ENTRY_SIZE;
    uint32_t begin = u32(entry + 4), size = u32(entry + 8);
    if (length >= TOO_LONG)
        return mst_container_omit(container, "its name is too long", NULL, of->diagnostic);
    if (mst_fits(begin, size, container->file.size))
        of->data_bytes += size;
    if (of->data_bytes / SHARED_MAX > container->file.size)
        return too_much(of, index);
    mst_container_member *member;
    mst_status status = mst_container_add_foreign(container, of->path, length, &member, of->diagnostic);
    if (member) {
        member->size = size;
        member->position = offset;
    }
    return status;
}

typedef struct level {
    uint32_t end; /* the first entry after the directory */
    size_t path;  /* bytes of its path, with the slash */
} level;

static mst_status list_entries(listing *of) {
    level levels[DEPTH_MAX + 1] = {{of->count, 0}};
    size_t depth = 0;
    for (uint32_t i = 1; i < of->count; i++) {
        while (levels[depth].end <= i) /* the root ends after all entries */
            depth--;
        size_t length = levels[depth].path;
        mst_status status = name_entry(of, i, &length);
        const uint8_t *entry = of->entries + (size_t)i * ENTRY_SIZE;
        if (status == MST_OK && !entry[0])
            status = add_file(of, i, length);
        if (status != MST_OK)
            return status;
        if (!entry[0])
            continue;
        uint32_t end = u32(entry + 8);
        uint64_t offset = of->offset + (uint64_t)i * ENTRY_SIZE;
        if (end <= i)
            return damaged(of->container, NULL, of->diagnostic, offset + 8, (bound){"more than", i, end},
                           "a directory ends before it begins");
        if (end > levels[depth].end)
            return damaged(of->container, NULL, of->diagnostic, offset + 8,
                           (bound){"at most", levels[depth].end, end},
                           "a directory ends after the one that contains it");
        if (depth == DEPTH_MAX)
            return damaged(of->container, NULL, of->diagnostic, offset,
                           (bound){"at most", DEPTH_MAX, depth + 1}, "its directories are nested too deeply");
        if (length < MST_CONTAINER_NAME_MAX)
            of->path[length++] = '/';
        else
            length = TOO_LONG;
        levels[++depth] = (level){end, length};
    }
    return MST_OK;
}

/* Reads the file table into `table`. */
static mst_status find_table(listing *of, const uint8_t *data, mst_container_bytes *table) {
    mst_container *container = of->container;
    size_t size = container->file.size;
    if (size < HEADER_SIZE)
        return damaged(container, NULL, of->diagnostic, size, (bound){"at least", HEADER_SIZE, size},
                       "the image ends before its header does");
    uint64_t offset = u32(data + AT_TABLE), length = u32(data + AT_TABLE + 4);
    if (!mst_fits(offset, length, size))
        return damaged(container, NULL, of->diagnostic, AT_TABLE,
                       (bound){"an end of at most", size, offset + length},
                       "its file table runs beyond the end of the image");
    if (length < ENTRY_SIZE)
        return damaged(container, NULL, of->diagnostic, AT_TABLE + 4, (bound){"at least", ENTRY_SIZE, length},
                       "its file table has no room for the root");
    mst_status status = mst_container_view_list(container, offset, length, table, of->diagnostic);
    if (status != MST_OK)
        return status;
    const uint8_t *root = table->data;
    uint64_t count = u32(root + 8);
    if (!root[0])
        return damaged(container, NULL, of->diagnostic, offset, (bound){"a directory:", 1, 0},
                       "the root of its file table is not a directory");
    if (!count || count > length / ENTRY_SIZE)
        return damaged(container, NULL, of->diagnostic, offset + 8,
                       (bound){count ? "at most" : "at least", count ? length / ENTRY_SIZE : 1, count},
                       "its file table has no room for its entries");
    of->entries = root;
    of->offset = offset;
    of->count = (uint32_t)count;
    of->names = (const char *)root + count * ENTRY_SIZE;
    size_t names = (size_t)(length - count * ENTRY_SIZE);
    while (names && of->names[names - 1])
        names--;
    if (!names && count > 1)
        return damaged(container, NULL, of->diagnostic, offset + count * ENTRY_SIZE, (bound){NULL, 0, 0},
                       "its file table has no names");
    of->last_end = names - (names != 0);
    return MST_OK;
}

/* ---- kind of disc --------------------------------------------------------------------------------- */

static const struct {
    const char *mark, *kind;
} packed_kinds[] = {
    {"RVZ\1", "RVZ"}, {"WIA\1", "WIA"}, {"CISO", "CISO"}, {"\x01\xC0\x0B\xB1", "GCZ"}, {"WBFS", "WBFS"}};

static const char *packed_kind(const uint8_t *data, size_t size) {
    for (size_t i = 0; size >= 4 && i < sizeof packed_kinds / sizeof *packed_kinds; i++)
        if (!memcmp(data, packed_kinds[i].mark, 4))
            return packed_kinds[i].kind;
    return NULL;
}

static bool is_plain(const uint8_t *data, size_t size) {
    static const uint8_t magic[] = {0xC2, 0x33, 0x9F, 0x3D};
    return size >= 0x20 && !memcmp(data + 0x1C, magic, sizeof magic);
}

bool mst_container_is_disc(const void *bytes, size_t size) {
    return is_plain(bytes, size) || packed_kind(bytes, size);
}

/* Discs of other games also open, but few of their files are of a known format: warns about them. */
static mst_status check_game(const mst_container *container, const uint8_t *data,
                             mst_diagnostic *diagnostic) {
    static const char games[][CODE_SIZE + 1] = {"GSAE", "GSAP", "GSAJ"};
    char found[3 * CODE_SIZE + 1] = "";
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        if (!memcmp(data, games[i], CODE_SIZE))
            return MST_OK;
    if (!container->report)
        return MST_OK;
    mst_diagnostic odd;
    mst_fail(&odd, MST_OK, "the disc is from another game");
    odd.severity = MST_WARNING;
    odd.offset = 0;
    odd.length = CODE_SIZE;
    mst_name_make_safe((const char *)data, CODE_SIZE, found, sizeof found);
    MST_SET(odd.code, "%s", MST_CONTAINER_DISC_CODE);
    MST_SET(odd.expected, "%s, %s or %s", games[0], games[1], games[2]);
    MST_SET(odd.found, "\"%s\"", found);
    mst_status status = container->report(container->report_user, &odd);
    return status == MST_OK ? status : mst_container_fail(container, NULL, diagnostic, status, "stopped");
}

static mst_status refuse_packed(const mst_container *container, const char *kind,
                                mst_diagnostic *diagnostic) {
    mst_container_fail(
        container, NULL, diagnostic, MST_UNSUPPORTED,
        "the disc image is compressed; convert it, for example with dolphin-tool convert -f iso");
    if (diagnostic) {
        diagnostic->offset = 0;
        diagnostic->length = 4;
        MST_SET(diagnostic->code, "%s", MST_CONTAINER_DISC_CODE);
        MST_SET(diagnostic->expected, "a plain disc image");
        MST_SET(diagnostic->found, "%s", kind);
    }
    return MST_UNSUPPORTED;
}

static mst_status list_image(mst_container *container, const uint8_t *header, mst_diagnostic *diagnostic) {
    mst_container_bytes table = {.data = ""};
    listing of = {.container = container, .diagnostic = diagnostic};
    of.path = mst_arena_take(&container->arena, MST_CONTAINER_NAME_MAX, 1);
    if (!of.path)
        return mst_container_fail(container, NULL, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    mst_status status = find_table(&of, header, &table);
    if (status == MST_OK)
        status = list_entries(&of);
    mst_container_unview(container, &table);
    return status == MST_OK ? check_game(container, header, diagnostic) : status;
}

mst_status mst_container_list_disc(mst_container *container, mst_diagnostic *diagnostic) {
    static const mst_container_kind kind = {read_member, mst_container_release_memory, NULL, peek};
    mst_container_bytes header;
    size_t size = container->file.size < HEADER_SIZE ? container->file.size : HEADER_SIZE;
    mst_status status = mst_container_view(container, 0, size, &header, diagnostic);
    if (status != MST_OK)
        return status;
    bool plain = is_plain(header.data, header.size);
    const char *packed = plain ? NULL : packed_kind(header.data, header.size);
    container->kind = &kind;
    status = plain    ? list_image(container, header.data, diagnostic)
             : packed ? refuse_packed(container, packed, diagnostic)
                      : MST_UNKNOWN;
    mst_container_unview(container, &header);
    return status;
}
