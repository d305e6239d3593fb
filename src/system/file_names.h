/* SPDX-License-Identifier: MIT */
/*
 * Which untrusted names (in patches, archives, levels, directories that others filled) may become files. All
 * code that reads or writes files by such names checks them here, so that the rules are the same everywhere.
 * They are also the same on all systems: a mod packed on one is unpacked on another, and a disk of one is
 * mounted on another. The rules are git's for paths (verify_path, is_ntfs_dotgit, is_hfs_dotgit, and
 * is_valid_win32_path), extended from `.git` to all hidden names.
 *
 * Refused, in any part between slashes:
 *
 * - "", ".", "..", a slash at the beginning or at the end: such a path leads out of its folder, or is
 *   ambiguous.
 * - a dot at the beginning: programs read hidden files on their own and run what is in them (.git/config and
 *   its hooks, .bashrc, .envrc, .vscode), and listings do not show them. Case, a trailing blank or dot and
 *   streams (`.GIT`, `.git. `, `.git::$INDEX_ALLOCATION`) do not matter, as the dot comes first.
 * - a dot after code points that HFS+ ignores (zero width, directions of text): there `\u200c.git` is `.git`.
 * - `git~1`, `GITMOD~1`, `gi7eba~1`, `BASHRC~1`: the short name that NTFS gives a hidden file lacks the dot.
 *   Files of old games are sometimes called NAME~1.EXT; harmful hidden files have no extension, so only names
 *   without one are refused.
 * - CON, NUL, COM1 and others, with any extension: on Windows they are devices, in every folder.
 * - a colon: `a:b` is a drive, or the stream b of the file a on NTFS.
 * - a backslash: it separates folders on Windows, so that `..\x` leads out.
 * - a blank or dot at the end: Windows drops it, so that the name refers to another file.
 * - control characters: a newline ends a line of a list or script, and terminals interpret others.
 */
#ifndef MST_SYSTEM_FILE_NAMES_H
#define MST_SYSTEM_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The reason that a path with '/' between its parts must not name a file; NULL: it may. The reason is a
 * sentence that begins with "it". */
const char *mst_name_fault(const char *path);
/* The same for the first `length` bytes. */
const char *mst_name_fault_of(const char *path, size_t length);
/* Whether the reason is that it, or a folder that it is in, is hidden: programs keep such files for
 * themselves. */
bool mst_name_is_hidden(const char *path);

#endif
