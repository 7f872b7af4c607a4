/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_facts.c - the part of the JSON document that is not measured: machine and targets. Unknown
 * facts are null. */
#include "base/compat.h"

#include "report/formats/json_write.h"

#include <string.h>

/* Writes words joined by ", " as an array. */
static void put_words(struct json *json, const char *key, char *text)
{
    char *rest = NULL;

    open_group(json, key, '[');
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        put_text(json, NULL, word + strspn(word, " "));
    close_group(json, ']');
}

void json_put_facts(struct json *json, const struct fact *fact, const void *base, enum fact_use use)
{
    for (; fact->member; fact++) {
        const void *field = (const char *)base + fact->offset;
        const bool zero = use == IN_HEAD && fact->use & ALSO_ZERO;

        if (!(fact->use & use))
            continue;
        switch (fact->type) {
        case FACT_TEXT:
        case FACT_OPTIONS:
            put_fact(json, fact->member, field);
            break;
        case FACT_COUNT:
            put_known(json, fact->member, zero || *(const unsigned *)field > 0,
                      *(const unsigned *)field);
            break;
        case FACT_QUOTA:
            put_real(json, fact->member, *(const double *)field > 0 ? *(const double *)field : NAN,
                     3);
            break;
        case FACT_LOAD:
            put_real(json, fact->member, *(const double *)field >= 0 ? *(const double *)field : NAN,
                     2);
            break;
        case FACT_MEMORY:
        case FACT_SIZE:
            put_known(json, fact->member, zero || *(const uint64_t *)field > 0,
                      *(const uint64_t *)field);
            break;
        case FACT_TURNS:
            if (*(const int *)field < 0)
                put_fact(json, fact->member, NULL);
            else
                put_bool(json, fact->member, *(const int *)field > 0);
            break;
        }
    }
}

void json_put_host(struct json *json, const struct hostinfo *host)
{
    char libraries[FACTS_LIBRARIES];

    open_group(json, "host", '{');
    json_put_facts(json, facts_of_host, host, IN_HEAD);
    close_group(json, '}');
    facts_list_libraries(libraries, sizeof(libraries));
    put_words(json, "libraries", libraries);
    put_fact(json, "date", host->date);
}

/* Writes how existing files are stored; null for created or inaccessible ones. */
static void put_extents(struct json *json, const struct extents *extents)
{
    if (extents->files == 0) {
        put_fact(json, "extents", NULL);
        return;
    }
    open_group(json, "extents", '{');
    put_count(json, "files", extents->files);
    put_count(json, "bytes", extents->bytes);
    put_known(json, "data_bytes", !extents->unknown_holes, extents->data_bytes);
    put_known(json, "hole_bytes", !extents->unknown_holes, extents->hole_bytes);
    put_known(json, "unwritten_bytes", !extents->unknown_extents, extents->unwritten_bytes);
    put_known(json, "shared_bytes", !extents->unknown_extents, extents->shared_bytes);
    put_known(json, "compressed_bytes", !extents->unknown_extents, extents->encoded_bytes);
    put_known(json, "encrypted_bytes", !extents->unknown_extents, extents->encrypted_bytes);
    put_known(json, "inline_bytes", !extents->unknown_extents, extents->inline_bytes);
    put_known(json, "extents", !extents->unknown_extents, extents->extent_count);
    put_bool(json, "complete", !extents->cut);
    close_group(json, '}');
}

void json_put_target(struct json *json, const struct target *target, const struct targetinfo *facts)
{
    open_group(json, NULL, '{');
    put_text(json, "target", target->label);
    put_fact(json, "place", target->place);
    put_fact(json, "description", target->description);
    put_count(json, "objects", target->object_count);
    put_count(json, "total_bytes", target->total_bytes);
    put_bool(json, "own_files", target->ours);
    put_bool(json, "in_memory", target->in_memory);
    put_known(json, "direct_align_bytes", target->direct_align_bytes > 0,
              target->direct_align_bytes);
    json_put_facts(json, facts_of_target, facts, IN_HEAD);
    if (facts->block_bytes > 0) {
        put_count(json, "block_bytes", facts->block_bytes);
        put_count(json, "free_bytes", facts->free_bytes);
    }
    put_fact(json, "network_options", target->network_options);
    put_extents(json, &target->extents);
    put_text(json, "notes", target->notes);
    close_group(json, '}');
}

/* Writes a share; negative: unknown. */
static void put_share(struct json *json, const char *key, double share)
{
    put_real(json, key, share >= 0 ? share * 100 : NAN, 1);
}

/* Writes processor usage while rows were measured. */
static void put_processors(struct json *json, const struct run_use *use)
{
    if (!use || use->shares.count == 0) {
        put_fact(json, "processors", NULL);
        return;
    }
    open_group(json, "processors", '{');
    put_count(json, "count", use->shares.count);
    put_share(json, "own_percent", use->shares.own);
    put_share(json, "others_percent", use->shares.others);
    put_share(json, "others_percent_most", use->others_most);
    put_share(json, "kernel_percent", use->shares.kernel);
    put_share(json, "steal_percent", use->shares.steal);
    put_share(json, "cpu_pressure_percent", use->shares.cpu_waits);
    put_share(json, "io_pressure_percent", use->shares.io_waits);
    close_group(json, '}');
}

void json_put_use(struct json *json)
{
    struct hostinfo now;

    hostinfo_read("", &now);
    put_real(json, "load1_end", now.load1 >= 0 ? now.load1 : NAN, 2);
    put_processors(json, json->context.info->use);
}
