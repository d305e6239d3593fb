/* SPDX-License-Identifier: MIT */
/* mapstone version */
#include "commands.h"
#include <mapstone/base.h>

static int run(const options *given) {
    if (given->operand_count)
        return options_usage(given, "version takes no operands");
    stream out = stream_stdout();
    print(&out, "mapstone %s\n", mst_version());
    stream_free(&out);
    return EXIT_YES;
}

static const option_row rows[] = {OPTION_ROW_COMMON};

const command version_command = {
    .name = "version",
    .operands = "",
    .summary = "print the version; also --version",
    .description = "Prints the version.",
    .options = rows,
    .examples = "mapstone version",
    .run = run,
};
