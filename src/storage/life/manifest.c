/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.c - the text of a manifest; see the header for why it must match byte by byte.
 *
 *     iosweep manifest 3
 *     storage=file                              or the protocol of a store
 *     run=NAME
 *     owner=0123456789abcdef
 *     begun=1795316400                          seconds since 1970
 *     state=running 0123456789abcdef 4242 815   host, process, its start; or: state=ended
 *     parts=8388608                             only with --part-size: longer objects have parts
 *     threads=4                                 only with tests that create names of files
 *     sizes=512,4096                            only of files: the sizes of operations
 *     seed=1
 *     sets=2
 *     set=whole 65536 64 49 pattern             kind, bytes, objects, complete objects, content
 *     set=tree 4194304 64 64 initial 3 4        and of a tree: levels, width */
#include "base/compat.h"

#include "storage/life/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "storage/fresh.h"

#define FIRST_LINE "iosweep manifest 3\n"
#define HEX_DIGITS 16
#define WORD_MAX   72u

#define REMOVED_BYTES (UINT64_C(64) << 20) /* row size for removing longer files */

static const char *const kind_words[LIFE_FOUND] = {
    [LIFE_WHOLE] = "whole",   [LIFE_RANGED] = "ranged", [LIFE_APPEND] = "append",
    [LIFE_RENAME] = "rename", [LIFE_DELETE] = "delete", [LIFE_CREATE] = "create",
    [LIFE_COPY] = "copy",     [LIFE_XATTR] = "xattr",   [LIFE_OMAP] = "omap",
    [LIFE_TREE] = "tree",
};

static const char *const content_words[LIFE_CONTENTS] = {
    [LIFE_PATTERN] = "pattern", [LIFE_INITIAL] = "initial", [LIFE_PIECES] = "pieces",
    [LIFE_DIVIDED] = "divided", [LIFE_WRITTEN] = "written",
};

/* ---- sets ---- */

bool life_kind_counted(enum life_kind kind)
{
    return kind != LIFE_RENAME && kind != LIFE_DELETE && kind != LIFE_CREATE && kind != LIFE_COPY;
}

const char *life_kind_word(enum life_kind kind)
{
    return kind_words[kind];
}

int life_set_order(const void *set, const void *other)
{
    const struct life_set *a = set, *b = other;

    if (a->size_bytes != b->size_bytes)
        return a->size_bytes < b->size_bytes ? 1 : -1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

uint32_t life_tree_files(const struct life_set *set)
{
    uint64_t files = 1;

    if ((set->levels == 0) != (set->width == 0) || set->levels > LIFE_LEVELS_MAX)
        return 0;
    for (uint64_t level = 0; level < set->levels; level++) {
        if (set->width > LIFE_OBJECTS_MAX / files)
            return 0;
        files *= set->width;
    }
    return set->size_bytes > 0 && set->size_bytes <= (uint64_t)INT64_MAX / files ? (uint32_t)files
                                                                                 : 0;
}

/* Objects of tests that move or remove do not persist; --file-size sets the length of files. */
static uint64_t size_of(const struct life_set *set, bool removes)
{
    if (set->kind == LIFE_TREE)
        return !removes ? 0 : set->size_bytes < REMOVED_BYTES ? set->size_bytes : REMOVED_BYTES;
    return removes || (set->kind != LIFE_RENAME && set->kind != LIFE_DELETE) ? set->size_bytes : 0;
}

size_t life_sizes(const struct life_manifest *manifest, bool removes, uint64_t **size_bytes)
{
    size_t count = removes ? 0 : manifest->size_count;

    *size_bytes = mem_calloc(manifest->set_count + count + 1, sizeof(**size_bytes));
    memcpy(*size_bytes, manifest->sizes_bytes, count * sizeof(**size_bytes));
    for (unsigned i = manifest->set_count; i-- > 0;) { /* shortest first */
        const uint64_t size = size_of(&manifest->set[i], removes);

        if (size > 0 && (count == 0 || (*size_bytes)[count - 1] != size))
            (*size_bytes)[count++] = size;
    }
    return count;
}

/* Files form a tree, objects do not. */
static bool is_valid(const struct life_set *set, bool files)
{
    return set->size_bytes > 0 && set->size_bytes <= INT64_MAX &&
           (files ? set->kind == LIFE_TREE && set->count == life_tree_files(set)
                  : set->kind != LIFE_TREE && set->levels == 0 && set->width == 0) &&
           (set->count > 0) == life_kind_counted(set->kind) &&
           (set->made <= set->count || set->kind == LIFE_CREATE || set->kind == LIFE_COPY);
}

const char *life_sets_fault(const struct life_manifest *manifest)
{
    const bool files = strcmp(manifest->storage, LIFE_FILES) == 0;
    uint64_t objects = 0;
    unsigned unsized = 0; /* sets whose names contain no size: one at most */

    if (manifest->set_count == 0 || manifest->set_count > LIFE_SETS_MAX)
        return "number of sets";
    for (unsigned i = 0; i < manifest->set_count; i++) {
        const struct life_set *set = &manifest->set[i];
        unsized += set->kind == LIFE_RANGED || set->kind == LIFE_TREE;
        if (!is_valid(set, files) || unsized > 1 || (i > 0 && life_set_order(set - 1, set) >= 0))
            return "a set";
        objects += set->count > 0 ? set->count : 1;
    }
    return objects > LIFE_OBJECTS_MAX ? "number of objects" : NULL;
}

void life_manifest_free(struct life_manifest *manifest)
{
    free(manifest->set);
    manifest->set = NULL;
    manifest->set_count = 0;
}

/* ---- writing ---- */

char *life_manifest_format(const struct life_manifest *manifest)
{
    const struct life_state *state = &manifest->state;
    char *text = mem_printf(FIRST_LINE "storage=%s\nrun=%s\nowner=%0*" PRIx64 "\nbegun=%" PRId64
                                       "\nstate=%s",
                            manifest->storage, manifest->run_name, HEX_DIGITS, state->owner,
                            state->begun_s, state->running ? "running" : "ended");

    if (state->running)
        mem_append(&text, " %0*" PRIx64 " %" PRIu64 " %" PRIu64, HEX_DIGITS, state->process.host,
                   state->process.pid, state->process.start);
    if (manifest->part_bytes > 0)
        mem_append(&text, "\nparts=%" PRIu64, manifest->part_bytes);
    if (manifest->threads > 0)
        mem_append(&text, "\nthreads=%" PRIu64, manifest->threads);
    for (unsigned i = 0; i < manifest->size_count; i++)
        mem_append(&text, "%s%" PRIu64, i == 0 ? "\nsizes=" : ",", manifest->sizes_bytes[i]);
    mem_append(&text, "\nseed=%" PRIu64 "\nsets=%u", manifest->seed, manifest->set_count);
    for (const struct life_set *set = manifest->set; set < manifest->set + manifest->set_count;
         set++) {
        mem_append(&text, "\nset=%s %" PRIu64 " %" PRIu32 " %" PRIu32 " %s", kind_words[set->kind],
                   set->size_bytes, set->count, set->made, content_words[set->content]);
        if (set->kind == LIFE_TREE)
            mem_append(&text, " %" PRIu64 " %" PRIu64, set->levels, set->width);
    }
    mem_append(&text, "\n");
    return text;
}

/* ---- reading: parsed text is removed from the front of *at ----
 *
 * The spelling of values is checked by comparison with the text that would be written. */

static bool take(const char **at, const char *text)
{
    const size_t length = strlen(text);

    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* The word before the next blank or the end of the line, at most `room` - 1 bytes. */
static bool take_word(const char **at, char *word, size_t room)
{
    const size_t length = strcspn(*at, " \n");

    if (length >= room)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static bool take_number(const char **at, const char *before, uint64_t *number)
{
    return take(at, before) && number_take(at, number);
}

/* The index of the word in the list; count: it is not there. */
static unsigned take_choice(const char **at, const char *const *words, unsigned count)
{
    char word[WORD_MAX];
    unsigned choice = 0;

    if (!take_word(at, word, sizeof(word)))
        return count;
    while (choice < count && strcmp(word, words[choice]) != 0)
        choice++;
    return choice;
}

static bool take_process(const char **at, struct os_process *process)
{
    return number_take_hex(at, *at + strlen(*at), &process->host) &&
           take_number(at, " ", &process->pid) && take_number(at, " ", &process->start);
}

static bool take_sizes(const char **at, struct life_manifest *manifest)
{
    uint64_t last_bytes = 0;

    do {
        uint64_t *const size_bytes = &manifest->sizes_bytes[manifest->size_count];

        if (manifest->size_count++ == LIFE_SIZES_MAX || !number_take(at, size_bytes) ||
            *size_bytes <= last_bytes)
            return false;
        last_bytes = *size_bytes;
    } while (take(at, ","));
    return true;
}

static bool take_set(const char **at, struct life_set *set)
{
    uint64_t count, made;

    if (!take(at, "\nset="))
        return false;
    set->kind = (enum life_kind)take_choice(at, kind_words, LIFE_FOUND);
    if (set->kind == LIFE_FOUND || !take_number(at, " ", &set->size_bytes) ||
        !take_number(at, " ", &count) || count > UINT32_MAX || !take_number(at, " ", &made) ||
        made > UINT32_MAX || !take(at, " "))
        return false;
    set->count = (uint32_t)count;
    set->made = (uint32_t)made;
    set->content = (enum life_content)take_choice(at, content_words, LIFE_CONTENTS);
    return set->content != LIFE_CONTENTS &&
           (set->kind != LIFE_TREE ||
            (take_number(at, " ", &set->levels) && take_number(at, " ", &set->width)));
}

static bool take_manifest(const char *at, struct life_manifest *manifest)
{
    uint64_t begun_s, sets;

    if (!take(&at, FIRST_LINE "storage=") ||
        !take_word(&at, manifest->storage, sizeof(manifest->storage)) || !take(&at, "\nrun=") ||
        !take_word(&at, manifest->run_name, sizeof(manifest->run_name)) ||
        !target_run_name_valid(manifest->storage) || !target_run_name_valid(manifest->run_name) ||
        !take(&at, "\nowner=") || !number_take_hex(&at, at + strlen(at), &manifest->state.owner) ||
        !take_number(&at, "\nbegun=", &begun_s) || begun_s > INT64_MAX || !take(&at, "\nstate="))
        return false;
    manifest->state.begun_s = (int64_t)begun_s;
    manifest->state.running = take(&at, "running ");
    if (!(manifest->state.running ? take_process(&at, &manifest->state.process)
                                  : take(&at, "ended")))
        return false;
    if ((take(&at, "\nparts=") && !number_take(&at, &manifest->part_bytes)) ||
        (take(&at, "\nthreads=") &&
         (!number_take(&at, &manifest->threads) || manifest->threads > FRESH_THREADS_MAX)) ||
        (take(&at, "\nsizes=") && !take_sizes(&at, manifest)) ||
        !take_number(&at, "\nseed=", &manifest->seed) || !take_number(&at, "\nsets=", &sets) ||
        sets > LIFE_SETS_MAX)
        return false;
    manifest->set = mem_calloc((size_t)sets, sizeof(*manifest->set));
    while (manifest->set_count < sets)
        if (!take_set(&at, &manifest->set[manifest->set_count++]))
            return false;
    return strcmp(at, "\n") == 0 && !life_sets_fault(manifest);
}

int life_manifest_parse(const char *text, size_t length, struct life_manifest *manifest,
                        struct error *err)
{
    bool valid = length <= LIFE_TEXT_MAX && !memchr(text, '\0', length);
    char *copy = mem_printf("%.*s", valid ? (int)length : 0, text), *again;

    *manifest = (struct life_manifest){0};
    valid = valid && take_manifest(copy, manifest);
    if (valid) {
        again = life_manifest_format(manifest);
        valid = strcmp(copy, again) == 0;
        free(again);
    }
    free(copy);
    if (valid)
        return 0;
    life_manifest_free(manifest);
    *manifest = (struct life_manifest){0}; /* its sizes may be too many */
    return error_set(err, STATUS_TARGET, 0, "invalid manifest of a run", NULL);
}

bool life_manifest_begins(const char *text, size_t length, const char *storage,
                          const char *run_name)
{
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789= \n,";
    char *head = mem_printf(FIRST_LINE "storage=%s\nrun=%s\nowner=", storage, run_name);
    const size_t head_bytes = strlen(head);
    bool same = memcmp(text, head, length < head_bytes ? length : head_bytes) == 0;

    for (size_t i = head_bytes; same && i < length; i++)
        same = text[i] != '\0' && strchr(rest, text[i]);
    free(head);
    return same;
}
