/* SPDX-License-Identifier: MIT */
/*
 * A web server for one page on this computer: it listens on the loopback address only, answers only what has
 * the right host, comes from no other page and knows a secret that is in the address, and gives only the
 * files of a folder and those that it was given.
 */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "output.h"
#include "system/system.h"

/* A file that the page may read, also in parts. */
typedef struct served_file {
    char *name; /* with '/' between directories */
    char *path;
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
} served;

/* Begins to listen at a free port. False, with a message, on failure. */
bool serve_begin(served *page);
/* Answers requests until a signal ends the process; returns if listening fails. */
void serve_run(served *page);
void serve_end(served *page);

#endif
