/* SPDX-License-Identifier: MIT */
/* The codes of imagery, and the names of flags that pictures and models share. */
#include "imagery.h"

static const mst_code_information codes[] = {
    {"REV-IMAGE-HEADER", MST_ERROR,
     "the file or its header is too short: the file was cut off, copy it from the game again"},
    {"REV-IMAGE-MAGIC", MST_ERROR,
     "the file does not begin with CGSR: it is neither a picture nor a model, or its beginning is lost"},
    {"REV-IMAGE-VERSION", MST_ERROR, "the version is not 1, the only known one: the file is not opened"},
    {"REV-IMAGE-COMPRESSED", MST_ERROR,
     "the whole file is compressed by an unknown method: it cannot be opened, only copied unchanged"},
    {"REV-IMAGE-OVERRUN", MST_ERROR,
     "a part runs past the end of the file: the file was cut off, copy it from the game again"},
    {"REV-IMAGE-STATES", MST_ERROR,
     "the header or the data has no room for that many states: the file is not opened"},
    {"REV-IMAGE-BODY", MST_ERROR,
     "the data is too short for its first part: the file was cut off, copy it from the game again"},
    {"REV-IMAGE-BITMAP", MST_ERROR,
     "a bitmap is outside the data, or has an impossible size: it cannot be drawn"},
    {"REV-IMAGE-PLANE", MST_ERROR,
     "a plane of a bitmap is outside the data, too short, or not made of blocks: the bitmap is not drawn"},
    {"REV-IMAGE-CHUNK", MST_ERROR, "a packed block is damaged; its missing pixels are not drawn"},
    {"REV-IMAGE-ANIMATION", MST_ERROR, "an animation is outside the data: the file is not opened"},
    {"REV-IMAGE-PALETTE", MST_ERROR,
     "8-bit pixels have no palette, and so no colours: the bitmap is not drawn"},
    {"REV-IMAGE-FLAGS", MST_ERROR,
     "the flags of a bitmap select no kind of pixels, several, or an unknown one: the bitmap may not be "
     "drawn"},
    {"REV-IMAGE-OVERLAP", MST_ERROR,
     "two parts of the data overlap, so that one could not be edited without the other: the file is not "
     "opened"},
    {"REV-IMAGE-TRAILING", MST_INFORMATION, "bytes follow the data; nothing reads them"},
    {"REV-IMAGE-OBJECT-SIZE", MST_WARNING,
     "the two stored sizes of the data differ: the first one is used, and both are kept"},
    {"REV-IMAGE-TABLE", MST_WARNING,
     "the table does not list all bitmaps in order, or one is not used: the table is kept, and states find "
     "their bitmaps without it"},
    {"REV-IMAGE-WALKMAP", MST_WARNING,
     "a state has no walkmap of the stated size, or its offset leads elsewhere"},
    {"REV-IMAGE-STATE-FLAGS", MST_WARNING,
     "the header and the data have different flags for a state: the header's are used, so set the others to "
     "the same"},
    {"REV-IMAGE-SIZE", MST_INFORMATION, "a plane is longer than its bitmap needs; nothing reads the rest"},
    {"REV-IMAGE-CHUNKS", MST_WARNING,
     "a plane has more or fewer blocks than its bitmap needs: the bitmap is not drawn"},
    {"REV-IMAGE-EMPTY-STATE", MST_WARNING, "a state has no picture: objects in it are invisible"},
    {"REV-IMAGE-MODEL", MST_WARNING,
     "the data of a model contains parts that are not understood: it is copied unchanged, and cannot be "
     "edited"},
    {"REV-IMAGE-UNKNOWN", MST_WARNING, "there are bytes that are not understood; they are kept unchanged"},
};
const mst_codes mst_imagery_codes = MST_CODES(codes);

static const mst_enum_name state_flags[] = {{0, "lit"}, {1, "unlit"}, {2, "selected"}, {3, "cut_off"}};
const char *const mst_imagery_state_flag_meanings[] = {
    "drawn after the light, at its own brightness", "drawn before the light: the normal case",
    "a picture for an object that is selected", "tops of trees, which the game may leave out"};
const mst_enum mst_imagery_state_flags = {state_flags, MST_COUNT_OF(state_flags)};

static const mst_enum_name animation_flags[] = {{0, "loop"},
                                                {1, "face_motion"},
                                                {2, "interframe"},
                                                {3, "no_registration"},
                                                {4, "synchronize"},
                                                {5, "move"},
                                                {6, "no_interpolation"},
                                                {7, "ping_pong"},
                                                {8, "reverse"},
                                                {9, "no_restore"},
                                                {10, "root"},
                                                {11, "fly"},
                                                {12, "sync"},
                                                {13, "no_motion"},
                                                {14, "accurate_keys"},
                                                {15, "root_to_root"}};
const char *const mst_imagery_animation_flag_meanings[] = {
    "begins again after its end",
    "the object turns with its motion",
    "not known in detail: between frames",
    "the registration point is not used",
    "not known in detail: starts together with others",
    "the animation moves the object",
    "poses between frames are not computed",
    "plays forward and backward in turn",
    "plays backward",
    "not known in detail: the old state is not restored",
    "belongs to a state that others lead to and from",
    "the object flies",
    "not known in detail: runs together with others",
    "the object does not move",
    "the keys are used without rounding",
    "leads from one root state to another"};
const mst_enum mst_imagery_animation_flags = {animation_flags, MST_COUNT_OF(animation_flags)};
