/* SPDX-License-Identifier: MIT */
/*
 * Windows. Files are opened so that other programs may read, write, rename and remove them meanwhile, as on
 * other systems. Nothing is mapped: a mapped file cannot be replaced.
 */
#define WIN32_LEAN_AND_MEAN
#include "system.h"
#include "utf16.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* The most bytes for one read or write. */
#define PIECE_MAX ((size_t)1 << 30)

/* ---- errors and names ---- */

int mst_windows_errno(void) {
    static const struct {
        DWORD windows;
        int error;
    } same[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
                {ERROR_PATH_NOT_FOUND, ENOENT},
                {ERROR_BAD_NETPATH, ENOENT},
                {ERROR_BAD_NET_NAME, ENOENT},
                {ERROR_INVALID_DRIVE, ENOENT},
                {ERROR_INVALID_NAME, EINVAL},
                {ERROR_BAD_PATHNAME, EINVAL},
                {ERROR_DIRECTORY, ENOTDIR},
                {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
                {ERROR_ACCESS_DENIED, EACCES},
                {ERROR_WRITE_PROTECT, EROFS},
                {ERROR_SHARING_VIOLATION, EBUSY},
                {ERROR_USER_MAPPED_FILE, EBUSY},
                {ERROR_DELETE_PENDING, EBUSY},
                {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
                {ERROR_FILE_EXISTS, EEXIST},
                {ERROR_ALREADY_EXISTS, EEXIST},
                {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                {ERROR_NOT_SAME_DEVICE, EXDEV},
                {ERROR_INVALID_FUNCTION, ENOTSUP},
                {ERROR_NOT_SUPPORTED, ENOTSUP},
                {ERROR_INVALID_HANDLE, EBADF},
                {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                {ERROR_OUTOFMEMORY, ENOMEM},
                {ERROR_DISK_FULL, ENOSPC},
                {ERROR_HANDLE_DISK_FULL, ENOSPC},
                {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                {ERROR_TOO_MANY_LINKS, EMLINK},
                {ERROR_BROKEN_PIPE, EPIPE},
                {ERROR_NO_DATA, EPIPE},
                {ERROR_NOT_A_REPARSE_POINT, EINVAL}};
    DWORD last = GetLastError();
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (same[i].windows == last)
            return same[i].error;
    return EIO;
}

void mst_system_reason(int error, char *text, size_t capacity) {
    /* The C library's texts for these would not help users of Windows. */
    const char *said = error == EBUSY    ? "it is open in another program: close it there first"
                       : error == EACCES ? "it is read-only, or access to it is not permitted"
                       : error == EINVAL ? "Windows does not permit this name"
                                         : strerror(error);
    snprintf(text, capacity, "%s", said);
}

bool mst_system_separates(char c) {
    return c == '/' || c == '\\';
}

static bool has_drive(const char *path) {
    return ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':';
}

bool mst_system_is_absolute(const char *path) {
    return mst_system_separates(path[has_drive(path) ? 2 : 0]);
}

bool mst_system_is_nothing(const char *path) {
    return strcmp(path, "/dev/null") == 0 || _stricmp(path, "nul") == 0;
}

size_t mst_system_directory_length(const char *path) {
    size_t length = strlen(path), root = has_drive(path) ? 2 : 0;
    while (length > root && !mst_system_separates(path[length - 1]))
        length--;
    return length;
}

/* The first two parts of "//server/share/" and "//?/C:/" are not folders that could be created. */
size_t mst_system_root_length(const char *path) {
    size_t length = has_drive(path) ? 2 : 0;
    bool server = mst_system_separates(path[0]) && mst_system_separates(path[1]);
    for (int parts = server ? 3 : 1; parts; parts--) {
        while (mst_system_separates(path[length]))
            length++;
        while (parts > 1 && path[length] && !mst_system_separates(path[length]))
            length++;
    }
    return length;
}

/* Whether a name of `length` characters is a device's, whatever follows its first dot: CON, com1.level. */
static bool is_device(const wchar_t *name, size_t length) {
    static const wchar_t *const devices[] = {L"CON", L"PRN", L"AUX", L"NUL", L"CONIN$", L"CONOUT$"};
    size_t stem = 0;
    while (stem < length && name[stem] != L'.' && name[stem] != L':')
        stem++;
    while (stem && name[stem - 1] == L' ')
        stem--;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (wcslen(devices[i]) == stem && _wcsnicmp(name, devices[i], stem) == 0)
            return true;
    bool port = stem == 4 && (_wcsnicmp(name, L"COM", 3) == 0 || _wcsnicmp(name, L"LPT", 3) == 0);
    return port &&
           ((name[3] >= L'1' && name[3] <= L'9') || name[3] == 0xB9 || name[3] == 0xB2 || name[3] == 0xB3);
}

/* Whether every part of a path is taken literally: Windows removes dots and spaces from the end of names,
 * opens devices for others, and takes the part after a colon as the name of a stream. */
static bool is_plain(const wchar_t *path) {
    for (size_t end = 0; *path; path += end + (path[end] != 0)) {
        end = wcscspn(path, L"/\\");
        bool dots = end && wcsspn(path, L".") >= end && end <= 2;
        if (end && !dots &&
            (path[end - 1] == L'.' || path[end - 1] == L' ' || is_device(path, end) ||
             wcscspn(path, L":*?<>|\"") < end))
            return false;
    }
    return true;
}

static bool is_separator(wchar_t c) {
    return c == L'/' || c == L'\\';
}

/* Whether a path has the prefix after which Windows takes it literally: then \ is the only separator, and
 * repeated ones are reduced to one. */
static bool separate_prefixed(wchar_t *path) {
    if (!is_separator(path[0]) || !is_separator(path[1]) || (path[2] != L'?' && path[2] != L'.') ||
        !is_separator(path[3]))
        return false;
    wchar_t *to = path;
    for (const wchar_t *at = path; *at; at++) {
        if (!is_separator(*at) || to - path < 2 || to[-1] != L'\\')
            *to++ = is_separator(*at) ? L'\\' : *at;
    }
    *to = 0;
    return true;
}

/* The path as UTF-16, complete, and if necessary with the prefix that allows more than 260 characters; NULL,
 * with the error in *error. `nul`, and only it, is the device. */
wchar_t *mst_windows_path(const char *path, int *error) {
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    *error = length > 0 ? ENOMEM : *path ? EILSEQ : ENOENT;
    if (!wide)
        return NULL;
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, length);
    if (_wcsicmp(wide, L"nul") == 0)
        return wide;
    bool prefixed = separate_prefixed(wide);
    *error = !*wide ? ENOENT : prefixed || is_plain(wide + (has_drive(path) ? 2 : 0)) ? 0 : EINVAL;
    if (*error || prefixed)
        goto given;
    DWORD full = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *whole = full ? malloc((full + 8) * sizeof *whole) : NULL;
    *error = full ? ENOMEM : mst_windows_errno();
    if (!whole)
        goto given;
    bool network = false;
    DWORD got = GetFullPathNameW(wide, full, whole + 8, NULL);
    network = got && whole[8] == L'\\' && whole[9] == L'\\';
    /* "\\?\C:\..." or "\\?\UNC\server\share\...": the first two characters of the latter are replaced */
    const wchar_t *before = got < 240 ? L"" : network ? L"\\\\?\\UNC\\" : L"\\\\?\\";
    wchar_t *from = whole + 8 + (got >= 240 && network ? 2 : 0);
    size_t count = wcslen(before);
    memmove(whole + count, from, (wcslen(from) + 1) * sizeof *from);
    memcpy(whole, before, count * sizeof *before);
    free(wide);
    *error = 0;
    return whole;
given:
    if (!*error)
        return wide;
    free(wide);
    return NULL;
}

char *mst_windows_text(const wchar_t *wide) {
    int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = length > 0 ? malloc((size_t)length) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
    return text;
}

/* ---- paths ---- */

static int about_handle(HANDLE handle, mst_system_info *info) {
    BY_HANDLE_FILE_INFORMATION found;
    *info = (mst_system_info){.kind = MST_SYSTEM_OTHER, .names = 1, .mode = FILE_ATTRIBUTE_NORMAL};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return 0;
    LARGE_INTEGER size;
    if (!GetFileInformationByHandle(handle, &found)) { /* Wine: for a file that its caller has opened */
        if (!GetFileSizeEx(handle, &size))
            return mst_windows_errno();
        info->kind = MST_SYSTEM_FILE;
        info->size = (uint64_t)size.QuadPart;
        return 0;
    }
    DWORD is = found.dwFileAttributes;
    info->kind = is & FILE_ATTRIBUTE_REPARSE_POINT ? MST_SYSTEM_LINK
                 : is & FILE_ATTRIBUTE_DIRECTORY   ? MST_SYSTEM_DIRECTORY
                                                   : MST_SYSTEM_FILE;
    info->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    info->device = found.dwVolumeSerialNumber;
    info->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    info->modified =
        (int64_t)((uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime);
    info->names = found.nNumberOfLinks;
    info->mode = is;
    return 0;
}

static const DWORD all_may = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

static int about_path(const char *path, bool link, mst_system_info *info) {
    int error;
    wchar_t *wide = mst_windows_path(path, &error);
    if (!wide)
        return error;
    HANDLE handle = CreateFileW(wide, FILE_READ_ATTRIBUTES, all_may, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | (link ? FILE_FLAG_OPEN_REPARSE_POINT : 0), NULL);
    size_t length = wcslen(wide);
    bool slash = length && (wide[length - 1] == L'\\' || wide[length - 1] == L'/');
    if (handle == INVALID_HANDLE_VALUE) {
        error = mst_windows_errno();
    } else {
        error = about_handle(handle, info);
        CloseHandle(handle);
        /* Only symbolic links and junctions lead elsewhere; files in a cloud are files. */
        WIN32_FIND_DATAW found;
        if (!error && info->kind == MST_SYSTEM_LINK) {
            HANDLE search = slash ? INVALID_HANDLE_VALUE : FindFirstFileW(wide, &found);
            bool leads = search != INVALID_HANDLE_VALUE && (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
                                                            found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
            if (search != INVALID_HANDLE_VALUE)
                FindClose(search);
            if (!link || !leads)
                info->kind = info->mode & FILE_ATTRIBUTE_DIRECTORY ? MST_SYSTEM_DIRECTORY : MST_SYSTEM_FILE;
        }
        if (!error && slash && info->kind == MST_SYSTEM_FILE)
            error = ENOTDIR;
    }
    free(wide);
    return error;
}

int mst_system_about(const char *path, mst_system_info *info) {
    return about_path(path, false, info);
}

int mst_system_about_link(const char *path, mst_system_info *info) {
    return about_path(path, true, info);
}

/* The C library lacks standard files whose type it does not recognise. */
void *mst_windows_handle(int file) {
    static const DWORD standard[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    intptr_t handle = _get_osfhandle(file);
    return handle < 0 && file >= 0 && file < 3 ? GetStdHandle(standard[file]) : (HANDLE)handle;
}

static HANDLE handle_of(int file) {
    return mst_windows_handle(file);
}

int mst_system_about_open(int file, mst_system_info *info) {
    int error = about_handle(handle_of(file), info);
    if (!error && info->kind == MST_SYSTEM_LINK)
        info->kind = MST_SYSTEM_FILE;
    return error;
}

bool mst_system_is_same(const mst_system_info *a, const mst_system_info *b) {
    return a->device == b->device && a->number == b->number;
}

bool mst_system_may_read(const char *path) {
    mst_system_info info;
    int file;
    if (mst_system_about(path, &info) != 0)
        return false;
    if (info.kind == MST_SYSTEM_DIRECTORY)
        return mst_system_entries(path, NULL, NULL) == 0;
    if (mst_system_open(path, MST_SYSTEM_READ, &file) != 0)
        return false;
    mst_system_close(file);
    return true;
}

int mst_system_may_write(const char *path) {
    mst_system_info info;
    int error = mst_system_about(path, &info);
    return error ? error : info.mode & FILE_ATTRIBUTE_READONLY ? EACCES : 0;
}

int mst_system_entries(const char *directory,
                       bool (*each)(void *user, const char *name, mst_system_kind kind), void *user) {
    WIN32_FIND_DATAW found;
    int error = 0;
    wchar_t *wide = mst_windows_path(directory, &error), *pattern = NULL;
    size_t length = wide ? wcslen(wide) : 0;
    if (wide)
        pattern = malloc((length + 3) * sizeof *pattern);
    if (!pattern) {
        free(wide);
        return wide ? ENOMEM : error;
    }
    bool slash = wide[length - 1] == L'\\';
    memcpy(pattern, wide, length * sizeof *wide);
    memcpy(pattern + length, slash ? L"*" : L"\\*", (slash ? 2 : 3) * sizeof *wide);
    HANDLE search = FindFirstFileW(pattern, &found);
    free(wide);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_FILE_NOT_FOUND && each
                   ? 0
                   : mst_windows_errno(); /* an empty root directory */
    for (bool more = each != NULL; more;) {
        bool leads =
            (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
            (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK || found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
        mst_system_kind kind = leads                                               ? MST_SYSTEM_LINK
                               : found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? MST_SYSTEM_DIRECTORY
                                                                                   : MST_SYSTEM_FILE;
        if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0) {
            char *name = mst_windows_text(found.cFileName);
            if (!name) {
                error = ENOMEM;
                break;
            }
            more = each(user, name, kind);
            free(name);
        }
        if (more && !FindNextFileW(search, &found)) {
            more = false;
            error = GetLastError() == ERROR_NO_MORE_FILES ? 0 : mst_windows_errno();
        }
    }
    FindClose(search);
    return error;
}

/* ---- files ---- */

int mst_system_open(const char *path, mst_system_access access, int *file) {
    int error;
    *file = -1;
    wchar_t *wide = mst_windows_path(path, &error);
    if (!wide)
        return error;
    bool reads = access == MST_SYSTEM_READ || access == MST_SYSTEM_READ_AT_ONCE;
    bool creates = access == MST_SYSTEM_CREATE || access == MST_SYSTEM_CREATE_PRIVATE;
    /* A directory can only be opened with this flag, and reading it then fails with a better reason. */
    HANDLE handle = CreateFileW(wide, reads ? GENERIC_READ : GENERIC_WRITE, all_may, NULL,
                                creates ? CREATE_NEW : OPEN_EXISTING,
                                FILE_ATTRIBUTE_NORMAL | (reads ? FILE_FLAG_BACKUP_SEMANTICS : 0), NULL);
    error = handle == INVALID_HANDLE_VALUE ? mst_windows_errno() : 0;
    free(wide);
    if (error)
        return error;
    *file = _open_osfhandle((intptr_t)handle, O_BINARY | O_NOINHERIT | (reads ? O_RDONLY : O_WRONLY));
    if (*file >= 0)
        return 0;
    error = errno;
    CloseHandle(handle);
    return error;
}

int mst_system_close(int file) {
    return _close(file) == 0 ? 0 : errno;
}

int mst_system_read(int file, void *to, size_t size, size_t *got) {
    DWORD count = 0;
    BOOL done = ReadFile(handle_of(file), to, (DWORD)(size < PIECE_MAX ? size : PIECE_MAX), &count, NULL);
    int error = done ? 0 : mst_windows_errno();
    *got = count;
    return error == EPIPE ? 0 : error; /* the writer of the pipe has exited */
}

int mst_system_read_at(int file, uint64_t offset, void *to, size_t size, size_t *got) {
    LARGE_INTEGER begin = {.QuadPart = 0}, now;
    DWORD count = 0;
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    *got = 0;
    if (!SetFilePointerEx(handle_of(file), begin, &now, FILE_CURRENT))
        return mst_windows_errno();
    BOOL done = ReadFile(handle_of(file), to, (DWORD)(size < PIECE_MAX ? size : PIECE_MAX), &count, &at);
    int error = done || GetLastError() == ERROR_HANDLE_EOF ? 0 : mst_windows_errno();
    if (!SetFilePointerEx(handle_of(file), now, NULL, FILE_BEGIN) && !error)
        error = mst_windows_errno();
    *got = count;
    return error;
}

int mst_system_write(int file, const void *from, size_t size) {
    const char *next = from;
    while (size) {
        DWORD done = 0;
        if (!WriteFile(handle_of(file), next, (DWORD)(size < PIECE_MAX ? size : PIECE_MAX), &done, NULL))
            return mst_windows_errno();
        next += done;
        size -= done;
    }
    return 0;
}

int64_t mst_system_position(int file) {
    HANDLE handle = handle_of(file);
    LARGE_INTEGER none = {.QuadPart = 0}, at;
    if (GetFileType(handle) != FILE_TYPE_DISK || !SetFilePointerEx(handle, none, &at, FILE_CURRENT))
        return -1;
    return at.QuadPart;
}

void *mst_system_map(int file, size_t size) {
    (void)file, (void)size;
    return NULL;
}

void mst_system_unmap(void *bytes, size_t size) {
    (void)bytes, (void)size;
}

/* Access is inherited from the directory; other attributes, such as hidden, are kept. */
int mst_system_keep(int file, int source, const mst_system_info *like, unsigned *lost) {
    (void)source, (void)lost;
    const DWORD kept = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_ARCHIVE |
                       FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;
    FILE_BASIC_INFO basic = {.FileAttributes = like->mode & kept};
    if (!basic.FileAttributes)
        basic.FileAttributes = FILE_ATTRIBUTE_NORMAL;
    /* times of 0 are left unchanged */
    SetFileInformationByHandle(handle_of(file), FileBasicInfo, &basic, sizeof basic);
    return 0;
}

static int lock_as(int file, DWORD how) {
    /* Locks a byte far after the end: others may read all of the file. */
    OVERLAPPED where = {.Offset = 0, .OffsetHigh = 0x7FFFFFFF};
    return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | how, 0, 1, 0, &where) ? 0
                                                                                       : mst_windows_errno();
}

int mst_system_lock(int file) {
    return lock_as(file, LOCKFILE_FAIL_IMMEDIATELY);
}

int mst_system_lock_in_turn(int file) {
    return lock_as(file, 0);
}

int mst_system_try_close(int file) {
    (void)file;
    return 0;
}

int mst_system_sync_disk(const char *path) {
    (void)path;
    return ENOTSUP;
}

bool mst_system_is_own(const mst_system_info *info) {
    (void)info;
    return true;
}

void mst_system_pause(void) {
    Sleep(1);
}

int mst_system_sync(int file) {
    return FlushFileBuffers(handle_of(file)) ? 0 : mst_windows_errno();
}

void mst_system_sync_directory(const char *path) {
    (void)path;
}

/* Calls one of Windows' functions for two paths. */
static int with_two(const char *first, const char *second, bool links) {
    int error;
    wchar_t *a = mst_windows_path(first, &error), *b = a ? mst_windows_path(second, &error) : NULL;
    if (b && links)
        error = CreateHardLinkW(b, a, NULL) ? 0 : mst_windows_errno();
    else if (b)
        error =
            MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : mst_windows_errno();
    free(a);
    free(b);
    return error;
}

/* Programs that watch files (search indexes, virus scanners) open new ones for a moment. */
int mst_system_rename(const char *from, const char *to) {
    mst_system_info info;
    int error = with_two(from, to, false);
    for (int i = 0; i < 20 && (error == EACCES || error == EBUSY) && mst_system_may_write(to) == 0; i++) {
        Sleep(25);
        error = with_two(from, to, false);
    }
    /* Windows also denies access to a file that is open elsewhere; ours is not read-only, which was
     * checked. */
    if (error == EACCES && mst_system_about(to, &info) == 0 && info.kind == MST_SYSTEM_FILE &&
        !(info.mode & FILE_ATTRIBUTE_READONLY))
        return EBUSY;
    return error;
}

bool mst_system_replaces_open(void) {
    return false;
}

int mst_system_link(const char *existing, const char *path) {
    return with_two(existing, path, true);
}

int mst_system_remove(const char *path) {
    int error;
    wchar_t *wide = mst_windows_path(path, &error);
    if (wide)
        error = DeleteFileW(wide) ? 0 : mst_windows_errno();
    free(wide);
    return error;
}

/* Gives the final path that Windows resolves instead of the link's text, since links are rare. */
int mst_system_read_link(const char *path, char *text, size_t capacity, size_t *length) {
    mst_system_info info;
    int error = mst_system_about_link(path, &info);
    *length = 0;
    if (error || info.kind != MST_SYSTEM_LINK)
        return error ? error : EINVAL;
    wchar_t *wide = mst_windows_path(path, &error);
    if (!wide)
        return error;
    HANDLE handle = CreateFileW(wide, FILE_READ_ATTRIBUTES, all_may, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    if (handle == INVALID_HANDLE_VALUE)
        return mst_windows_errno();
    wchar_t target[4096];
    DWORD count = GetFinalPathNameByHandleW(handle, target, 4096, FILE_NAME_NORMALIZED);
    error = count && count < 4096 ? 0 : ENAMETOOLONG;
    CloseHandle(handle);
    char *final = error ? NULL : mst_windows_text(target);
    size_t size = final ? strlen(final) : 0;
    if (!error && (!final || size > capacity))
        error = final ? ENAMETOOLONG : ENOMEM;
    if (!error)
        memcpy(text, final, size);
    *length = error ? 0 : size;
    free(final);
    return error;
}

/* ---- the rest ---- */

uint64_t mst_system_seed(void) {
    LARGE_INTEGER ticks;
    QueryPerformanceCounter(&ticks);
    return (uint64_t)GetCurrentProcessId() << 32 ^ (uint64_t)ticks.QuadPart;
}

void mst_system_yield(void) {
    SwitchToThread();
}
