/* SPDX-License-Identifier: MIT */
/*
 * Which names from strangers (in patches, archives, levels, directories that others filled) may become files.
 * Everything that reads or writes files by such names asks here, so that no two places differ. The verdict is
 * the same on all systems: a mod that was packed on one is unpacked on another, and a disk of one is mounted
 * on another. The measure are git's rules for paths (verify_path, is_ntfs_dotgit, is_hfs_dotgit, and
 * is_valid_win32_path), widened from `.git` to all that is hidden.
 *
 * Refused, in any part between slashes:
 *
 * - "", ".", "..", a slash at the beginning or at the end: such a path leads out of its folder, or names two
 *   things at once.
 * - a dot at the beginning: programs read hidden files on their own and run what is in them (.git/config and
 *   its hooks, .bashrc, .envrc, .vscode), and nobody sees them in a listing. Case, a trailing blank or dot
 * and streams (`.GIT`, `.git. `, `.git::$INDEX_ALLOCATION`) do not matter, as the dot comes first.
 * - a dot after code points that HFS+ ignores (zero width, directions of text): there `\u200c.git` is `.git`.
 * - `git~1`, `GITMOD~1`, `gi7eba~1`, `BASHRC~1`: what NTFS calls a hidden file for DOS is its name without
 * the dot. Files of old games are called NAME~1.EXT now and then; hidden files that do harm have no
 * extension, so that only names without one are refused.
 * - CON, NUL, COM1 and others, with any extension: on Windows they are devices, in every folder.
 * - a colon: `a:b` is a drive, or the stream b of the file a on NTFS.
 * - a backslash: it divides folders on Windows, so that `..\x` leads out.
 * - a blank or dot at the end: Windows leaves it out, so that the name is another file's.
 * - control characters: a line of a list or of a script ends at a newline, and terminals obey others.
 */
#ifndef MST_SYSTEM_FILE_NAMES_H
#define MST_SYSTEM_FILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Why a path with '/' between its parts must not name a file; NULL: it may. The reason is a sentence
 * that begins with "it". */
const char *mst_name_fault(const char *path);
/* The same of the first `length` bytes. */
const char *mst_name_fault_of(const char *path, size_t length);
/* Whether that is because it, or a folder that it is in, is hidden: programs keep such files for themselves.
 */
bool mst_name_is_hidden(const char *path);

#endif
