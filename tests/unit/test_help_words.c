/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_help_words.c - explanations of words in tables and messages, where a word that is not a name
 * occurs, and suggestions. */
#include "base/compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/words.h"
#include "unit/cmocka_all.h"

/* The answer, to be freed; refused: expects that there is none. */
static char *told(const char *word, bool refused, struct error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    if (help_topic(stream, "iosweep", word, err) != (refused ? -1 : 0))
        fail_msg("%s: %s", word, refused ? "answered" : "refused");
    fclose(stream);
    return text;
}

static void expect(const char *word, const char *part)
{
    struct error err = ERROR_INIT;
    char *text = told(word, false, &err);

    if (!strstr(text, part))
        fail_msg("no \"%s\" about %s in\n%s", part, word, text);
    free(text);
}

static void a_word_is_told(void **state)
{
    struct error err = ERROR_INIT;
    char *text = told("N1/2", false, &err);

    (void)state;
    assert_string_equal(
        text, "n1/2, half that bandwidth, half:\n"
              "The size at which throughput is half the bandwidth: fixed cost x bandwidth.\n"
              "See iosweep help: fixed cost.\n");
    free(text);
    expect("half-that-bandwidth", "n1/2, half that");
    expect("\302\261", "+-:\nHalf the width"); /* the sign, which some terminals cannot show */
}

/* The text begins with a name, and so does each line after an empty one. */
static void all_words_are_told(void **state)
{
    struct error err = ERROR_INIT;
    char *text = told("words", false, &err);

    (void)state;
    assert_memory_equal(text, "95 % interval, ", 15);
    assert_non_null(strstr(text, "rounds, wide, op_ns_low.\n\nat:\nThe size"));
    assert_non_null(strstr(text, "\n\nwritten, filled:\n"));
    assert_null(strstr(text, "\n\n\n"));
    free(text);
}

static void each_name_has_an_answer(void **state)
{
    const struct help_word *word;
    unsigned count = 0;

    (void)state;
    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names; count++) {
            struct error err = ERROR_INIT;
            char name[WORDS_NAME], *text;
            names = words_take_name(names, name);
            text = told(name, false, &err);
            if (!strstr(text, "See iosweep help: "))
                fail_msg("%s: %s", name, text);
            free(text);
        }
    assert_true(count > 100);
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;

    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* In the names and the descriptions of options, columns and notes. */
static void mentions_are_found(void **state)
{
    static const char heading[] = "Nothing is called KERNEL; it is mentioned here:\n";
    struct error err = ERROR_INIT;
    char *text = told("KERNEL", false, &err);

    (void)state;
    assert_memory_equal(text, heading, strlen(heading));
    assert_int_equal(count_of(text, "Nothing is called"), 1);
    assert_non_null(strstr(text, "\n  cpu_helper_fraction  ")); /* in descriptions */
    assert_non_null(strstr(text, "\n  note read_ahead_seen\n"));
    assert_null(strstr(text, "--dry-run"));
    free(text);
    expect("offsets", "\n      --seed N  ");
    expect("bypass", "\n  -b, --bypass-cache  "); /* in names */
    expect("cpu_user", "\n  cpu_user_ns_per_op  ");
    expect("not_by", "\n  note skipped:not_by_engine\n");
}

static void near_names_are_proposed(void **state)
{
    static const struct {
        const char *word, *advice;
    } rows[] = {
        {"colums", "did you mean iosweep help columns"},
        {"thraeds", "did you mean iosweep help threads"},
        {"comapre", "did you mean iosweep help compare"},
        {"sdtio", "did you mean iosweep help stdio"},
        {"latency_ns_p9x", "did you mean iosweep help latency_ns_p9"},
        {"corelatde", "did you mean iosweep help correlated"},
        {"bandwitdh", "did you mean iosweep help bandwidth"},
        {"zzzzzzzzzz", "iosweep --help shows the topics"},
        {"zx", "iosweep --help shows the topics"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct error err = ERROR_INIT;
        char *text = told(rows[i].word, true, &err);
        assert_string_equal(text, "");
        assert_int_equal(err.status, STATUS_USAGE);
        assert_string_equal(err.object, rows[i].word);
        if (!strstr(err.advice, rows[i].advice))
            fail_msg("%s: %s", rows[i].word, err.advice);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_told),          cmocka_unit_test(all_words_are_told),
        cmocka_unit_test(each_name_has_an_answer), cmocka_unit_test(mentions_are_found),
        cmocka_unit_test(near_names_are_proposed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
