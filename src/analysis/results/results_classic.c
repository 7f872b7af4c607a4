/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_classic.c - rows from the output of io_profile, and of --format classic, which says the
 * same and a little more: a block of parameters, then tables of five columns, each between a
 * "Conducting" and a "Done" line.  What stands between them and is no record is skipped, since
 * such output was often copied from a terminal. */
#include "base/compat.h"

#include "analysis/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { RECORD_FIELDS = 5 }; /* size, operations, time, throughput, rate */

struct classic_reader {
    struct reader *reader;
    bool table;                           /* records can follow */
    const char *test, *place, *run_cache; /* of the parameter block and the "Conducting" line */
    const char *target, *cache, *engine;  /* of the table */
    uint64_t threads, depth;
};

static bool begins_with(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

static void begin_run(struct classic_reader *classic)
{
    classic->table = false;
    classic->test = classic->place = classic->run_cache = "";
    classic->target = classic->cache = classic->engine = "";
    classic->threads = classic->depth = 1;
}

/* "Location: HOST:PLACE" */
static void take_location(struct classic_reader *classic, const char *words)
{
    const char *colon = strchr(words, ':');

    if (!colon)
        return;
    classic->place = reader_keep(classic->reader, colon + 1);
    if (!classic->reader->results->host) {
        classic->reader->results->host = mem_strdup(words);
        classic->reader->results->host[colon - words] = '\0';
    }
}

static const char *skip_blanks(const char *s)
{
    while (*s == ' ')
        s++;
    return s;
}

/* The block of parameters.  Copies of it are known where lines run into each other, so "Date:" is
 * looked for everywhere. */
static void take_parameter(struct classic_reader *classic, const char *line)
{
    struct results *results = classic->reader->results;
    const char *date = strstr(line, "Date:");

    if (begins_with(line, "IO profile test parameters"))
        begin_run(classic);
    else if (begins_with(line, "Location:"))
        take_location(classic, skip_blanks(line + 9));
    else if (begins_with(line, "Synch mode:") && strstr(line, "O_DIRECT"))
        classic->run_cache = "direct";
    else if (begins_with(line, "Synch mode:") && strstr(line, "evicted"))
        classic->run_cache = "uncached";
    if (date && !results->date)
        results->date = mem_strdup(skip_blanks(date + 5));
}

/* Cuts the next word of "A, B, C" off; NULL when there is none. */
static char *cut_word(char **rest)
{
    char *word = *rest, *comma = strstr(word, ", ");

    if (!comma)
        return NULL;
    *comma = '\0';
    *rest = comma + 2;
    return word;
}

static bool take_number(char *words, const char *before, uint64_t *value)
{
    char mark = '.';

    if (!words || !begins_with(words, before))
        return false;
    words += strlen(before);
    words[strcspn(words, " ")] = '\0'; /* "4 threads" */
    return reader_parse_count(words, &mark, value) && *value > 0;
}

/* "(direct, posix, 4 threads, depth 8, TARGET)": only written when a run has several
 * tables of one test, or more than one thread, or a depth above 1. */
static void take_words(struct classic_reader *classic, char *words)
{
    char *end = strrchr(words, ')'), *cache, *engine;
    uint64_t threads, depth;

    if (!end)
        return;
    *end = '\0';
    cache = cut_word(&words);
    engine = cache ? cut_word(&words) : NULL;
    if (!engine || !take_number(cut_word(&words), "", &threads) ||
        !take_number(cut_word(&words), "depth ", &depth))
        return;
    classic->cache = reader_keep(classic->reader, cache);
    classic->engine = reader_keep(classic->reader, engine);
    classic->threads = threads;
    classic->depth = depth;
    classic->target = reader_keep(classic->reader, words);
}

/* "Conducting write test..." */
static void take_conducting(struct classic_reader *classic, char *line)
{
    char *test = line + strlen("Conducting "), *end = strstr(test, " test"), *words;

    classic->target = classic->place;
    classic->cache = classic->run_cache;
    classic->engine = "";
    classic->threads = classic->depth = 1;
    if (!end)
        return;
    *end = '\0';
    classic->test = reader_keep(classic->reader, test);
    words = strchr(end + 1, '(');
    if (words)
        take_words(classic, words + 1);
}

/* What was too fast for the clock of io_profile has "inf" or "nan" there. */
static bool parse_figure(const char *word, double *value)
{
    char mark = '.';

    if (*word == '-')
        word++;
    if (strcmp(word, "inf") == 0 || strcmp(word, "nan") == 0)
        *value = NAN;
    else
        return reader_parse_real(word, &mark, value);
    return true;
}

static int take_record(struct classic_reader *classic, char *line, struct error *err)
{
    struct reader *reader = classic->reader;
    char *field[RECORD_FIELDS], *rest = line, mark = '.';
    struct results_row *row;
    unsigned count = 0;

    while (count < RECORD_FIELDS && rest) {
        char *comma = strchr(rest, ',');
        if (comma)
            *comma = '\0';
        field[count] = rest + strspn(rest, " ");
        field[count][strcspn(field[count], " \t")] = '\0';
        count++;
        rest = comma ? comma + 1 : NULL;
    }
    row = reader_add_row(reader, err);
    if (!row)
        return -1;
    if (count != RECORD_FIELDS || rest || !reader_parse_count(field[0], &mark, &row->size_bytes) ||
        row->size_bytes == 0 || !reader_parse_count(field[1], &mark, &row->operations) ||
        !parse_figure(field[2], &row->time_s) ||
        !parse_figure(field[3], &row->throughput_bytes_per_s) ||
        !parse_figure(field[4], &row->rate_per_s))
        return reader_fail(reader, err,
                           "no record of five numbers (size, operations, time, "
                           "throughput, rate) in");
    row->test = classic->test;
    row->target = classic->target;
    row->cache = classic->cache;
    row->access = "";
    row->engine = classic->engine;
    row->threads = classic->threads;
    row->depth = classic->depth;
    reader_end_row(reader, row);
    return 0;
}

int reader_classic(struct reader *reader, struct error *err)
{
    struct classic_reader classic = {.reader = reader};
    int more;

    reader->results->format = RESULTS_CLASSIC;
    begin_run(&classic);
    while ((more = reader_line(reader, false, err)) > 0) {
        char *line = reader->line;
        if (begins_with(line, "Conducting "))
            take_conducting(&classic, line);
        else if (begins_with(line, "I/O size [bytes]"))
            classic.table = true;
        else if (begins_with(line, "Done with "))
            classic.table = false;
        else if (!classic.table)
            take_parameter(&classic, line);
        else if (line[0] >= '0' && line[0] <= '9' && take_record(&classic, line, err) < 0)
            return -1;
    }
    return more;
}
