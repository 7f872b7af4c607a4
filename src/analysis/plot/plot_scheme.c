/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_scheme.c - how the curves of a picture are told apart: which of them share a panel, and what
 * colour, points and dashes each one has.
 *
 * One word has the colours, the same in all panels: depth or threads, when there are three levels
 * or more, in the order of viridis (https://bids.github.io/colormap/), which grow lighter evenly;
 * else the first other word that differs, in the colours of Okabe and Ito
 * (https://jfly.uni-koeln.de/color/), which people with any kind of colour vision tell apart.
 * Points tell the remaining words apart, or repeat what the colours say, so that no meaning rests
 * on colour alone. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stats.h"

#define BIT(word)      (1u << RESULTS_WORD_##word)
#define SHARING_FEW    4  /* curves of a panel, before other tests or cache states get their own */
#define SHARING_MANY   8  /* before all else gets its own */
#define SHARING_BANDS  2  /* bands of a panel that can be told apart */
#define FACETS_MOST    12 /* panels of one quantity */
#define LEVELS_ORDINAL 3
#define VIRIDIS_PART   0.78 /* the rest is too light for lines on white */

static const char *const okabe_ito[PLOT_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                    "#E69F00", "#56B4E9", "#000000", "#999999"};
static const int points[PLOT_COLOURS] = {7, 5, 9, 13, 11, 15, 6, 4};
static const int dashes[] = {1, 2, 4, 5}; /* 3, dots, are what explains a curve */
#define DASHES (sizeof(dashes) / sizeof(*dashes))

const unsigned plot_viridis[PLOT_VIRIDIS] = {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                             0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};

void plot_sequential(double share, char colour[8])
{
    const double place = fmin(fmax(share, 0), 1) * VIRIDIS_PART * (PLOT_VIRIDIS - 1);
    const unsigned below = (unsigned)place;
    const double rest = place - below;
    unsigned mixed = 0;

    for (int shift = 16; shift >= 0; shift -= 8) {
        const double a = plot_viridis[below] >> shift & 255,
                     b = plot_viridis[below + 1] >> shift & 255;
        mixed |= (unsigned)(a + (b - a) * rest + 0.5) << shift;
    }
    snprintf(colour, 8, "#%06X", mixed & 0xFFFFFF);
}

struct plot_look plot_look_of(size_t index)
{
    const size_t turn = index / PLOT_COLOURS;
    struct plot_look look = {.point = points[index % PLOT_COLOURS],
                             .dash = dashes[turn < DASHES ? turn : DASHES - 1]};
    snprintf(look.colour, sizeof(look.colour), "%s", okabe_ito[index % PLOT_COLOURS]);
    return look;
}

struct plot_look plot_look_of_level(size_t level, size_t count)
{
    struct plot_look look = plot_look_of(level % PLOT_COLOURS);

    if (count > 1)
        plot_sequential(1 - (double)level / (double)(count - 1), look.colour);
    look.level = level;
    return look;
}

size_t plot_choose_sizes(double *sizes, size_t count, size_t most, size_t *there)
{
    size_t found = 0;

    stats_sort(sizes, count);
    for (size_t i = 0; i < count; i++)
        if (found == 0 || sizes[found - 1] != sizes[i])
            sizes[found++] = sizes[i];
    *there = found;
    if (found <= most)
        return found;
    for (size_t i = 0; i < most; i++)
        sizes[i] = sizes[(i * (found - 1) + (most - 1) / 2) / (most - 1)];
    return most;
}

/* --- groups --- */

size_t plot_number_groups(const struct results_curve *curves, size_t count, unsigned words,
                          size_t *group)
{
    size_t *first = mem_calloc(count, sizeof(*first));
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        size_t g = 0;
        while (g < found && !results_same_words(&curves[first[g]], &curves[i], words))
            g++;
        if (g == found)
            first[found++] = i;
        group[i] = g;
    }
    free(first);
    return found;
}

static size_t largest_group(const size_t *group, size_t count, size_t groups)
{
    size_t *size = mem_calloc(groups, sizeof(*size)), most = 0;

    for (size_t i = 0; i < count; i++)
        if (++size[group[i]] > most)
            most = size[group[i]];
    free(size);
    return most;
}

static uint64_t level_of(const struct results_curve *curve, unsigned word)
{
    return word == BIT(DEPTH) ? curve->rows[0]->depth : curve->rows[0]->threads;
}

/* Depth or threads, whichever has more levels, when they are levels enough; else 0. */
static unsigned find_ordinal(const struct plot_set *set, unsigned apart)
{
    size_t *group = mem_calloc(set->count, sizeof(*group));
    const size_t depths =
        apart & BIT(DEPTH) ? plot_number_groups(set->curves, set->count, BIT(DEPTH), group) : 1;
    const size_t threads =
        apart & BIT(THREADS) ? plot_number_groups(set->curves, set->count, BIT(THREADS), group) : 1;

    free(group);
    if (depths < LEVELS_ORDINAL && threads < LEVELS_ORDINAL)
        return 0;
    return depths >= threads ? BIT(DEPTH) : BIT(THREADS);
}

/* Words that get panels of their own, until the curves of a panel can be told apart. */
static void find_facets(const struct plot_set *set, struct plot_scheme *scheme, unsigned apart,
                        unsigned ordinal, bool banded)
{
    const struct {
        unsigned words;
        size_t most;
    } steps[] = {
        {BIT(TEST) | BIT(MIX) | BIT(STEP), banded && !ordinal ? SHARING_BANDS : SHARING_FEW},
        {BIT(CACHE), SHARING_FEW},
        {BIT(ENGINE), SHARING_MANY},
        {BIT(TARGET), SHARING_MANY},
        {BIT(ACCESS), SHARING_MANY},
        {BIT(LABEL), SHARING_MANY},
        {BIT(FILE), SHARING_MANY},
        {(BIT(DEPTH) | BIT(THREADS)) & ~ordinal, SHARING_MANY},
    };
    size_t *group = mem_calloc(set->count, sizeof(*group));

    for (size_t s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
        size_t found;
        if (!(apart & steps[s].words) ||
            largest_group(scheme->facet, set->count, scheme->facet_count) <= steps[s].most)
            continue;
        found = plot_number_groups(set->curves, set->count,
                                   scheme->facet_words | (steps[s].words & apart), group);
        if (found > FACETS_MOST)
            continue;
        scheme->facet_words |= steps[s].words & apart;
        scheme->facet_count = found;
        memcpy(scheme->facet, group, set->count * sizeof(*group));
    }
    free(group);
}

/* --- looks --- */

/* What has the colours, when no order of numbers has: files are compared, or else devices. */
static unsigned find_hue(unsigned apart)
{
    static const unsigned order[] = {BIT(FILE),  BIT(TARGET), BIT(LABEL), BIT(ENGINE),
                                     BIT(CACHE), BIT(TEST),   BIT(MIX),   BIT(ACCESS),
                                     BIT(DEPTH), BIT(THREADS)};
    for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
        if (apart & order[i])
            return order[i];
    return apart;
}

/* Levels from the lightest, the least, to the darkest. */
static void colour_levels(const struct plot_set *set, struct plot_scheme *scheme, unsigned ordinal)
{
    for (size_t i = 0; i < set->count; i++) {
        size_t below = 0, levels = 0;
        for (size_t k = 0; k < set->count; k++) {
            bool first = true;
            for (size_t j = 0; first && j < k; j++)
                first = level_of(&set->curves[j], ordinal) != level_of(&set->curves[k], ordinal);
            levels += first;
            below +=
                first && level_of(&set->curves[k], ordinal) < level_of(&set->curves[i], ordinal);
        }
        plot_sequential(1 - (double)below / (double)(levels - 1), scheme->look[i].colour);
        scheme->look[i].level = below;
    }
}

/* The same colour for the same state of the cache, whichever was measured first. */
static void rank_caches(const struct plot_set *set, size_t *hues)
{
    for (size_t i = 0; i < set->count; i++) {
        hues[i] = 0;
        for (size_t k = 0; k < set->count; k++) {
            const char *cache = set->curves[k].rows[0]->cache;
            bool first = strcmp(cache, set->curves[i].rows[0]->cache) < 0;
            for (size_t j = 0; first && j < k; j++)
                first = strcmp(set->curves[j].rows[0]->cache, cache) != 0;
            hues[i] += first;
        }
    }
}

static void choose_looks(const struct plot_set *set, struct plot_scheme *scheme, unsigned ordinal)
{
    const unsigned apart = results_words_apart(set->curves, set->count) & ~scheme->facet_words;
    const unsigned hue = ordinal ? ordinal : find_hue(apart);
    size_t *hues = mem_calloc(set->count, sizeof(*hues)),
           *shapes = mem_calloc(set->count, sizeof(*shapes));
    const size_t all = plot_number_groups(set->curves, set->count, apart, shapes);
    /* where one word tells them all apart the others change with it */
    const unsigned rest =
        plot_number_groups(set->curves, set->count, hue, hues) == all ? 0 : apart & ~hue;

    if (hue == BIT(CACHE))
        rank_caches(set, hues);
    plot_number_groups(set->curves, set->count, rest, shapes);
    for (size_t i = 0; i < set->count; i++) {
        struct plot_look *look = &scheme->look[i];
        *look = plot_look_of(hues[i]);
        if (rest) { /* colours and dashes for the one, points for the other */
            look->dash = dashes[(hues[i] + shapes[i] / PLOT_COLOURS) % DASHES];
            look->point = points[shapes[i] % PLOT_COLOURS];
        }
    }
    if (ordinal)
        colour_levels(set, scheme, ordinal);
    for (size_t i = 0; ordinal && i < set->count; i++) {
        scheme->look[i].point = points[(rest ? shapes[i] : scheme->look[i].level) % PLOT_COLOURS];
        scheme->look[i].dash = dashes[rest ? shapes[i] / PLOT_COLOURS % DASHES : 0];
    }
    free(hues);
    free(shapes);
}

bool plot_same_look(const struct plot_look *a, const struct plot_look *b)
{
    return strcmp(a->colour, b->colour) == 0 && a->point == b->point && a->dash == b->dash;
}

void plot_scheme_make(const struct plot_set *set, bool banded, struct plot_scheme *scheme)
{
    const unsigned apart = results_words_apart(set->curves, set->count);
    const unsigned ordinal = find_ordinal(set, apart);

    *scheme = (struct plot_scheme){.facet_count = 1,
                                   .facet = mem_calloc(set->count, sizeof(*scheme->facet)),
                                   .look = mem_calloc(set->count, sizeof(*scheme->look))};
    find_facets(set, scheme, apart, ordinal, banded);
    scheme->name_words = apart & ~scheme->facet_words;
    scheme->most = largest_group(scheme->facet, set->count, scheme->facet_count);
    choose_looks(set, scheme, ordinal);
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < i && !scheme->repeats; k++)
            scheme->repeats = scheme->facet[k] == scheme->facet[i] &&
                              plot_same_look(&scheme->look[k], &scheme->look[i]);
}

void plot_scheme_free(struct plot_scheme *scheme)
{
    free(scheme->facet);
    free(scheme->look);
}
