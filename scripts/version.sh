#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the project's version, which include/mapstone/base.h defines.
set -eu
sed -n 's/#define MST_VERSION  *"\(.*\)"/\1/p' "$(dirname "$0")/../include/mapstone/base.h"
