/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_words.c - what was measured, in words, and the notes of all rows with what they mean. */
#include "base/compat.h"

#include "analysis/report/report_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_notes.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

#define NOTES_MOST 100 /* a reader looks for a handful */
#define WORDS_MAX  6   /* of a list in a sentence; more are counted */

/* --- lists of different words --------------------------------------------------------------- */

struct word_list {
    const char *word[WORDS_MAX];
    size_t count; /* also of those that there was no room for */
};

static void add_word(struct word_list *words, const char *word)
{
    for (size_t i = 0; i < words->count && i < WORDS_MAX; i++)
        if (strcmp(words->word[i], word) == 0)
            return;
    if (word[0] == '\0')
        return;
    if (words->count < WORDS_MAX)
        words->word[words->count] = word;
    words->count++;
}

/* "read, write and stat"; "/a, /b and others". */
static void put_words(char *text, size_t size, const struct word_list *words)
{
    const size_t shown = words->count < WORDS_MAX ? words->count : WORDS_MAX;

    for (size_t i = 0; i < shown; i++)
        text_add(text, size, "", "%s%s",
                 i == 0                                    ? ""
                 : i + 1 == shown && words->count == shown ? " and "
                                                           : ", ",
                 words->word[i]);
    if (words->count > shown)
        text_add(text, size, "", " and others");
}

/* --- title and about ------------------------------------------------------------------------ */

struct measured { /* what there is in all files */
    struct word_list tests, targets, engines, hosts;
    uint64_t least_bytes, most_bytes;
    uint64_t ranks_least, ranks; /* of a row, and of that with the most */
    bool cached, uncached, direct;
};

/* What "." was, when the file tells: the directory that that of the run was made in. */
static const char *current_directory(const struct report *report, const struct results *results)
{
    const char *place = report_target_fact(results, ".", "place");
    const bool own = strcmp(report_target_fact(results, ".", "own_files"), "true") == 0;
    const char *end = own ? strrchr(place, '/') : NULL;

    char *text;
    const char *kept;

    if (place[0] != '/')
        return "the current directory";
    if (!end || end == place)
        return place;
    text = mem_printf("%.*s", (int)(end - place), place);
    kept = arena_keep(report->pool, text);
    free(text);
    return kept;
}

static void look_at(struct measured *all, const struct results_curve *curve, const char *current)
{
    const struct results_row *row = curve->rows[0];
    const uint64_t least = row->size_bytes, most = curve->rows[curve->count - 1]->size_bytes;

    add_word(&all->tests, row->test);
    add_word(&all->targets, strcmp(row->target, ".") == 0 ? current : row->target);
    add_word(&all->engines, row->engine);
    add_word(&all->hosts, curve->file->host);
    all->least_bytes = all->least_bytes == 0 || least < all->least_bytes ? least : all->least_bytes;
    all->most_bytes = most > all->most_bytes ? most : all->most_bytes;
    if (all->ranks_least == 0 || row->ranks < all->ranks_least)
        all->ranks_least = row->ranks;
    all->ranks = row->ranks > all->ranks ? row->ranks : all->ranks;
    all->cached = all->cached || strcmp(row->cache, "cached") == 0;
    all->uncached = all->uncached || strcmp(row->cache, "uncached") == 0;
    all->direct = all->direct || strcmp(row->cache, "direct") == 0;
}

static void put_caches(char *text, size_t size, const struct measured *all)
{
    struct word_list caches = {.count = 0};

    if (all->cached)
        add_word(&caches, "in the page cache (cached), which is not the device");
    if (all->direct)
        add_word(&caches, "on the device with O_DIRECT (direct)");
    if (all->uncached)
        add_word(&caches, "with the page cache emptied before each round (uncached)");
    if (caches.count == 0)
        return;
    text_add(text, size, "", ", ");
    put_words(text, size, &caches);
}

void report_make_words(struct report *report)
{
    struct measured all = {.least_bytes = 0};
    char text[4096] = "", least[UNITS_TEXT], most[UNITS_TEXT];

    for (size_t i = 0; i < report->curve_count; i++)
        look_at(&all, &report->curves[i], current_directory(report, report->curves[i].file));
    put_words(text, sizeof(text), &all.tests);
    if (text[0] == '\0')
        text_add(text, sizeof(text), "", "I/O");
    if (all.targets.count > 0)
        text_add(text, sizeof(text), "", " on ");
    put_words(text, sizeof(text), &all.targets);
    report->title = arena_keep(report->pool, text);

    text[0] = '\0';
    units_format_size(all.least_bytes, least);
    units_format_size(all.most_bytes, most);
    text_add(text, sizeof(text), "", "Operations of %s", least);
    if (all.most_bytes > all.least_bytes)
        text_add(text, sizeof(text), "", " to %s", most);
    if (all.engines.count > 0)
        text_add(text, sizeof(text), "", " by engine ");
    put_words(text, sizeof(text), &all.engines);
    put_caches(text, sizeof(text), &all);
    if (all.hosts.count > 0)
        text_add(text, sizeof(text), "", "; measured on host ");
    put_words(text, sizeof(text), &all.hosts);
    if (all.ranks > 1)
        text_add(text, sizeof(text), "", "%s by %s%" PRIu64 " ranks together",
                 all.hosts.count > 0 ? "," : "; measured",
                 all.ranks_least < all.ranks ? "up to " : "", all.ranks);
    text_add(text, sizeof(text), "", ".");
    report->about = arena_keep(report->pool, text);
}

/* --- notes ---------------------------------------------------------------------------------- */

struct noted {         /* while they are gathered */
    const char *whole; /* the word, also a long one */
    struct report_note note;
    size_t weight;
    uint64_t least_bytes, most_bytes;
};

struct noted_list {
    struct noted *all;
    size_t count, room;
};

static bool is_word(const char *known, const char *word, size_t length)
{
    return strncmp(known, word, length) == 0 && known[length] == '\0';
}

/* Beyond NOTES_MOST only of a meaning that no other has: most words differ in numbers alone. */
static bool has_room(const struct noted_list *list, const struct report_meaning *meaning)
{
    if (list->count < NOTES_MOST || !meaning)
        return list->count < NOTES_MOST;
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].note.meaning == meaning->meaning)
            return false;
    return true;
}

static bool begin_note(struct report *report, struct noted_list *list, const char *word,
                       size_t length, uint64_t size_bytes)
{
    size_t weight;
    const struct report_meaning *meaning = report_meaning(word, length, &weight);
    char *whole, text[REPORT_NAME_TEXT];

    if (!has_room(list, meaning))
        return false;
    whole = mem_printf("%.*s", (int)length, word);
    list->all = mem_grow(list->all, &list->room, list->count + 1, sizeof(*list->all));
    list->all[list->count++] = (struct noted){
        .whole = arena_keep(report->pool, whole),
        .weight = weight,
        .least_bytes = size_bytes,
        .most_bytes = size_bytes,
        .note = {.word = arena_keep(report->pool, report_short_name(whole, text)),
                 .meaning = meaning ? meaning->meaning : "",
                 .advice = meaning ? meaning->advice : ""},
    };
    free(whole);
    return true;
}

static void add_note(struct report *report, struct noted_list *list, const char *word,
                     size_t length, uint64_t size_bytes)
{
    size_t i = 0;

    while (i < list->count && !is_word(list->all[i].whole, word, length))
        i++;
    if (i == list->count && !begin_note(report, list, word, length, size_bytes)) {
        report->notes_left_out++;
        return;
    }
    list->all[i].note.rows++;
    if (size_bytes < list->all[i].least_bytes)
        list->all[i].least_bytes = size_bytes;
    if (size_bytes > list->all[i].most_bytes)
        list->all[i].most_bytes = size_bytes;
}

static int compare_noted(const void *a, const void *b)
{
    const struct noted *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return strcmp(x->note.word, y->note.word);
}

static void take_notes(struct report *report, struct noted_list *list,
                       const struct results_row *row)
{
    for (const char *word = row->notes; *word != '\0';) {
        const size_t length = strcspn(word, ";");
        if (length > 0)
            add_note(report, list, word, length, row->size_bytes);
        word += length + (word[length] == ';');
    }
}

void report_make_notes(struct report *report)
{
    struct noted_list list = {.count = 0};

    for (size_t f = 0; f < report->file_count; f++)
        for (size_t i = 0; i < report->files[f].results.count; i++) /* series have no notes */
            take_notes(report, &list, &report->files[f].results.rows[i]);
    if (list.count > 0)
        qsort(list.all, list.count, sizeof(*list.all), compare_noted);
    report->notes = arena_alloc(report->pool, (list.count + 1) * sizeof(*report->notes));
    for (size_t i = 0; i < list.count; i++) {
        char text[2 * UNITS_TEXT + 8] = "", size[UNITS_TEXT];
        const struct noted *noted = &list.all[i];
        text_add(text, sizeof(text), "", "%s", units_format_size(noted->least_bytes, size));
        if (noted->most_bytes > noted->least_bytes)
            text_add(text, sizeof(text), "", " to %s", units_format_size(noted->most_bytes, size));
        report->notes[i] = noted->note;
        report->notes[i].sizes = arena_keep(report->pool, text);
    }
    report->note_count = list.count;
    free(list.all);
}
