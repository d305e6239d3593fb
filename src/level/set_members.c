/* SPDX-License-Identifier: MIT */
/* The files of a directory or archive that belong to the levels in it. Others, such as notes, scripts and
 * files of other programs, are neither merged nor passed on. */
#include "../core/text.h"
#include "../files/named_files.h"
#include "../patch/patch_sets.h"
#include "../system/file_names.h"

/* Whether a file has an extension of some format. */
static bool ends_as_a_level(const char *name) {
    const mst_format_information *format;
    size_t length = strlen(name);
    for (size_t i = 0; (format = mst_format_at(i)); i++)
        for (const char *at = format->extensions; *at; at += strspn(at, " ")) {
            size_t n = strcspn(at, " ");
            if (n < length && mst_same_letters(name + length - n, at, n))
                return true;
            at += n;
        }
    return false;
}

bool mst_set_has(mst_container *from, size_t index) {
    char beginning[MST_FILE_BEGINNING];
    size_t size = 0;
    const char *name = mst_container_name(from, index);
    if (mst_name_fault(name))
        return false;
    if (ends_as_a_level(name) || mst_asset_ends(name))
        return true;
    return mst_container_peek(from, index, beginning, sizeof beginning, &size, NULL) == MST_OK &&
           (mst_text_is_level(beginning, size) ||
            mst_identify(beginning, size, mst_container_size(from, index), name, NULL));
}
