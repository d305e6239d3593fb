/* SPDX-License-Identifier: MIT */
#ifndef MST_TUROK_MODELS_MODEL_NAMES_H
#define MST_TUROK_MODELS_MODEL_NAMES_H

#include "models.h"

/* Splits the name of a material into the file that has it and its name there, which is the end of `name`.
 * False: it does not name a file. */
bool mst_kex_split_material(const char *name, size_t size, char file[MST_ASSET_NAME], const char **last);

#endif
