/* SPDX-License-Identifier: MIT */
/*
 * Everything that the library and the command need from the operating system. No other code in src/ calls the
 * system, and no other file depends on which system it is: posix.c with unix.c (or wasi.c, where half of
 * POSIX is missing), or windows.c is compiled; loader.c only in builds that load a library, which WASI and
 * Windows builds do not.
 *
 * Paths are UTF-8 or whatever bytes the system uses. Functions that can fail return a number of <errno.h>, 0
 * is success.
 */
#ifndef MST_SYSTEM_SYSTEM_H
#define MST_SYSTEM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- paths ---- */

typedef enum mst_system_kind {
    MST_SYSTEM_UNKNOWN = 0, /* directory entries only: not reported; use mst_system_about */
    MST_SYSTEM_FILE,
    MST_SYSTEM_DIRECTORY,
    MST_SYSTEM_LINK,
    MST_SYSTEM_OTHER
} mst_system_kind;

typedef struct mst_system_info {
    mst_system_kind kind;
    uint64_t size;
    uint64_t device, number; /* together they identify it */
    int64_t modified;        /* the time of its last change, in the system's units */
    unsigned names;          /* hard links */
    uint32_t mode, owner, group;
} mst_system_info;

int mst_system_about(const char *path, mst_system_info *info);
/* The same, for a symbolic link itself. */
int mst_system_about_link(const char *path, mst_system_info *info);
int mst_system_about_open(int file, mst_system_info *info);
/* Whether it belongs to the user who runs the program; true if the system has no owners. */
bool mst_system_is_own(const mst_system_info *info);
bool mst_system_is_same(const mst_system_info *a, const mst_system_info *b);
/* Whether it exists and may be read. */
bool mst_system_may_read(const char *path);
/* Whether it may be written: EACCES, EROFS, ... */
int mst_system_may_write(const char *path);

/* Whether the character separates the parts of a path. */
bool mst_system_separates(char c);
/* Whether the path begins at a root (`/`, or a drive). */
bool mst_system_is_absolute(const char *path);
/* Whether the path is the null device, which git names in place of a missing file. */
bool mst_system_is_nothing(const char *path);
/* The length of a path's directory, with the separator; 0 if there is none. */
size_t mst_system_directory_length(const char *path);
/* The length of the path's prefix that exists or cannot be created: `/`, `C:/`, `//server/share/`. */
size_t mst_system_root_length(const char *path);

/* Calls `each` with the names in a directory, in no particular order, without "." and "..", until it returns
 * false. NULL: only checks that the directory can be read. */
int mst_system_entries(const char *directory,
                       bool (*each)(void *user, const char *name, mst_system_kind kind), void *user);

/* ---- files ---- */

typedef enum mst_system_access {
    MST_SYSTEM_READ,
    MST_SYSTEM_READ_AT_ONCE,  /* without waiting for a pipe's writer */
    MST_SYSTEM_WRITE,         /* an existing file */
    MST_SYSTEM_CREATE,        /* a new file: EEXIST if there is one */
    MST_SYSTEM_CREATE_PRIVATE /* the same, which only its owner can read */
} mst_system_access;

int mst_system_open(const char *path, mst_system_access access, int *file);
int mst_system_close(int file);
/* Reads at least one byte, unless at the end: then `got` is 0. */
int mst_system_read(int file, void *to, size_t size, size_t *got);
/* The same from an offset; the file position is unchanged. */
int mst_system_read_at(int file, uint64_t offset, void *to, size_t size, size_t *got);
int mst_system_write(int file, const void *from, size_t size);
/* The file position; negative: it has none. */
int64_t mst_system_position(int file);
/* The bytes of a file, unaffected by our writes; NULL: they have to be read. */
void *mst_system_map(int file, size_t size);
void mst_system_unmap(void *bytes, size_t size);

/* Properties that could not be kept. */
enum {
    MST_SYSTEM_LOST_OWNER = 1,
    MST_SYSTEM_LOST_GROUP = 2,
    MST_SYSTEM_LOST_RIGHTS = 4, /* permissions of individual users and groups (access control lists) */
    MST_SYSTEM_LOST_ATTRIBUTES = 8
};
/* Gives a new file the owner (if the system allows it), the permissions and the attributes of `source`, an
 * open file (negative: it could not be opened) that `like` describes. No one gets a permission that `like`
 * does not give: if something cannot be kept, permissions are reduced. */
int mst_system_keep(int file, int source, const mst_system_info *like, unsigned *lost);
/* Locks an open file until it is closed: EWOULDBLOCK if it is open and locked elsewhere. If files have no
 * locks: another error. */
int mst_system_lock(int file);
/* The result that closing the file would have; it stays open, and locked. */
int mst_system_try_close(int file);
/* The same, but waits until the other program has ended or closed it. */
int mst_system_lock_in_turn(int file);
/* Makes the written content survive a crash. */
int mst_system_sync(int file);
/* The same for the names in the directory of a path; failures are ignored, since not every system supports
 * it. */
void mst_system_sync_directory(const char *path);
/* The same for everything on the disk that a path is on. ENOTSUP: files can only be made durable one by one.
 */
int mst_system_sync_disk(const char *path);

int mst_system_rename(const char *from, const char *to);
/* Whether a file can be replaced while we have it open. */
bool mst_system_replaces_open(void);
int mst_system_link(const char *existing, const char *path);
int mst_system_remove(const char *path);
/* Puts the target of a symbolic link in `text`, without NUL; EINVAL: the path is not a link. */
int mst_system_read_link(const char *path, char *text, size_t capacity, size_t *length);

/* ---- below a directory ---- The same for a path that begins with a directory, of `root` characters, which
 * the user has named and which may be a link: the rest must lead neither through a link nor up, else they
 * return ELOOP. The last part is not followed either. MST_SYSTEM_ALL: the user has named the whole path, and
 * it is followed as above. */
#define MST_SYSTEM_ALL SIZE_MAX

int mst_system_about_below(const char *path, size_t root, mst_system_info *info);
int mst_system_may_write_below(const char *path, size_t root);
int mst_system_open_below(const char *path, size_t root, mst_system_access access, int *file);
/* Both are in one directory. */
int mst_system_rename_below(const char *from, const char *to, size_t root);
int mst_system_link_below(const char *existing, const char *path, size_t root);
int mst_system_remove_below(const char *path, size_t root);
/* EEXIST: it exists, or something else that is not a link. */
int mst_system_make_directory(const char *path, size_t root);
/* ---- shared libraries (loader.c) ---- */

/* A function of a library, and the offset of its pointer in a struct of such pointers. */
typedef struct mst_system_member {
    const char *name;
    size_t offset;
} mst_system_member;

/* Loads a library, and the libraries that it needs, unless it is already loaded, and fills in the struct
 * `functions`. It stays loaded, since loading it again would take as long. Several threads may call this.
 * False: `why` receives the reason. */
bool mst_system_load(const char *name, const mst_system_member *members, size_t count, void *functions,
                     char *why, size_t capacity);

/* ---- the rest ---- */

/* What an error means, in English. */
void mst_system_reason(int error, char *text, size_t capacity);
/* A number that other processes and later calls are unlikely to get. */
uint64_t mst_system_seed(void);
/* Waits for about a millisecond. */
void mst_system_pause(void);
/* Starts a new time slice, so that the following calls are unlikely to be interrupted. */
void mst_system_yield(void);

#endif
