/* SPDX-License-Identifier: MIT */
/* All of mapstone: open, check, show, edit, write and convert levels of old games. */
#ifndef MAPSTONE_MAPSTONE_H
#define MAPSTONE_MAPSTONE_H

#include "asset.h"
#include "base.h"
#include "container.h"
#include "diff.h"
#include "document.h"
#include "edit.h"
#include "export.h"
#include "facts.h"
#include "file.h"
#include "image.h"
#include "import.h"
#include "level.h"
#include "merge.h"
#include "patch.h"
#include "picture.h"
#include "pixels.h"
#include "place.h"
#include "scene.h"
#include "search.h"
#include "sprites.h"
#include "table.h"

#endif
