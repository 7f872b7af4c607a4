/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_layout.c - where the panels of a picture stand: one that fills it, or lines and columns of
 * equal ones, between the title and the legend. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <stdlib.h>

#define TOP         66 /* of the panels, pixels from the top of the picture */
#define CAPTION     20 /* above a panel */
#define BELOW       48 /* numbers and name of the axis below a panel */
#define LEFT        78 /* numbers beside a panel */
#define PANEL_HIGH  210
#define GAP         16  /* between panels, without numbers of the axis */
#define LEGEND_MOST 108 /* pixels; a higher one makes the picture higher */

void plot_grid_make(struct plot_grid *grid, unsigned panels, unsigned columns, unsigned legend,
                    bool numbered)
{
    const unsigned lines = (panels + columns - 1) / columns;

    grid->panels = panels;
    grid->columns = columns;
    grid->panel_high = PANEL_HIGH;
    grid->gap = numbered ? BELOW : GAP;
    if (lines == 1)
        grid->panel_high =
            PLOT_HEIGHT - TOP - CAPTION - BELOW - (legend < LEGEND_MOST ? legend : LEGEND_MOST);
    grid->height =
        TOP + lines * (CAPTION + grid->panel_high) + (lines - 1) * grid->gap + BELOW + legend;
}

unsigned plot_grid_columns(size_t facets)
{
    return facets > 4 || facets == 3 ? 3 : facets > 1 ? 2 : 1;
}

void plot_grid_put(const struct plot_set *set, const struct plot_grid *grid, unsigned position,
                   const char *caption, unsigned right)
{
    const double width = (double)PLOT_WIDTH / grid->columns,
                 left = width * (position % grid->columns),
                 top = TOP + CAPTION +
                       position / grid->columns * (grid->panel_high + CAPTION + grid->gap);
    const struct plot_place place = {left + LEFT, left + width - right, top,
                                     top + grid->panel_high};

    plot_put_place(set, &place, grid->height);
    fputs("set title ", set->stream);
    plot_put_string(set, caption, (unsigned)(width / 8));
    fputs(" offset 0,-0.5\n", set->stream);
}

void plot_put_place(const struct plot_set *set, const struct plot_place *place, unsigned height)
{
    fprintf(set->stream,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            place->left / PLOT_WIDTH, place->right / PLOT_WIDTH, 1 - place->top / height,
            1 - place->bottom / height);
}

void plot_forget(const struct plot_set *set)
{
    fputs("unset label\nunset arrow\nunset object\n", set->stream);
}

const char *plot_point_size(const struct plot_set *set)
{
    return set->request->device != PLOT_PNG ? "0.65" : "0.9";
}

const char *plot_ring_size(const struct plot_set *set)
{
    return set->request->device != PLOT_PNG ? "1.2" : "1.9";
}

const char *plot_dot_size(const struct plot_set *set)
{
    return set->request->device != PLOT_PNG ? "0.25" : "0.4";
}
