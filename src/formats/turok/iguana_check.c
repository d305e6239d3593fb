/* SPDX-License-Identifier: MIT */
/* What can be wrong with an archive, and with what is packed in it. */
#include "../../core/diagnose.h"
#include "turok.h"

const mst_code_information mst_iguana_codes[MST_IGUANA_CODES] = {
    {"IGUANA-OFFSET", MST_ERROR, "offsets descend, or point into a header"},
    {"IGUANA-COUNT", MST_ERROR, "a count does not fit the bytes left"},
    {"IGUANA-TRUNCATED", MST_ERROR, "a block lies past the end of the file"},
    {"IGUANA-NESTING", MST_ERROR, "archives are nested more deeply than a file of this size should have"},
    {"IGUANA-AMBIGUOUS", MST_INFORMATION, "the block could be a data set as well as an archive"},
    {"IGUANA-TAIL", MST_WARNING, "there are bytes behind the archive"},
    {"RNC-HEADER", MST_ERROR, "the header of a packed block makes no sense"},
    {"RNC-SIZE", MST_ERROR, "the packed bytes end before or after what they should unpack to"},
    {"RNC-DISTANCE", MST_ERROR, "the packed bytes refer to what is in front of their beginning"},
    {"RNC-CODE", MST_ERROR, "the packed bytes have a code that there is not"},
    {"RNC-CRC", MST_WARNING, "a checksum of the packed block is wrong"},
};

mst_status mst_iguana_check(mst_checker *checker) {
    (void)checker;
    return MST_OK;
}
