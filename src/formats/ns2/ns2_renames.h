/* SPDX-License-Identifier: MIT */
#ifndef MST_NS2_NS2_RENAMES_H
#define MST_NS2_NS2_RENAMES_H

#include "../../edit/renames.h"

/* `names` of mst_edit_hooks: entities by name, and teleporters by number (relations.h). */
mst_status mst_ns2_naming(const mst_value *list, uint64_t element, mst_name_use_function visit, void *user);

#endif
