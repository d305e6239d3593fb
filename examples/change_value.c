/* SPDX-License-Identifier: MIT */
/*
 * Changes one value and saves the result as another file.  change_value FILE PATH VALUE OUTPUT
 *     change_value a.level 'objects[class_name=light_point].properties[name=intensity].value[0]' 2.5 b.level
 * Everything else stays the same, byte for byte, except the sizes and counts around the value.
 */
#include <mapstone/mapstone.h>
#include <stdio.h>

static int complain(const mst_diagnostic *why) {
    char text[800];
    mst_diagnostic_text(why, text, sizeof text);
    fprintf(stderr, "change_value: %s\n", text);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: change_value FILE PATH VALUE OUTPUT\n");
        return 2;
    }
    mst_document *level;
    mst_diagnostic why;
    if (mst_open_file(argv[1], NULL, &level, &why) != MST_OK)
        return complain(&why);

    /* On failure the document is unchanged; on success values found earlier are void. */
    mst_status status = mst_set(level, argv[2], argv[3], &why);
    /* The new file is written completely or not at all. */
    if (status == MST_OK)
        status = mst_save_file(level, argv[4], &why);
    mst_close(level);
    return status == MST_OK ? 0 : complain(&why);
}
