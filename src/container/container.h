/* SPDX-License-Identifier: MIT */
/* What a set is inside: its members by name, and one of several ways to read them. */
#ifndef MST_CONTAINER_CONTAINER_H
#define MST_CONTAINER_CONTAINER_H

#include "../core/arena.h"
#include "../core/file.h"
#include <mapstone/container.h>

#define MST_SET_MEMBERS_MAX     (1u << 20) /* more than any game has; an archive may claim any number */
#define MST_SET_NAME_MAX        4096       /* bytes of a name */
#define MST_CONTAINER_DISC_CODE "SFA-DISC" /* of diagnoses about disc images */

typedef struct mst_container_member {
    const char *name;          /* as it is shown; of a directory below its path */
    uint64_t size;             /* as the archive says, which is believed by nobody who reads */
    uint64_t position;         /* of its header or entry in the file, or its number there */
    uint64_t packed;           /* zip: bytes in the file */
    uint32_t crc;              /* zip */
    uint16_t method;           /* zip */
    bool encrypted;            /* zip */
    bool reported;             /* that the resolver cannot read it */
    uint64_t unpacked;         /* bytes that it counts for in the total */
    mst_container_bytes kept;  /* archive: passed on the way to another one */
    mst_container_bytes found; /* handed out by the resolver */
    struct mst_container_member *next_kept;
} mst_container_member;

typedef struct mst_container_kind {
    mst_status (*read)(mst_container *container, mst_container_member *member, mst_container_bytes *bytes,
                       mst_diagnostic *diagnostic);
    void (*release)(mst_container *container, mst_container_bytes *bytes);
    void (*close)(mst_container *container); /* may be NULL */
    /* The first bytes; `*size` of them. NULL: reading it whole costs nothing. */
    mst_status (*peek)(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic);
} mst_container_kind;

struct mst_container {
    mst_allocator allocator;
    mst_arena arena; /* names */
    const mst_container_kind *kind;
    const char *path;          /* of a directory: ends with a slash */
    uint64_t limit;            /* of a member */
    bool limit_is_given;       /* then none by ratio holds beside it */
    uint64_t total, unpacked;  /* bytes that members may, and did, unpack to */
    unsigned passes, pass_max; /* through a streamed archive */
    uint64_t omitted;
    bool unmapped;
    mst_report_function report; /* of what is odd; may be NULL */
    void *report_user;
    mst_file_bytes file;
    mst_array members;               /* mst_container_member, sorted by name */
    mst_array folded;                /* mst_container_member *, by name without case */
    mst_array bases;                 /* the same by the last part of the name */
    mst_array places;                /* the same by their position */
    struct mst_container_pass *pass; /* archive.c */
};

/* Adds a member of that name, which is copied as it is; NULL, with a diagnosis, if there is no room. */
mst_container_member *mst_container_add(mst_container *container, const char *name,
                                        mst_diagnostic *diagnostic);
/*
 * The same for a name that comes from an archive, where it may be anything: '/' divides it, and it leads to
 * no place above, has no control characters and is UTF-8 (from code page 437, which is what archives of no
 * other mind use). `*member` is NULL if nothing is left of it, or it is too long; then it has been reported.
 */
mst_status mst_container_add_foreign(mst_container *container, const char *name, size_t length,
                                     mst_container_member **member, mst_diagnostic *diagnostic);

/* Letters of ASCII in any case. */
int mst_name_compare(const char *a, const char *b);
const char *mst_name_base(const char *name);
/* Writes the safe form, at most `capacity` bytes with its NUL; 0 if nothing is left or it is too long. */
size_t mst_name_make_safe(const char *name, size_t length, char *safe, size_t capacity);

/* A file of the set, or that it is. */
mst_status mst_container_load(const mst_container *container, const char *path, uint64_t limit,
                              mst_file_bytes *bytes, mst_diagnostic *diagnostic);
/* "cannot read a/b.map in game.kpf: why" */
mst_status mst_container_fail(const mst_container *container, const mst_container_member *member,
                              mst_diagnostic *diagnostic, mst_status status, const char *why);
mst_status mst_container_too_large(const mst_container *container, const mst_container_member *member,
                                   mst_diagnostic *diagnostic);
/* Reports, and counts, that a file is left out: "a file is left out of game.kpf: why (found ...)". What is
 * not MST_OK ends the listing. */
mst_status mst_container_omit(mst_container *container, const char *why, const char *found,
                              mst_diagnostic *diagnostic);

/* What something of `packed` bytes may unpack to. */
uint64_t mst_container_bound(const mst_container *container, uint64_t packed);
/* The same for a member of them, if no more is left of the total. */
uint64_t mst_file_set_capacity(const mst_container *container, const mst_container_member *member,
                               uint64_t packed);
/* The diagnosis of one that unpacks to more than the room it has. */
mst_status mst_container_bursts(const mst_container *container, const mst_container_member *member,
                                uint64_t packed, mst_diagnostic *diagnostic);
/* Counts what a member unpacked to, once. */
void mst_container_count_unpacked(mst_container *container, mst_container_member *member, uint64_t size);

/* Each of them fills an empty set in, from its path or its file. MST_UNKNOWN: it is not of that kind. */
mst_status mst_container_list_directory(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_disc(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_zip(mst_container *container, mst_diagnostic *diagnostic);
mst_status mst_container_list_archive(mst_container *container, mst_diagnostic *diagnostic);

/* Whether a file begins as a disc image does, plain or packed. */
bool mst_container_is_disc(const void *bytes, size_t size);

/* Unpacks the member of a zip whose header and data these bytes begin with; its first `*count` bytes. */
mst_status mst_container_unpack_zip(mst_container *container, mst_container_member *member,
                                    const uint8_t *data, size_t size, mst_container_bytes *bytes,
                                    mst_diagnostic *diagnostic);
mst_status mst_container_peek_zip(mst_container *container, const mst_container_member *member,
                                  const uint8_t *data, size_t size, void *first, size_t *count,
                                  mst_diagnostic *diagnostic);
/* Gives back what an archive's reading took from the allocator. */
void mst_container_release_memory(mst_container *container, mst_container_bytes *bytes);

#endif
