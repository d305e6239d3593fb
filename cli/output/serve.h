/* SPDX-License-Identifier: MIT */
/*
 * A web server for one page on this computer: it listens on the loopback address only, answers only what has
 * the right host, comes from no other page and knows a secret that is in the address, and gives only the
 * files of a folder and those that it was given.
 */
#ifndef CLI_OUTPUT_SERVE_H
#define CLI_OUTPUT_SERVE_H

#include "../system/console.h"
#include "streams.h"

/* A file that the page may read, also in parts. Of a file that the user named, the path is opened; others are
 * found in a folder that may be a stranger's, where no link is followed. */
typedef struct served_file {
    char *name; /* with '/' between directories */
    char *path; /* of a file that was named; else of the folder that has the name */
    bool named;
    uint64_t size;
} served_file;

typedef struct served {
    const char *folder; /* of the page: index.html is there */
    served_file *files;
    size_t count, capacity;
    connection listener;
    char secret[33];
    char host[2][32]; /* 127.0.0.1:PORT and localhost:PORT */
    stream list;      /* opened.json */
    char *guide;      /* a file that leads the browser here, which is removed once it has; or NULL */
} served;

/* Begins to listen at a free port. False, with a message, on failure. */
bool serve_begin(served *page);
/* Removes the file that leads the browser here. */
void serve_forget_guide(served *page);
/* Answers requests until a signal ends the process; returns if listening fails. */
void serve_run(served *page);
void serve_end(served *page);

#endif
