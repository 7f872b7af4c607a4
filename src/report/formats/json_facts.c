/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_facts.c - the part of the JSON document that does not come from measuring: machine and
 * targets.  What could not be found out is null. */
#include "base/compat.h"

#include "report/formats/json_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A text of words joined by ", " as an array. */
static void put_words(struct json *json, const char *key, char *text)
{
    char *rest = NULL;

    open_group(json, key, '[');
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        put_text(json, NULL, word + strspn(word, " "));
    close_group(json, ']');
}

void json_put_host(struct json *json, const struct hostinfo *host)
{
    char libraries[FACTS_LIBRARIES];

    open_group(json, "host", '{');
    put_fact(json, "name", host->host);
    put_fact(json, "kernel", host->kernel);
    put_fact(json, "machine", host->machine);
    put_fact(json, "cpu", host->cpu);
    put_count(json, "cpus", host->cpus);
    put_known(json, "cpus_allowed", host->cpus_allowed > 0, host->cpus_allowed);
    put_real(json, "cpus_quota", host->cpus_quota > 0 ? host->cpus_quota : NAN, 3);
    put_fact(json, "governor", host->governor);
    put_fact(json, "virtualization", host->virtualization);
    put_count(json, "memory_bytes", host->memory_bytes);
    put_count(json, "swap_bytes", host->swap_bytes);
    put_count(json, "swap_used_bytes", host->swap_used_bytes);
    put_count(json, "page_bytes", host->page_bytes);
    put_real(json, "load1", host->load1 >= 0 ? host->load1 : NAN, 2);
    put_fact(json, "clock_source", host->clock_source);
    close_group(json, '}');
    facts_list_libraries(libraries, sizeof(libraries));
    put_words(json, "libraries", libraries);
    put_fact(json, "date", host->date);
}

/* How the files that exist are stored; null for what is made or cannot be looked at. */
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

/* The file system and the device below it. */
static void put_storage(struct json *json, const struct targetinfo *facts)
{
    put_fact(json, "filesystem", facts->filesystem);
    put_fact(json, "mount_point", facts->mount_point);
    put_fact(json, "mount_options", facts->mount_options);
    put_fact(json, "device", facts->device);
    put_fact(json, "below", facts->below);
    put_fact(json, "model", facts->model);
    if (facts->rotational < 0)
        put_fact(json, "rotational", NULL);
    else
        put_bool(json, "rotational", facts->rotational > 0);
    put_fact(json, "scheduler", facts->scheduler);
    put_known(json, "queue_depth", facts->queue_depth > 0, facts->queue_depth);
    put_fact(json, "write_cache", facts->write_cache);
    put_known(json, "logical_block_bytes", facts->logical_block_bytes > 0,
              facts->logical_block_bytes);
    put_known(json, "physical_block_bytes", facts->physical_block_bytes > 0,
              facts->physical_block_bytes);
    put_fact(json, "io_limits", facts->io_limits);
    if (facts->block_bytes > 0) {
        put_count(json, "block_bytes", facts->block_bytes);
        put_count(json, "free_bytes", facts->free_bytes);
    }
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
    put_storage(json, facts);
    put_fact(json, "network_options", target->network_options);
    put_extents(json, &target->extents);
    put_text(json, "notes", target->notes);
    close_group(json, '}');
}

/* A negative share is not known. */
static void put_share(struct json *json, const char *key, double share)
{
    put_real(json, key, share >= 0 ? share * 100 : NAN, 1);
}

/* What the processors did while rows were measured. */
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

void json_put_changes(struct json *json)
{
    struct facts_change *changes = mem_calloc(FACTS_CHANGES, sizeof(*changes));
    double load1;
    const unsigned count = facts_compare_now("", json->facts, json->context.info, changes, &load1);

    put_real(json, "load1_end", load1 >= 0 ? load1 : NAN, 2);
    put_processors(json, json->context.info->use);
    open_group(json, "changed", '[');
    for (unsigned i = 0; i < count; i++) {
        open_group(json, NULL, '{');
        put_text(json, "what", changes[i].what);
        put_text(json, "before", changes[i].before);
        put_text(json, "after", changes[i].after);
        close_group(json, '}');
    }
    close_group(json, ']');
    free(changes);
}
