/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit_print.c - fits as a table for people, and as CSV and JSON for programs.
 *
 * In the table sizes and times have units that fit them; elsewhere they are bytes, nanoseconds and
 * percent, as the names of the columns say, and what is not known is empty or null. */
#include "base/compat.h"

#include "analysis/fit_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"
#include "report/formats/print.h"

/* --- numbers of a line, for CSV and JSON --- */

enum figure {
    FIGURE_POINTS,
    FIGURE_FROM,
    FIGURE_TO,
    FIGURE_T0,
    FIGURE_BANDWIDTH,
    FIGURE_HALF,
    FIGURE_KNEE90,
    FIGURE_BEST,
    FIGURE_BEST_AT,
    FIGURE_MEAN,
    FIGURE_WORST,
    FIGURE_WORST_AT,
    FIGURE_COUNT
};

static const struct {
    const char *name;
    int decimals;
} figures[FIGURE_COUNT] = {
    [FIGURE_POINTS] = {"points", 0},
    [FIGURE_FROM] = {"from_bytes", 0},
    [FIGURE_TO] = {"to_bytes", 0},
    [FIGURE_T0] = {"t0_ns", 3},
    [FIGURE_BANDWIDTH] = {"bandwidth_bytes_per_s", 3},
    [FIGURE_HALF] = {"half_bytes", 3},
    [FIGURE_KNEE90] = {"knee90_bytes", 0},
    [FIGURE_BEST] = {"best_bytes_per_s", 3},
    [FIGURE_BEST_AT] = {"best_bytes", 0},
    [FIGURE_MEAN] = {"mean_error_percent", 3},
    [FIGURE_WORST] = {"worst_error_percent", 3},
    [FIGURE_WORST_AT] = {"worst_bytes", 0},
};

static void clear_figures(double *value)
{
    for (int i = 0; i < FIGURE_COUNT; i++)
        value[i] = NAN;
}

static void take_line(const struct fit_line *line, double *value)
{
    clear_figures(value);
    value[FIGURE_POINTS] = (double)line->count;
    value[FIGURE_FROM] = line->from_bytes;
    value[FIGURE_TO] = line->to_bytes;
    value[FIGURE_T0] = line->t0_ns;
    value[FIGURE_BANDWIDTH] = line->bandwidth_bytes_per_s;
    value[FIGURE_HALF] = line->half_bytes;
    value[FIGURE_MEAN] = 100 * line->mean_error;
    value[FIGURE_WORST] = 100 * line->worst_error;
    value[FIGURE_WORST_AT] = line->worst_bytes;
}

static void take_curve(const struct fitted *fitted, double *value)
{
    clear_figures(value);
    if (fitted->known) {
        take_line(&fitted->fit.whole, value);
        value[FIGURE_KNEE90] = fitted->fit.knee90_bytes;
        value[FIGURE_BEST] = fitted->fit.best_bytes_per_s;
        value[FIGURE_BEST_AT] = fitted->fit.best_bytes;
        return;
    }
    value[FIGURE_POINTS] = (double)fitted->count;
    value[FIGURE_FROM] = fitted->points[0].size_bytes;
    value[FIGURE_TO] = fitted->points[fitted->count - 1].size_bytes;
}

/* The numbers of one point, in this order behind the figures. */
enum { POINT_SIZE, POINT_MEASURED, POINT_LINE, POINT_RESIDUAL, POINT_COUNT };
static const char *const point_names[POINT_COUNT] = {"point_bytes", "measured_ns", "line_ns",
                                                     "residual_percent"};

static void take_point(const struct fitted *fitted, size_t i, double *value)
{
    const struct fit_point *point = &fitted->points[i];
    value[POINT_SIZE] = point->size_bytes;
    value[POINT_MEASURED] = point->op_ns;
    value[POINT_LINE] = fit_line_ns(&fitted->fit.whole, point->size_bytes);
    value[POINT_RESIDUAL] = 100 * fit_residual(&fitted->fit.whole, point);
}

/* --- CSV --- */

static void csv_key(FILE *stream, const struct fitted *fitted, const char *kind)
{
    const struct results_row *row = fitted->curve->rows[0];
    const char *const words[] = {fitted->curve->file->path, row->test, row->target, row->engine,
                                 row->cache};
    char label[4096];
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char text[4096];
        print_csv_text(stream, error_printable(words[i], text, sizeof(text)), ',');
        fputc(',', stream);
    }
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",", row->threads, row->depth);
    print_csv_text(stream, error_printable(row->label, label, sizeof(label)), ',');
    fprintf(stream, ",%s", kind);
}

/* NULL: these columns stay empty. */
static void csv_numbers(FILE *stream, const double *value, const double *point)
{
    for (int i = 0; i < FIGURE_COUNT; i++) {
        fputc(',', stream);
        if (value != NULL && isfinite(value[i]))
            fprintf(stream, "%.*f", figures[i].decimals, value[i]);
    }
    for (int i = 0; i < POINT_COUNT; i++) {
        fputc(',', stream);
        if (point != NULL && isfinite(point[i]))
            fprintf(stream, "%.*f", i == POINT_SIZE ? 0 : 3, point[i]);
    }
    fputc('\n', stream);
}

static void csv_curve(FILE *stream, const struct fitted *fitted, bool residuals)
{
    double value[FIGURE_COUNT], point[POINT_COUNT];

    take_curve(fitted, value);
    csv_key(stream, fitted, "curve");
    csv_numbers(stream, value, NULL);
    for (unsigned i = 0; i < fitted->segments; i++) {
        take_line(&fitted->fit.segment[i], value);
        csv_key(stream, fitted, "segment");
        csv_numbers(stream, value, NULL);
    }
    for (size_t i = 0; residuals && fitted->known && i < fitted->count; i++) {
        take_point(fitted, i, point);
        csv_key(stream, fitted, "point");
        csv_numbers(stream, NULL, point);
    }
}

static void print_csv(FILE *stream, const struct fitted *fitted, size_t count, bool residuals)
{
    fputs("file,test,target,engine,cache,threads,depth,label,kind", stream);
    for (int i = 0; i < FIGURE_COUNT; i++)
        fprintf(stream, ",%s", figures[i].name);
    for (int i = 0; i < POINT_COUNT; i++)
        fprintf(stream, ",%s", point_names[i]);
    fputc('\n', stream);
    for (size_t i = 0; i < count; i++)
        csv_curve(stream, &fitted[i], residuals);
}

/* --- JSON --- */

static void json_number(FILE *stream, const char *name, double value, int decimals, bool first)
{
    fprintf(stream, "%s\"%s\":", first ? "" : ",", name);
    if (isfinite(value))
        fprintf(stream, "%.*f", decimals, value);
    else
        fputs("null", stream);
}

static void json_line(FILE *stream, const double *value, bool first)
{
    for (int i = 0; i < FIGURE_COUNT; i++)
        json_number(stream, figures[i].name, value[i], figures[i].decimals, first && i == 0);
}

static void json_key(FILE *stream, const struct fitted *fitted)
{
    const struct results_row *row = fitted->curve->rows[0];
    const struct {
        const char *name, *text;
    } words[] = {
        {"file", fitted->curve->file->path},
        {"test", row->test},
        {"target", row->target},
        {"engine", row->engine},
        {"cache", row->cache},
        {"label", row->label},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        fprintf(stream, "%s\"%s\":", i > 0 ? "," : "", words[i].name);
        print_json_text(stream, words[i].text);
    }
    fprintf(stream, ",\"threads\":%" PRIu64 ",\"depth\":%" PRIu64, row->threads, row->depth);
}

static void json_curve(FILE *stream, const struct fitted *fitted, bool residuals)
{
    double value[FIGURE_COUNT], point[POINT_COUNT];

    fputs("\n{", stream);
    json_key(stream, fitted);
    take_curve(fitted, value);
    json_line(stream, value, false);
    fputs(",\"segments\":[", stream);
    for (unsigned i = 0; i < fitted->segments; i++) {
        take_line(&fitted->fit.segment[i], value);
        fputs(i > 0 ? ",{" : "{", stream);
        json_line(stream, value, true);
        fputc('}', stream);
    }
    fputc(']', stream);
    if (residuals) {
        fputs(",\"residuals\":[", stream);
        for (size_t i = 0; fitted->known && i < fitted->count; i++) {
            take_point(fitted, i, point);
            fputs(i > 0 ? ",{" : "{", stream);
            for (int k = 0; k < POINT_COUNT; k++)
                json_number(stream, point_names[k], point[k], k == POINT_SIZE ? 0 : 3, k == 0);
            fputc('}', stream);
        }
        fputc(']', stream);
    }
    fputc('}', stream);
}

static void print_json(FILE *stream, const struct fitted *fitted, size_t count, bool residuals)
{
    fputs("{\"iosweep\":", stream);
    print_json_text(stream, PACKAGE_VERSION);
    fputs(",\"fits\":[", stream);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', stream);
        json_curve(stream, &fitted[i], residuals);
    }
    fputs("]}\n", stream);
}

/* --- table --- */

#define CELLS_MAX 11

struct grid { /* rows of texts; each as wide as the widest of its column */
    unsigned columns;
    char *(*rows)[CELLS_MAX];
    size_t count;
};

static char **add_row(struct grid *grid)
{
    grid->rows = mem_realloc_array(grid->rows, grid->count + 1, sizeof(*grid->rows));
    memset(grid->rows[grid->count], 0, sizeof(*grid->rows));
    return grid->rows[grid->count++];
}

/* The first column begins at the left, numbers end at the right. */
static void print_grid(FILE *stream, struct grid *grid)
{
    unsigned width[CELLS_MAX] = {0};

    for (size_t r = 0; r < grid->count; r++)
        for (unsigned c = 0; c < grid->columns; c++) {
            const unsigned w = print_width(grid->rows[r][c]);
            width[c] = w > width[c] ? w : width[c];
        }
    for (size_t r = 0; r < grid->count; r++) {
        for (unsigned c = 0; c < grid->columns; c++) {
            char *text = grid->rows[r][c];
            const int pad = (int)(width[c] - print_width(text));
            if (c == 0)
                fprintf(stream, "%s%*s", text, pad, "");
            else
                fprintf(stream, "  %*s%s", pad, "", text);
            free(text);
        }
        fputc('\n', stream);
    }
    free(grid->rows);
    *grid = (struct grid){.columns = grid->columns};
}

static void put_headings(struct grid *grid, const char *const *headings)
{
    char **cell = add_row(grid);
    for (unsigned c = 0; c < grid->columns; c++)
        cell[c] = mem_strdup(headings[c]);
}

typedef char *(*unit_writer)(double value, char *text);

static char *unit_text(unit_writer writer, double value)
{
    char text[UNITS_TEXT];
    return mem_strdup(isfinite(value) ? writer(value, text) : "-");
}

static char *percent_text(double value)
{
    return isfinite(value) ? mem_printf("%.1f %%", value) : mem_strdup("-");
}

static void put_line(struct grid *grid, char *name, const double *value)
{
    char **cell = add_row(grid);

    cell[0] = name;
    cell[1] = mem_printf("%.0f", value[FIGURE_POINTS]);
    cell[2] = unit_text(units_format_time, value[FIGURE_T0]);
    cell[3] = unit_text(units_format_throughput, value[FIGURE_BANDWIDTH]);
    cell[4] = unit_text(units_format_bytes, value[FIGURE_HALF]);
    cell[5] = unit_text(units_format_bytes, value[FIGURE_KNEE90]);
    cell[6] = unit_text(units_format_throughput, value[FIGURE_BEST]);
    cell[7] = unit_text(units_format_bytes, value[FIGURE_BEST_AT]);
    cell[8] = percent_text(value[FIGURE_MEAN]);
    cell[9] = percent_text(value[FIGURE_WORST]);
    cell[10] = unit_text(units_format_bytes, value[FIGURE_WORST_AT]);
}

static void put_curve(struct grid *grid, const struct fitted *fitted)
{
    double value[FIGURE_COUNT];

    take_curve(fitted, value);
    put_line(grid, mem_strdup(fitted->name), value);
    for (unsigned i = 0; i < fitted->segments; i++) {
        const struct fit_line *line = &fitted->fit.segment[i];
        char from[UNITS_TEXT], to[UNITS_TEXT];
        take_line(line, value);
        put_line(grid,
                 mem_printf("  %s to %s", units_format_bytes(line->from_bytes, from),
                            units_format_bytes(line->to_bytes, to)),
                 value);
    }
}

static void put_points(struct grid *grid, const struct fitted *fitted)
{
    for (size_t i = 0; i < fitted->count; i++) {
        double value[POINT_COUNT];
        char **cell = add_row(grid);
        take_point(fitted, i, value);
        cell[0] = mem_strdup(fitted->name);
        cell[1] = unit_text(units_format_bytes, value[POINT_SIZE]);
        cell[2] = unit_text(units_format_time, value[POINT_MEASURED]);
        cell[3] = unit_text(units_format_time, value[POINT_LINE]);
        cell[4] = mem_printf("%+.1f %%", value[POINT_RESIDUAL]);
    }
}

static void print_table(FILE *stream, const struct fitted *fitted, size_t count, bool residuals)
{
    static const char *const lines[CELLS_MAX] = {"curve",      "points",      "t0",   "bandwidth",
                                                 "n1/2",       "knee90",      "best", "at",
                                                 "mean error", "worst error", "at"};
    static const char *const points[] = {"curve", "size", "measured", "on the line", "residual"};
    struct grid grid = {.columns = CELLS_MAX};

    put_headings(&grid, lines);
    for (size_t i = 0; i < count; i++)
        put_curve(&grid, &fitted[i]);
    print_grid(stream, &grid);
    if (!residuals)
        return;
    fputc('\n', stream);
    grid.columns = sizeof(points) / sizeof(points[0]);
    put_headings(&grid, points);
    for (size_t i = 0; i < count; i++)
        if (fitted[i].known)
            put_points(&grid, &fitted[i]);
    print_grid(stream, &grid);
}

void fit_print(FILE *stream, enum fit_format format, const struct fitted *fitted, size_t count,
               bool residuals)
{
    switch (format) {
    case FIT_TABLE:
        print_table(stream, fitted, count, residuals);
        break;
    case FIT_CSV:
        print_csv(stream, fitted, count, residuals);
        break;
    case FIT_JSON:
        print_json(stream, fitted, count, residuals);
        break;
    }
}
