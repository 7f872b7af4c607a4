/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* steps.c - parses --tests, the steps in order with their stops: STEP[,STEP]... with STEP =
 * TEST[:STOP]... and STOP = TIME, n=NUMBER or errors=NUMBER, or created: over objects of test
 * create. Also parses -n and n=: NUMBER or NUMBER/thread; and --max-errors: NUMBER, NUMBER/step,
 * PERCENT%, or several of them. */
#include "base/compat.h"

#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

#define WORD_BYTES 128 /* of one word of a list; longer ones are not words of iosweep */

static int parse_repetitions(const char *word, uint64_t *repetitions, bool *per_thread,
                             struct error *err)
{
    const char *slash = strchr(word, '/');
    char number[WORD_BYTES];

    if (slash == word || (slash && strcmp(slash, "/thread") != 0))
        return error_refuse(err, STATUS_USAGE, "not a valid number of operations:", word,
                            "write N or N/thread");
    snprintf(number, sizeof(number), "%.*s", (int)strcspn(word, "/"), word);
    if (units_parse_count(number, 1, UINT64_C(1) << 48, repetitions, err) < 0)
        return -1;
    *per_thread = slash != NULL;
    return 0;
}

static int parse_stop(struct step *step, const char *word, struct error *err)
{
    const struct step before = *step;
    struct error cause = ERROR_INIT;
    bool twice;
    int code = 0;

    if (strncmp(word, "errors=", 7) == 0) {
        twice = before.budgeted;
        step->budgeted = true;
        code = units_parse_count(word + 7, 0, UINT64_MAX, &step->errors, err);
    } else if (strcmp(word, "created") == 0) {
        twice = before.created;
        step->created = true;
    } else if (strncmp(word, "n=", 2) == 0) {
        twice = before.repetitions > 0;
        step->stops = true;
        code = parse_repetitions(word + 2, &step->repetitions, &step->per_thread, err);
    } else {
        twice = before.time_ns > 0;
        step->stops = true;
        if (units_parse_duration(word, &step->time_ns, &cause) != 0)
            return error_refuse(err, STATUS_USAGE, "not a valid stop of a step:", word,
                                "write TEST:30s, TEST:n=1000, TEST:errors=3 or TEST:created");
    }
    if (code == 0 && twice)
        return error_refuse(err, STATUS_USAGE, "a step has two stops of one kind", NULL,
                            "leave out %s", word);
    return code;
}

static int parse_step(struct step *step, const char *words, size_t length, struct error *err)
{
    char whole[WORD_BYTES], word[WORD_BYTES];
    const char *at = whole, *one;
    size_t letters;
    unsigned test;

    snprintf(whole, sizeof(whole), "%.*s", (int)length, words);
    (void)text_word(&at, ":", &one, &letters);
    if (option_find(test_names, one, letters, &test, err) < 0)
        return -1;
    *step = (struct step){.test = (enum io_test)test};
    while (text_word(&at, ":", &one, &letters)) {
        snprintf(word, sizeof(word), "%.*s", (int)letters, one);
        if (parse_stop(step, word, err) < 0)
            return -1;
    }
    return 0;
}

/* Steps with :created need an earlier step that creates objects. */
static int check_created(const struct steps *steps, struct error *err)
{
    bool made = false;

    for (unsigned i = 0; i < steps->count; i++) {
        const struct step *step = &steps->step[i];

        made = made || step->test == TEST_CREATE;
        if (!step->created)
            continue;
        if (step->test != TEST_READ && step->test != TEST_STAT && !test_consumes(step->test))
            return error_refuse(err, STATUS_USAGE, ":created does not go with test",
                                test_names[step->test], "read, stat and delete can be :created");
        if (!made)
            return error_refuse(err, STATUS_USAGE, "nothing has been created before test",
                                test_names[step->test], "put create before it in --tests");
    }
    return 0;
}

int steps_parse(void *block, const char *word, struct error *err)
{
    struct request *request = block;
    struct steps steps = {.count = 0};
    const char *at = word, *one;
    size_t length;

    while (text_word(&at, ",", &one, &length)) {
        if (steps.count == SETTINGS_STEPS_MAX)
            return error_refuse(err, STATUS_USAGE, "too many steps:", word,
                                "at most %d can be given; --loops repeats them",
                                SETTINGS_STEPS_MAX);
        if (parse_step(&steps.step[steps.count++], one, length, err) < 0)
            return -1;
    }
    if (check_created(&steps, err) < 0)
        return -1;
    request->settings.tests = steps;
    return 0;
}

int stops_parse_repetitions(void *block, const char *word, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;

    return parse_repetitions(word, &settings->repetitions, &settings->per_thread, err);
}

int stops_parse_errors(void *block, const char *list, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;
    uint64_t most = 0, in_step = 0;
    double share = 0;
    const char *one;
    size_t length;

    while (text_word(&list, ",", &one, &length)) {
        char word[WORD_BYTES];
        char *slash;
        int result;

        snprintf(word, sizeof(word), "%.*s", (int)length, one);
        slash = strchr(word, '/');
        if (slash && strcmp(slash, "/step") != 0)
            return error_refuse(err, STATUS_USAGE, "not a valid limit of failed operations:", word,
                                "write N, N/step or PERCENT%%");
        if (slash)
            *slash = '\0';
        if (length && one[length - 1] == '%')
            result = units_parse_percent(word, &share, err);
        else
            result = units_parse_count(word, 0, UINT64_MAX, slash ? &in_step : &most, err);
        if (result < 0)
            return -1;
    }
    settings->max_errors = most;
    settings->step_errors = in_step;
    settings->error_share = share;
    return 0;
}
