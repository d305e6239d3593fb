/* SPDX-License-Identifier: MIT */
/*
 * A web server for one page on this computer: it listens only on the loopback address, answers only requests
 * that have the right host, are not from another page, and include the secret in the address, and serves only
 * the files of a folder and those that it was given.
 */
#ifndef CLI_OUTPUT_SERVE_H
#define CLI_OUTPUT_SERVE_H

#include "../system/console.h"
#include "streams.h"

/* A file that the page may read, completely or in parts. A file named by the user is opened by its path;
 * others are opened in a folder that may be untrusted, without following links. */
typedef struct served_file {
    char *name; /* with '/' between directories */
    char *path; /* of a file that the user named; else of the folder that contains it */
    bool named;
    uint64_t size;
} served_file;

typedef struct served {
    const char *folder; /* of the page, with its index.html */
    served_file *files;
    size_t count, capacity;
    connection listener;
    char secret[33];
    char host[2][32]; /* 127.0.0.1:PORT and localhost:PORT */
    stream list;      /* opened.json */
    char *guide;      /* a file that redirects the browser here, removed after use; or NULL */
} served;

/* Starts listening on a free port. False, with a message, on failure. */
bool serve_begin(served *page);
/* Removes the file that redirects the browser here. */
void serve_forget_guide(served *page);
/* Answers requests until a signal ends the process; returns if listening fails. */
void serve_run(served *page);
void serve_end(served *page);

#endif
