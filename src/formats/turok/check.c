/* SPDX-License-Identifier: MIT */
#include "turok.h"
const mst_code_information mst_turok_codes[MST_TUROK_CODES] = {
    {"TUROK-ROOT", MST_ERROR, "the root has fewer blocks than a level"},
    {"TUROK-VERSION", MST_WARNING, "the version is not 1"},
    {"TUROK-TRUNCATED", MST_ERROR, "a block lies past the end of the file"},
    {"TUROK-COUNT", MST_ERROR, "a count does not fit the bytes left"},
    {"TUROK-OFFSET", MST_ERROR, "offsets descend, or point into a header"},
    {"TUROK-CHILDREN", MST_ERROR, "an archive has another number of blocks than it should"},
    {"TUROK-STRIDE", MST_ERROR, "the elements of a data set have another size"},
    {"TUROK-STRING", MST_ERROR, "a text is not one element"},
    {"TUROK-NONFINITE", MST_WARNING, "the number is not finite"},
};
mst_status mst_turok_check(mst_checker *checker) {
    (void)checker;
    return MST_OK;
}
