/* SPDX-License-Identifier: MIT */
/* The look of a material, as far as a scene can show it: its values, interpreted by the shader that it
 * names. */
#ifndef MST_FORMATS_SPARK_LOOK_H
#define MST_FORMATS_SPARK_LOOK_H

#include "../../files/named_files.h"
#include <mapstone/scene.h>

typedef enum mst_spark_alpha {
    MST_SPARK_SOLID,
    MST_SPARK_HOLES,  /* the red of the opacity map, or the alpha of the colours, is cut off at one half */
    MST_SPARK_MIXED,  /* ... is blended */
    MST_SPARK_GLASS,  /* alpha is the same everywhere */
    MST_SPARK_GLOWING /* no colour, only added light, blended by its alpha */
} mst_spark_alpha;

typedef struct mst_spark_look {
    /* Names of textures; "": none. */
    char albedo[MST_ASSET_NAME], normal[MST_ASSET_NAME], opacity[MST_ASSET_NAME], emissive[MST_ASSET_NAME],
        specular[MST_ASSET_NAME];
    char shader[MST_ASSET_NAME];
    float tint[3]; /* of glass */
    bool tinted;
    mst_spark_alpha alpha;
    bool own_alpha; /* the alpha of the colours counts */
    bool double_sided;
} mst_spark_look;

/* `shader` is the text of the material's shader, NULL if it was not found: then the shader's name decides. */
void mst_spark_look_read(mst_spark_look *look, const void *material, size_t size);
void mst_spark_look_judge(mst_spark_look *look, const void *shader, size_t size);

#endif
