/* SPDX-License-Identifier: MIT */
/* mapstone edit: operations on a level, all or none. */
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "commands.h"
#include "edits.h"
#include <stdlib.h>
#include <string.h>

/* Reads the operations of a script; false, with a message, on failure. */
static bool read_script(mst_operations **all, const char *file) {
    char *text = NULL;
    size_t size = 0;
    mst_diagnostic why;
    mst_status status = read_whole(file, &text, &size, &why);
    if (status == MST_OK)
        status = mst_operations_read(all, text, size, 1, NULL, &why);
    free(text);
    if (status != MST_OK)
        say_diagnosis(file, &why);
    return status == MST_OK;
}

static bool read_operation(const options *given, mst_operations **all, const char *text) {
    mst_diagnostic why;
    mst_status status = mst_operations_read(all, text, strlen(text), 0, NULL, &why);
    if (status != MST_OK)
        options_usage(given, why.expected[0] ? "'%s': %s (expected %s)" : "'%s': %s", text, why.message,
                      why.expected);
    return status == MST_OK;
}

static int change(const options *given, source *opened, const char *file) {
    opened->in_place = true;
    mst_operations *all = NULL;
    bool read = true;
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_PASTE) {
            int code = edits_paste(given, opened, file, given->arguments[i].value);
            if (code != EXIT_YES)
                return code;
        }
    for (size_t i = 0; i < given->argument_count && read; i++) {
        const argument *one = &given->arguments[i];
        if (one->id == OPTION_EXPRESSION)
            read = read_operation(given, &all, one->value);
        else if (one->id == OPTION_SCRIPT)
            read = read_script(&all, one->value);
    }
    int code = !read ? EXIT_TROUBLE : all ? edits_apply(given, opened, file, all) : EXIT_YES;
    mst_operations_free(all);
    return code;
}

/* Reports an operation that was given instead of a file, or several files. */
static int complain_operands(const options *given) {
    for (size_t i = 0; i < given->operand_count; i++)
        if (is_missing(given->operands[i]))
            return options_usage(given, "'%s': no such file; give an operation with -e", given->operands[i]);
    return options_usage(given, "edit takes one file, not %zu", given->operand_count);
}

static int run(const options *given) {
    if (!edits_know_format(given))
        return EXIT_TROUBLE;
    if (given->operand_count > 1)
        return complain_operands(given);
    if (!options_has(given, OPTION_EXPRESSION) && !options_has(given, OPTION_SCRIPT) &&
        !options_has(given, OPTION_PASTE) && !options_has(given, OPTION_REHASH) &&
        !options_has(given, OPTION_REFILE))
        return options_usage(
            given,
            "nothing to change: give operations with -e, a script with -s, or a clipboard with --paste");
    return edits_run(given, change, false);
}

static const option_row rows[] = {
    {OPTION_EXPRESSION, 'e', "expression", "OPERATION", NULL, "an operation; may be repeated"},
    {OPTION_SCRIPT, 's', "script", "FILE", NULL, "a file of operations, one a line (- is stdin)"},
    {OPTION_PASTE, 0, "paste", "FILE", NULL, "paste this clipboard, before all operations; may be repeated"},
    OPTION_ROWS_EDIT,
    OPTION_ROW_QUIET("do not report dependent changes and the number of bytes"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command edit_command = {
    .name = "edit",
    .operands = "FILE",
    .summary = "apply operations to a level, all or none",
    .description =
        "Applies operations in the order given: all of them, or none if one fails. Paths and values are "
        "written as for 'mapstone set'.\n\n"
        "- [set] PATH = VALUE: also += -= *= /= for numbers, += and -= for flags, += for text, and ?= to add "
        "a property that an element lacks\n"
        "- PATH := EXPRESSION: a value that is calculated from others, see below\n"
        "- PATH s/old/new/, or s/old/new/g: replace in text\n"
        "- insert PATH = VALUE, remove PATH\n"
        "- add LIST NAME=VALUE...: or add CLASS, or another kind of element\n"
        "- duplicate PATH [to INDEX], move PATH to INDEX\n"
        "- move PATH by X,Y,Z\n"
        "- rotate PATH by ANGLE [about X,Y,Z]\n"
        "- scale PATH by FACTOR [about X,Y,Z]\n"
        "- each OPERATION: as with --each, for this operation\n\n"
        "With --each, a path with conditions or a slice selects many values; elements without the value are "
        "skipped, but at least one must have it.\n\n"
        "A number that names an element of another list can be set by that element's name: "
        "'objects[3].group = Vents', 'mesh.faces[12].material = materials/x.material' (a new material is "
        "added to the level). 'layer = NAME', 'layer += NAME' and 'layer -= NAME' put things on layers, also "
        "several as [\"A\",\"B\"]; an empty name is none. A number is an id or index; a name that does not "
        "exist is refused.\n\n"
        "'in=(NAME)' is everything in a room, the volume of the locations of that name (Natural Selection "
        "2): "
        "'move in=(Hub) by 0,0,30'. Faces and entities on its border stay and are listed; vertices that they "
        "share with the room follow with --drag.\n\n"
        "An expression has numbers, texts in double quotes, + - * / and brackets, and paths of values, which "
        "are "
        "looked up next to the value that is set, then in the elements around it: 'intensity * 2', "
        "'origin[1]'. + also joins texts. index is the index of the element. Functions are round(X), "
        "round(X, STEP), floor, ceil, abs, sqrt, min and max. All values of an operation are calculated "
        "before "
        "any is set; one that cannot be calculated, or that its field cannot hold, refuses the edit. In "
        "conditions, expressions are in round brackets.\n\n"
        "The level stays consistent: elements are moved and removed together with the elements that belong "
        "to them, and references are renumbered. New errors, new references to missing elements, ids that "
        "others still refer to and misspelled classes of entities are refused, unless --force is given. "
        "Exits with 3 if a path does not exist, with 5 if a change would damage the level.\n\n"
        "A script has one operation per line; empty lines and lines that begin with # are ignored. A line "
        "may also be a JSON object with the members \"op\", \"path\" and \"new\", and these:\n\n"
        "- \"old\": the value that must be there\n"
        "- \"at\": the element that the path is relative to, by its list and members\n"
        "- \"by\": an operator\n"
        "- \"to\": an index\n"
        "- \"each\": true, as each before an operation\n\n"
        "A level in a zip archive (ARCHIVE!MEMBER) is written into a copy of the archive if -o names an "
        "archive, and into the archive itself with -i; all other members are unchanged.\n\n"
        "--paste appends the content of a clipboard of the Spark editor to a level of Natural Selection 2; "
        "'mapstone convert' makes a clipboard from a level.",
    .options = rows,
    .examples =
        "mapstone edit -i maps/a.level -e \"objects[3].class_name = location\" -e \"duplicate objects[3]\"\n"
        "mapstone edit -i maps/a.level -e \"add location name=Hub origin=1,2,3\"\n"
        "mapstone edit maps/a.level --dry-run --each -e "
        "\"objects[class_name~light_*].properties.intensity *= 1.5\"\n"
        "mapstone edit -i maps/a.level --each -e "
        "\"objects[class_name=door].properties.name := \\\"door_\\\" + index\"\n"
        "mapstone edit -i maps/a.level --each -e \"rotate objects[layer=Props] by 90deg about 0,0,0\"\n"
        "mapstone edit -i maps/a.level -e \"each mesh.faces[material~*vent*].layer += Vents\"\n"
        "mapstone edit maps/a.level -s rename.txt -o maps/b.level\n"
        "mapstone edit maps/a.level --paste room.clip -o maps/b.level",
    .run = run,
};
