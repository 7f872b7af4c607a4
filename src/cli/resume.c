/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* resume.c - see resume.h.  Which row a cell is, the columns of the group "row" say; a column that
 * the file does not have tells nothing. */
#include "base/compat.h"

#include "cli/resume.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/number.h"
#include "report/columns/columns.h"

#define WORD_TEXT 64

static int refuse_plan(const struct resume *resume, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse_plan(const struct resume *resume, struct error *err, const char *format, ...)
{
    char text[400], shown[400];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    return error_refuse(err, STATUS_USAGE, "--resume needs the results of the same plan, not",
                        resume->path, "%s", error_printable(text, shown, sizeof(shown)));
}

/* ---- settings ---- */

/* How a setting of one value stands in results; false: it is none that has to be the same. */
static bool setting_text(const struct settings *settings, const struct option_row *row, char *text)
{
    const void *field = (const char *)settings + row->offset;

    switch (row->type) {
    case OPTION_FLAG:
        snprintf(text, WORD_TEXT, "%s", *(const bool *)field ? "true" : "false");
        return true;
    case OPTION_COUNT:
    case OPTION_SIZE:
    case OPTION_DURATION:
        snprintf(text, WORD_TEXT, "%" PRIu64, *(const uint64_t *)field);
        return true;
    case OPTION_PERCENT:
        snprintf(text, WORD_TEXT, "%.9g", *(const double *)field);
        return true;
    case OPTION_CHOICE:
        snprintf(text, WORD_TEXT, "%s", row->choices[*(const unsigned *)field]);
        return true;
    default:
        return false;
    }
}

/* What ends a run early may be another limit; what is only shown, another way. */
static bool may_differ(const struct option_row *row)
{
    return strcmp(row->member, "max_time_ns") == 0 || strcmp(row->member, "within_ns") == 0 ||
           strcmp(row->member, "max_errors") == 0 || strcmp(row->member, "min_bytes") == 0 ||
           strcmp(row->member, "max_bytes") == 0 || strcmp(row->member, "factor") == 0 ||
           strcmp(row->group, "Output") == 0;
}

static bool same_number(const char *a, const char *b)
{
    double one, other;

    return number_read_real(a, &one) && number_read_real(b, &other) &&
           fabs(one - other) <= 1e-9 * fmax(one, other);
}

static bool same_value(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || same_number(a, b);
}

/* The steps as results have them, one after the other.  How many operations of one may fail is another
 * limit. */
static char *steps_text(const struct steps *steps)
{
    char *text = mem_strdup(""), *longer, part[COLUMNS_STEP_TEXT];

    for (unsigned i = 0; i < steps->count; i++) {
        struct step step = steps->step[i];
        step.budgeted = false;
        longer = mem_printf("%s%s%s", text, i > 0 ? "," : "", columns_step(&step, part));
        free(text);
        text = longer;
    }
    return text;
}

static void leave_out_budgets(char *text)
{
    for (char *at; (at = strstr(text, ":errors=")) != NULL;) {
        const char *end = at + 1 + strcspn(at + 1, ":,");
        memmove(at, end, strlen(end) + 1);
    }
}

static int check_steps(const struct resume *resume, const struct steps *steps, const char *earlier,
                       struct error *err)
{
    char *now = steps_text(steps), *then = mem_strdup(earlier);
    int code = 0;

    leave_out_budgets(then);
    if (strcmp(now, then) != 0)
        code = refuse_plan(resume, err, "--tests was %s there, and is %s now", then, now);
    free(now);
    free(then);
    return code;
}

static int check_setting(const struct resume *resume, const struct settings *settings,
                         const struct text_field *earlier, struct error *err)
{
    char text[WORD_TEXT];

    for (const struct option_row *row = options_table; row->long_name; row++)
        if (row->member && strcmp(row->member, earlier->name) == 0 && !may_differ(row) &&
            setting_text(settings, row, text) && !same_value(text, earlier->text))
            return refuse_plan(resume, err, "--%s was %s there, and is %s now", row->long_name,
                               earlier->text, text);
    return 0;
}

static int take_seed(const struct resume *resume, struct request *request, const char *text,
                     struct error *err)
{
    uint64_t seed;

    if (!number_read(text, &seed))
        return 0;
    if (request->seed_given && request->settings.seed != seed)
        return refuse_plan(resume, err, "--seed was %s there, and is %" PRIu64 " now", text,
                           request->settings.seed);
    request->settings.seed = seed;
    return 0;
}

/* ---- the file ---- */

/* The rows that are kept there would be lost when the run is interrupted again. */
static int check_output(const struct request *request, struct error *err)
{
    struct stat from, to;
    unsigned run;
    char *name = results_file_name(request->resume, &run);
    const bool known = stat(name, &from) == 0;

    free(name);
    if (!request->output || !known || stat(request->output, &to) != 0 || from.st_dev != to.st_dev ||
        from.st_ino != to.st_ino)
        return 0;
    return error_refuse(err, STATUS_USAGE,
                        "--resume and --output are the same file:", request->output,
                        "write to another file, which will hold all rows");
}

int resume_open(struct resume *resume, struct request *request, struct error *err)
{
    const struct results *results = &resume->results;

    *resume = (struct resume){.path = NULL};
    if (!request->resume)
        return 0;
    if (check_output(request, err) < 0 ||
        results_read_exact(request->resume, &resume->results, err) < 0)
        return -1;
    resume->path = request->resume;
    if (results->format != RESULTS_CSV && results->format != RESULTS_JSON)
        return error_refuse(err, STATUS_USAGE, "--resume needs rows of --format csv or json, not",
                            resume->path, "name the file that -o of that run wrote");
    if (!results->has_notes)
        return error_refuse(err, STATUS_USAGE, "--resume cannot tell which rows are complete in",
                            resume->path, "it has no column notes");
    for (size_t i = 0; i < results->setting_count; i++) {
        const struct text_field *field = &results->settings[i];
        const int code = strcmp(field->name, "seed") == 0
                             ? take_seed(resume, request, field->text, err)
                         : strcmp(field->name, "tests") == 0
                             ? check_steps(resume, &request->settings.tests, field->text, err)
                             : check_setting(resume, &request->settings, field, err);
        if (code < 0)
            return -1;
    }
    return 0;
}

void resume_free(struct resume *resume)
{
    if (resume->path)
        results_free(&resume->results);
    free(resume->cells);
}

/* ---- rows ---- */

struct matching {
    const struct plan *plan;
    const struct run_info *info;
    const struct column *column[64]; /* of the group "row", that a cell tells */
    unsigned count;
    char **text; /* of each cell and column */
};

static const char *field_of(const struct text_record *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->fields[i].name, name) == 0)
            return row->fields[i].text;
    return NULL;
}

static char *value_text(const struct value *value)
{
    switch (value->kind) {
    case VALUE_TEXT:
        return mem_strdup(value->text);
    case VALUE_COUNT:
        return mem_printf("%" PRIu64, value->count);
    case VALUE_REAL:
        return mem_printf("%.*f", (int)value->decimals, value->real);
    case VALUE_EMPTY:
        break;
    }
    return mem_strdup("");
}

static void make_texts(struct matching *m)
{
    const struct columns_context context = {.info = m->info, .label = ""};
    struct result *result = mem_calloc(1, sizeof(*result));
    struct value *value = mem_calloc(1, sizeof(*value));

    for (const struct column *c = columns_table; c->name; c++)
        if (c->group == OF_ROW && strcmp(c->name, "label") != 0 &&
            m->count < sizeof(m->column) / sizeof(*m->column))
            m->column[m->count++] = c;
    m->text = mem_calloc((size_t)m->plan->cell_count * m->count, sizeof(*m->text));
    for (unsigned i = 0; i < m->plan->cell_count; i++) {
        result->cell = &m->plan->cells[i];
        result->state = RESULT_CLOSED;
        for (unsigned c = 0; c < m->count; c++) {
            columns_get(m->column[c], &context, result, value);
            m->text[(size_t)i * m->count + c] = value_text(value);
        }
    }
    free(value);
    free(result);
}

static void free_texts(struct matching *m)
{
    for (size_t i = 0; m->text && i < (size_t)m->plan->cell_count * m->count; i++)
        free(m->text[i]);
    free(m->text);
}

/* Results without these columns are of a time when there were no teams. */
static const char *earlier_text(const struct text_record *row, const char *name)
{
    const char *text = field_of(row, name);

    return !text && (strcmp(name, "hosts") == 0 || strcmp(name, "ranks") == 0) ? "1" : text;
}

static bool agrees(const struct matching *m, unsigned cell, unsigned column,
                   const struct text_record *row)
{
    const char *text = earlier_text(row, m->column[column]->name);

    return !text || same_value(text, m->text[(size_t)cell * m->count + column]);
}

/* Rows stand in the order of cells, so the one behind the last is tried first. */
static bool find_cell(const struct matching *m, const struct text_record *row, unsigned *cell)
{
    for (unsigned tried = 0; tried < m->plan->cell_count; tried++) {
        const unsigned i = (*cell + tried) % m->plan->cell_count;
        unsigned c = 0;
        while (c < m->count && agrees(m, i, c, row))
            c++;
        if (c == m->count) {
            *cell = i;
            return true;
        }
    }
    return false;
}

/* The first word that no row of this run has. */
static int refuse_row(const struct resume *resume, const struct matching *m, size_t number,
                      const struct text_record *row, struct error *err)
{
    for (unsigned c = 0; c < m->count; c++) {
        bool any = false;
        for (unsigned i = 0; i < m->plan->cell_count && !any; i++)
            any = agrees(m, i, c, row);
        if (!any)
            return refuse_plan(resume, err, "its row %zu has %s %s, which no row of this run has",
                               number + 1, m->column[c]->name,
                               earlier_text(row, m->column[c]->name));
    }
    return refuse_plan(resume, err, "its row %zu is not in this run", number + 1);
}

static bool has_failures(const struct results_row *row)
{
    static const char *const failures[] = {"errors", "wrong_operations", "short_operations"};

    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        const char *text = field_of(&row->exact, failures[i]);
        if (text && text[0] && strcmp(text, "0") != 0)
            return true;
    }
    return false;
}

/* Of each rank so many are asked for; 0: no number is. */
static uint64_t asked_operations(const struct cell *cell)
{
    return cell->stop.cycles * (1 + (uint64_t)cell->peers);
}

/* It has what is asked for, and nothing failed.  Of a mix both rows together have that. */
static bool is_finished(const struct results_row *row, const struct cell *cell)
{
    return !row->incomplete && row->operations > 0 &&
           (cell->mixed || row->operations >= asked_operations(cell)) && !has_failures(row);
}

static int refuse_count(const struct resume *resume, size_t number, const struct results_row *row,
                        const struct cell *cell, struct error *err)
{
    char now[64] = "no number is asked for now";

    if (cell->stop.cycles)
        snprintf(now, sizeof(now), "%" PRIu64 " are asked for now", asked_operations(cell));
    return refuse_plan(resume, err, "its row %zu ended after %" PRIu64 " operations, and %s",
                       number + 1, row->operations, now);
}

/* A row tells by what ended it when its step had another stop; 0 or -1. */
static int check_stop(const struct resume *resume, size_t number, const struct results_row *row,
                      const struct cell *cell, struct error *err)
{
    const char *stop = field_of(&row->exact, "stop"), *elapsed = field_of(&row->exact, "elapsed_s");
    const double asked_s = (double)cell->stop.time_ns / 1e9;
    double longest_s = 2 * asked_s, elapsed_s;

    if (!stop || row->incomplete || has_failures(row)) /* it will be measured again */
        return 0;
    if (strcmp(stop, "count") == 0 && !cell->mixed && row->operations != asked_operations(cell))
        return refuse_count(resume, number, row, cell, err);
    if (strcmp(stop, "precision") == 0 && !cell_adaptive(cell))
        return refuse_plan(resume, err, "its row %zu had no stop, but now has one", number + 1);
    if (strcmp(stop, "time") != 0 || cell_adaptive(cell))
        return 0;
    if (!cell->stop.time_ns)
        return refuse_plan(resume, err,
                           "its row %zu ended by time, but now has a number of operations",
                           number + 1);
    if (!isnan(row->latency_ns_max)) /* the last operation may have begun before the end */
        longest_s += row->latency_ns_max / 1e9;
    if (elapsed && number_read_real(elapsed, &elapsed_s) &&
        (elapsed_s < 0.9 * asked_s || elapsed_s > longest_s))
        return refuse_plan(resume, err, "its row %zu was measured for %.3g s, but now has %.3g s",
                           number + 1, elapsed_s, asked_s);
    return 0;
}

int resume_match(struct resume *resume, const struct settings *settings,
                 struct target *const *targets, const struct plan *plan, struct error *err)
{
    const struct run_info info = {.settings = settings,
                                  .targets = (const struct target *const *)targets,
                                  .cells = plan->cells,
                                  .cell_count = plan->cell_count};
    struct matching matching = {.plan = plan, .info = &info};
    unsigned cell = 0;
    int code = 0;

    if (!resume->path)
        return 0;
    make_texts(&matching);
    resume->cells = mem_calloc(plan->cell_count, sizeof(struct text_record *));
    for (size_t i = 0; code == 0 && i < resume->results.count; i++) {
        const struct results_row *row = &resume->results.rows[i];
        if (row->skipped) /* it will be skipped again */
            continue;
        if (!find_cell(&matching, &row->exact, &cell))
            code = refuse_row(resume, &matching, i, &row->exact, err);
        else if (check_stop(resume, i, row, &plan->cells[cell], err) < 0)
            code = -1;
        else if (is_finished(row, &plan->cells[cell]) && !plan->cells[cell].skip)
            resume->cells[cell] = &row->exact;
    }
    free_texts(&matching);
    return code;
}
