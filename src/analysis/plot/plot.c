/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot.c - what goes into a picture: the curves of all files, its title, and what gnuplot has to
 * know before it draws. */
#include "base/compat.h"

#include "analysis/plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_parts.h"
#include "base/mem.h"

#define TITLE_MOST 110 /* characters of a line above the picture */
#define COUNT_TEXT 96

/* --- panels --- */

bool plot_panel_wanted(const struct plot_request *request, enum plot_panel panel)
{
    return panel == PANEL_THROUGHPUT ? request->throughput
           : panel == PANEL_TIME     ? request->time
                                     : request->latency;
}

const char *plot_panel_title(enum plot_panel panel)
{
    static const char *const titles[PANEL_COUNT] = {
        [PANEL_THROUGHPUT] = "throughput",
        [PANEL_TIME] = "time per operation (1 / rate)",
        [PANEL_LATENCY] = "latency (p50)",
    };
    return titles[panel];
}

double plot_panel_value(const struct results_row *row, enum plot_panel panel)
{
    const double value = panel == PANEL_THROUGHPUT ? results_throughput(row)
                         : panel == PANEL_TIME     ? results_op_ns(row)
                                                   : row->latency_ns_p50;
    return value > 0 && isfinite(value) && !row->skipped ? value : NAN;
}

/* --- title --- */

typedef const char *text_of(const struct results_curve *curve);

static const char *target_of(const struct results_curve *curve)
{
    return curve->rows[0]->target;
}

static const char *host_of(const struct results_curve *curve)
{
    return curve->file->host;
}

static const char *test_of(const struct results_curve *curve)
{
    return curve->rows[0]->test;
}

static const char *engine_of(const struct results_curve *curve)
{
    return curve->rows[0]->engine;
}

/* Of targets beyond the network nothing is known of any cache. */
static const char *cache_of(const struct results_curve *curve)
{
    const struct results_row *row = curve->rows[0];
    return strcmp(row->cache, "asis") == 0 ? strstr(row->target, "://") ? "" : "cache as it was"
                                           : row->cache;
}

static const char *access_of(const struct results_curve *curve)
{
    return curve->rows[0]->access;
}

static const char *label_of(const struct results_curve *curve)
{
    return curve->rows[0]->label;
}

/* What all curves say alike; "" otherwise. */
static const char *common(const struct plot_set *set, text_of *get)
{
    for (size_t i = 1; i < set->count; i++)
        if (strcmp(get(&set->curves[i]), get(&set->curves[0])) != 0)
            return "";
    return get(&set->curves[0]);
}

/* "4 threads", "depth 8", "4 ranks" where it is the same in all curves; "" otherwise, and
 * of runs of one process, whose number nobody asks for.  text: room for a sentence; returns it. */
static const char *common_count(const struct plot_set *set, enum results_word word, char *text)
{
    const struct results_row *row = set->curves[0].rows[0];

    text[0] = '\0';
    for (size_t i = 1; i < set->count; i++)
        if (!results_same_words(&set->curves[0], &set->curves[i], 1u << word))
            return text;
    if (word == RESULTS_WORD_THREADS)
        snprintf(text, COUNT_TEXT, "%" PRIu64 " thread%s", row->threads,
                 row->threads == 1 ? "" : "s");
    else if (word == RESULTS_WORD_DEPTH)
        snprintf(text, COUNT_TEXT, "depth %" PRIu64, row->depth);
    else if (row->ranks > 1)
        snprintf(text, COUNT_TEXT, "%" PRIu64 " ranks", row->ranks);
    return text;
}

char *plot_common_words(const struct plot_set *set, unsigned omitted)
{
    static text_of *const getters[] = {test_of, cache_of, engine_of, access_of};
    static const enum results_word words_of[] = {
        RESULTS_WORD_TEST,    RESULTS_WORD_CACHE, RESULTS_WORD_ENGINE, RESULTS_WORD_ACCESS,
        RESULTS_WORD_THREADS, RESULTS_WORD_DEPTH, RESULTS_WORD_RANKS,  RESULTS_WORD_LABEL};
    char *words = mem_strdup("");

    for (size_t i = 0; i < sizeof(words_of) / sizeof(*words_of); i++) {
        const char *word;
        char number[COUNT_TEXT], *longer;
        if (omitted & 1u << words_of[i])
            continue;
        if (i < sizeof(getters) / sizeof(*getters))
            word = common(set, getters[i]);
        else if (words_of[i] == RESULTS_WORD_LABEL)
            word = common(set, label_of);
        else
            word = common_count(set, words_of[i], number);
        if (word[0] == '\0')
            continue;
        longer = mem_printf("%s%s%s", words, words[0] != '\0' ? ", " : "", word);
        free(words);
        words = longer;
    }
    return words;
}

void plot_put_title(const struct plot_set *set, unsigned height, const char *first,
                    const char *second)
{
    FILE *stream = set->stream;

    fputs("set label 1 ", stream);
    plot_put_string(set, first, TITLE_MOST * 3 / 4);
    fprintf(stream, " at screen 0.5,%.5f center font ',15'\n", 1 - 20.0 / height);
    fputs("set label 2 ", stream);
    plot_put_string(set, second, TITLE_MOST);
    fprintf(stream, " at screen 0.5,%.5f center textcolor rgb '#444444'\n", 1 - 42.0 / height);
}

void plot_put_letters_title(const struct plot_set *set, const char *text)
{
    fputs("set tmargin 1\nset title ", set->stream);
    plot_put_string(set, text, set->request->columns > 20 ? set->request->columns - 12 : 8);
    fputc('\n', set->stream);
}

void plot_title(const struct plot_set *set, unsigned height, const char *what)
{
    const char *target = common(set, target_of), *host = common(set, host_of);
    char *words = plot_common_words(set, 0);
    char *first = mem_printf("iosweep%s%s%s%s", target[0] != '\0' ? ": " : "", target,
                             host[0] != '\0' ? " on " : "", host);

    if (what) {
        char *all = mem_printf("%s (%s, %s)", what, first, words);
        plot_put_letters_title(set, all);
        free(all);
    } else {
        plot_put_title(set, height, first, words);
    }
    free(first);
    free(words);
}

/* --- terminals --- */

void plot_begin(const struct plot_set *set, unsigned height)
{
    const struct plot_request *request = set->request;
    FILE *stream = set->stream;

    fputs("# made by iosweep plot; gnuplot writes the picture to standard output\n", stream);
    if (request->device != PLOT_TEXT || request->utf8)
        fputs("set encoding utf8\n", stream);
    switch (request->device) {
    case PLOT_SVG:
        fprintf(stream,
                "set terminal svg noenhanced size %d,%u dynamic font 'sans-serif,13' "
                "background rgb 'white'\n",
                PLOT_WIDTH, height);
        break;
    case PLOT_PNG:
        fprintf(stream,
                "set terminal pngcairo noenhanced size %d,%u font 'sans,10' "
                "background rgb 'white'\n",
                PLOT_WIDTH, height);
        break;
    case PLOT_PDF:
        fprintf(stream,
                "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'sans,10' "
                "fontscale 0.75 background rgb 'white'\n",
                PLOT_WIDTH / 96.0, height / 96.0);
        break;
    case PLOT_TEXT:
        fprintf(stream, "set terminal dumb %u,%u noenhanced mono\n", request->columns,
                request->lines);
        break;
    }
    /* No macros and no time format: everything in the data is a number or a string. */
    fputs("set tics nomirror\nset border 3\nset grid xtics ytics mytics "
          "lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5\n",
          stream);
    if (request->device != PLOT_TEXT) /* a sheet that ends somewhere, on pages of any colour */
        fputs("set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty "
              "border lc rgb '#c8c8c8'\n",
              stream);
}

/* --- the set --- */

static bool has_latency(const struct results_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (!isnan(plot_panel_value(curve->rows[i], PANEL_LATENCY)))
            return true;
    return false;
}

/* Drops the curves that have nothing that was asked for, and what was asked for that none has. */
static void choose(struct plot_set *set, struct plot_request *request)
{
    struct plot_summary *summary = set->summary;
    size_t moving = 0, latent_all = 0, kept = 0;

    for (size_t i = 0; i < set->count; i++) {
        moving += results_moves_data(set->curves[i].rows[0]->test);
        latent_all += has_latency(&set->curves[i]);
    }
    if (request->latency_or_time) {
        request->latency = latent_all == set->count;
        request->time = !request->latency;
    }
    if (moving == 0 && request->throughput) {
        request->time = !request->latency;
        request->throughput = false;
    }
    for (size_t i = 0; i < set->count; i++) {
        const bool moves = results_moves_data(set->curves[i].rows[0]->test);
        const bool latent = request->latency && has_latency(&set->curves[i]);
        summary->no_latency += request->latency && !latent;
        if (request->time || latent || (request->throughput && moves)) {
            summary->timed += !moves;
            set->curves[kept++] = set->curves[i];
        } else if (!moves && !request->latency) {
            summary->left_out++;
        }
    }
    set->count = kept;
}

/* Without any curve. */
static int refuse_nothing(const struct results *files, size_t count,
                          const struct plot_summary *summary, struct error *err)
{
    const char *path = count > 0 ? files[0].path : "";

    if (summary->no_latency > 0)
        return error_refuse(
            err, STATUS_USAGE, "no latencies in", path,
            "CSV and JSON of iosweep have them where there were enough operations; --what time "
            "draws the time per operation");
    return error_refuse(err, STATUS_USAGE, "nothing was measured in", path,
                        "all its rows were skipped or ended without an operation");
}

int plot_write(const struct results *files, size_t count, const struct plot_request *request,
               FILE *stream, struct plot_summary *summary, struct error *err)
{
    struct plot_request possible = *request;
    struct plot_set set = {.request = &possible, .stream = stream, .summary = summary};
    struct results_curve **lists = mem_calloc(count, sizeof(struct results_curve *));
    size_t *counts = mem_calloc(count, sizeof(*counts));
    int result = 0;

    *summary = (struct plot_summary){.curves = 0};
    for (size_t i = 0; i < count; i++) {
        lists[i] = results_curves(&files[i], &counts[i]);
        set.curves = mem_realloc_array(set.curves, set.count + counts[i] + 1, sizeof(*set.curves));
        for (size_t k = 0; k < counts[i]; k++)
            set.curves[set.count++] = lists[i][k];
    }
    if (set.count > 0 && !request->distribution)
        choose(&set, &possible);
    if (set.count == 0) {
        result = refuse_nothing(files, count, summary, err);
    } else if (set.count > PLOT_CURVES_MAX) {
        char number[64];
        snprintf(number, sizeof(number), "%zu curves are too many for a picture", set.count);
        error_set(err, STATUS_USAGE, 0, number, NULL);
        result = error_advise(
            err,
            "at most %d can be drawn: use fewer files, or only the rows of one test, target or "
            "label",
            PLOT_CURVES_MAX);
    } else if (request->distribution) {
        result = plot_distributions(&set, err);
    } else if (request->map) {
        result = plot_maps(&set, err);
    } else {
        plot_curves(&set);
    }
    for (size_t i = 0; i < count; i++)
        results_free_curves(lists[i], counts[i]);
    free(lists);
    free(counts);
    free(set.curves);
    return result;
}
