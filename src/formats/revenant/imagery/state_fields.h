/* SPDX-License-Identifier: MIT */
/* The fields that pictures and models share: included by the files with their tables. */
#ifndef MST_FORMATS_REVENANT_STATE_FIELDS_H
#define MST_FORMATS_REVENANT_STATE_FIELDS_H

#include "../../../tables/words.h"

/* `variable` is a separate context variable; the rest are conditions. */
#define MST_IMAGERY_FILL_IF(variable, label, prefix, ...)                                                    \
    {.name = prefix "filled",                                                                                \
     U8,                                                                                                     \
     BIND(variable),                                                                                         \
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,                                                            \
     IF(__VA_ARGS__),                                                                                        \
     .doc = "Yes: the bytes " label " are not just zeros up to a multiple of 4; they follow."},              \
    {                                                                                                        \
        .name = prefix "filling", BYTES, .flags = MST_FIELD_BIG, IF(IS_NOT(variable, 0), __VA_ARGS__),       \
        .doc = "The bytes " label ", without a meaning."                                                     \
    }
#define MST_IMAGERY_FILL_FIELDS(variable, label, prefix)                                                     \
    MST_IMAGERY_FILL_IF(variable, label, prefix, {MST_ALWAYS, 0, 0})

#define MST_IMAGERY_NUMBER(label, ...)                                                                       \
    { .name = (label), I16, __VA_ARGS__ }
/* Up to its walkmap; `variable` is a separate context variable. */
#define MST_IMAGERY_STATE_FIELDS(variable)                                                                   \
    {.name = "name",                                                                                         \
     .kind = MST_KIND_CHAR8,                                                                                 \
     FIXED(32),                                                                                              \
     .doc = "Pictures: still. Models: the object's action, such as walk; a to b for the transition between " \
            "two states; a number with % before names of which one is chosen at random."},                   \
        {.name = "name_rest",                                                                                \
         BYTES,                                                                                              \
         .flags = MST_FIELD_BIG | MST_FIELD_OMIT_EMPTY,                                                      \
         .doc = "The bytes after the name's NUL, which have no meaning, unless they are zeros."},            \
        {.name = "flags",                                                                                    \
         U32,                                                                                                \
         .flags = MST_FIELD_FLAGS,                                                                           \
         .names = &mst_imagery_state_flags,                                                                  \
         .meanings = mst_imagery_state_flag_meanings,                                                        \
         .doc = "When pictures are drawn.",                                                                  \
         .range = "Mostly `unlit`"},                                                                         \
        {.name = "animation_flags",                                                                          \
         U16,                                                                                                \
         .flags = MST_FIELD_FLAGS,                                                                           \
         .names = &mst_imagery_animation_flags,                                                              \
         .meanings = mst_imagery_animation_flag_meanings,                                                    \
         .doc = "How the state's animation is played."},                                                     \
        MST_IMAGERY_NUMBER("frames",                                                                         \
                           .doc = "Length of the state's animation in frames; 0 in most pictures."),         \
        MST_IMAGERY_NUMBER("width", .unit = "pixels",                                                        \
                           .doc =                                                                            \
                               "Width on the screen. Mostly the bitmap's, which is the one that is used."),  \
        MST_IMAGERY_NUMBER("height", .unit = "pixels",                                                       \
                           .doc =                                                                            \
                               "Height on the screen. Mostly the bitmap's, which is the one that is used."), \
        MST_IMAGERY_NUMBER("registration_x", .unit = "pixels",                                               \
                           .doc = "The object's position in the picture, from its left edge. It may be "     \
                                  "outside."),                                                               \
        MST_IMAGERY_NUMBER("registration_y", .unit = "pixels",                                               \
                           .doc = "The object's position in the picture, from its upper edge."),             \
        MST_IMAGERY_NUMBER("registration_z", .doc = "Subtracted from the depth of each pixel."),             \
        MST_IMAGERY_NUMBER("animation_registration_x", .unit = "pixels",                                     \
                           .doc = "Probably registration_x of the animation.", .range = "0 in most files"),  \
        MST_IMAGERY_NUMBER("animation_registration_y", .unit = "pixels",                                     \
                           .doc = "Probably registration_y of the animation.", .range = "0 in most files"),  \
        MST_IMAGERY_NUMBER("animation_registration_z", .doc = "Probably registration_z of the animation.",   \
                           .range = "0 in most files"),                                                      \
        MST_IMAGERY_NUMBER("walkmap_x", .unit = "cells",                                                     \
                           .doc = "The object's position in the walkmap, from its first column."),           \
        MST_IMAGERY_NUMBER("walkmap_y", .unit = "cells",                                                     \
                           .doc = "The object's position in the walkmap, from its first row."),              \
        MST_IMAGERY_NUMBER("walkmap_z", .unit = "units",                                                     \
                           .doc = "Probably the height of the object's position in the walkmap."),           \
        MST_IMAGERY_NUMBER(                                                                                  \
            "walkmap_width", .unit = "cells",                                                                \
            .doc = "Columns of the walkmap, along x. A cell has 16 x 16 units of the map. Setting "          \
                   "columns or rows adds or removes cells."),                                                \
        MST_IMAGERY_NUMBER("walkmap_length", .unit = "cells", .doc = "Rows of the walkmap, along y."),       \
        MST_IMAGERY_NUMBER("walkmap_height", .unit = "units",                                                \
                           .doc = "Height of the box around the object."),                                   \
        {.name = "inventory_animation_flags",                                                                \
         U16,                                                                                                \
         .flags = MST_FIELD_FLAGS,                                                                           \
         .names = &mst_imagery_animation_flags,                                                              \
         .doc = "How the animation in the inventory is played."},                                            \
        MST_IMAGERY_NUMBER("inventory_frames", .unit = "frames",                                             \
                           .doc = "Length of the animation in the inventory."),                              \
        {.name = "walkmap",                                                                                  \
         BYTES,                                                                                              \
         .flags = MST_FIELD_BIG | MST_FIELD_OMIT_EMPTY | MST_FIELD_CONTENT,                                  \
         .doc = "A height in units of the map for each cell, row by row: where the object can be walked "    \
                "on. Some states with a "                                                                    \
                "size have none."},                                                                          \
        {.name = "walkmap_astray",                                                                           \
         U8,                                                                                                 \
         BIND(variable),                                                                                     \
         .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,                                                        \
         .doc = "Yes: the walkmap's offset does not lead to the usual place of walkmaps."},                  \
    {                                                                                                        \
        .name = "walkmap_offset", U32, IF(IS_NOT(variable, 0)),                                              \
        .doc = "That offset, a leftover: from its place in the state of the file."                           \
    }

#endif
