/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_facts.c - what a JSON document says of the run beside its rows.  Nothing of it is needed
 * to read the rows, so what is not as expected is left out. */
#include "base/compat.h"

#include "analysis/results/results_json.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/results/arena.h"
#include "base/mem.h"

#define DEPTH_MAX 8 /* of objects in objects; real ones have 4 */

struct fact_list {
    struct reader *reader;
    struct text_field *fields;
    size_t count, room;
};

/* "a,b" of a list of words or numbers; NULL: it has something else. */
static char *join_words(const json_t *list);

/* One value as text, to free; NULL: null, or more than one value. */
static char *value_text(const json_t *value)
{
    if (json_is_string(value))
        return mem_strdup(json_string_value(value));
    if (json_is_boolean(value))
        return mem_strdup(json_is_true(value) ? "true" : "false");
    if (json_is_integer(value))
        return mem_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_real(value))
        return mem_printf("%.15g", json_real_value(value));
    return json_is_array(value) ? join_words(value) : NULL;
}

static char *join_words(const json_t *list)
{
    char *text = mem_strdup("");
    const json_t *word;
    size_t i;

    json_array_foreach(list, i, word)
    {
        char *one = json_is_array(word) || json_is_null(word) ? NULL : value_text(word);
        char *longer = one ? mem_printf("%s%s%s", text, i > 0 ? "," : "", one) : NULL;
        free(one);
        free(text);
        text = longer;
        if (!text)
            break;
    }
    return text;
}

static void add_fact(struct fact_list *facts, const char *name, const char *text)
{
    facts->fields = mem_grow(facts->fields, &facts->room, facts->count + 1, sizeof(*facts->fields));
    facts->fields[facts->count++] =
        (struct text_field){reader_keep(facts->reader, name), reader_keep(facts->reader, text)};
}

/* All below a value, by their paths. */
static void add_facts(struct fact_list *facts, const char *path, json_t *value, unsigned depth)
{
    char *text = value_text(value), *name;
    const char *key;
    json_t *part;
    size_t i;

    if (text && text[0] != '\0') {
        add_fact(facts, path, text);
    } else if (json_is_object(value) && depth < DEPTH_MAX) {
        json_object_foreach(value, key, part)
        {
            name = mem_printf("%s%s%s", path, path[0] ? "." : "", key);
            add_facts(facts, name, part, depth + 1);
            free(name);
        }
    } else if (!text && json_is_array(value) && depth < DEPTH_MAX) {
        json_array_foreach(value, i, part)
        {
            name = mem_printf("%s.%zu", path, i);
            add_facts(facts, name, part, depth + 1);
            free(name);
        }
    }
    free(text);
}

/* Behind those that are there. */
static void keep_facts(struct reader *reader, const char *path, json_t *value)
{
    struct results *results = reader->results;
    struct fact_list facts = {.reader = reader};
    struct text_field *all;

    add_facts(&facts, path, value, 0);
    all = arena_alloc(reader->arena, (results->fact_count + facts.count + 1) * sizeof(*all));
    if (results->fact_count > 0)
        memcpy(all, results->facts, results->fact_count * sizeof(*all));
    if (facts.count > 0)
        memcpy(all + results->fact_count, facts.fields, facts.count * sizeof(*all));
    results->facts = all;
    results->fact_count += facts.count;
    free(facts.fields);
}

static void keep_findings(struct reader *reader, const json_t *list)
{
    const char **sentences =
        arena_alloc(reader->arena, (json_array_size(list) + 1) * sizeof(*sentences));
    const json_t *sentence;
    size_t i, count = 0;

    json_array_foreach(list, i, sentence)
    {
        if (json_is_string(sentence))
            sentences[count++] = reader_keep(reader, json_string_value(sentence));
    }
    reader->results->findings = sentences;
    reader->results->finding_count = count;
}

/* Of the first document, and of a key that it has more than once: what is kept would be copied as
 * often. */
enum key { KEY_RUN, KEY_FINDINGS, KEY_CHANGED, KEY_LOAD, KEY_PROCESSORS };

static bool is_first(struct reader *reader, enum key key)
{
    const bool first = reader->documents == 0 && !(reader->facts_taken & 1u << key);

    reader->facts_taken |= 1u << key;
    return first;
}

static void take_text(char **text, const json_t *value)
{
    if (!*text && json_is_string(value))
        *text = mem_strdup(json_string_value(value));
}

static void take_run(struct reader *reader, json_t *run)
{
    struct results *results = reader->results;
    const json_t *label = json_object_get(run, "label");

    if (json_is_object(run) && is_first(reader, KEY_RUN))
        keep_facts(reader, "", run);
    take_text(&results->host, json_object_get(json_object_get(run, "host"), "name"));
    take_text(&results->date, json_object_get(run, "date"));
    if (json_is_string(label))
        reader->label = reader_keep(reader, json_string_value(label));
}

void reader_take_facts(struct reader *reader, const char *key, json_t *value)
{
    if (strcmp(key, "iosweep") == 0)
        take_text(&reader->results->version, value);
    else if (strcmp(key, "run") == 0)
        take_run(reader, value);
    else if (strcmp(key, "findings") == 0 && is_first(reader, KEY_FINDINGS))
        keep_findings(reader, value);
    else if (strcmp(key, "changed") == 0 && is_first(reader, KEY_CHANGED))
        keep_facts(reader, key, value);
    else if (strcmp(key, "load1_end") == 0 && is_first(reader, KEY_LOAD))
        keep_facts(reader, key, value);
    else if (strcmp(key, "processors") == 0 && is_first(reader, KEY_PROCESSORS))
        keep_facts(reader, key, value);
}
