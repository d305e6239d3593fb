/* SPDX-License-Identifier: MIT */
#include "spelling.h"

static unsigned least(unsigned a, unsigned b, unsigned c) {
    unsigned d = a < b ? a : b;
    return d < c ? d : c;
}

unsigned mst_spelling_distance(const char *left, size_t left_size, const char *right, size_t right_size,
                               unsigned most) {
    unsigned row[MST_SPELLING_MAX + 1];
    size_t apart = left_size > right_size ? left_size - right_size : right_size - left_size;
    if (left_size > MST_SPELLING_MAX || right_size > MST_SPELLING_MAX || apart > most)
        return most + 1;
    for (size_t j = 0; j <= right_size; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; i < left_size; i++) {
        unsigned corner = row[0], nearest = ++row[0];
        for (size_t j = 0; j < right_size; j++) {
            unsigned above = row[j + 1];
            row[j + 1] = least(above + 1, row[j] + 1, corner + (left[i] != right[j]));
            corner = above;
            nearest = row[j + 1] < nearest ? row[j + 1] : nearest;
        }
        if (nearest > most)
            return most + 1;
    }
    return row[right_size] <= most ? row[right_size] : most + 1;
}
