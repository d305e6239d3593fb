#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies the page of web/dist (by `make web`) to a new directory, without the files of the npm package, and with the same modes everywhere:
# scripts/page.sh TO   (in the top directory)
set -eu
cp -R web/dist "$1"
(cd "$1" && rm -f bin.mjs command.wasm package.json README.md ./*.d.ts)
find "$1" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
