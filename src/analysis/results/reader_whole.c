/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reader_whole.c - all that a file has of a row, for those who add rows up: columns by their names,
 * whoever knows them, the histogram, and what each thread did. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/results/arena.h"
#include "analysis/results/reader.h"
#include "base/mem.h"

#define THREADS_MAX ((size_t)1 << 20) /* of a row */

struct reader_whole { /* of the row that is being read */
    struct results_whole now;
    size_t value_room, bucket_room, thread_room;
};

struct reader_whole *reader_whole_new(void)
{
    return mem_calloc(1, sizeof(struct reader_whole));
}

void reader_whole_free(struct reader_whole *whole)
{
    if (!whole)
        return;
    free(whole->now.values);
    free(whole->now.buckets);
    free(whole->now.threads);
    free(whole);
}

void reader_add_value(struct reader *reader, const char *name, const char *text, double number)
{
    struct reader_whole *whole = reader->whole;

    if (!whole)
        return;
    whole->now.values = mem_grow(whole->now.values, &whole->value_room, whole->now.value_count + 1,
                                 sizeof(*whole->now.values));
    whole->now.values[whole->now.value_count++] =
        (struct results_value){.name = reader_keep(reader, name),
                               .text = text ? reader_keep(reader, text) : NULL,
                               .number = number};
}

void reader_add_bucket(struct reader *reader, uint64_t lower_ns, uint64_t count)
{
    struct reader_whole *whole = reader->whole;

    if (!whole)
        return;
    whole->now.buckets = mem_grow(whole->now.buckets, &whole->bucket_room,
                                  whole->now.bucket_count + 1, sizeof(*whole->now.buckets));
    whole->now.buckets[whole->now.bucket_count++] = (struct results_bucket){lower_ns, count};
}

struct results_thread *reader_thread(struct reader *reader, uint64_t index)
{
    struct reader_whole *whole = reader->whole;

    if (!whole || index >= THREADS_MAX)
        return NULL;
    whole->now.threads = mem_grow(whole->now.threads, &whole->thread_room, (size_t)index + 1,
                                  sizeof(*whole->now.threads));
    for (; whole->now.thread_count <= index; whole->now.thread_count++)
        whole->now.threads[whole->now.thread_count] = (struct results_thread){.time_s = 0};
    return &whole->now.threads[index];
}

void reader_whole_begin(struct reader *reader)
{
    if (reader->whole)
        reader->whole->now.value_count = reader->whole->now.bucket_count =
            reader->whole->now.thread_count = 0;
}

static void *keep(struct reader *reader, const void *items, size_t bytes)
{
    return bytes ? memcpy(arena_alloc(reader->arena, bytes), items, bytes) : NULL;
}

void reader_whole_end(struct reader *reader, struct results_row *row)
{
    const struct results_whole *now;
    struct results_whole *kept;

    if (!reader->whole)
        return;
    now = &reader->whole->now;
    kept = arena_alloc(reader->arena, sizeof(*kept));
    *kept = *now;
    kept->values = keep(reader, now->values, now->value_count * sizeof(*now->values));
    kept->buckets = keep(reader, now->buckets, now->bucket_count * sizeof(*now->buckets));
    kept->threads = keep(reader, now->threads, now->thread_count * sizeof(*now->threads));
    row->whole = kept;
}
