/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_legend.c - the legend below the panels, where no data can be: samples and texts at places of
 * the picture, in columns that are as wide as the longest text needs. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LINE      20 /* pixels */
#define SPACE     14 /* above and below it */
#define TEXT_MOST 100
#define LETTER    7 /* mean width, rather too much */
#define SAMPLE    52
#define FIRST_BOX 10 /* numbers of objects; 1 is the frame of the picture */
#define COLUMN    24 /* letters of a terminal, at least */

void plot_legend_add(struct plot_legend *legend, enum plot_sample sample,
                     const struct plot_look *look, const char *text)
{
    for (unsigned i = 0; i < legend->count; i++)
        if (legend->entries[i].sample == sample && strcmp(legend->entries[i].text, text) == 0 &&
            plot_same_look(&legend->entries[i].look, look))
            return;
    legend->entries =
        mem_realloc_array(legend->entries, legend->count + 1, sizeof(*legend->entries));
    legend->entries[legend->count++] =
        (struct plot_entry){.sample = sample, .look = *look, .text = mem_strdup(text)};
}

void plot_legend_free(struct plot_legend *legend)
{
    for (unsigned i = 0; i < legend->count; i++)
        free(legend->entries[i].text);
    free(legend->entries);
    *legend = (struct plot_legend){.entries = NULL};
}

static void arrange(struct plot_legend *legend, unsigned fit)
{
    legend->columns = fit < 1 ? 1 : fit > legend->count ? legend->count : fit;
    if (legend->columns == 0)
        return;
    legend->lines = (legend->count + legend->columns - 1) / legend->columns;
    legend->columns = (legend->count + legend->lines - 1) / legend->lines;
}

static unsigned longest(const struct plot_legend *legend)
{
    unsigned most = 0;

    for (unsigned i = 0; i < legend->count; i++) {
        const unsigned length = plot_text_length(legend->entries[i].text, TEXT_MOST);
        most = length > most ? length : most;
    }
    return most;
}

unsigned plot_legend_height(struct plot_legend *legend)
{
    arrange(legend, (PLOT_WIDTH - 40) / (longest(legend) * LETTER + SAMPLE + 20));
    return legend->count > 0 ? legend->lines * LINE + 2 * SPACE : SPACE;
}

static void put_sample(const struct plot_set *set, const struct plot_entry *entry, unsigned number,
                       double x, double y, double height)
{
    const struct plot_look *look = &entry->look;
    FILE *stream = set->stream;

    if (entry->sample >= PLOT_SAMPLE_PALE) {
        fprintf(stream,
                "set object %u rectangle from screen %.5f,%.5f to screen %.5f,%.5f "
                "fillcolor rgb '%s' fillstyle transparent solid 0.%02d noborder\n",
                FIRST_BOX + number, x / PLOT_WIDTH, (y - 6) / height, (x + 36) / PLOT_WIDTH,
                (y + 6) / height, look->colour,
                entry->sample == PLOT_SAMPLE_DARKER ? PLOT_SHADE_DARKER : PLOT_SHADE_PALE);
        return;
    }
    if (look->dash > 0)
        fprintf(stream,
                "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lc rgb '%s' "
                "lw %s dt %d\n",
                x / PLOT_WIDTH, y / height, (x + 36) / PLOT_WIDTH, y / height, look->colour,
                look->point > 0 ? "1.4" : "1", look->dash);
    if (look->point > 0)
        fprintf(stream, "set label '' at screen %.5f,%.5f point lc rgb '%s' pt %d ps %s\n",
                (x + 18) / PLOT_WIDTH, y / height, look->colour, look->point,
                entry->sample == PLOT_SAMPLE_DOT ? plot_dot_size(set)
                : look->dash > 0                 ? plot_point_size(set)
                                                 : plot_ring_size(set));
}

void plot_legend_put(const struct plot_set *set, const struct plot_legend *legend, unsigned height)
{
    for (unsigned i = 0; i < legend->count; i++) {
        const double column_width = (PLOT_WIDTH - 40.0) / legend->columns;
        const double x = 28 + column_width * (i / legend->lines); /* down the columns */
        const double y = SPACE + LINE * (legend->lines - i % legend->lines - 0.5);
        put_sample(set, &legend->entries[i], i, x, y, height);
        fputs("set label ", set->stream);
        plot_put_string(set, legend->entries[i].text, TEXT_MOST);
        fprintf(set->stream, " at screen %.5f,%.5f left\n", (x + 46) / PLOT_WIDTH, y / height);
    }
}

unsigned plot_legend_lines(const struct plot_set *set, struct plot_legend *legend)
{
    const unsigned length = longest(legend) + 6, wide = length < COLUMN ? COLUMN : length;

    arrange(legend, (set->request->columns - 2) / wide);
    return legend->count > 0 ? legend->lines : 0;
}

void plot_legend_put_letters(const struct plot_set *set, const struct plot_legend *legend)
{
    for (unsigned i = 0; i < legend->count; i++) {
        const unsigned column = (set->request->columns - 2) / legend->columns;
        const char letter = (char)('A' + (legend->entries[i].look.point - 1) % 26);
        char *text = mem_printf("%c  %s", letter, legend->entries[i].text);
        fputs("set label ", set->stream);
        plot_put_string(set, text, column - 2);
        fprintf(set->stream, " at character %u,%u left\n", 2 + column * (i / legend->lines),
                legend->lines - 1 - i % legend->lines);
        free(text);
    }
}
