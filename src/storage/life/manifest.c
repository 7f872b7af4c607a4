/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.c - the text of a manifest; see the header for why it is believed only byte by byte.
 *
 *     iosweep manifest 3
 *     storage=file                              or the protocol of a store
 *     run=NAME
 *     owner=0123456789abcdef
 *     begun=1795316400                          seconds since 1970
 *     state=running 0123456789abcdef 4242 815   host, process, its start; or: state=ended
 *     place=found                               only where the run's directory was there before it
 *     parts=8388608                             only with --part-size: what is longer goes in parts
 *     threads=4                                 only with tests that make names of files
 *     sizes=512,4096                            only of files: the sizes of operations
 *     seed=1
 *     sets=2
 *     set=whole 65536 64 49 pattern             kind, bytes, objects, of them made, content
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
#define HEAD_TEXT  1024u /* of all lines before the sizes and sets */
#define SET_TEXT   128u  /* of one set's line */

#define REMOVED_BYTES (UINT64_C(64) << 20) /* the size of rows that remove longer files */

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

/* What tests move or remove comes and goes, and files are as long as --file-size said. */
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
    for (unsigned i = manifest->set_count; i-- > 0;) { /* the shortest first */
        const uint64_t size = size_of(&manifest->set[i], removes);

        if (size > 0 && (count == 0 || (*size_bytes)[count - 1] != size))
            (*size_bytes)[count++] = size;
    }
    return count;
}

/* Files are a tree, objects are not. */
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
    unsigned unsized = 0; /* whose place in the run has no size in its name: one at most */

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

static size_t put_head(const struct life_manifest *manifest, char *text, size_t room)
{
    char state[WORD_MAX] = "ended", parts[WORD_MAX] = "", threads[WORD_MAX] = "";

    if (manifest->state.running)
        snprintf(state, sizeof(state), "running %0*" PRIx64 " %" PRIu64 " %" PRIu64, HEX_DIGITS,
                 manifest->state.process.host, manifest->state.process.pid,
                 manifest->state.process.start);
    if (manifest->part_bytes > 0)
        snprintf(parts, sizeof(parts), "parts=%" PRIu64 "\n", manifest->part_bytes);
    if (manifest->threads > 0)
        snprintf(threads, sizeof(threads), "threads=%" PRIu64 "\n", manifest->threads);
    return (size_t)snprintf(text, room,
                            FIRST_LINE "storage=%s\nrun=%s\nowner=%0*" PRIx64 "\nbegun=%" PRId64
                                       "\nstate=%s\n%s%s%s",
                            manifest->storage, manifest->run_name, HEX_DIGITS,
                            manifest->state.owner, manifest->state.begun_s, state,
                            manifest->place_found ? "place=found\n" : "", parts, threads);
}

static size_t put_sizes(const struct life_manifest *manifest, char *text, size_t room)
{
    size_t used = 0;

    for (unsigned i = 0; i < manifest->size_count; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRIu64, i == 0 ? "sizes=" : ",",
                                 manifest->sizes_bytes[i]);
    if (used > 0)
        used += (size_t)snprintf(text + used, room - used, "\n");
    return used;
}

static size_t put_set(const struct life_set *set, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "set=%s %" PRIu64 " %" PRIu32 " %" PRIu32 " %s",
                                   kind_words[set->kind], set->size_bytes, set->count, set->made,
                                   content_words[set->content]);

    if (set->kind == LIFE_TREE)
        used += (size_t)snprintf(text + used, room - used, " %" PRIu64 " %" PRIu64, set->levels,
                                 set->width);
    return used + (size_t)snprintf(text + used, room - used, "\n");
}

char *life_manifest_format(const struct life_manifest *manifest)
{
    const size_t room = HEAD_TEXT + NUMBER_BYTES * (size_t)manifest->size_count +
                        manifest->set_count * (size_t)SET_TEXT;
    char *text = mem_calloc(room, 1);
    size_t used = put_head(manifest, text, room);

    used += put_sizes(manifest, text + used, room - used);
    used += (size_t)snprintf(text + used, room - used, "seed=%" PRIu64 "\nsets=%u\n",
                             manifest->seed, manifest->set_count);
    for (unsigned i = 0; i < manifest->set_count; i++)
        used += put_set(&manifest->set[i], text + used, room - used);
    return text;
}

/* ---- reading: what is taken is off the front of *at ---- */

/* The characters before `end`, `room` - 1 at most. */
static bool take_word(const char **at, char end, char *word, size_t room)
{
    const size_t length = strcspn(*at, end == ' ' ? " \n" : end == ',' ? ",\n" : "\n");

    if ((*at)[length] != end || length == 0 || length >= room)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length + 1;
    return true;
}

static bool take_number(const char **at, char end, uint64_t *number)
{
    char word[WORD_MAX];

    return take_word(at, end, word, sizeof(word)) && number_read(word, number);
}

static bool take_text(const char **at, const char *text)
{
    const size_t length = strlen(text);

    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_choice(const char **at, char end, const char *const *words, unsigned count,
                        unsigned *choice)
{
    char word[WORD_MAX];

    if (!take_word(at, end, word, sizeof(word)))
        return false;
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(word, words[*choice]) == 0)
            return true;
    return false;
}

static bool take_hex(const char **at, char end, uint64_t *number)
{
    static const char digits[] = "0123456789abcdef";
    char word[WORD_MAX];

    if (!take_word(at, end, word, sizeof(word)) || strlen(word) != HEX_DIGITS)
        return false;
    *number = 0;
    for (const char *c = word; *c != '\0'; c++) {
        const char *digit = strchr(digits, *c);
        if (!digit)
            return false;
        *number = *number << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool take_sizes(const char **at, struct life_manifest *manifest)
{
    char list[LIFE_SIZES_MAX * NUMBER_BYTES], *rest = NULL;
    uint64_t last_bytes = 0;

    if (!take_text(at, "sizes="))
        return true;
    if (!take_word(at, '\n', list, sizeof(list)))
        return false;
    for (const char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        uint64_t *const size_bytes = &manifest->sizes_bytes[manifest->size_count];

        if (manifest->size_count == LIFE_SIZES_MAX || !number_read(word, size_bytes) ||
            *size_bytes <= last_bytes)
            return false;
        last_bytes = *size_bytes;
        manifest->size_count++;
    }
    return true;
}

static bool take_set(const char **at, struct life_set *set)
{
    unsigned kind, content;
    uint64_t count, made;

    if (!take_text(at, "set=") || !take_choice(at, ' ', kind_words, LIFE_FOUND, &kind) ||
        !take_number(at, ' ', &set->size_bytes) || !take_number(at, ' ', &count) ||
        count > UINT32_MAX || !take_number(at, ' ', &made) || made > UINT32_MAX ||
        !take_choice(at, kind == LIFE_TREE ? ' ' : '\n', content_words, LIFE_CONTENTS, &content))
        return false;
    set->kind = (enum life_kind)kind;
    set->count = (uint32_t)count;
    set->made = (uint32_t)made;
    set->content = (enum life_content)content;
    return kind != LIFE_TREE ||
           (take_number(at, ' ', &set->levels) && take_number(at, '\n', &set->width));
}

/* Returns NULL or the name of what is wrong. */
static const char *parse_head(const char **at, struct life_manifest *manifest)
{
    uint64_t begun_s;

    if (!take_text(at, FIRST_LINE))
        return "first line";
    if (!take_text(at, "storage=") ||
        !take_word(at, '\n', manifest->storage, sizeof(manifest->storage)) ||
        !target_run_name_valid(manifest->storage))
        return "storage";
    if (!take_text(at, "run=") ||
        !take_word(at, '\n', manifest->run_name, sizeof(manifest->run_name)) ||
        !target_run_name_valid(manifest->run_name))
        return "run";
    if (!take_text(at, "owner=") || !take_hex(at, '\n', &manifest->state.owner))
        return "owner";
    if (!take_text(at, "begun=") || !take_number(at, '\n', &begun_s) || begun_s > INT64_MAX)
        return "begun";
    manifest->state.begun_s = (int64_t)begun_s;
    manifest->state.running = take_text(at, "state=running ");
    if (manifest->state.running ? !take_hex(at, ' ', &manifest->state.process.host) ||
                                      !take_number(at, ' ', &manifest->state.process.pid) ||
                                      !take_number(at, '\n', &manifest->state.process.start)
                                : !take_text(at, "state=ended\n"))
        return "state";
    manifest->place_found = take_text(at, "place=found\n");
    if (take_text(at, "parts=") && !take_number(at, '\n', &manifest->part_bytes))
        return "parts";
    if (take_text(at, "threads=") &&
        (!take_number(at, '\n', &manifest->threads) || manifest->threads > FRESH_THREADS_MAX))
        return "threads";
    if (!take_sizes(at, manifest))
        return "sizes";
    return take_text(at, "seed=") && take_number(at, '\n', &manifest->seed) ? NULL : "seed";
}

/* Returns NULL or the name of what is wrong. */
static const char *parse_fields(const char *at, struct life_manifest *manifest)
{
    const char *fault = parse_head(&at, manifest);
    uint64_t sets;

    if (fault)
        return fault;
    if (!take_text(&at, "sets=") || !take_number(&at, '\n', &sets) || sets == 0 ||
        sets > LIFE_SETS_MAX)
        return "sets";
    manifest->set = mem_calloc((size_t)sets, sizeof(*manifest->set));
    for (manifest->set_count = 0; manifest->set_count < sets; manifest->set_count++)
        if (!take_set(&at, &manifest->set[manifest->set_count]))
            return "a set";
    return *at != '\0' ? "end" : life_sets_fault(manifest);
}

int life_manifest_parse(const char *text, size_t length, struct life_manifest *manifest,
                        struct error *err)
{
    const char *fault = "length";
    char *copy, *again = NULL;

    *manifest = (struct life_manifest){0};
    if (length > 0 && length <= LIFE_TEXT_MAX && !memchr(text, '\0', length)) {
        copy = mem_calloc(length + 1, 1);
        memcpy(copy, text, length);
        fault = parse_fields(copy, manifest);
        if (!fault) {
            again = life_manifest_format(manifest);
            fault = strcmp(copy, again) != 0 ? "spelling" : NULL;
        }
        free(again);
        free(copy);
    }
    if (!fault)
        return 0;
    life_manifest_free(manifest);
    return error_set(err, STATUS_TARGET, 0, "invalid manifest of a run, wrong:", fault);
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
