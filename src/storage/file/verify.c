/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verify.c - the expected content of the objects of a file target, for --verify.
 *
 * Files of this run hold its own pattern.  The content of existing files is known only if they are
 * read as those of a run that was kept: its manifest contains the seed, and the numbers of the
 * files are known.  Unknown content is refused: a check that cannot fail must not look like one
 * that passed. */
#include "base/compat.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "storage/file/driver.h"
#include "storage/pattern.h"

#define UNKNOWN_ADVICE "read a whole run of iosweep (see --keep), or leave out --verify"

struct target_content {
    struct pattern pattern;
    struct pattern_cuts cuts;
};

void file_target_forget_content(struct file_target *fs)
{
    struct target_content *content = fs->content;

    if (!content)
        return;
    pattern_end(&content->pattern);
    free(content);
    fs->content = NULL;
}

void file_target_plan_content(struct file_target *fs)
{
    const struct target_request *request = fs->target.request;
    enum life_content *content = &fs->manifest.set->content;
    bool uneven = request->uneven; /* also at offsets not derived from the sizes */

    for (size_t i = 0; i < request->size_count && request->in_order; i++)
        uneven = uneven || (request->size_bytes[i] & (request->size_bytes[i] - 1)) != 0;
    if (!request->writes && !fs->files.empty &&
        !(request->verify ? fs->manifest.threads > 0 : fs->files.unfilled))
        *content = LIFE_INITIAL;
    else if (request->verify)
        *content = uneven ? LIFE_PIECES : LIFE_PATTERN;
    else
        *content = LIFE_WRITTEN;
}

int file_target_know_run(struct file_target *fs, struct error *err)
{
    const struct life_manifest *manifest = &fs->manifest;
    struct target_content *content;

    fs->content = content = mem_calloc(1, sizeof(*content));
    pattern_cuts_add(&content->cuts, TARGET_TEAR_BYTES, 0);
    /* offsets are multiples of at least the largest power of two in a size */
    for (unsigned i = 0; i < manifest->size_count; i++) {
        const uint64_t size_bytes = manifest->sizes_bytes[i];

        pattern_cuts_add(&content->cuts, UINT64_C(1) << (63 - __builtin_clzll(size_bytes)),
                         size_bytes);
    }
    return pattern_start(&content->pattern, manifest->seed, err);
}

/* ---- files of earlier runs ---- */

static int unknown(const char *path, const char *advice, struct error *err)
{
    return error_refuse(err, STATUS_TARGET, "--verify cannot know the contents of", path, "%s",
                        advice);
}

bool file_target_find_manifest(const char *root, struct life_manifest *manifest)
{
    const int fd = file_open_quietly(AT_FDCWD, root, O_DIRECTORY | O_NOFOLLOW);
    struct life_run run = {.found = LIFE_ABSENT};
    struct error ignored = ERROR_INIT;

    if (fd >= 0) {
        fileset_read(fd, root, NULL, &run, &ignored);
        close(fd);
    }
    if (manifest)
        *manifest = run.manifest;
    else
        life_manifest_free(&run.manifest);
    return run.found != LIFE_ABSENT;
}

/* Finds the number on which the content of a file depends that operations made.  Returns NULL; "":
 * the content is unknown; or the fault of the file. */
static const char *find_number(struct file_target *fs, uint32_t object)
{
    const struct life_manifest *manifest = &fs->manifest;
    const char *name = fs->names[object];
    uint64_t *number = &fs->numbers[object], thread;
    struct beneath_id id; /* of the whole file, of which only a part may be used */
    unsigned size = 0;

    if (beneath_look(fs->target.dir_fd, name, &id) != 0)
        id.bytes = 0;
    if (*number != UINT64_MAX)
        return id.bytes != manifest->set->size_bytes ? "a test file of the wrong length"
               : *number >= manifest->set->made      ? "a test file that was never complete"
                                                     : NULL;
    if (manifest->set->content == LIFE_INITIAL || manifest->set->content == LIFE_DIVIDED ||
        !fileset_fresh_number(name, manifest->threads, &thread, number) ||
        strrchr(name, '/')[1] == FRESH_COPY) /* the source of a copy is unknown */
        return "";
    while (size < manifest->size_count && manifest->sizes_bytes[size] != id.bytes)
        size++;
    *number = pattern_new_file(thread, *number); /* all files that operations write are known */
    return size == manifest->size_count && size > 0 ? "a file of the wrong length" : NULL;
}

static int refuse_file(const char *fault, const char *root, const char *name, struct error *err)
{
    char *path = mem_printf("%s/%s", root, name), *what = mem_printf("--verify found %s:", fault);

    if (fault[0] == '\0')
        unknown(path, UNKNOWN_ADVICE, err);
    else
        error_refuse(err, STATUS_TARGET, what, path,
                     "name only what can be verified, or leave out --verify");
    free(what);
    free(path);
    return -1;
}

/* Checks that all files of the layout exist, or reports the first missing one.  Files that
 * operations made have other numbers. */
static int check_complete(const struct file_target *fs, struct error *err)
{
    const struct life_set *set = fs->manifest.set;
    bool *there = mem_calloc((size_t)set->made + 1, sizeof(*there));
    char name[FILESET_NAME_MAX];
    uint64_t missing = 0;

    for (uint32_t i = 0; i < fs->target.object_count; i++)
        if (fs->numbers[i] < set->made)
            there[fs->numbers[i]] = true;
    while (there[missing])
        missing++;
    free(there);
    return missing == set->made
               ? 0
               : refuse_file("a test file gone, empty or unreadable", fs->target.dir_path,
                             fileset_name(set, missing, name, sizeof(name)), err);
}

static int find_numbers(struct file_target *fs, struct error *err)
{
    const char *fault = NULL;

    for (uint32_t i = 0; !fault && i < fs->target.object_count; i++) {
        fault = find_number(fs, i);
        if (fault)
            refuse_file(fault, fs->target.dir_path, fs->names[i], err);
    }
    return fault ? -1 : 0;
}

int file_target_know_kept(struct file_target *fs, bool all, struct error *err)
{
    struct target *target = &fs->target;
    char *path;
    int code = -1;

    if (!fs->manifest.set) {
        path = file_target_path(target, 0);
        unknown(path, UNKNOWN_ADVICE, err);
        free(path);
    } else if (fs->manifest.set->content == LIFE_WRITTEN) {
        unknown(target->dir_path,
                "it was written without --verify and then kept; keep files of a run with --verify, "
                "or leave it out",
                err);
    } else if (file_target_know_run(fs, err) == 0 && find_numbers(fs, err) == 0) {
        code = all ? check_complete(fs, err) : 0;
    }
    target->content_known = code == 0;
    return code;
}

/* ---- hooks ---- */

static uint64_t file_of(const struct target *target, uint64_t object)
{
    const struct file_target *fs = (const struct file_target *)target;

    return fs->numbers && object < target->object_count ? fs->numbers[object] : object;
}

void file_target_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, uint32_t generation, void *buffer)
{
    const struct target_content *content = ((const struct file_target *)target)->content;

    pattern_make(&content->pattern, file_of(target, object), offset_bytes, (size_t)size_bytes,
                 generation, buffer);
}

bool file_target_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                               uint64_t size_bytes, unsigned may, const void *buffer,
                               struct target_mismatch *mismatch)
{
    const struct target_content *content = ((const struct file_target *)target)->content;
    const struct life_manifest *manifest = &((const struct file_target *)target)->manifest;
    const bool anywhere = may & TARGET_CUT_ANYWHERE || manifest->set->content >= LIFE_PIECES ||
                          manifest->size_count == 0;

    if (manifest->set->content == LIFE_INITIAL && may & 1) /* it was never overwritten */
        may = 1;
    return pattern_agrees(&content->pattern, file_of(target, object), offset_bytes, size_bytes, may,
                          anywhere ? NULL : &content->cuts, buffer, mismatch);
}

int64_t file_target_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, bool direct, void *buffer)
{
    const int flags =
        (target->ours || target->writable ? O_NOFOLLOW : 0) | (direct ? OS_O_DIRECT : 0);

    return file_read_back(target->dir_fd, target->name[object], flags, offset_bytes, size_bytes,
                          direct ? target->direct_align_bytes : 1, buffer);
}
