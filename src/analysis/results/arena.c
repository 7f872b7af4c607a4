/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* arena.c - blocks cut from chunks, and a hash table (open addressing, at most half full) of the
 * texts that were kept. */
#include "base/compat.h"

#include "analysis/results/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define CHUNK_BYTES ((size_t)32 << 10)
#define ALIGN_BYTES ((size_t)16)

struct chunk {
    struct chunk *next;
    size_t used, room;
    /* the bytes follow, aligned */
};

struct arena {
    struct chunk *chunks; /* the first one is being filled */
    const char **kept;
    size_t kept_count, kept_room; /* room: a power of two, or 0 */
};

#define HEAD_BYTES ((sizeof(struct chunk) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES)

struct arena *arena_new(void)
{
    return mem_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    while (arena->chunks) {
        struct chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    free(arena->kept);
    free(arena);
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    struct chunk *chunk = arena->chunks;
    void *block;

    bytes = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    if (!chunk || chunk->room - chunk->used < bytes) {
        const size_t room = bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES;
        chunk = mem_realloc_array(NULL, HEAD_BYTES + room, 1);
        *chunk = (struct chunk){.room = room};
        /* a block with a chunk of its own does not end the one that is being filled */
        if (room == bytes && arena->chunks) {
            chunk->next = arena->chunks->next;
            arena->chunks->next = chunk;
        } else {
            chunk->next = arena->chunks;
            arena->chunks = chunk;
        }
    }
    block = (char *)chunk + HEAD_BYTES + chunk->used;
    chunk->used += bytes;
    return block;
}

/* The place of the text, or the free one where it belongs. */
static size_t find_place(const struct arena *arena, const char *text)
{
    const uint64_t hash = text_hash(text);
    size_t i = (size_t)(hash ^ (hash >> 32)) & (arena->kept_room - 1);
    while (arena->kept[i] && strcmp(arena->kept[i], text) != 0)
        i = (i + 1) & (arena->kept_room - 1);
    return i;
}

static void grow_table(struct arena *arena)
{
    const char **old = arena->kept;
    const size_t old_room = arena->kept_room;

    arena->kept_room = old_room > 0 ? 2 * old_room : 64;
    arena->kept = mem_calloc(arena->kept_room, sizeof(*arena->kept));
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            arena->kept[find_place(arena, old[i])] = old[i];
    free(old);
}

const char *arena_keep(struct arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    size_t place;

    if (2 * (arena->kept_count + 1) > arena->kept_room)
        grow_table(arena);
    place = find_place(arena, text);
    if (!arena->kept[place]) {
        arena->kept[place] = memcpy(arena_alloc(arena, bytes), text, bytes);
        arena->kept_count++;
    }
    return arena->kept[place];
}
