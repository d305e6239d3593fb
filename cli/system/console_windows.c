/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define WIN32_LEAN_AND_MEAN
#define _CRT_RAND_S
#include <winsock2.h> /* before <windows.h>, which would declare an older version */

#include "console.h"

#include "../../src/system/system.h"
#include "../../src/system/utf16.h"
#include "../output/streams.h"
#include <assert.h>
#include <errno.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

/* ---- the process ---------------------------------------------------------------------------------- */

static UINT code_page; /* the console's original one */
static bool has_colors[3];

static void restore_console(void) {
    if (code_page)
        SetConsoleOutputCP(code_page);
}

static HANDLE handle_of(int descriptor) {
    return mst_windows_handle(descriptor);
}

/* Makes consoles show UTF-8 and, since Windows 10, colours. */
static void prepare_console(void) {
    UINT before = GetConsoleOutputCP();
    if (before && before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
        code_page = before;
        atexit(restore_console);
    }
    for (int i = 1; i <= 2; i++) {
        DWORD mode;
        has_colors[i] =
            GetConsoleMode(handle_of(i), &mode) &&
            SetConsoleMode(handle_of(i), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

command_line system_begin(int count, char **items) {
    int wide_count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &wide_count);
    prepare_console();
    if (!wide)
        return (command_line){count, items};
    command_line all = {wide_count, need(calloc((size_t)wide_count + 1, sizeof *all.items))};
    for (int i = 0; i < wide_count; i++)
        all.items[i] = need(mst_windows_text(wide[i]));
    LocalFree(wide);
    return all;
}

static wchar_t *wide_of(const char *text) {
    int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = need(malloc((size_t)length * sizeof *wide));
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

bool system_shell_is_plain(void) {
    return true;
}

/* cmd.exe passes "dir\" as dir", since the backslash escapes the quotation mark, which cannot be part of a
 * path; C: is the current directory there, not C:/. */
char *system_tidy_path(const char *path) {
    size_t length = strlen(path);
    bool drive = length == 2 && path[1] == ':', quoted = length > 1 && path[length - 1] == '"';
    if (!strchr(path, '\\') && !drive && !quoted)
        return NULL;
    char *tidy = need(malloc(length + 3));
    snprintf(tidy, length + 3, "%s%s", path, drive ? "./" : "");
    if (quoted)
        tidy[length - 1] = '/';
    for (char *at = tidy; *at; at++)
        *at = *at == '\\' ? '/' : *at;
    return tidy;
}

/* ---- patterns ---- */

typedef struct names {
    char **items;
    size_t count, capacity;
} names;

/* The entries of a folder that match a part of a pattern: ignoring case, as Windows does, though * has only
 * its plain meaning, even for names without a dot. `length` characters of the pattern are the part, with its
 * folder. */
static names find_names(const char *pattern, size_t length, bool folders) {
    WIN32_FIND_DATAW found;
    names all = {0};
    char *part = need(calloc(length + 1, 1));
    memcpy(part, pattern, length);
    wchar_t *wide = wide_of(part);
    HANDLE search = FindFirstFileW(wide, &found);
    free(wide);
    free(part);
    for (bool more = search != INVALID_HANDLE_VALUE; more; more = FindNextFileW(search, &found)) {
        bool own = wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0;
        if (own || (folders && !(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)))
            continue;
        if (all.count == all.capacity) {
            all.capacity = all.capacity ? 2 * all.capacity : 16;
            all.items = need(realloc(all.items, all.capacity * sizeof *all.items));
        }
        all.items[all.count++] = need(mst_windows_text(found.cFileName));
    }
    if (search != INVALID_HANDLE_VALUE)
        FindClose(search);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_name);
    return all;
}

bool system_matches(const char *pattern, void (*each)(void *user, const char *path), void *user) {
    const char *wild = strpbrk(pattern, "*?");
    mst_system_info info;
    bool any = false;
    if (!wild || strncmp(pattern, "//?/", 4) == 0) {
        any = mst_system_about(pattern, &info) == 0;
        if (any)
            each(user, pattern);
        return any;
    }
    size_t begin = (size_t)(wild - pattern), end = begin;
    while (begin && !mst_system_separates(pattern[begin - 1]) && pattern[begin - 1] != ':')
        begin--;
    while (pattern[end] && !mst_system_separates(pattern[end]))
        end++;
    names all = find_names(pattern, end, pattern[end] != 0);
    for (size_t i = 0; i < all.count; i++) {
        char *path;
        if (asprintf(&path, "%.*s%s%s", (int)begin, pattern, all.items[i], pattern + end) < 0)
            need(NULL);
        any = system_matches(path, each, user) || any;
        free(path);
        free(all.items[i]);
    }
    free(all.items);
    return any;
}

bool system_has_own_window(void) {
    DWORD ids[2], mode;
    return GetConsoleProcessList(ids, 2) == 1 && GetConsoleMode(handle_of(0), &mode) &&
           GetConsoleMode(handle_of(1), &mode);
}

void system_wait_for_key(const char *line) {
    HANDLE keys = handle_of(0);
    INPUT_RECORD event = {0};
    DWORD count = 0;
    mst_system_write(1, line, strlen(line));
    FlushConsoleInputBuffer(keys);
    do
        if (!ReadConsoleInputW(keys, &event, 1, &count))
            return;
    while (event.EventType != KEY_EVENT || !event.Event.KeyEvent.bKeyDown);
}

static void (*clean_up)(void);
static _Atomic int renaming; /* number of threads that are renaming files */
static _Atomic int ending;

_Noreturn void system_wait_for_end(void) {
    for (;;)
        Sleep(INFINITE);
}

void system_renaming(bool now) {
    atomic_fetch_add(&renaming, now ? 1 : -1);
    if (!ending)
        return;
    if (now)
        atomic_fetch_sub(&renaming, 1);
    system_wait_for_end();
}

/* Runs in a separate thread when the user presses Ctrl+C, closes the window or logs off. Waits while files
 * are renamed: of files that belong together, all are new or none. */
static BOOL WINAPI end_from_outside(DWORD why) {
    (void)why;
    atomic_store(&ending, 1);
    for (unsigned i = 0; i < 400 && atomic_load(&renaming); i++) /* Windows waits for five seconds */
        Sleep(10);
    clean_up();
    return FALSE; /* ends the process */
}

void system_guard(void (*clean)(void)) {
    clean_up = clean;
    SetConsoleCtrlHandler(end_from_outside, TRUE);
}

_Noreturn void system_end(int code) {
    _exit(code);
}

/* Appends an argument as CommandLineToArgvW reads it: backslashes before a quotation mark are doubled. */
static void put_quoted(stream *to, const char *text) {
    put_text(to, to->size ? " \"" : "\"");
    while (*text) {
        size_t slashes = strspn(text, "\\");
        char next = text[slashes];
        for (size_t i = 0; i < slashes * (next && next != '"' ? 1 : 2) + (next == '"'); i++)
            put_text(to, "\\");
        put(to, text + slashes, next != 0);
        text += slashes + (next != 0);
    }
    put_text(to, "\"");
}

static HANDLE open_inherited(const char *path, bool reads, int *error) {
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    wchar_t *wide = mst_windows_path(path, error);
    if (!wide)
        return INVALID_HANDLE_VALUE;
    HANDLE handle =
        CreateFileW(wide, reads ? GENERIC_READ : GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    &inherited, reads ? OPEN_EXISTING : CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        *error = mst_windows_errno();
    free(wide);
    return handle;
}

/* Whether a folder of PATH is independent of the current directory: on a drive, or on a server. */
static bool is_whole(const wchar_t *folder, size_t length) {
    bool drive = length > 2 && folder[1] == L':' && (folder[2] == L'\\' || folder[2] == L'/');
    return drive || (length > 2 && folder[0] == L'\\' && folder[1] == L'\\');
}

/* Only .exe: cmd.exe, which runs .bat and .cmd, parses arguments differently. NULL: not found. */
static wchar_t *program_in(const wchar_t *folder, size_t length, const wchar_t *name) {
    size_t room = length + wcslen(name) + 6;
    wchar_t *path = need(malloc(room * sizeof *path));
    swprintf(path, room, L"%.*ls\\%ls.exe", (int)length, folder, name);
    DWORD what = GetFileAttributesW(path);
    if (what != INVALID_FILE_ATTRIBUTES && !(what & FILE_ATTRIBUTE_DIRECTORY))
        return path;
    free(path);
    return NULL;
}

/* CreateProcess would search the current directory before PATH. */
static wchar_t *find_program(const wchar_t *name) {
    wchar_t *found = NULL;
    for (const wchar_t *at = _wgetenv(L"PATH"); at && *at && !found;) {
        bool quoted = *at == L'"';
        at += quoted;
        size_t length = wcscspn(at, quoted ? L"\"" : L";");
        if (is_whole(at, length))
            found = program_in(at, length, name);
        at += length;
        at += wcscspn(at, L";");
        at += *at == L';';
    }
    return found;
}

char *system_program(const char *name) {
    wchar_t *wide = wide_of(name), *found = find_program(wide);
    char *path = found ? need(mst_windows_text(found)) : NULL;
    free(found);
    free(wide);
    return path;
}

static int run(const wchar_t *program, wchar_t *line, HANDLE from, HANDLE to, int *code) {
    PROCESS_INFORMATION process;
    DWORD ended = 0;
    STARTUPINFOW how = {.cb = sizeof how,
                        .dwFlags = STARTF_USESTDHANDLES,
                        .hStdInput = from,
                        .hStdOutput = to,
                        .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
    if (!CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &process))
        return mst_windows_errno();
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &ended);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    *code = ended <= 255 ? (int)ended : -1;
    return 0;
}

static int run_between(const wchar_t *program, wchar_t *line, const char *from, const char *to, int *code) {
    int error = 0;
    HANDLE input = open_inherited(from ? from : "NUL", true, &error), output = INVALID_HANDLE_VALUE;
    if (input != INVALID_HANDLE_VALUE)
        output = open_inherited(to, false, &error);
    if (output != INVALID_HANDLE_VALUE) {
        error = run(program, line, input, output, code);
        CloseHandle(output);
    }
    if (input != INVALID_HANDLE_VALUE)
        CloseHandle(input);
    return error;
}

int system_run(char *const arguments[], const char *from, const char *to, int *code) {
    stream text = stream_memory();
    *code = -1;
    for (size_t i = 0; arguments[i]; i++)
        put_quoted(&text, arguments[i]);
    put(&text, "", 1);
    wchar_t *line = wide_of(text.data), *name = wide_of(arguments[0]), *program = find_program(name);
    int error = program ? run_between(program, line, from, to, code) : ENOENT;
    free(program);
    free(name);
    free(line);
    stream_free(&text);
    return error;
}

void system_open_many(void) {
    _setmaxstdio(8192);
}

/* ---- the terminal --------------------------------------------------------------------------------- */

bool system_is_terminal(int descriptor) {
    DWORD mode;
    return GetConsoleMode(handle_of(descriptor), &mode);
}

int system_terminal_width(int descriptor) {
    CONSOLE_SCREEN_BUFFER_INFO screen;
    if (!GetConsoleScreenBufferInfo(handle_of(descriptor), &screen))
        return 0;
    return screen.srWindow.Right - screen.srWindow.Left + 1;
}

bool system_has_colors(int descriptor) {
    return descriptor >= 1 && descriptor <= 2 && has_colors[descriptor];
}

/* ---- places --------------------------------------------------------------------------------------- */

char *system_whole_path(const char *path) {
    mst_system_info info;
    int error = mst_system_about(path, &info);
    wchar_t *given = error ? NULL : mst_windows_path(path, &error), *wide = NULL;
    DWORD length = given ? GetFullPathNameW(given, 0, NULL, NULL) : 0;
    if (length)
        wide = need(malloc(length * sizeof *wide));
    char *whole = wide && GetFullPathNameW(given, length, wide, NULL) ? need(mst_windows_text(wide)) : NULL;
    for (char *at = whole; at && *at; at++)
        *at = *at == '\\' ? '/' : *at;
    free(given);
    free(wide);
    if (!whole)
        errno = error ? error : EIO;
    return whole;
}

char *system_temporary(void) {
    wchar_t folder[MAX_PATH + 2], path[MAX_PATH + 2];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"map", 0, path)) {
        errno = mst_windows_errno();
        return NULL;
    }
    return need(mst_windows_text(path));
}

char *system_settings(const char **advice) {
    const wchar_t *config = _wgetenv(L"XDG_CONFIG_HOME"), *roaming = _wgetenv(L"APPDATA");
    *advice = "set APPDATA";
    if (config && *config)
        return need(mst_windows_text(config));
    return roaming && *roaming ? need(mst_windows_text(roaming)) : NULL;
}

char *system_state(const char **advice) {
    const wchar_t *state = _wgetenv(L"XDG_STATE_HOME"), *local = _wgetenv(L"LOCALAPPDATA");
    *advice = "set LOCALAPPDATA";
    if (state && *state)
        return need(mst_windows_text(state));
    return local && *local ? need(mst_windows_text(local)) : NULL;
}

/* Directories in LOCALAPPDATA inherit its rights, which are private. */
int system_private_directory(const char *path) {
    const int error = mst_system_make_directory(path, MST_SYSTEM_ALL);
    return error == EEXIST ? 0 : error;
}

int system_remove_directory(const char *path) {
    int error;
    wchar_t *wide = mst_windows_path(path, &error);
    if (wide)
        error = RemoveDirectoryW(wide) ? 0 : mst_windows_errno();
    free(wide);
    return error;
}

#define LONGEST_PATH 32768

char *system_own_folder(void) {
    wchar_t *wide = need(malloc(LONGEST_PATH * sizeof *wide));
    DWORD length = GetModuleFileNameW(NULL, wide, LONGEST_PATH);
    char *own = length && length < LONGEST_PATH ? need(mst_windows_text(wide)) : NULL;
    free(wide);
    if (own)
        own[mst_system_directory_length(own)] = 0;
    return own;
}

/* ---- serving a page to this computer -------------------------------------------------------------- */

void system_show(const char *page) {
    int error;
    wchar_t *wide = mst_windows_path(page, &error);
    if (wide)
        ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL);
    free(wide);
}

bool system_secret(void *bytes, size_t size) {
    unsigned char *to = bytes;
    for (size_t i = 0; i < size; i++) {
        unsigned number;
        if (rand_s(&number) != 0)
            return false;
        to[i] = (unsigned char)number;
    }
    return true;
}

static int network_errno(void) {
    int error = WSAGetLastError();
    return error == WSAEWOULDBLOCK || error == WSAEINTR || error == WSAECONNABORTED ? EAGAIN
           : error == WSAENOTSOCK                                                   ? EBADF
           : error == WSAECONNRESET                                                 ? EPIPE
                                                                                    : EIO;
}

int connection_listen(connection *listener, unsigned *port) {
    WSADATA about;
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int size = (int)sizeof own;
    if (WSAStartup(MAKEWORD(2, 2), &about) != 0)
        return EIO;
    SOCKET made =
        WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (made != INVALID_SOCKET && bind(made, (struct sockaddr *)&own, size) == 0 && listen(made, 16) == 0 &&
        getsockname(made, (struct sockaddr *)&own, &size) == 0) {
        *listener = (connection)made;
        *port = ntohs(own.sin_port);
        return 0;
    }
    int error = network_errno();
    if (made != INVALID_SOCKET)
        closesocket(made);
    return error;
}

int connection_accept(connection listener, unsigned patience, connection *made) {
    const DWORD limit = 1000 * patience;
    SOCKET one = accept((SOCKET)listener, NULL, NULL);
    *made = -1;
    if (one == INVALID_SOCKET)
        return network_errno();
    setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, (const char *)&limit, sizeof limit);
    *made = (connection)one;
    return 0;
}

int connection_wait(const connection *all, size_t count, bool *ready) {
    WSAPOLLFD *wait = need(calloc(count, sizeof *wait));
    size_t *place = need(calloc(count, sizeof *place)), used = 0;
    int error = 0;
    for (size_t i = 0; i < count; i++) {
        ready[i] = false;
        if (all[i] < 0)
            continue;
        place[used] = i;
        wait[used++] = (WSAPOLLFD){.fd = (SOCKET)all[i], .events = POLLRDNORM};
    }
    if (WSAPoll(wait, (ULONG)used, -1) < 0)
        error = network_errno();
    for (size_t i = 0; i < used; i++) {
        ready[place[i]] = wait[i].revents != 0;
        if (wait[i].revents & POLLNVAL)
            error = EBADF;
    }
    free(place);
    free(wait);
    return error;
}

int connection_receive(connection from, void *to, size_t size, size_t *got) {
    int count = recv((SOCKET)from, to, size > INT_MAX ? INT_MAX : (int)size, 0);
    *got = count > 0 ? (size_t)count : 0;
    return count >= 0 ? 0 : network_errno();
}

int connection_send(connection to, const void *from, size_t size) {
    const char *at = from;
    while (size) {
        int sent = send((SOCKET)to, at, size > INT_MAX ? INT_MAX : (int)size, 0);
        if (sent <= 0)
            return network_errno();
        at += sent;
        size -= (size_t)sent;
    }
    return 0;
}

void connection_end(connection one) {
    if (one < 0)
        return;
    shutdown((SOCKET)one, SD_SEND);
    closesocket((SOCKET)one);
}

/* ---- time and threads ----------------------------------------------------------------------------- */

#define THREADS_MAX 256

double system_seconds(void) {
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    return (double)ticks.QuadPart / (double)rate.QuadPart;
}

size_t system_processors(void) {
    DWORD processors = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return processors ? processors : 1;
}

static_assert(sizeof(SRWLOCK) <= sizeof(lock) && sizeof(CONDITION_VARIABLE) <= sizeof(bell), "there is room");

static SRWLOCK *lock_of(lock *one) {
    return (SRWLOCK *)(void *)one->bytes;
}

void lock_begin(lock *one) {
    InitializeSRWLock(lock_of(one));
}

void lock_end(lock *one) {
    (void)one;
}

void lock_take(lock *one) {
    AcquireSRWLockExclusive(lock_of(one));
}

void lock_give(lock *one) {
    ReleaseSRWLockExclusive(lock_of(one));
}

void bell_begin(bell *one) {
    InitializeConditionVariable((CONDITION_VARIABLE *)(void *)one->bytes);
}

void bell_end(bell *one) {
    (void)one;
}

void bell_wait(bell *one, lock *held) {
    SleepConditionVariableSRW((CONDITION_VARIABLE *)(void *)one->bytes, lock_of(held), INFINITE, 0);
}

void bell_ring(bell *one) {
    WakeAllConditionVariable((CONDITION_VARIABLE *)(void *)one->bytes);
}

typedef struct task {
    void *(*work)(void *user);
    void *user;
} task;

static unsigned __stdcall begin_thread(void *given) {
    const task *one = given;
    one->work(one->user);
    return 0;
}

void system_threads(size_t count, void *(*work)(void *user), void *user) {
    HANDLE threads[THREADS_MAX];
    size_t started = 0;
    task one = {work, user};
    while (started + 1 < count && started < THREADS_MAX) {
        threads[started] = (HANDLE)_beginthreadex(NULL, 0, begin_thread, &one, 0, NULL);
        if (!threads[started])
            break;
        started++;
    }
    work(user);
    for (size_t i = 0; i < started; i++) {
        WaitForSingleObject(threads[i], INFINITE);
        CloseHandle(threads[i]);
    }
}
