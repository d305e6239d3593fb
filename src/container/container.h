/* SPDX-License-Identifier: MIT */
/* The internals of a container: its members by name, and functions of its kind that read them. */
#ifndef MST_CONTAINER_CONTAINER_H
#define MST_CONTAINER_CONTAINER_H

#include "../core/arena.h"
#include "../core/file.h"
#include <mapstone/container.h>

#define MST_CONTAINER_MEMBERS_MAX                                                                            \
    (1u << 20)                             /* more than any game has, to bound what an archive can claim     \
                                            */
#define MST_CONTAINER_NAME_MAX  4096       /* bytes of a name */
#define MST_CONTAINER_DISC_CODE "SFA-DISC" /* code of diagnostics about disc images */

/* The number of omitted files, each of which was reported: their names are too long or empty. All files that
 * exceed the limits of an archive count as one. */
uint64_t mst_container_omitted(const mst_container *container);
/* Whether members can only be reached by unpacking everything before them. */
bool mst_container_is_streamed(const mst_container *container);

typedef struct mst_container_member {
    const char *name;          /* as shown; in a directory, relative to it */
    uint64_t size;             /* according to the archive, which readers must not trust */
    uint64_t position;         /* offset of its header or entry in the file, or its number there */
    uint64_t packed;           /* zip: size in the file */
    uint32_t crc;              /* zip */
    uint16_t method;           /* zip */
    bool encrypted;            /* zip */
    bool reported;             /* the resolver has reported that it cannot read it */
    uint64_t unpacked;         /* its share of the container's `unpacked` */
    mst_container_bytes kept;  /* archive: its bytes, if kept when passed on the way to another one */
    mst_container_bytes found; /* its bytes, if the resolver has returned them */
    struct mst_container_member *next_kept;
} mst_container_member;

typedef struct mst_container_kind {
    mst_status (*read)(mst_container *container, mst_container_member *member, mst_container_bytes *bytes,
                       mst_diagnostic *diagnostic);
    void (*release)(mst_container *container, mst_container_bytes *bytes);
    void (*close)(mst_container *container); /* may be NULL */
    /* Reads at most `*size` bytes from the beginning. NULL: a complete read is free. */
    mst_status (*peek)(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic);
} mst_container_kind;

struct mst_container {
    mst_allocator allocator;
    mst_arena arena; /* names */
    const mst_container_kind *kind;
    const char *path;          /* for a directory: ends with a slash */
    uint64_t limit;            /* of a member */
    bool limit_is_given;       /* by the caller: then no ratio limit applies */
    uint64_t total, unpacked;  /* bytes that members may unpack to, and did */
    unsigned passes, pass_max; /* through a streamed archive */
    uint64_t omitted;          /* files left out */
    uint64_t renamed;          /* files with odd names, */
    const char *first_renamed; /* and the new name of the first of them */
    bool unmapped;
    mst_report_function report; /* receives warnings; may be NULL */
    void *report_user;
    mst_file_bytes file;       /* an archive or disc image; `data` is NULL if it is read by slices */
    mst_container_files files; /* the caller's; read by slices: `slices` is its index */
    size_t slices;
    mst_array members;                       /* mst_container_member, sorted by name */
    mst_array folded;                        /* mst_container_member *, by name without case */
    mst_array bases;                         /* the same by the last part of the name */
    mst_array in_order;                      /* the same by position */
    struct mst_container_pass *pass;         /* archive.c */
    const struct mst_libarchive *libarchive; /* NULL until needed */
};

/* Adds a member with a copy of the name; NULL, with a diagnostic, if there is no room. */
mst_container_member *mst_container_add(mst_container *container, const char *name,
                                        mst_diagnostic *diagnostic);
/*
 * The same for an untrusted name from an archive. It is made safe: separated by '/', without ".." and control
 * characters, and UTF-8 (a name in another encoding is taken for code page 437, the default of zip).
 * `*member` is NULL if nothing is left of the name, or it is too long; this has then been reported.
 */
mst_status mst_container_add_foreign(mst_container *container, const char *name, size_t length,
                                     mst_container_member **member, mst_diagnostic *diagnostic);

const char *mst_name_base(const char *name);
/* Writes a name made safe, at most `capacity` bytes with its NUL. Returns its length, 0 if nothing is left or
 * it is too long. */
size_t mst_name_make_safe(const char *name, size_t length, char *safe, size_t capacity);
/* Whether that removes any meaningful part: the name leads out of the archive, or has control characters. */
bool mst_name_is_odd(const char *name, size_t length);
/* Reports, once, the number of odd names. */
mst_status mst_container_tell_renamed(const mst_container *container, mst_diagnostic *diagnostic);

/*
 * Bytes of the archive or disc image itself, which the caller has checked to exist: in place if it is in
 * memory, else read into memory; mst_container_unview frees them. For no bytes `data` is "".
 */
mst_status mst_container_view(const mst_container *container, uint64_t offset, uint64_t count,
                              mst_container_bytes *view, mst_diagnostic *diagnostic);
/* The same for data needed to list its members, whose size is limited to more than any game needs. */
mst_status mst_container_view_list(const mst_container *container, uint64_t offset, uint64_t count,
                                   mst_container_bytes *view, mst_diagnostic *diagnostic);

void mst_container_unview(const mst_container *container, mst_container_bytes *view);

/* Reads a file of a directory, or the container's own file. */
mst_status mst_container_load(const mst_container *container, const char *path, uint64_t limit,
                              mst_file_bytes *bytes, mst_diagnostic *diagnostic);
/* Fails with "cannot read a/b.map in game.kpf: why". */
mst_status mst_container_fail(const mst_container *container, const mst_container_member *member,
                              mst_diagnostic *diagnostic, mst_status status, const char *why);
mst_status mst_container_too_large(const mst_container *container, const mst_container_member *member,
                                   mst_diagnostic *diagnostic);
/* Counts and reports an omitted file, with the reason. A status other than MST_OK ends the listing. */
mst_status mst_container_omit(mst_container *container, const char *why, const char *found,
                              mst_diagnostic *diagnostic);

/* The number of bytes that all members together may unpack to, if the caller gives no limit. */
uint64_t mst_container_default_total(const mst_container *container);
/* The number of bytes that `packed` bytes may unpack to. */
uint64_t mst_container_bound(const mst_container *container, uint64_t packed);
/* The same for a member, also limited by the rest of the total. */
uint64_t mst_container_member_limit(const mst_container *container, const mst_container_member *member,
                                    uint64_t packed);
/* Fails for a member that unpacks to more than mst_container_member_limit. */
mst_status mst_container_bursts(const mst_container *container, const mst_container_member *member,
                                uint64_t packed, mst_diagnostic *diagnostic);
/* Adds a member's unpacked size to the total, once. */
void mst_container_count_unpacked(mst_container *container, mst_container_member *member, uint64_t size);

/* Each of them fills in an empty container from its path or file. MST_UNKNOWN: it is not of that kind. */
mst_status mst_container_list_directory(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_files(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_disc(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_zip(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_archive(mst_container *container, mst_diagnostic *diagnostic);

/* The mark of ISO 9660 images, after their system area. */
#define MST_ISO_MARK    "CD001"
#define MST_ISO_MARK_AT 0x8001

/* Whether a file begins like a disc image, plain or compressed. */
bool mst_container_is_disc(const void *bytes, size_t size);

/* Unpack the zip member whose header is at the beginning of the bytes: all of it, or at most `*count`
 * bytes. */
mst_status mst_container_unpack_zip(mst_container *container, mst_container_member *member,
                                    const uint8_t *data, size_t size, mst_container_bytes *bytes,
                                    mst_diagnostic *diagnostic);
mst_status mst_container_peek_zip(mst_container *container, const mst_container_member *member,
                                  const uint8_t *data, size_t size, void *first, size_t *count,
                                  mst_diagnostic *diagnostic);
/* Frees bytes that were unpacked with the container's allocator. */
void mst_container_release_memory(mst_container *container, mst_container_bytes *bytes);

#endif
