/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_compare.c - `iosweep compare OLD NEW ...`: files are read, rows matched, cells judged,
 * and the outcome printed; the exit status is the verdict, so that scripts need not read it.  What
 * the figures cannot tell is said on standard error. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_print.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"

enum compare_format { PRINT_TABLE, PRINT_CSV, PRINT_JSON };

struct compare_options {
    const char *output;
    unsigned format;
    bool format_given;
    double tolerance;
    bool worse_only, partial;
};

#define FIELD(name) offsetof(struct compare_options, name)
/* clang-format off */
static const struct option_row compare_rows[] = {
    {0, "tolerance", "PERCENT", OPTION_PERCENT, FIELD(tolerance), OPTION_NONE, 0, 0, NULL, NULL,
     "2%", "smaller changes count as none", "Verdict", NULL, 0},
    {0, "worse-only", NULL, OPTION_FLAG, FIELD(worse_only), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only slower cells count and are listed", "Verdict", NULL, 0},
    {0, "partial", NULL, OPTION_FLAG, FIELD(partial), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "new files may lack cells of the old ones", "Verdict", NULL, 0},
    COMMAND_OUTPUT_ROWS(struct compare_options),
    {.long_name = NULL},
};
/* clang-format on */

/* To free, as all that is made of names in files. */
static char *name_of(const struct results_row *row, enum match_axis axis)
{
    char text[UNITS_TEXT];
    const char *value = match_axis_value(row, axis, text);
    return results_printable(mem_strdup(value[0] != '\0' ? value : "(not known)"));
}

static char *describe(const struct results_row *row)
{
    return results_printable(match_describe(row));
}

static void say_axes(const struct match *match)
{
    for (int axis = 0; axis < MATCH_AXIS_COUNT; axis++) {
        char *before, *after;
        if (!match->axis_before[axis])
            continue;
        before = name_of(match->axis_before[axis], (enum match_axis)axis);
        after = name_of(match->axis_after[axis], (enum match_axis)axis);
        log_text("%s: %s -> %s", match_axis_name((enum match_axis)axis), before, after);
        free(before);
        free(after);
    }
}

static void say_labels(const struct comparison *comparison)
{
    char *list = mem_strdup("");
    if (comparison->match->labels_name_files) {
        for (unsigned f = 0; f < 2 * comparison->pairs; f++) {
            char *name = name_of(&comparison->files[f].rows[0], MATCH_LABEL);
            char *longer = mem_printf("%s%s%s", list, f > 0 ? ", " : "", name);
            free(name);
            free(list);
            list = longer;
        }
        log_text("labels are not compared, each sweep has a different one: %s", list);
    }
    free(list);
}

static void say_unlike(const struct match *match)
{
    const struct match_cell *first = NULL;
    size_t count = 0;
    char share[TEXT_SHARE], *cell;
    for (size_t i = 0; i < match->count; i++) {
        if (!match->cells[i].unlike)
            continue;
        first = count++ == 0 ? &match->cells[i] : first;
    }
    if (!first)
        return;
    cell = describe(first->before);
    log_warn("old and new did different work in %s, such as %s (%s)",
             text_share(count, match->count, "cell", share), cell, first->remarks);
    free(cell);
}

static void add_change(char **list, const char *what, const char *before, const char *after)
{
    char *longer;
    if (before[0] == '\0' || after[0] == '\0' || strcmp(before, after) == 0)
        return;
    longer = mem_printf("%s%s%s%s -> %s", *list, **list ? ", " : "", what, before, after);
    free(*list);
    *list = longer;
}

/* Sweeps of two machines differ by more than their storage; another kernel may be what is compared.
 * Only JSON knows these. */
static void say_machines(const struct comparison *comparison)
{
    const struct results *old = &comparison->files[0], *new = &comparison->files[1];
    char *machine = mem_strdup(""), *kernel = mem_strdup("");
    for (unsigned pair = 0; pair < comparison->pairs && !*machine && !*kernel;
         pair++, old += 2, new += 2) {
        add_change(&machine, "host ", results_fact(old, "host.name"),
                   results_fact(new, "host.name"));
        add_change(&machine, "processor ", results_fact(old, "host.cpu"),
                   results_fact(new, "host.cpu"));
        add_change(&kernel, "kernel: ", results_fact(old, "host.kernel"),
                   results_fact(new, "host.kernel"));
    }
    machine = results_printable(machine);
    kernel = results_printable(kernel);
    if (*machine)
        log_text("old and new are of different machines: %s", machine);
    if (*kernel)
        log_text("%s", kernel);
    free(machine);
    free(kernel);
}

/* Which cells are judged in units of the reference, and what that changes. */
static void say_reference(const struct match *match)
{
    size_t count = 0, most = 0;
    char *cell;
    for (size_t i = 0; i < match->count; i++) {
        const struct compare_cell *compared = &match->compared[i];
        if (isnan(compared->reference_ratio))
            continue;
        if (count++ == 0 ||
            fabs(log(compared->reference_ratio)) > fabs(log(match->compared[most].reference_ratio)))
            most = i;
    }
    if (count == 0)
        return;
    cell = describe(match->cells[most].before);
    log_text(
        "CPU-bound cells, compared relative to the reference: %zu of %zu; the reference differs "
        "by up to %+.1f %%: %s changed by %+.1f %% as measured, %+.1f %% relative to it",
        count, match->count, (match->compared[most].reference_ratio - 1) * 100, cell,
        (match->compared[most].measured_ratio - 1) * 100,
        (match->compared[most].is.ratio - 1) * 100);
    free(cell);
}

/* Ratios of 1 that mean nothing, and intervals that are as wide as ever, must not surprise. */
static void say_itself(const struct comparison *comparison)
{
    char *path;
    for (unsigned i = 0; i < 2 * comparison->pairs; i += 2) {
        const char *old = comparison->files[i].path;
        if (!command_same_file(old, comparison->files[i + 1].path))
            continue;
        path = results_printable(mem_strdup(old));
        log_warn(
            "%s is compared with itself: all ratios are 1, and the intervals show how well its "
            "rounds agree",
            path);
        free(path);
        return;
    }
}

/* What was compared by less than rounds. */
static void say_evidence(const struct match *match)
{
    size_t counts[COMPARE_EVIDENCE_COUNT] = {0};
    char share[TEXT_SHARE];
    for (size_t i = 0; i < match->count; i++)
        counts[match->compared[i].is.evidence]++;
    if (counts[COMPARE_INTERVALS] > 0)
        log_warn("%s %s no rounds: conservative intervals hide small differences; compare JSON "
                 "files",
                 text_share(counts[COMPARE_INTERVALS], match->count, "cell", share),
                 counts[COMPARE_INTERVALS] == 1 ? "has" : "have");
    if (counts[COMPARE_RATIO] > 0)
        log_warn("%s %s no interval or fewer than %d rounds: a ratio, but no verdict",
                 text_share(counts[COMPARE_RATIO], match->count, "cell", share),
                 counts[COMPARE_RATIO] == 1 ? "has" : "have", COMPARE_ROUNDS_MIN);
    if (counts[COMPARE_NOTHING] > 0)
        log_warn("not compared, since skipped or incomplete in some file: %s",
                 text_share(counts[COMPARE_NOTHING], match->count, "cell", share));
}

/* How far the interval reaches beyond 1, on the side that matters. */
static double reach_of(const struct compare_judgement *is, bool worse_only)
{
    return worse_only ? is->high : fmax(is->high, 1 / is->low);
}

static void say_unclear(const struct comparison *comparison)
{
    size_t count = 0;
    double most = 0.0;
    char reach[48], share[TEXT_SHARE];
    for (size_t i = 0; i < comparison->match->count; i++) {
        const struct compare_judgement *is = &comparison->match->compared[i].is;
        const double here = reach_of(is, comparison->worse_only);
        if (is->verdict != COMPARE_UNCLEAR || !(here > 1 + comparison->tolerance))
            continue;
        most = fmax(most, here);
        count++;
    }
    if (count == 0)
        return;
    if (most < 2)
        snprintf(reach, sizeof(reach), "%.0f %%", (most - 1) * 100);
    else
        snprintf(reach, sizeof(reach), "a factor of %.3g", most);
    log_text(
        "unclear: %s, which could hide a difference beyond the tolerance, at worst %s; more rounds "
        "or more pairs narrow the intervals",
        text_share(count, comparison->match->count, "cell", share), reach);
}

/* The shift of all rounds is no difference of medians where the rounds fall into groups. */
static void say_medians(const struct match *match)
{
    const struct compare_cell *first = NULL;
    const struct results_row *row = NULL;
    char before[UNITS_TEXT], after[UNITS_TEXT], share[TEXT_SHARE], *cell;
    size_t count = 0;
    for (size_t i = 0; i < match->count; i++) {
        if (!match->compared[i].medians_disagree || count++ > 0)
            continue;
        first = &match->compared[i];
        row = match->cells[i].before;
    }
    if (!first)
        return;
    cell = describe(row);
    log_warn(
        "in %s the medians and the rounds as a whole disagree, such as %s "
        "(medians %s and %s, rounds %+.1f %%): the machine ran at two speeds; repeat the sweeps "
        "on a quiet one",
        text_share(count, match->count, "cell", share), cell,
        units_format_time(first->before_ns, before), units_format_time(first->after_ns, after),
        (first->is.ratio - 1) * 100);
    free(cell);
}

static void say_missing(const struct match *match)
{
    char *cell, *path;
    if (match->lonely_count == 0)
        return;
    cell = describe(match->lonely[0].row);
    path = results_printable(mem_strdup(match->lonely[0].missing->path));
    if (match->lonely_count == 1)
        log_warn("1 cell is not in all files: %s is missing from %s", cell, path);
    else
        log_warn("%zu cells are not in all files, such as %s, missing from %s", match->lonely_count,
                 cell, path);
    free(cell);
    free(path);
}

static void say_all(const struct comparison *comparison, bool sentences)
{
    if (sentences)
        say_axes(comparison->match);
    say_itself(comparison);
    say_machines(comparison);
    say_labels(comparison);
    say_missing(comparison->match);
    say_unlike(comparison->match);
    say_reference(comparison->match);
    say_evidence(comparison->match);
    for (unsigned test = 0; sentences && test < comparison->match->test_count; test++) {
        char *sentence = results_printable(compare_sentence(comparison, test));
        log_text("%s", sentence);
        free(sentence);
    }
    say_unclear(comparison);
    say_medians(comparison->match);
    if (comparison->pairs == 1)
        log_step("one sweep of each: what varies between sweeps anyway (memory, placement, "
                 "neighbours) is unknown and can look like a difference; alternate sweeps and "
                 "compare OLD NEW OLD NEW");
}

static bool counts_as_difference(enum compare_verdict verdict, bool worse_only)
{
    return verdict == COMPARE_SLOWER || (verdict == COMPARE_FASTER && !worse_only);
}

static bool differs(const struct comparison *comparison)
{
    bool found = false;
    for (unsigned test = 0; test < comparison->match->test_count; test++) {
        const struct compare_overall *overall = &comparison->overall[test];
        found = found || counts_as_difference(overall->is.verdict, comparison->worse_only) ||
                overall->counts[COMPARE_SLOWER] > 0 ||
                (!comparison->worse_only && overall->counts[COMPARE_FASTER] > 0);
    }
    return found;
}

/* A test for differences that were not looked for, or could not be seen, has not been passed. */
static int refuse_unjudged(const struct match *match, struct error *err)
{
    size_t incomparable = 0, unclear = 0;
    for (size_t i = 0; i < match->count; i++) {
        incomparable += match->cells[i].reason != NULL;
        unclear += match->compared[i].is.verdict == COMPARE_UNCLEAR;
    }
    if (unclear > 0)
        return error_refuse(
            err, STATUS_USAGE,
            "nothing could be judged: no cell is known to differ or to be the same", NULL,
            "repeat both sweeps on a quiet machine with more --time for each row, or "
            "compare several pairs");
    if (incomparable == match->count)
        return error_refuse(
            err, STATUS_USAGE,
            "nothing could be judged: all cells were skipped or are incomplete in some file", NULL,
            "repeat the sweep that broke off");
    return error_refuse(
        err, STATUS_USAGE,
        "nothing could be judged: no cell has intervals or enough rounds in all files", NULL,
        "compare JSON files of sweeps with at least %d rounds (--time gives slow rows more), or CSV"
        " with the columns op_ns_low and op_ns_high",
        COMPARE_ROUNDS_MIN);
}

static int refuse_gone(const struct match *match, struct error *err)
{
    const struct results_row *first = NULL;
    size_t count = 0;
    char action[128], *cell;
    for (size_t i = 0; i < match->lonely_count; i++)
        if (match->lonely[i].gone && count++ == 0)
            first = match->lonely[i].row;
    for (size_t i = 0; i < match->count; i++)
        if (match->cells[i].gone && count++ == 0)
            first = match->cells[i].before;
    if (!first)
        return 0;
    snprintf(action, sizeof(action),
             "%zu cell%s with figures in the old files %s none in the new:", count,
             count == 1 ? "" : "s", count == 1 ? "has" : "have");
    cell = match_describe(first);
    error_set(err, STATUS_USAGE, 0, action, cell);
    free(cell);
    return error_advise(err, "repeat the sweep, or use --partial to judge what is there");
}

/* Whether it is known that there is no difference of the kind that is looked for, or that there is
 * one. */
static bool is_judged(const struct compare_judgement *is, const struct comparison *comparison)
{
    if (is->verdict == COMPARE_UNCLEAR)
        return comparison->worse_only && is->high <= 1 + comparison->tolerance;
    return is->verdict != COMPARE_UNKNOWN;
}

/* The exit status: a difference that was found is one, whatever else is missing. */
static enum status conclude(const struct compare_options *options,
                            const struct comparison *comparison, struct error *err)
{
    const struct match *match = comparison->match;
    bool judged = false;
    if (differs(comparison))
        return STATUS_PARTIAL;
    for (size_t i = 0; i < match->count; i++)
        judged = judged || is_judged(&match->compared[i].is, comparison);
    for (unsigned test = 0; test < match->test_count; test++)
        judged = judged || is_judged(&comparison->overall[test].is, comparison);
    if (!judged)
        refuse_unjudged(match, err);
    else if (!options->partial)
        refuse_gone(match, err);
    return error_is_set(err) ? err->status : STATUS_OK;
}

static int print_outcome(const struct compare_options *options, const char *const *arguments,
                         unsigned count, const struct comparison *comparison, struct error *err)
{
    struct command_output output;
    struct text_look look;
    const unsigned format = command_format(options->output, options->format_given, options->format);
    if (command_output_open(options->output, arguments, count, &output, err) < 0)
        return -1;
    look = command_look(&output);
    if (format == PRINT_TABLE)
        compare_print_table(output.stream, comparison, &look);
    else if (format == PRINT_CSV)
        compare_print_csv(output.stream, comparison);
    else
        compare_print_json(output.stream, comparison);
    if (command_output_close(&output, true, err) < 0)
        return -1;
    say_all(comparison, format != PRINT_TABLE);
    return 0;
}

static enum status compare_results(const struct compare_options *options,
                                   const char *const *arguments, const struct results *files,
                                   unsigned pairs, struct error *err)
{
    struct match match;
    struct compare_overall *overall;
    struct comparison comparison = {
        files, pairs, &match, NULL, options->tolerance, options->worse_only};
    enum status status = STATUS_USAGE;
    if (match_files(files, pairs, &match, err) < 0)
        return err->status;
    overall = mem_calloc(match.test_count, sizeof(*overall));
    comparison.overall = overall;
    compare_judge(match.compared, match.count, pairs, options->tolerance, overall,
                  match.test_count);
    if (print_outcome(options, arguments, 2 * pairs, &comparison, err) == 0)
        status = conclude(options, &comparison, err);
    else if (err->status == STATUS_PARTIAL)
        err->status = STATUS_USAGE; /* 1 says that something differs */
    free(overall);
    match_free(&match);
    return status;
}

static int check_names(const char *const *names, unsigned count, struct error *err)
{
    if (count % 2 != 0)
        return error_refuse(err, STATUS_USAGE,
                            "compare takes pairs of files, old and new alternating", NULL,
                            "%u were given; iosweep compare OLD NEW [OLD NEW]...", count);
    return command_check_streams(names, count, err);
}

static enum status compare_run(const void *block, const char *const *arguments, unsigned count,
                               struct error *err)
{
    struct results *files;
    enum status status = STATUS_USAGE;
    unsigned read = 0;
    if (check_names(arguments, count, err) < 0)
        return err->status;
    files = mem_calloc(count, sizeof(*files));
    while (read < count && results_read(arguments[read], &files[read], err) == 0)
        read++;
    if (read == count)
        status = compare_results(block, arguments, files, count / 2, err);
    while (read-- > 0)
        results_free(&files[read]);
    free(files);
    return error_is_set(err) ? err->status : status;
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "OLD NEW [OLD NEW]...",
    .summary = "tell whether new results differ from old ones",
    .details = "The files are JSON, CSV or classic output of iosweep.  Rows with the same\n"
               "test, target, engine, cache, threads, depth, label and size are compared; an\n"
               "axis that has one value in all old files and another in all new ones is what is\n"
               "being compared.  What is compared is the time per operation, new / old: +5 %\n"
               "or x1.05 is slower, -5 % or x0.95 is faster.\n"
               "With several pairs, from alternating sweeps, a difference must exceed the\n"
               "variation between sweeps of the same side.\n\n"
               "Exit status: 0 nothing is slower or faster, 1 something is (with --worse-only:\n"
               "slower), 2 there is no answer: wrong usage, files that cannot be read, nothing\n"
               "to compare, all cells unclear, cells missing from the new files (unless\n"
               "--partial), or results that could not be written.\n",
    .options = compare_rows,
    .block_bytes = sizeof(struct compare_options),
    .takes_runs = true,
    .needs = "two files of results, an old and a new one",
    .arguments_min = 2,
    .run = compare_run,
};
