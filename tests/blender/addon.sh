#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the add-on into an empty Blender, and tests it: tests/blender/addon.sh ADDON.zip path/to/mapstone CORPUS
# (ONLY=word: the tests with it in their names)
set -eu -o pipefail
here=$(dirname "$0")
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/config" "$home/scripts"
export BLENDER_USER_CONFIG=$home/config BLENDER_USER_SCRIPTS=$home/scripts PYTHONDONTWRITEBYTECODE=1
blender -b --factory-startup --python-exit-code 1 --python "$here/addon.py" -- "$@" 2>&1 | grep --line-buffered -vE '^(Info|Warning): |^$|Modules Installed'
