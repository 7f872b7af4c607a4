/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_html_tables.c - figures as tables.  A column has one unit, in its heading, and its cells
 * are plain numbers, so that they can be copied into a spreadsheet. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_facts.h"
#include "analysis/report/report_html_parts.h"
#include "analysis/report/report_text.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

/* --- pieces --------------------------------------------------------------------------------- */

static void put_number(FILE *stream, double value)
{
    char number[REPORT_NUMBER_TEXT];

    fprintf(stream, "<td>%s</td>", report_number(value, number));
}

/* With that many decimals: shares and the like. */
static void put_decimals(FILE *stream, double value, int decimals)
{
    if (isfinite(value))
        fprintf(stream, "<td>%.*f</td>", decimals, value);
    else
        fputs("<td></td>", stream);
}

/* "4 KiB" heads the row, and the next cell has it as a number. */
static void put_size(FILE *stream, uint64_t size_bytes)
{
    char text[UNITS_TEXT];

    fprintf(stream, "<th scope=\"row\">%s</th><td>%" PRIu64 "</td>",
            units_format_size(size_bytes, text), size_bytes);
}

static void put_text_cell(FILE *stream, const char *classes, const char *text)
{
    fprintf(stream, "<td class=\"%s\">", classes);
    report_put_text(stream, text);
    fputs("</td>", stream);
}

/* "wide;drift" as "wide, drift". */
static void put_notes(FILE *stream, const char *notes)
{
    char *text = mem_strdup(notes), *spaced = mem_calloc(2 * strlen(notes) + 1, 1);
    size_t length = 0;

    for (const char *s = text; *s != '\0'; s++) {
        spaced[length++] = *s == ';' ? ',' : *s;
        if (*s == ';')
            spaced[length++] = ' ';
    }
    put_text_cell(stream, "w", spaced);
    free(spaced);
    free(text);
}

static void begin_table(FILE *stream, const char *classes, const char *caption)
{
    fprintf(stream, "<div class=\"box\" tabindex=\"0\"><table class=\"%s\">", classes);
    if (caption) {
        fputs("<caption>", stream);
        report_put_text(stream, caption);
        fputs("</caption>", stream);
    }
    fputs("<thead><tr>", stream);
}

static void end_table(FILE *stream)
{
    fputs("</tbody></table></div>\n", stream);
}

static void put_heading(FILE *stream, const char *classes, const char *name, const char *unit)
{
    fprintf(stream, "<th scope=\"col\"%s%s%s>%s", classes[0] ? " class=\"" : "", classes,
            classes[0] ? "\"" : "", name);
    if (unit[0] != '\0')
        fprintf(stream, " [%s]", unit);
    fputs("</th>", stream);
}

/* "read, direct: depth 8". */
static char *name_of(const struct report_panel *panel, const struct report_line *line)
{
    return panel->count > 1 ? mem_printf("%s: %s", panel->title, line->name)
                            : mem_strdup(panel->title);
}

/* --- rows by size --------------------------------------------------------------------------- */

enum figure { THROUGHPUT, RATE, TIME, HALF, P50, P90, P99, P999, LONGEST, COLUMNS };

static const char *const column_names[COLUMNS] = {"throughput", "rate", "time/op", "&#177;", "p50",
                                                  "p90",        "p99",  "p99.9",   "max"};

static double value_of(const struct report_point *point, enum figure column)
{
    switch (column) {
    case THROUGHPUT:
        return point->total_throughput_bytes_per_s;
    case RATE:
        return point->total_rate_per_s;
    case TIME:
        return point->op_ns;
    case HALF:
        return point->half_width * 100;
    case P50:
    case P90:
    case P99:
    case P999:
        return point->latency_ns[column - P50];
    case LONGEST:
        return point->latency_ns_max;
    case COLUMNS:
        break;
    }
    return NAN;
}

static double largest(const struct report_line *line, enum figure column)
{
    double most = 0;

    for (size_t i = 0; i < line->count; i++)
        most = fmax(most, value_of(&line->points[i], column));
    return most;
}

/* The geometric mean over the report, of numbers above 0; NAN: there are none. */
static double typical(const struct report *report, enum figure column)
{
    double sum = 0;
    size_t count = 0;

    for (size_t k = 0; k < report->curve_count; k++)
        for (size_t i = 0; i < report->lines[k].count; i++) {
            const double value = value_of(&report->lines[k].points[i], column);
            sum += value > 0 ? log(value) : 0;
            count += value > 0 ? 1 : 0;
        }
    return count > 0 ? exp(sum / (double)count) : NAN;
}

/* The same in all tables, so that they can be put together. */
static void choose_units(const struct report *report, struct report_unit *units)
{
    units[THROUGHPUT] = report_unit_of_throughput(typical(report, THROUGHPUT));
    units[RATE] = report_unit_of_rate(typical(report, RATE));
    units[HALF] = (struct report_unit){"%", 1};
    units[TIME] = report_unit_of_time(typical(report, TIME));
    for (int c = P50; c <= LONGEST; c++)
        units[c] = units[TIME];
}

static void put_point(FILE *stream, const struct report_point *point,
                      const struct report_unit *units, const bool *shown, enum figure bar,
                      double most)
{
    char number[REPORT_NUMBER_TEXT];

    put_size(stream, point->row->size_bytes);
    for (int c = 0; c < COLUMNS; c++) {
        const double value = value_of(point, (enum figure)c);
        if (!shown[c])
            continue;
        if (c == HALF)
            put_decimals(stream, value, 1);
        else if (c == (int)bar && value > 0)
            fprintf(stream, "<td class=\"bar\" style=\"--w:%.0f%%\">%s</td>", value / most * 100,
                    report_number(value / units[c].factor, number));
        else
            put_number(stream, value / units[c].factor);
    }
    put_notes(stream, point->row->notes);
    fputs("</tr>\n", stream);
}

static void put_headings(FILE *stream, const struct report_unit *units, const bool *shown,
                         enum figure bar)
{
    put_heading(stream, "", "size", "");
    put_heading(stream, "", "size", "B");
    for (int c = 0; c < COLUMNS; c++)
        if (shown[c])
            put_heading(stream, c == (int)bar ? "bar" : "", column_names[c], units[c].name);
    put_heading(stream, "w", "notes", "");
    fputs("</tr></thead><tbody>\n", stream);
}

static void put_line(FILE *stream, const struct report_panel *panel, const struct report_line *line,
                     const struct report_unit *units)
{
    const enum figure bar = panel->moves_data ? THROUGHPUT : RATE;
    const double most = largest(line, bar);
    bool shown[COLUMNS];
    char *name = name_of(panel, line);

    for (int c = 0; c < COLUMNS; c++)
        shown[c] = largest(line, (enum figure)c) > 0;
    begin_table(stream, "rows", name);
    put_headings(stream, units, shown, bar);
    for (size_t i = 0; i < line->count; i++) {
        fputs("<tr>", stream);
        put_point(stream, &line->points[i], units, shown, bar, most);
    }
    end_table(stream);
    free(name);
}

/* Where there is one size only, the rows of all curves stand in one table. */
static void put_single_size(FILE *stream, const struct report *report,
                            const struct report_unit *units)
{
    bool shown[COLUMNS] = {false};
    double most = 0;

    for (size_t i = 0; i < report->curve_count; i++)
        for (int c = 0; c < COLUMNS; c++)
            shown[c] = shown[c] || largest(&report->lines[i], (enum figure)c) > 0;
    for (size_t i = 0; i < report->curve_count; i++)
        most = fmax(most, largest(&report->lines[i], RATE));
    begin_table(stream, "rows", NULL);
    put_heading(stream, "w", "curve", "");
    put_headings(stream, units, shown, RATE);
    for (size_t p = 0; p < report->panel_count; p++)
        for (size_t i = 0; i < report->panels[p].count; i++) {
            const struct report_line *line = report->panels[p].lines[i];
            char *name = name_of(&report->panels[p], line);
            for (size_t k = 0; k < line->count; k++) {
                fputs("<tr><th scope=\"row\" class=\"w\">", stream);
                report_put_text(stream, name);
                fputs("</th>", stream);
                put_point(stream, &line->points[k], units, shown, RATE, most);
            }
            free(name);
        }
    end_table(stream);
}

void html_put_rows(FILE *stream, const struct report *report)
{
    struct report_unit units[COLUMNS];

    choose_units(report, units);
    html_begin_chapter(
        stream, "sizes", report_has_one_size(report) ? "Figures" : "By size",
        "Throughput and rate are over all of the time, time/op is that of the typical "
        "round, p50 to max are of single operations.  "
        "Columns have one unit each, so that the cells can be copied into a "
        "spreadsheet.");
    if (report_has_one_size(report))
        put_single_size(stream, report, units);
    for (size_t p = 0; p < report->panel_count && !report_has_one_size(report); p++)
        for (size_t i = 0; i < report->panels[p].count; i++)
            put_line(stream, &report->panels[p], report->panels[p].lines[i], units);
    html_end_chapter(stream);
}

/* --- what the curves come to ---------------------------------------------------------------- */

#define REACHED 0.9 /* of the bandwidth, as of the best throughput */

/* The line through the times ends in a bandwidth that may be far from all that was measured, where
 * the largest sizes are still small. */
static bool is_extrapolated(const struct report_line *line)
{
    double most = 0;

    for (size_t i = 0; i < line->count; i++)
        most = fmax(most, line->points[i].throughput_bytes_per_s);
    return line->has_fit && REACHED * line->fit.whole.bandwidth_bytes_per_s > most;
}

/* Without a column for bandwidths where no curve has one. */
static void put_fit(FILE *stream, const struct report_line *line, bool bandwidths)
{
    char best[UNITS_TEXT], knee[UNITS_TEXT];
    const struct fit *fit = &line->fit;

    if (!line->has_fit) {
        fputs("<td></td><td></td><td></td><td></td><td></td>", stream);
        fputs(bandwidths ? "<td></td>" : "", stream);
        return;
    }
    put_number(stream, fit->best_bytes_per_s / 1e6);
    fprintf(stream, "<td>%s</td><td>%s</td>", units_format_size((uint64_t)fit->best_bytes, best),
            units_format_size((uint64_t)fit->knee90_bytes, knee));
    put_number(stream, fit->whole.t0_ns / 1e3);
    if (bandwidths)
        put_number(stream, is_extrapolated(line) ? NAN : fit->whole.bandwidth_bytes_per_s / 1e6);
    put_decimals(stream, fit->whole.mean_error * 100, 1);
}

bool html_has_summary(const struct report *report)
{
    bool any = false;

    for (size_t i = 0; i < report->curve_count; i++)
        any = any || report->lines[i].has_fit;
    return any;
}

void html_put_summary(FILE *stream, const struct report *report)
{
    size_t fitted = 0, extrapolated = 0;
    char size[UNITS_TEXT];

    if (!html_has_summary(report))
        return;
    for (size_t i = 0; i < report->curve_count; i++) {
        fitted += report->lines[i].has_fit;
        extrapolated += is_extrapolated(&report->lines[i]);
    }
    html_begin_chapter(
        stream, "summary", "In a few figures",
        "What each curve comes to, by the typical round.  Fixed cost and bandwidth are those of "
        "the line time = fixed "
        "cost + size / bandwidth that fits best; the last column says by how much the points are "
        "off it on average.");
    begin_table(stream, "summary", NULL);
    put_heading(stream, "w", "curve", "");
    put_heading(stream, "", "smallest", "");
    put_heading(stream, "", "time/op there", "us");
    put_heading(stream, "", "best throughput", "MB/s");
    put_heading(stream, "", "at", "");
    put_heading(stream, "", "90 % of it from", "");
    put_heading(stream, "", "fixed cost", "us");
    if (fitted > extrapolated)
        put_heading(stream, "", "bandwidth", "MB/s");
    put_heading(stream, "", "off by", "%");
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t p = 0; p < report->panel_count; p++)
        for (size_t i = 0; i < report->panels[p].count; i++) {
            const struct report_line *line = report->panels[p].lines[i];
            char *name = name_of(&report->panels[p], line);
            fputs("<tr><th scope=\"row\" class=\"w\">", stream);
            report_put_text(stream, name);
            fprintf(stream, "</th><td>%s</td>",
                    units_format_size(line->points[0].row->size_bytes, size));
            put_number(stream, line->points[0].op_ns / 1e3);
            put_fit(stream, line, fitted > extrapolated);
            fputs("</tr>\n", stream);
            free(name);
        }
    end_table(stream);
    if (extrapolated > 0)
        fprintf(stream,
                "<p class=\"after\">The bandwidth of %zu curve%s is left out: no size measured "
                "reaches 90 %% of it, so it is an extrapolation beyond the largest one.</p>\n",
                extrapolated, extrapolated == 1 ? "" : "s");
    html_end_chapter(stream);
}

/* --- maps ----------------------------------------------------------------------------------- */

#define SHADES 9 /* classes .h0 to .h8 */

static double map_value(const struct report_map *map, size_t cell, bool latency)
{
    const struct report_point *point = map->points[cell];

    if (!point)
        return NAN;
    if (latency)
        return point->latency_ns[REPORT_P50];
    return results_moves_data(point->row->test) ? point->total_throughput_bytes_per_s
                                                : point->total_rate_per_s;
}

static struct report_unit map_unit(const struct report_map *map, bool latency, double value)
{
    return latency ? report_unit_of_time(value)
           : results_moves_data(map->points[0] ? map->points[0]->row->test : "")
               ? report_unit_of_throughput(value)
               : report_unit_of_rate(value);
}

static void put_map(FILE *stream, const struct report_map *map, bool latency)
{
    const size_t cells = map->level_count * map->size_count;
    double low = 1e300, high = 0, value;
    struct report_unit unit;
    char text[UNITS_TEXT], number[REPORT_NUMBER_TEXT], *caption;

    for (size_t i = 0; i < cells; i++) {
        value = map_value(map, i, latency);
        low = value > 0 ? fmin(low, value) : low;
        high = value > 0 ? fmax(high, value) : high;
    }
    if (high <= 0)
        return;
    unit = map_unit(map, latency, 2 * low);
    caption = mem_printf("%s: %s [%s]", map->title,
                         latency                  ? "median latency"
                         : strchr(unit.name, 'B') ? "throughput"
                                                  : "rate",
                         unit.name);
    begin_table(stream, "heat", caption);
    free(caption);
    put_heading(stream, "", map->threads ? "threads" : "depth", "");
    for (size_t k = 0; k < map->size_count; k++)
        put_heading(stream, "", units_format_size(map->sizes[k], text), "");
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t i = 0; i < map->level_count; i++) {
        fprintf(stream, "<tr><th scope=\"row\">%" PRIu64 "</th>", map->levels[i]);
        for (size_t k = 0; k < map->size_count; k++) {
            value = map_value(map, i * map->size_count + k, latency);
            if (value > 0)
                fprintf(stream, "<td class=\"h%.0f\">%s</td>",
                        high > low ? log(value / low) / log(high / low) * (SHADES - 1) : 0,
                        report_number(value / unit.factor, number));
            else
                fputs("<td></td>", stream);
        }
        fputs("</tr>\n", stream);
    }
    end_table(stream);
}

void html_put_maps(FILE *stream, const struct report *report)
{
    if (report->map_count == 0)
        return;
    html_begin_chapter(stream, "map",
                       report->maps[0].threads ? "Threads and size" : "Depth and size",
                       "The stronger the shade, the larger the number; the scale is logarithmic.");
    for (size_t i = 0; i < report->map_count; i++) {
        put_map(stream, &report->maps[i], false);
        put_map(stream, &report->maps[i], true);
    }
    html_end_chapter(stream);
}

/* --- evidence ------------------------------------------------------------------------------- */

enum proof { ROUNDS, WIDTH, ASKED, MOVED, AMPLIFICATION, MEMORY, ERRORS, PROOFS };

static const char *const proof_names[PROOFS] = {"rounds",     "&#177; [%]",    "asked for [MB]",
                                                "moved [MB]", "moved / asked", "from memory [%]",
                                                "errors"};

static const int proof_decimals[PROOFS] = {0, 1, 2, 2, 3, 1, 0};

static double proof_of(const struct report_point *point, enum proof proof)
{
    const double values[PROOFS] = {point->rounds,
                                   point->half_width * 100,
                                   point->asked_bytes / 1e6,
                                   point->moved_bytes / 1e6,
                                   point->amplification,
                                   point->cache_share * 100,
                                   point->errors};

    return values[proof];
}

static void put_proofs(FILE *stream, const struct report_panel *panel,
                       const struct report_line *line, const bool *shown)
{
    char *name = name_of(panel, line);

    for (size_t i = 0; i < line->count; i++) {
        fputs("<tr>", stream);
        fputs("<th scope=\"row\" class=\"w\">", stream);
        report_put_text(stream, name);
        fprintf(stream, "</th><td>%" PRIu64 "</td>", line->points[i].row->size_bytes);
        for (int k = 0; k < PROOFS; k++)
            if (shown[k])
                put_decimals(stream, proof_of(&line->points[i], (enum proof)k), proof_decimals[k]);
        put_text_cell(stream, "w", strstr(line->points[i].row->notes, "drift") ? "drift" : "");
        fputs("</tr>\n", stream);
    }
    free(name);
}

static void find_proofs(const struct report *report, bool *shown)
{
    for (size_t i = 0; i < report->curve_count; i++)
        for (size_t k = 0; k < report->lines[i].count; k++)
            for (int p = 0; p < PROOFS; p++)
                shown[p] = shown[p] || !isnan(proof_of(&report->lines[i].points[k], (enum proof)p));
}

bool html_has_evidence(const struct report *report)
{
    bool shown[PROOFS] = {false}, any = false;

    find_proofs(report, shown);
    for (int p = 0; p < PROOFS; p++)
        any = any || shown[p];
    return any;
}

void html_put_evidence(FILE *stream, const struct report *report)
{
    bool shown[PROOFS] = {false};

    if (!html_has_evidence(report))
        return;
    find_proofs(report, shown);
    html_begin_chapter(
        stream, "evidence", "Evidence",
        "Why the figures can be believed, or not: how many bytes were asked for, how many really "
        "moved to or from the storage, and what share of the operations memory answered instead; "
        "how many rounds there were, and how far they leave the median uncertain.");
    begin_table(stream, "evidence", NULL);
    put_heading(stream, "w", "curve", "");
    put_heading(stream, "", "size", "B");
    for (int p = 0; p < PROOFS; p++)
        if (shown[p])
            put_heading(stream, "", proof_names[p], "");
    put_heading(stream, "w", "drift", "");
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t p = 0; p < report->panel_count; p++)
        for (size_t i = 0; i < report->panels[p].count; i++)
            put_proofs(stream, &report->panels[p], report->panels[p].lines[i], shown);
    end_table(stream);
    html_end_chapter(stream);
}

void html_put_notes(FILE *stream, const struct report *report)
{
    if (report->note_count == 0)
        return;
    html_begin_chapter(stream, "notes", "Notes",
                       "Words that qualify rows, the weightiest first, and what to do about them.");
    fputs("<dl>\n", stream);
    for (size_t i = 0; i < report->note_count; i++) {
        const struct report_note *note = &report->notes[i];
        char share[TEXT_SHARE];
        fputs("<dt>", stream);
        report_put_text(stream, note->word);
        fprintf(stream, " <span class=\"dim\">%s, %s</span></dt><dd>",
                text_share(note->rows, report->row_count, "row", share), note->sizes);
        report_put_text(stream, note->meaning[0] ? note->meaning
                                                 : "A note that this version does not know.");
        fputc(' ', stream);
        report_put_text(stream, note->advice);
        fputs("</dd>\n", stream);
    }
    fputs("</dl>\n", stream);
    if (report->notes_left_out > 0)
        fprintf(stream, "<p>%zu notes of other words stand in the rows of the results only.</p>\n",
                report->notes_left_out);
    html_end_chapter(stream);
}

/* --- runs compared -------------------------------------------------------------------------- */

void html_put_comparison(FILE *stream, const struct report_comparison *comparison, unsigned test)
{
    const struct match *match = &comparison->match;

    begin_table(stream, "compared", NULL);
    put_heading(stream, "", "size", "");
    put_heading(stream, "", "size", "B");
    put_heading(stream, "", "old", "us");
    put_heading(stream, "", "new", "us");
    put_heading(stream, "", "change", "%");
    put_heading(stream, "", "from", "%");
    put_heading(stream, "", "to", "%");
    put_heading(stream, "w", "verdict", "");
    put_heading(stream, "w", "cell", "");
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t i = 0; i < match->count; i++) {
        const struct compare_cell *cell = &match->compared[i];
        char *name;
        if (cell->test != test || report_hides(comparison, i))
            continue;
        fputs("<tr>", stream);
        put_size(stream, match->cells[i].before->size_bytes);
        put_number(stream, cell->before_ns / 1e3);
        put_number(stream, cell->shifted_ns / 1e3);
        put_decimals(stream, (cell->is.ratio - 1) * 100, 1);
        put_decimals(stream, (cell->is.low - 1) * 100, 1);
        put_decimals(stream, (cell->is.high - 1) * 100, 1);
        put_text_cell(stream, "w",
                      match->cells[i].reason ? match->cells[i].reason : report_outcome(&cell->is));
        name = match_describe(match->cells[i].before);
        put_text_cell(stream, "w dim", name);
        fputs("</tr>\n", stream);
        free(name);
    }
    end_table(stream);
}
