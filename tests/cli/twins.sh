#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the JSON of a level of many objects of one kind, distinguished only by their places, if at all:
# tests/cli/twins.sh revenant|ns2 COUNT row|moved|alike [CHANGED] row: each at a place of its own; moved: the
# same, and every third one is elsewhere; alike: all are the same. CHANGED: every so many-th object has another
# value; 0 (the default): none.
set -eu
awk -v family="$1" -v count="$2" -v shape="$3" -v changed="${4:-0}" 'BEGIN {
    revenant = family == "revenant"
    printf revenant ? "{\"$format\":\"revenant-sector\",\"version\":8,\"objects\":[" \
                    : "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{}},\"objects\":["
    for (i = 0; i < count; i++) {
        k = shape == "alike" ? 0 : i
        x = k % 100 * 8 + (shape == "moved" && i % 3 == 0 ? 3 : 0)
        y = int(k / 100) * 8
        other = changed && i % changed == 0
        if (revenant)
            printf "%s{\"object_version\":0,\"class\":\"tile\",\"unique_id\":1000,\"name\":\"Stone\",\"flags\":1," \
                   "\"position\":[%d,%d,0],\"state\":%d,\"inventory_number\":-1,\"inventory_index\":-1,\"shadow\":-1," \
                   "\"rotation_x\":0,\"rotation_y\":0,\"rotation_z\":0,\"map_index\":-1,\"group\":0,\"stats\":[]," \
                   "\"inventory\":[]}", i ? "," : "", x, y, other
        else
            printf "%s{\"class_name\":\"prop_static\",\"group\":4294967295,\"properties\":[" \
                   "{\"name\":\"model\",\"type\":4,\"value\":[\"models/stone.model\"]}," \
                   "{\"name\":\"origin\",\"type\":9,\"value\":[%d,0,%d]}," \
                   "{\"name\":\"scale\",\"type\":9,\"value\":[1,%d,1]}]}", i ? "," : "", x, y, 1 + other
    }
    print revenant ? "]}" : "]}"
}'
