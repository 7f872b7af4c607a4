/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verify.c - what the objects of a file target must hold, for --verify.
 *
 * Files of this run hold its own pattern.  Existing files are known only when they are test files
 * that an earlier run kept: the directory of that run is found on the way from the root to the file
 * (so the target may be the file, the directory of the run, or one that holds several), and its
 * manifest has seed and number of the file.  Whatever is not known is refused: a check that cannot
 * fail must not look like one that passed. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/file.h"
#include "storage/file/driver.h"
#include "storage/fresh.h"
#include "storage/pattern.h"

#define MANIFEST_FILE_MAX 4096

struct content_set { /* files that share a seed: those of this run, or of one that was kept */
    char *root;      /* absolute path of the directory of the run; NULL: this run */
    struct fileset_layout layout;
    struct pattern pattern;
    struct pattern_cuts cuts;
    uint64_t objects; /* how many of its files are objects of the target */
};

struct target_content {
    struct content_set *sets;
    size_t set_count, set_room;
    /* Of each object; NULL: set 0 and its own number. */
    struct content_file {
        uint32_t set;
        uint64_t file;
    } * files;
};

void file_target_forget_content(struct file_target *fs)
{
    struct target_content *content = fs->content;

    if (!content)
        return;
    for (size_t i = 0; i < content->set_count; i++) {
        free(content->sets[i].root);
        pattern_end(&content->sets[i].pattern);
    }
    free(content->sets);
    free(content->files);
    free(content);
    fs->content = NULL;
}

/* Offsets are multiples of the largest power of two in a size, or of more than that. */
static void learn_cuts(struct content_set *set)
{
    pattern_cuts_add(&set->cuts, TARGET_TEAR_BYTES, 0);
    for (unsigned i = 0; i < set->layout.size_count; i++) {
        const uint64_t size_bytes = set->layout.size_bytes[i];

        pattern_cuts_add(&set->cuts, UINT64_C(1) << (63 - __builtin_clzll(size_bytes)), size_bytes);
    }
}

/* Takes over root. */
static int add_set(struct target_content *content, char *root, const struct fileset_layout *layout,
                   struct error *err)
{
    struct content_set *set;

    content->sets =
        mem_grow(content->sets, &content->set_room, content->set_count + 1, sizeof(*content->sets));
    set = &content->sets[content->set_count++];
    *set = (struct content_set){.root = root, .layout = *layout};
    learn_cuts(set);
    return pattern_start(&set->pattern, layout->seed, err);
}

/* Operations can begin or end elsewhere than at multiples that follow from their sizes. */
static bool is_uneven(const struct target_request *request)
{
    bool uneven = request->uneven;

    for (size_t i = 0; i < request->size_count && request->in_order; i++)
        uneven = uneven || (request->size_bytes[i] & (request->size_bytes[i] - 1)) != 0;
    return uneven;
}

void file_target_plan_content(struct file_target *fs)
{
    const struct target_request *request = fs->target.request;
    struct fileset_layout *layout = &fs->layout;

    if (!request->writes && !layout->empty &&
        !(request->verify ? layout->threads : layout->unfilled))
        layout->content = LIFE_INITIAL;
    else if (request->verify)
        layout->content = is_uneven(request) ? LIFE_PIECES : LIFE_PATTERN;
    else
        layout->content = LIFE_WRITTEN;
}

int file_target_know_run(struct file_target *fs, const struct fileset_layout *layout,
                         struct error *err)
{
    if (fs->target.request->dry_run)
        return 0;
    fs->content = mem_calloc(1, sizeof(*fs->content));
    return add_set(fs->content, NULL, layout, err);
}

/* ---- files of earlier runs ---- */

static int unknown(const char *path, const char *advice, struct error *err)
{
    return error_refuse(err, STATUS_TARGET, "--verify cannot know the contents of", path, "%s",
                        advice);
}

static int damaged(const char *what, const char *path, struct error *err)
{
    return error_refuse(err, STATUS_TARGET, what, path,
                        "name only what can be verified, or leave out --verify");
}

bool file_target_find_manifest(const char *root, struct fileset_layout *layout)
{
    const int fd = file_open_quietly(AT_FDCWD, root, O_DIRECTORY | O_NOFOLLOW);
    struct life_run run = {.found = LIFE_ABSENT};
    struct error ignored = ERROR_INIT;

    if (fd >= 0 && fileset_read(fd, root, NULL, &run, &ignored) == LIFE_READ)
        fileset_understand(&run.manifest, layout);
    life_manifest_free(&run.manifest);
    if (fd >= 0)
        close(fd);
    return run.found == LIFE_READ;
}

/* The set with this root; made when there is a manifest.  Returns 1, 0 (no manifest) or -1. */
static int find_set(struct target_content *content, const char *root, uint32_t *set,
                    struct error *err)
{
    static const char written[] =
        "it was written without --verify and then kept; keep files of a run with --verify, or "
        "leave it out";
    struct fileset_layout layout;

    for (size_t i = content->set_count; i-- > 0;) /* the last one is that of the neighbour */
        if (strcmp(content->sets[i].root, root) == 0) {
            *set = (uint32_t)i;
            return 1;
        }
    if (!file_target_find_manifest(root, &layout))
        return 0;
    if (layout.content == LIFE_WRITTEN)
        return unknown(root, written, err);
    *set = (uint32_t)content->set_count;
    return add_set(content, mem_strdup(root), &layout, err) == 0 ? 1 : -1;
}

/* Whether operations of the run make files of this length, as far as its sizes are known. */
static bool was_written(const struct fileset_layout *layout, uint64_t size_bytes)
{
    unsigned i = 0;

    while (i < layout->size_count && layout->size_bytes[i] != size_bytes)
        i++;
    return i < layout->size_count || layout->size_count == 0;
}

/* Finds set and number of the file; path: absolute, cut and mended meanwhile.  The innermost
 * directory that looks like that of a run and has a manifest counts.  The path may begin with the
 * letter of a drive.  Returns 1, 0 (not known) or -1. */
static int find_file(struct target_content *content, char *path, uint64_t whole_bytes,
                     struct content_file *file, struct error *err)
{
    const struct fileset_layout *layout;
    const char *name = path;
    char *above;
    uint64_t thread, number;
    int found = 0;

    for (char *end = strrchr(path, '/'); found == 0 && end && end != path; end = above) {
        *end = '\0';
        above = strrchr(path, '/');
        if (above && strncmp(above + 1, LIFE_PREFIX, strlen(LIFE_PREFIX)) == 0)
            found = find_set(content, path, &file->set, err);
        *end = '/';
        name = end + 1;
    }
    if (found <= 0)
        return found;
    layout = &content->sets[file->set].layout;
    if (layout->content != LIFE_INITIAL && layout->content != LIFE_DIVIDED &&
        file_target_fresh_number(name, layout->threads, &thread, &number) &&
        strrchr(name, '/')[1] != FRESH_COPY) { /* the source of a copy is not known */
        if (!was_written(layout, whole_bytes))
            return damaged("--verify found a file of the wrong length:", path, err);
        file->file = pattern_new_file(thread, number);
        return 1;
    }
    if (!fileset_number(layout, name, &number))
        return 0;
    if (whole_bytes != layout->file_bytes)
        return damaged("--verify found a test file of the wrong length:", path, err);
    if (number >= layout->files_made)
        return damaged("--verify found a test file that was never complete:", path, err);
    file->file = number;
    content->sets[file->set].objects++;
    return 1;
}

/* All files of the layout are there, or the first that is not is named. */
static int check_complete(const struct file_target *fs, uint32_t set_index, struct error *err)
{
    const struct target_content *content = fs->content;
    const struct content_set *set = &content->sets[set_index];
    const uint64_t files = set->layout.files_made;
    char name[FILESET_NAME_MAX], *path;
    uint64_t missing = 0;
    bool *there;

    if (set->objects == files)
        return 0;
    there = mem_calloc((size_t)files, sizeof(*there));
    for (uint32_t i = 0; i < fs->target.object_count; i++)
        if (content->files[i].set == set_index && content->files[i].file < files)
            there[content->files[i].file] = true;
    while (there[missing])
        missing++;
    free(there);
    path = mem_printf("%s/%s", set->root, fileset_name(&set->layout, missing, name, sizeof(name)));
    damaged("--verify found a test file gone, empty or unreadable:", path, err);
    free(path);
    return -1;
}

/* Whether the directory of a run is the target or in it, and not above it. */
static bool in_target(const struct file_target *fs, const struct content_set *set)
{
    const size_t length = strlen(fs->target.dir_path);

    return strncmp(set->root, fs->target.dir_path, length) == 0 &&
           (set->root[length] == '\0' || set->root[length] == '/' || length == 1);
}

int file_target_know_kept(struct file_target *fs, const uint64_t *whole_bytes, bool all,
                          struct error *err)
{
    static const char advice[] = "use files that iosweep made itself (also kept ones, see --keep), "
                                 "or leave out --verify";
    struct target *target = &fs->target;
    struct target_content *content;
    int known = 1;

    if (!target->dir_path)
        return unknown(target->label, advice, err); /* a device */
    content = fs->content = mem_calloc(1, sizeof(*content));
    content->files = mem_calloc(target->object_count, sizeof(*content->files));
    for (uint32_t i = 0; known > 0 && i < target->object_count; i++) {
        char *path = mem_printf("%s%s%s", target->dir_path,
                                strcmp(target->dir_path, "/") == 0 ? "" : "/", target->name[i]);

        known = find_file(content, path, whole_bytes[i], &content->files[i], err);
        if (known == 0)
            unknown(path, advice, err);
        free(path);
    }
    for (size_t i = 0; all && known > 0 && i < content->set_count; i++)
        if (in_target(fs, &content->sets[i]) && check_complete(fs, (uint32_t)i, err) != 0)
            known = -1;
    target->content_known = known > 0;
    return known > 0 ? 0 : -1;
}

/* ---- hooks ---- */

static const struct content_set *set_of(const struct target *target, uint64_t object,
                                        uint64_t *file)
{
    const struct target_content *content = ((const struct file_target *)target)->content;
    const bool found = content->files && object < target->object_count;

    *file = found ? content->files[object].file : object;
    return &content->sets[found ? content->files[object].set : 0];
}

void file_target_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, uint32_t generation, void *buffer)
{
    uint64_t file;
    const struct content_set *set = set_of(target, object, &file);

    pattern_make(&set->pattern, file, offset_bytes, (size_t)size_bytes, generation, buffer);
}

bool file_target_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                               uint64_t size_bytes, unsigned may, const void *buffer,
                               struct target_mismatch *mismatch)
{
    uint64_t file;
    const struct content_set *set = set_of(target, object, &file);
    const bool anywhere = may & TARGET_CUT_ANYWHERE || set->layout.content >= LIFE_PIECES ||
                          set->layout.size_count == 0;

    if (set->layout.content == LIFE_INITIAL && may & 1) /* nothing was written over it */
        may = 1;
    return pattern_agrees(&set->pattern, file, offset_bytes, size_bytes, may,
                          anywhere ? NULL : &set->cuts, buffer, mismatch);
}

int64_t file_target_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                              uint64_t size_bytes, bool direct, void *buffer)
{
    const int flags =
        (target->ours || target->writable ? O_NOFOLLOW : 0) | (direct ? OS_O_DIRECT : 0);
    const uint64_t unit = direct && target->direct_align_bytes > 0 ? target->direct_align_bytes : 1;
    int fd = file_open_quietly(target->dir_fd, target->name[object], flags);
    unsigned again = 0;
    int64_t done = 0;
    ssize_t got = 1;

    if (fd < 0)
        return fd;
    /* O_DIRECT cannot go on where it stopped within a block: only the end of a file is there. */
    while (got > 0 && (uint64_t)done < size_bytes && (uint64_t)done % unit == 0) {
        got = pread(fd, (char *)buffer + done, (size_t)(size_bytes - (uint64_t)done),
                    (off_t)(offset_bytes + (uint64_t)done));
        if (got > 0)
            done += got;
        else if (got < 0 && errno == EINTR && again++ < ENGINE_AGAIN_MOST)
            got = 1;
        else if (got < 0)
            done = -errno;
    }
    close(fd);
    return done;
}
