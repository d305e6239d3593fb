/* SPDX-License-Identifier: MIT */
#ifndef MST_SFA_SCENE_SFA_PARAMETERS_H
#define MST_SFA_SCENE_SFA_PARAMETERS_H

#include "../../../scene/work.h"
#include "../objects/objects.h"

/* Adds the contents of an object's record: its header, the known parameters, and all parameters as bytes.
 * `name` is the type's. */
void mst_sfa_add_parameters(mst_extra_list *list, const mst_sfa_object *object, const char *name);
/* The parameter that holds the yaw, and its byte there; NULL: none (`part` NULL: unknown parameters). */
const char *mst_sfa_yaw_in(const mst_record *part, unsigned *byte);

/* The position of an object; zero where it is not finite. */
void mst_sfa_position_of(const mst_sfa_object *object, float position[3]);
/* Whether the object's parameters are known. */
bool mst_sfa_has_parameters(const mst_sfa_object *object);

#endif
