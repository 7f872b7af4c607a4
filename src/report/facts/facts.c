/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts of one run, before and after it.  A governor, a scheduler or a limit that changed
 * while rows were measured makes them two measurements, and nothing in the rows tells. */
#include "base/compat.h"

#include "report/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "os/os.h"
#include "report/facts/cards.h"

#define SWAP_MORE_BYTES (UINT64_C(16) << 20) /* less comes and goes on any machine */

void facts_read(const char *root, const char *const *places, unsigned count, struct facts *facts)
{
    facts_free(facts);
    hostinfo_read(root, &facts->host);
    facts->targets = mem_calloc(count + 1, sizeof(*facts->targets));
    for (unsigned i = 0; i < count; i++)
        targetinfo_read(root, places[i], &facts->targets[i]);
    facts->count = count;
    facts->read = true;
}

void facts_free(struct facts *facts)
{
    for (unsigned i = 0; i < facts->count; i++)
        targetinfo_free(&facts->targets[i]);
    free(facts->targets);
    facts_free_hosts(facts);
    *facts = (struct facts){.count = 0};
}

void facts_ensure(struct facts *facts, const struct target *const *targets, unsigned count)
{
    const char **places;

    if (facts->read)
        return;
    places = mem_calloc(count + 1, sizeof(*places));
    for (unsigned i = 0; i < count; i++)
        places[i] = targets[i]->place;
    facts_read("", places, count, facts);
    free(places);
}

void facts_list_libraries(char *text, size_t size)
{
    const char *library;

    os_libc_name(text, size);
    for (const struct engine *const *e = engine_table; *e; e++)
        if ((*e)->library && (library = (*e)->library()) != NULL &&
            !strstr(text, library)) /* two engines by one library */
            text_add(text, size, ", ", "%s", library);
}

/* --- comparing --- */

struct changes {
    struct facts_change *list;
    unsigned count, most;
};

static void add_change(struct changes *changes, const char *what, const char *before,
                       const char *after)
{
    struct facts_change *change;

    for (unsigned i = 0; i < changes->count; i++) /* two targets on one device */
        if (strcmp(changes->list[i].what, what) == 0)
            return;
    if (changes->count == changes->most)
        return;
    change = &changes->list[changes->count++];
    text_copy(change->what, sizeof(change->what), what);
    text_copy(change->before, sizeof(change->before), before);
    text_copy(change->after, sizeof(change->after), after);
}

/* A text that is known both times. */
static void compare_texts(struct changes *changes, const char *what, const char *object,
                          const char *before, const char *after)
{
    char name[320];

    if (before[0] == '\0' || after[0] == '\0' || strcmp(before, after) == 0)
        return;
    snprintf(name, sizeof(name), "%s%s%.256s", what, object ? " of " : "", object ? object : "");
    add_change(changes, name, before, after);
}

static void compare_counts(struct changes *changes, const char *what, const char *object,
                           uint64_t before, uint64_t after)
{
    char first[32], second[32];

    if (before == 0 || after == 0)
        return;
    snprintf(first, sizeof(first), "%llu", (unsigned long long)before);
    snprintf(second, sizeof(second), "%llu", (unsigned long long)after);
    compare_texts(changes, what, object, first, second);
}

static void format_quota(double cpus, char *text, size_t size)
{
    if (cpus > 0)
        snprintf(text, size, "%.2f processors", cpus);
    else
        snprintf(text, size, "none");
}

static void compare_hosts(struct changes *changes, const struct hostinfo *before,
                          const struct hostinfo *after)
{
    char first[UNITS_TEXT], second[UNITS_TEXT];

    compare_texts(changes, "governor", NULL, before->governor, after->governor);
    compare_texts(changes, "clock source", NULL, before->clock_source, after->clock_source);
    compare_counts(changes, "processors online", NULL, before->cpus, after->cpus);
    compare_counts(changes, "processors allowed", NULL, before->cpus_allowed, after->cpus_allowed);
    format_quota(before->cpus_quota, first, sizeof(first));
    format_quota(after->cpus_quota, second, sizeof(second));
    compare_texts(changes, "CPU limit", NULL, first, second);
    if (after->swap_used_bytes >= before->swap_used_bytes + SWAP_MORE_BYTES)
        add_change(changes, "swap in use",
                   units_format_bytes((double)before->swap_used_bytes, first),
                   units_format_bytes((double)after->swap_used_bytes, second));
}

void facts_missing_options(const char *options, const char *other, char *text, size_t size)
{
    text[0] = '\0';
    while (options[0] != '\0') {
        const size_t length = strcspn(options, ",");
        bool found = strncmp(options, "clientaddr=", strlen("clientaddr=")) == 0;
        for (const char *at = other; !found && at[0] != '\0';) {
            const size_t there = strcspn(at, ",");
            found = there == length && strncmp(at, options, length) == 0;
            at += there + (at[there] == ',');
        }
        if (!found)
            text_add(text, size, ",", "%.*s", (int)length, options);
        options += length + (options[length] == ',');
    }
}

static void compare_targets(struct changes *changes, const struct targetinfo *before,
                            const struct targetinfo *after)
{
    char first[256], second[256], name[320];
    const char *device = before->device;

    if (before->present && !after->present) {
        snprintf(name, sizeof(name), "device %.256s", device);
        add_change(changes, name, "present", "gone");
        return;
    }
    compare_texts(changes, "file system", before->mount_point, before->filesystem,
                  after->filesystem);
    compare_texts(changes, "device", before->mount_point, before->device, after->device);
    facts_missing_options(before->mount_options, after->mount_options, first, sizeof(first));
    facts_missing_options(after->mount_options, before->mount_options, second, sizeof(second));
    if (before->mount_options[0] != '\0' && after->mount_options[0] != '\0' &&
        (first[0] != '\0' || second[0] != '\0')) {
        snprintf(name, sizeof(name), "mount options of %.256s", before->mount_point);
        add_change(changes, name, first[0] != '\0' ? first : "none",
                   second[0] != '\0' ? second : "none");
    }
    compare_texts(changes, "scheduler", device, before->scheduler, after->scheduler);
    compare_counts(changes, "queue depth", device, before->queue_depth, after->queue_depth);
    compare_texts(changes, "write cache", device, before->write_cache, after->write_cache);
    compare_texts(changes, "limits", device, before->io_limits, after->io_limits);
}

unsigned facts_compare_now(const char *root, const struct facts *before,
                           const struct run_info *info, struct facts_change *changes, double *load1)
{
    struct facts now = {.count = 0};
    struct changes found = {.list = changes, .most = FACTS_CHANGES};

    hostinfo_read(root, &now.host);
    if (info->settings->pin) /* this thread: not a limit from outside */
        now.host.cpus_allowed = before->host.cpus_allowed;
    now.targets = mem_calloc(before->count + 1, sizeof(*now.targets));
    now.count = before->count;
    for (unsigned i = 0; i < before->count; i++)
        targetinfo_read_again(root, &before->targets[i], &now.targets[i]);
    compare_hosts(&found, &before->host, &now.host);
    for (unsigned i = 0; i < before->count; i++)
        compare_targets(&found, &before->targets[i], &now.targets[i]);
    *load1 = now.host.load1;
    facts_free(&now);
    return found.count;
}
