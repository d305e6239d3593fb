#!/bin/sh
# SPDX-License-Identifier: MIT
# Code of formats reads described data by bindings, columns and values, not from offsets of its own: only the
# files listed here load numbers from bytes. `make lint` runs this.
set -eu
cd "$(dirname "$0")/.."

# They recognise, parse, pack or repair bytes that no table describes yet.
may='
alien/graphics/sprites_parse.c alien/alien_model_tables.c alien/sections.c alien/alien_tables.c alien/texture_tables.c
ns2/property_tables.c ns2/ns2_tables.c
present.h
revenant/imagery/cache.c revenant/imagery/imagery_container.c revenant/imagery/image_parse.c revenant/imagery/image_serialize.c
revenant/imagery/image_view.c revenant/imagery/model_parse.c revenant/imagery/imagery_model_parts.c revenant/imagery/picture_edit.c revenant/imagery/posed.c
revenant/salvage.c revenant/save.c revenant/tails.c revenant/variant.c
sfa/block/layout.c sfa/block/block_list.c sfa/block/parts.h sfa/block/stream.c
sfa/maps/maps.c sfa/maps/voxmap.c
sfa/objects/guess.c sfa/objects/objects_list.c sfa/objects/objects_parameters.c sfa/objects/romlist.c
sfa/packing/bank.c sfa/packing/entry.c sfa/packing/sfa_packed.c sfa/packing/pair.c
sfa/textures/sfa_textures.c
spark/dds.c
turok/iguana.c turok/iguana_check.c turok/models/animation.c turok/models/turok_model.c turok/models/turok_picture.c turok/turok_tables.c
'

listed=" $(printf '%s' "$may" | tr '\n' ' ')"
loading=$(cd src/formats && grep -rlE 'mst_(load(16|32|64)?|fits)\(' . | sed 's|^\./||' | LC_ALL=C sort)
failed=0
for file in $loading; do
    case "$listed" in
    *" $file "*) ;;
    *)
        echo "src/formats/$file loads numbers from bytes: use a binding or a column (src/read/binding.h)" >&2
        failed=1
        ;;
    esac
done
found=" $(printf '%s' "$loading" | tr '\n' ' ') "
for file in $listed; do
    case "$found" in
    *" $file "*) ;;
    *)
        echo "$0: $file loads nothing any more: take it off the list" >&2
        failed=1
        ;;
    esac
done
exit $failed
