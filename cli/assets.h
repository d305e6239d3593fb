/* SPDX-License-Identifier: MIT */
/* The files that a level needs: as a list. */
#ifndef CLI_ASSETS_H
#define CLI_ASSETS_H

#include "batch.h"

/* Prints what the job's level names, found or not; returns an exit code. */
int put_assets(job *work);

#endif
