/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_curves.c - rows of a file sorted into curves, and names that tell curves apart. */
#include "base/compat.h"

#include "analysis/results/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

static int compare_counts(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const struct results_row *a, const struct results_row *b)
{
    int order = compare_texts(a->test, b->test);
    if (order == 0)
        order = compare_texts(a->target, b->target);
    if (order == 0)
        order = compare_texts(a->engine, b->engine);
    if (order == 0)
        order = compare_texts(a->cache, b->cache);
    if (order == 0)
        order = compare_texts(a->access, b->access);
    if (order == 0)
        order = compare_texts(a->label, b->label);
    if (order == 0)
        order = compare_counts(a->pass, b->pass);
    if (order == 0)
        order = compare_counts(a->loop, b->loop);
    if (order == 0)
        order = compare_counts(a->repeat, b->repeat);
    if (order == 0)
        order = compare_counts(a->mix, b->mix);
    if (order == 0)
        order = compare_counts(a->threads, b->threads);
    if (order == 0)
        order = compare_counts(a->ranks, b->ranks);
    return order != 0 ? order : compare_counts(a->depth, b->depth);
}

/* By curve, then by size, then by place in the file: the rows stand in one array. */
static int compare_rows(const void *a, const void *b)
{
    const struct results_row *x = *(const struct results_row *const *)a;
    const struct results_row *y = *(const struct results_row *const *)b;
    int order = compare_keys(x, y);

    if (order == 0)
        order = compare_counts(x->size_bytes, y->size_bytes);
    return order != 0 ? order : (x > y) - (x < y);
}

static const struct results_row *first_row(const struct results_curve *curve)
{
    const struct results_row *first = curve->rows[0];
    for (size_t i = 1; i < curve->count; i++)
        if (curve->rows[i] < first)
            first = curve->rows[i];
    return first;
}

/* A curve and where it begins in the file. */
struct placed {
    struct results_curve curve;
    const struct results_row *first;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static struct results_curve take_curve(const struct results *file,
                                       const struct results_row *const *rows, size_t count)
{
    struct results_curve curve = {.file = file, .count = count};
    curve.rows = mem_realloc_array(NULL, count, sizeof(*curve.rows));
    memcpy(curve.rows, rows, count * sizeof(*rows));
    return curve;
}

struct results_curve *results_curves(const struct results *results, size_t *count)
{
    const struct results_row **rows = mem_calloc(results->count, sizeof(*rows));
    struct placed *placed = mem_calloc(results->count, sizeof(*placed));
    struct results_curve *curves;
    size_t n = 0, found = 0;

    for (size_t i = 0; i < results->count; i++)
        if (!isnan(results_op_ns(&results->rows[i])))
            rows[n++] = &results->rows[i];
    if (n > 0)
        qsort(rows, n, sizeof(*rows), compare_rows);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && compare_keys(rows[begin], rows[end]) == 0;)
            end++;
        placed[found].curve = take_curve(results, rows + begin, end - begin);
        placed[found].first = first_row(&placed[found].curve);
        found++;
    }
    if (found > 0)
        qsort(placed, found, sizeof(*placed), compare_placed);
    curves = mem_calloc(found, sizeof(*curves));
    for (size_t i = 0; i < found; i++)
        curves[i] = placed[i].curve;
    free(placed);
    free(rows);
    *count = found;
    return curves;
}

void results_free_curves(struct results_curve *curves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(curves[i].rows);
    free(curves);
}

/* --- names --- */

const char *results_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* Curves of one file mostly stand together: only the first of them is looked at. */
static bool begins_file(const struct results_curve *all, size_t i)
{
    return i == 0 || all[i].file != all[i - 1].file;
}

/* Two files that are called the same in different directories. */
static bool needs_path(const struct results_curve *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; begins_file(all, i) && k < i; k++)
            if (begins_file(all, k) && all[i].file != all[k].file &&
                strcmp(results_base_name(all[i].file->path),
                       results_base_name(all[k].file->path)) == 0)
                return true;
    return false;
}

static bool same_word(enum results_word word, const struct results_curve *a,
                      const struct results_curve *b)
{
    const struct results_row *x = a->rows[0], *y = b->rows[0];
    switch (word) {
    case RESULTS_WORD_FILE:
        return a->file == b->file;
    case RESULTS_WORD_TEST:
        return compare_texts(x->test, y->test) == 0;
    case RESULTS_WORD_STEP:
        return x->pass == y->pass;
    case RESULTS_WORD_LOOP:
        return x->loop == y->loop;
    case RESULTS_WORD_REPEAT:
        return x->repeat == y->repeat;
    case RESULTS_WORD_MIX:
        return x->mix == y->mix;
    case RESULTS_WORD_TARGET:
        return compare_texts(x->target, y->target) == 0;
    case RESULTS_WORD_ENGINE:
        return compare_texts(x->engine, y->engine) == 0;
    case RESULTS_WORD_CACHE:
        return compare_texts(x->cache, y->cache) == 0;
    case RESULTS_WORD_ACCESS:
        return compare_texts(x->access, y->access) == 0;
    case RESULTS_WORD_THREADS:
        return x->threads == y->threads;
    case RESULTS_WORD_DEPTH:
        return x->depth == y->depth;
    case RESULTS_WORD_RANKS:
        return x->ranks == y->ranks;
    case RESULTS_WORD_LABEL:
        return compare_texts(x->label, y->label) == 0;
    case RESULTS_WORD_COUNT:
        break;
    }
    return true;
}

static const char *word_text(enum results_word word, const struct results_curve *curve, bool path)
{
    const struct results_row *row = curve->rows[0];
    switch (word) {
    case RESULTS_WORD_FILE:
        return path ? curve->file->path : results_base_name(curve->file->path);
    case RESULTS_WORD_TEST:
        return row->test;
    case RESULTS_WORD_TARGET:
        return row->target;
    case RESULTS_WORD_ENGINE:
        return row->engine;
    case RESULTS_WORD_CACHE:
        return row->cache;
    case RESULTS_WORD_ACCESS:
        return row->access;
    case RESULTS_WORD_LABEL:
        return row->label;
    case RESULTS_WORD_STEP:
    case RESULTS_WORD_LOOP:
    case RESULTS_WORD_REPEAT:
    case RESULTS_WORD_MIX:
    case RESULTS_WORD_THREADS:
    case RESULTS_WORD_DEPTH:
    case RESULTS_WORD_RANKS:
    case RESULTS_WORD_COUNT:
        break;
    }
    return "";
}

/* "depth 8": the words that are numbers; false of others. */
static bool number_text(enum results_word word, const struct results_row *row, char *text,
                        size_t size)
{
    const struct {
        const char *name;
        uint64_t number;
    } numbers[RESULTS_WORD_COUNT] = {
        [RESULTS_WORD_STEP] = {"step", row->step},
        [RESULTS_WORD_LOOP] = {"loop", row->loop},
        [RESULTS_WORD_REPEAT] = {"repeat", row->repeat},
        [RESULTS_WORD_THREADS] = {"threads", row->threads},
        [RESULTS_WORD_DEPTH] = {"depth", row->depth},
        [RESULTS_WORD_RANKS] = {"ranks", row->ranks},
        [RESULTS_WORD_MIX] = {"mix", row->mix},
    };

    if (word == RESULTS_WORD_MIX && row->mix == RESULTS_NO_MIX) {
        snprintf(text, size, "no mix");
        return true;
    }

    if (!numbers[word].name)
        return false;
    snprintf(text, size, "%s %" PRIu64, numbers[word].name, numbers[word].number);
    return true;
}

unsigned results_words_apart(const struct results_curve *all, size_t count)
{
    unsigned words = 0;

    for (enum results_word word = 0; word < RESULTS_WORD_COUNT; word++)
        for (size_t i = 1; i < count; i++)
            if (!same_word(word, &all[i], &all[0]))
                words |= 1u << word;
    return words;
}

bool results_same_words(const struct results_curve *a, const struct results_curve *b,
                        unsigned words)
{
    for (enum results_word word = 0; word < RESULTS_WORD_COUNT; word++)
        if ((words & 1u << word) && !same_word(word, a, b))
            return false;
    return true;
}

char *results_curve_words(const struct results_curve *curve, const struct results_curve *all,
                          size_t count, unsigned words, char *text)
{
    size_t used = 0;

    text[0] = '\0';
    for (enum results_word word = 0; word < RESULTS_WORD_COUNT; word++) {
        const size_t room = RESULTS_CURVE_TEXT - used;
        char printable[RESULTS_CURVE_TEXT], part[RESULTS_CURVE_TEXT + 32];
        if (!(words & 1u << word))
            continue;
        if (!number_text(word, curve->rows[0], part, sizeof(part)))
            snprintf(part, sizeof(part), "%s",
                     error_printable(word_text(word, curve,
                                               word == RESULTS_WORD_FILE && needs_path(all, count)),
                                     printable, sizeof(printable)));
        if (part[0] == '\0' || room <= 2)
            continue;
        used += (size_t)snprintf(text + used, room, "%s%s", used > 0 ? " " : "", part);
        if (used >= RESULTS_CURVE_TEXT)
            used = RESULTS_CURVE_TEXT - 1;
    }
    return text;
}

char *results_curve_name(const struct results_curve *curve, const struct results_curve *all,
                         size_t count, char *text)
{
    return results_curve_words(curve, all, count, results_words_apart(all, count), text);
}
