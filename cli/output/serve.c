/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve.h"

#include "../../src/system/system.h"
#include "../inputs/offered.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CONNECTIONS 32
#define HEADER_MAX  8192
#define BLOCK       65536
#define PATIENCE    20 /* seconds that a browser may take to receive a block */

typedef struct request {
    char *method, *path, *host, *origin, *site, *mode, *destination, *range;
} request;

/* The content of a response: `policy` restricts it in the browser. */
typedef struct content {
    const char *type, *policy;
} content;

/* Files of the user may be anything, also pages by strangers: the browser gets them as data. */
static const content data = {"application/octet-stream", "sandbox"};
static const char own_policy[] = "connect-src 'self'; frame-ancestors 'none'";

/* The received part of a request. */
typedef struct request_part {
    size_t fill;
    char header[HEADER_MAX + 1];
} request_part;

/* ---- answers
 * ------------------------------------------------------------------------------------------------ */

static bool send_head(connection to, const char *status, content what, uint64_t length, const char *more) {
    char head[1024];
    int size = snprintf(head, sizeof head,
                        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %llu\r\nConnection: close\r\n"
                        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                        "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
                        "Content-Security-Policy: %s\r\n%s\r\n",
                        status, what.type, (unsigned long long)length, what.policy, more);
    return size > 0 && (size_t)size < sizeof head && connection_send(to, head, (size_t)size) == 0;
}

static void refuse(connection to, const char *status, const char *more) {
    char text[80];
    int size = snprintf(text, sizeof text, "%s\n", status);
    const content what = {"text/plain; charset=utf-8", own_policy};
    if (send_head(to, status, what, (uint64_t)size, more))
        connection_send(to, text, (size_t)size);
}

static const char *type_of(const char *path) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".mjs", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"},
                                           {".webmanifest", "application/manifest+json"},
                                           {".wasm", "application/wasm"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".txt", "text/plain; charset=utf-8"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (!strcasecmp(dot, types[i][0]))
            return types[i][1];
    return "application/octet-stream";
}

/* Reads "bytes=10-19", "bytes=10-" or "bytes=-10". False for anything else, which means the whole file;
 * `*length` 0: the range is outside the file. */
static bool read_range(const char *text, uint64_t size, uint64_t *offset, uint64_t *length) {
    char *end;
    if (!text || strncmp(text, "bytes=", 6) != 0 || strchr(text, ','))
        return false;
    text += 6;
    bool last = *text == '-';
    if (!last && (*text < '0' || *text > '9'))
        return false;
    unsigned long long first = strtoull(text + last, &end, 10);
    if (last) {
        *length = first < size ? first : size;
        *offset = size - *length;
        return *end == 0 && end != text + 1;
    }
    if (*end++ != '-')
        return false;
    unsigned long long until = *end >= '0' && *end <= '9' ? strtoull(end, &end, 10) : UINT64_MAX - 1;
    *offset = first;
    *length = first < size && until >= first ? (until < size ? until + 1 : size) - first : 0;
    return *end == 0;
}

static void send_block(connection to, int file, uint64_t offset, uint64_t length) {
    char *block = need(malloc(BLOCK));
    while (length) {
        size_t count;
        if (mst_system_read_at(file, offset, block, length < BLOCK ? (size_t)length : BLOCK, &count) != 0 ||
            !count || connection_send(to, block, count) != 0)
            break;
        offset += count;
        length -= count;
    }
    free(block);
}

/* Sends an open file, completely or the requested part. */
static void send_open(connection to, int file, uint64_t size, content what, const request *asked) {
    uint64_t offset = 0, length = size;
    char more[120] = "Accept-Ranges: bytes\r\n";
    bool head = !strcmp(asked->method, "HEAD"), part = read_range(asked->range, size, &offset, &length);
    if (part && length)
        snprintf(more, sizeof more, "Accept-Ranges: bytes\r\nContent-Range: bytes %llu-%llu/%llu\r\n",
                 (unsigned long long)offset, (unsigned long long)(offset + length - 1),
                 (unsigned long long)size);
    else if (part)
        snprintf(more, sizeof more, "Content-Range: bytes */%llu\r\n", (unsigned long long)size);
    if (part && !length)
        refuse(to, "416 Range Not Satisfiable", more);
    else if (send_head(to, part ? "206 Partial Content" : "200 OK", what, part ? length : size, more) &&
             !head)
        send_block(to, file, part ? offset : 0, part ? length : size);
}

/* `error` is the result of opening the file. */
static void send_file(connection to, int error, int file, content what, const request *asked) {
    mst_system_info info;
    if (error || mst_system_about_open(file, &info) != 0 || info.kind != MST_SYSTEM_FILE)
        refuse(to, "404 Not Found", "");
    else
        send_open(to, file, info.size, what, asked);
    if (!error)
        mst_system_close(file);
}

/* ---- requests
 * ----------------------------------------------------------------------------------------------- */

static int hex_of(char digit) {
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

/* Decodes a path in place; false if it leads outside or to something hidden. */
static bool decode(char *path) {
    char *to = path;
    path[strcspn(path, "?#")] = 0;
    for (const char *at = path; *at; at++) {
        int byte = (unsigned char)*at;
        if (*at == '%') {
            int high = hex_of(at[1]), low = high < 0 ? -1 : hex_of(at[2]);
            if (low < 0)
                return false;
            byte = high << 4 | low;
            at += 2;
        }
        if (byte < ' ' || byte == '\\' || byte == 127)
            return false;
        *to++ = (char)byte;
    }
    *to = 0;
    return *path != '.' && *path != '/' && !strstr(path, "/.") && !strstr(path, "//");
}

/* The value of a header, without surrounding blanks; NULL: the header is missing. */
static char *header_of(char *lines, const char *name) {
    size_t length = strlen(name);
    for (char *line = lines; line && *line; line = strchr(line, 0) + 1) {
        if (strncasecmp(line, name, length) != 0 || line[length] != ':')
            continue;
        char *value = line + length + 1;
        value += strspn(value, " \t");
        value[strcspn(value, " \t")] = 0;
        return value;
    }
    return NULL;
}

/* Splits a request into its headers; false if it is not HTTP/1. */
static bool read_request(char *header, request *asked) {
    char *end = header;
    for (char *from = header; *from; from++) /* each line ends with a NUL, the last with two */
        if (!(from[0] == '\r' && from[1] == '\n'))
            *end++ = *from == '\n' ? 0 : *from;
    *end = end[1] = 0;
    char *blank = strchr(header, ' '), *version = blank ? strchr(blank + 1, ' ') : NULL;
    if (!version || strncmp(version, " HTTP/1.", 8) != 0)
        return false;
    char *lines = strchr(version + 1, 0) + 1;
    *blank = *version = 0;
    *asked = (request){.method = header, .path = blank + 1};
    asked->host = header_of(lines, "Host");
    asked->origin = header_of(lines, "Origin");
    asked->site = header_of(lines, "Sec-Fetch-Site");
    asked->mode = header_of(lines, "Sec-Fetch-Mode");
    asked->destination = header_of(lines, "Sec-Fetch-Dest");
    asked->range = header_of(lines, "Range");
    return true;
}

/* The part of the path after the secret; NULL: the path does not begin with the secret. */
static char *own_path(const served *page, const request *asked) {
    size_t secret = strlen(page->secret);
    char *path = asked->path;
    bool own = *path == '/' && !strncmp(path + 1, page->secret, secret) && path[1 + secret] == '/';
    return own ? path + secret + 2 : NULL;
}

/* Whether a file or another page opens the page itself in a window: this requires the secret, and returns no
 * data to the opener. */
static bool leads_here(const served *page, const request *asked) {
    const char *path = own_path(page, asked);
    return path && (!*path || *path == '?') && asked->mode && !strcmp(asked->mode, "navigate") &&
           asked->destination && !strcmp(asked->destination, "document");
}

/* Whether the request is from the page itself, or from an address that the user typed. */
static bool is_own(const served *page, const request *asked) {
    for (size_t i = 0; i < 2; i++) {
        if (!asked->host || strcasecmp(asked->host, page->host[i]) != 0)
            continue;
        bool other = asked->origin && (strncmp(asked->origin, "http://", 7) != 0 ||
                                       strcasecmp(asked->origin + 7, page->host[i]) != 0);
        bool elsewhere = asked->site && strcmp(asked->site, "same-origin") && strcmp(asked->site, "none");
        return !other && (!elsewhere || leads_here(page, asked));
    }
    return false;
}

static void answer_list(const served *page, connection to, const request *asked) {
    const content what = {"application/json", own_policy};
    if (send_head(to, "200 OK", what, page->list.size, "") && strcmp(asked->method, "HEAD") != 0)
        connection_send(to, page->list.data, page->list.size);
}

/* Answers with the file of that number; a name after the number is for saving it. */
static void answer_opened(const served *page, connection to, const char *number, const request *asked) {
    char *end;
    unsigned long long index = strtoull(number, &end, 10);
    int file = -1, error = ENOENT;
    if (*number >= '0' && *number <= '9' && (!*end || *end == '/' || *end == '?') && index < page->count) {
        const served_file *one = &page->files[index];
        error = one->named ? mst_system_open(one->path, MST_SYSTEM_READ_AT_ONCE, &file)
                           : offered_open(one->path, one->name, &file);
    }
    send_file(to, error, file, data, asked);
}

static void answer_page(served *page, connection to, char *path, const request *asked) {
    int file = -1, error = ENOENT;
    content what = {NULL, own_policy};
    if (decode(path)) {
        what.type = type_of(*path ? path : "index.html");
        stream whole = stream_memory();
        print(&whole, "%s/%s", page->folder, *path ? path : "index.html");
        put(&whole, "", 1);
        error = mst_system_open(whole.data, MST_SYSTEM_READ_AT_ONCE, &file);
        stream_free(&whole);
    }
    send_file(to, error, file, what, asked);
    if (!*path)
        serve_forget_guide(page);
}

static void answer(served *page, connection to, char *header) {
    request asked;
    if (!read_request(header, &asked)) {
        refuse(to, "400 Bad Request", "");
        return;
    }
    if (!is_own(page, &asked)) {
        refuse(to, "403 Forbidden", "");
        return;
    }
    if (strcmp(asked.method, "HEAD") != 0 && strcmp(asked.method, "GET") != 0) {
        refuse(to, "405 Method Not Allowed", "Allow: GET, HEAD\r\n");
        return;
    }
    char *path = own_path(page, &asked);
    if (!path)
        refuse(to, "404 Not Found", "");
    else if (!strcmp(path, "opened.json"))
        answer_list(page, to, &asked);
    else if (!strncmp(path, "opened/", 7))
        answer_opened(page, to, path + 7, &asked);
    else
        answer_page(page, to, path, &asked);
}

/* ---- connections
 * -------------------------------------------------------------------------------------------- */

/* Reads more of a request, and answers it once it is complete. True: the connection can be closed. */
static bool receive(served *page, connection from, request_part *one) {
    size_t count;
    int error = connection_receive(from, one->header + one->fill, HEADER_MAX - 1 - one->fill, &count);
    if (error || !count)
        return error != EAGAIN;
    one->fill += count;
    one->header[one->fill] = 0;
    if (memchr(one->header, 0, one->fill))
        refuse(from, "400 Bad Request", "");
    else if (strstr(one->header, "\r\n\r\n"))
        answer(page, from, one->header);
    else if (one->fill == HEADER_MAX - 1)
        refuse(from, "431 Request Header Fields Too Large", "");
    else
        return false;
    return true;
}

/* The first of `open` is the listener. A new connection takes a free place, or else replaces the one that has
 * waited longest. */
static void accept_one(connection *open, request_part *all, size_t *next) {
    connection made;
    if (connection_accept(open[0], PATIENCE, &made) != 0)
        return;
    for (size_t i = 0; i < CONNECTIONS && open[1 + *next] >= 0; i++)
        *next = (*next + 1) % CONNECTIONS;
    connection_end(open[1 + *next]);
    open[1 + *next] = made;
    all[*next].fill = 0;
    *next = (*next + 1) % CONNECTIONS;
}

void serve_run(served *page) {
    request_part *all = need(calloc(CONNECTIONS, sizeof *all));
    connection open[1 + CONNECTIONS] = {page->listener};
    bool ready[1 + CONNECTIONS];
    size_t next = 0;
    int error;
    for (size_t i = 0; i < CONNECTIONS; i++)
        open[1 + i] = -1;
    while ((error = connection_wait(open, 1 + CONNECTIONS, ready)) == 0) {
        for (size_t i = 0; i < CONNECTIONS; i++) {
            if (!ready[1 + i] || !receive(page, open[1 + i], &all[i]))
                continue;
            connection_end(open[1 + i]);
            open[1 + i] = -1;
        }
        if (ready[0])
            accept_one(open, all, &next);
    }
    char why[128];
    mst_system_reason(error, why, sizeof why);
    say(MST_ERROR, "the page can no longer be served: %s", why);
    for (size_t i = 0; i < CONNECTIONS; i++)
        connection_end(open[1 + i]);
    free(all);
}

/* ---- beginning
 * ---------------------------------------------------------------------------------------------- */

static bool make_secret(char secret[33]) {
    unsigned char bytes[16];
    bool made = system_secret(bytes, sizeof bytes);
    for (size_t i = 0; made && i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return made;
}

/* Writes a name as a part of an address: characters other than letters, digits and a few marks as %XX. */
static void put_address(stream *to, const char *name) {
    for (const char *at = name; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || strchr("-_.~/", byte);
        print(to, plain ? "%c" : "%%%02X", byte);
    }
}

static void put_list(served *page) {
    stream *to = &page->list;
    *to = stream_memory();
    put_text(to, "[");
    for (size_t i = 0; i < page->count; i++) {
        const char *name = page->files[i].name;
        put_text(to, i ? ",\n{" : "{");
        put_json_member(to, "name", name);
        put_text(to, page->files[i].named ? ",\"named\":true" : "");
        put_text(to, ",\"url\":\"");
        print(to, "opened/%zu/", i);
        put_address(to, name);
        print(to, "\",\"size\":%llu}", (unsigned long long)page->files[i].size);
    }
    put_text(to, "]\n");
}

bool serve_begin(served *page) {
    unsigned port;
    int error = connection_listen(&page->listener, &port);
    if (!error && !make_secret(page->secret))
        error = EIO;
    if (error) {
        char why[128];
        mst_system_reason(error, why, sizeof why);
        say(MST_ERROR, "cannot listen on this computer's own address: %s", why);
        return false;
    }
    snprintf(page->host[0], sizeof page->host[0], "127.0.0.1:%u", port);
    snprintf(page->host[1], sizeof page->host[1], "localhost:%u", port);
    put_list(page);
    return true;
}

void serve_forget_guide(served *page) {
    if (!page->guide)
        return;
    mst_system_remove(page->guide);
    temporaries.report(temporaries.user, page->guide, 0);
    free(page->guide);
    page->guide = NULL;
}

void serve_end(served *page) {
    serve_forget_guide(page);
    connection_end(page->listener);
    for (size_t i = 0; i < page->count; i++) {
        free(page->files[i].name);
        free(page->files[i].path);
    }
    free(page->files);
    stream_free(&page->list);
}
