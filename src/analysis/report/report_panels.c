/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_panels.c - which curves stand in one panel, what they are called there, and maps of those
 * that differ in depth or threads. */
#include "base/compat.h"

#include "analysis/report/report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#define BIT(key) (1u << (key))

unsigned report_differences(const struct results_curve *a, const struct results_curve *b)
{
    const struct results_row *x = a->rows[0], *y = b->rows[0];
    const bool differs[REPORT_KEYS] = {
        [REPORT_TEST] = strcmp(x->test, y->test) != 0 || x->pass != y->pass,
        [REPORT_TARGET] = strcmp(x->target, y->target) != 0,
        [REPORT_ACCESS] = strcmp(x->access, y->access) != 0,
        [REPORT_CACHE] = strcmp(x->cache, y->cache) != 0,
        [REPORT_FILE] = a->file != b->file,
        [REPORT_ENGINE] = strcmp(x->engine, y->engine) != 0,
        [REPORT_LABEL] = strcmp(x->label, y->label) != 0,
        [REPORT_REPEAT] = x->repeat != y->repeat,
        [REPORT_LOOP] = x->loop != y->loop,
        [REPORT_MIX] = x->mix != y->mix,
        [REPORT_TEAM] = x->ranks != y->ranks,
        [REPORT_THREADS] = x->threads != y->threads,
        [REPORT_DEPTH] = x->depth != y->depth,
    };
    unsigned keys = 0;

    for (unsigned key = 0; key < REPORT_KEYS; key++)
        keys |= differs[key] ? BIT(key) : 0;
    return keys;
}

/* In which some curves of the report differ. */
static unsigned all_differences(const struct report *report)
{
    unsigned keys = 0;

    for (size_t i = 1; i < report->curve_count; i++)
        keys |= report_differences(&report->curves[0], &report->curves[i]);
    return keys;
}

static void add_word(char *text, size_t size, enum report_key key,
                     const struct results_curve *curve)
{
    const struct results_row *row = curve->rows[0];

    switch (key) {
    case REPORT_TARGET:
        text_add(text, size, ", ", "%s", row->target);
        break;
    case REPORT_ACCESS:
        text_add(text, size, ", ", "%s", row->access[0] ? row->access : "random");
        break;
    case REPORT_CACHE:
        text_add(text, size, ", ", "%s", row->cache);
        break;
    case REPORT_FILE:
        text_add(text, size, ", ", "%s", report_base_name(curve->file->path));
        break;
    case REPORT_ENGINE:
        text_add(text, size, ", ", "%s", row->engine);
        break;
    case REPORT_LABEL:
        text_add(text, size, ", ", "%s", row->label);
        break;
    case REPORT_REPEAT:
        text_add(text, size, ", ", "repeat %" PRIu64, row->repeat);
        break;
    case REPORT_LOOP:
        text_add(text, size, ", ", "loop %" PRIu64, row->loop);
        break;
    case REPORT_MIX:
        if (row->mix != RESULTS_NO_MIX)
            text_add(text, size, ", ", "%" PRIu64 " %% reads", row->mix);
        break;
    case REPORT_TEAM:
        text_add(text, size, ", ", "%" PRIu64 " rank%s", row->ranks, row->ranks == 1 ? "" : "s");
        break;
    case REPORT_THREADS:
        text_add(text, size, ", ", "%" PRIu64 " thread%s", row->threads,
                 row->threads == 1 ? "" : "s");
        break;
    case REPORT_DEPTH:
        text_add(text, size, ", ", "depth %" PRIu64, row->depth);
        break;
    case REPORT_TEST:
    case REPORT_KEYS:
        break;
    }
}

const char *report_words(struct arena *pool, const struct results_curve *curve, unsigned keys)
{
    const struct results_row *row = curve->rows[0];
    char text[1024] = "";

    text_add(text, sizeof(text), "", "%s", row->test[0] ? row->test : "all tests");
    if (row->pass > 1)
        text_add(text, sizeof(text), ", ", "step %" PRIu64, row->step);
    for (unsigned key = 0; key < REPORT_KEYS; key++)
        if (keys & BIT(key))
            add_word(text, sizeof(text), (enum report_key)key, curve);
    return arena_keep(pool, text);
}

/* --- panels --------------------------------------------------------------------------------- */

/* Panels are split by the keys of these bits. */
static size_t count_panels(const struct report *report, unsigned split, size_t *most)
{
    size_t count = 0;

    *most = 0;
    for (size_t i = 0; i < report->curve_count; i++) {
        size_t lines = 0;
        bool first = true;
        for (size_t k = 0; k < report->curve_count; k++) {
            if (report_differences(&report->curves[i], &report->curves[k]) & split)
                continue;
            first = first && k >= i;
            lines++;
        }
        count += first;
        *most = lines > *most ? lines : *most;
    }
    return count;
}

/* No more splits than needed, so that what is to be compared stands together. */
static unsigned choose_split(struct report *report)
{
    unsigned split = BIT(REPORT_TEST);
    size_t most;

    report->panel_count = count_panels(report, split, &most);
    for (unsigned key = REPORT_TEST + 1; most > REPORT_LINES_MAX && key < REPORT_KEYS; key++) {
        split |= BIT(key);
        report->panel_count = count_panels(report, split, &most);
    }
    return split;
}

static int compare_levels(const void *a, const void *b)
{
    const struct results_row *x = (*(struct report_line *const *)a)->curve->rows[0],
                             *y = (*(struct report_line *const *)b)->curve->rows[0];
    const uint64_t one = x->ranks * x->threads * x->depth, other = y->ranks * y->threads * y->depth;

    return (one > other) - (one < other);
}

static void name_lines(struct report *report, struct report_panel *panel)
{
    struct results_curve *set = mem_calloc(panel->count, sizeof(*set));
    unsigned keys = 0;
    char name[RESULTS_CURVE_TEXT];

    for (size_t i = 0; i < panel->count; i++) {
        set[i] = *panel->lines[i]->curve;
        keys |= report_differences(&set[0], &set[i]);
    }
    for (size_t i = 0; i < panel->count; i++) {
        const struct results_row *row = set[i].rows[0];
        results_curve_name(&set[i], set, panel->count, name);
        if (name[0] == '\0') /* the only one, or without a word for what is empty */
            text_add(name, sizeof(name), "", "%s", row->cache[0] ? row->cache : "measured");
        panel->lines[i]->name = arena_keep(report->pool, name);
    }
    free(set);
    panel->ordinal = panel->count > 2 && (keys == BIT(REPORT_THREADS) || keys == BIT(REPORT_DEPTH));
    if (panel->ordinal)
        qsort(panel->lines, panel->count, sizeof(struct report_line *), compare_levels);
}

static bool fill_panel(struct report *report, size_t first, unsigned split, unsigned words,
                       struct report_panel *panel)
{
    const struct results_curve *curves = report->curves;

    for (size_t k = 0; k < first; k++)
        if (!(report_differences(&curves[first], &curves[k]) & split))
            return false;
    *panel = (struct report_panel){
        .title = report_words(report->pool, &curves[first], split & words),
        .moves_data = results_moves_data(curves[first].rows[0]->test),
        .lines = arena_alloc(report->pool, REPORT_LINES_MAX * sizeof(struct report_line *)),
    };
    for (size_t k = first; k < report->curve_count; k++)
        if (!(report_differences(&curves[first], &curves[k]) & split))
            panel->lines[panel->count++] = &report->lines[k];
    name_lines(report, panel);
    return true;
}

static void give_colours(struct report *report)
{
    const char **names = mem_calloc(report->curve_count, sizeof(*names));
    size_t count = 0;

    for (size_t p = 0; p < report->panel_count; p++)
        for (size_t i = 0; i < report->panels[p].count; i++) {
            struct report_line *line = report->panels[p].lines[i];
            size_t k = 0;
            while (k < count && strcmp(names[k], line->name) != 0)
                k++;
            if (k == count)
                names[count++] = line->name;
            line->colour = (unsigned)k;
        }
    free(names);
}

void report_make_panels(struct report *report)
{
    const unsigned split = choose_split(report), words = all_differences(report);
    size_t count = 0;

    report->panels = arena_alloc(report->pool, report->panel_count * sizeof(*report->panels));
    for (size_t i = 0; i < report->curve_count && count < report->panel_count; i++)
        count += fill_panel(report, i, split, words, &report->panels[count]);
    give_colours(report);
}

/* --- maps ----------------------------------------------------------------------------------- */

static size_t sort_unique(uint64_t *values, size_t count)
{
    size_t kept = 0;

    qsort(values, count, sizeof(*values), number_order);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || values[kept - 1] != values[i])
            values[kept++] = values[i];
    return kept;
}

static size_t index_of(const uint64_t *values, size_t count, uint64_t value)
{
    size_t i = 0;

    while (i + 1 < count && values[i] != value)
        i++;
    return i;
}

static uint64_t level_of(const struct results_curve *curve, enum report_key axis)
{
    return axis == REPORT_THREADS ? curve->rows[0]->threads : curve->rows[0]->depth;
}

/* Takes the curves of the group of `first`, which is the first of them, into a map. */
static void take_group(struct report *report, size_t first, enum report_key axis,
                       struct report_map *map)
{
    size_t curves = 0, rows = 0;

    *map = (struct report_map){.threads = axis == REPORT_THREADS};
    for (size_t k = first; k < report->curve_count; k++)
        if (!(report_differences(&report->curves[first], &report->curves[k]) & ~BIT(axis))) {
            curves++;
            rows += report->shown[k].count;
        }
    map->levels = arena_alloc(report->pool, curves * sizeof(*map->levels));
    map->sizes = arena_alloc(report->pool, rows * sizeof(*map->sizes));
    for (size_t k = first; k < report->curve_count; k++) {
        const struct results_curve *curve = &report->shown[k];
        if (report_differences(&report->curves[first], curve) & ~BIT(axis))
            continue;
        map->levels[map->level_count++] = level_of(curve, axis);
        for (size_t i = 0; i < curve->count; i++)
            map->sizes[map->size_count++] = curve->rows[i]->size_bytes;
    }
    map->level_count = sort_unique(map->levels, map->level_count);
    map->size_count = sort_unique(map->sizes, map->size_count);
}

/* Of a size that was measured twice, the last. */
static void fill_map(struct report *report, size_t first, enum report_key axis,
                     struct report_map *map)
{
    const size_t cells = map->level_count * map->size_count;

    map->points = arena_alloc(report->pool, cells * sizeof(*map->points));
    for (size_t i = 0; i < cells; i++)
        map->points[i] = NULL;
    for (size_t k = first; k < report->curve_count; k++) {
        const struct report_line *line = &report->lines[k];
        size_t level;
        if (report_differences(&report->curves[first], line->curve) & ~BIT(axis))
            continue;
        level = index_of(map->levels, map->level_count, level_of(line->curve, axis));
        for (size_t i = 0; i < line->count; i++)
            map->points[level * map->size_count +
                        index_of(map->sizes, map->size_count, line->points[i].row->size_bytes)] =
                &line->points[i];
    }
}

static void find_maps(struct report *report, enum report_key axis)
{
    const unsigned words = all_differences(report) & ~BIT(axis);

    for (size_t i = 0; i < report->curve_count; i++) {
        struct report_map map;
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first =
                first && report_differences(&report->curves[i], &report->curves[k]) & ~BIT(axis);
        if (!first)
            continue;
        take_group(report, i, axis, &map);
        if (map.level_count < 2 || map.size_count < 2)
            continue;
        map.title = report_words(report->pool, &report->curves[i], words);
        fill_map(report, i, axis, &map);
        report->maps[report->map_count++] = map;
    }
}

void report_make_maps(struct report *report)
{
    report->maps = arena_alloc(report->pool, report->curve_count * sizeof(*report->maps));
    find_maps(report, REPORT_DEPTH);
    if (report->map_count == 0)
        find_maps(report, REPORT_THREADS);
}
