/* SPDX-License-Identifier: MIT */
#include "shard.h"
#include "../../src/core/hash.h"
#include "../inputs/opened_source.h"
#include <stdlib.h>
#include <string.h>

#define SHARDS_MAX 1000000

static bool read_part(const char **at, char end, unsigned *number) {
    char *rest = NULL;
    const unsigned long value = **at >= '1' && **at <= '9' ? strtoul(*at, &rest, 10) : 0;
    if (!value || value > SHARDS_MAX || *rest != end)
        return false;
    *number = (unsigned)value;
    *at = rest + 1;
    return true;
}

static bool read_shard(const char *text, shard *one) {
    unsigned index, count;
    if (!read_part(&text, '/', &index) || !read_part(&text, 0, &count) || index > count)
        return false;
    *one = (shard){index - 1, count};
    return true;
}

shard shard_of(const options *given) {
    shard one = {0, 1};
    if (options_has(given, OPTION_SHARD))
        read_shard(given->value[OPTION_SHARD], &one);
    return one;
}

bool shard_is_valid(const options *given) {
    shard one;
    if (!options_has(given, OPTION_SHARD) || read_shard(given->value[OPTION_SHARD], &one))
        return true;
    options_usage(given, "--shard: '%s' is not a shard, such as 1/4 for the first of four",
                  given->value[OPTION_SHARD]);
    return false;
}

void shard_choose(inputs *all, const options *given) {
    const shard one = shard_of(given);
    bool *others = need(calloc(all->count + 1, sizeof *others));
    for (size_t i = 0; i < all->count && one.count > 1; i++) {
        others[i] = mst_number_of_name(all->items[i].path) % one.count != one.index;
        if (others[i]) /* then a directory without inputs is not an error */
            all->searched[all->items[i].operand] = false;
    }
    inputs_remove(all, others);
    all->many = all->many || one.count > 1;
    free(others);
}

bool named_read(options *given, named_files *names) {
    const char *from = given->value[OPTION_FILES0_FROM];
    size_t size, count = 0;
    mst_diagnostic why;
    *names = (named_files){NULL, NULL};
    if (!from)
        return true;
    if (read_whole(from, &names->text, &size, &why) != MST_OK) {
        say_diagnosis(from, &why);
        return false;
    }
    for (size_t i = 0; i < size; i++)
        count += !names->text[i] || i + 1 == size;
    names->operands = need(calloc(given->operand_count + count + 1, sizeof *names->operands));
    for (size_t i = 0; i < given->operand_count; i++)
        names->operands[i] = given->operands[i];
    count = given->operand_count;
    for (size_t i = 0; i < size; i += strlen(names->text + i) + 1)
        if (names->text[i])
            names->operands[count++] = names->text + i;
    given->operands = names->operands;
    given->operand_count = count;
    return true;
}

void named_free(named_files *names) {
    free(names->operands);
    free(names->text);
}
