/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fileset.c - test files on a real file system: what is made, what is in it, and above all
 * what is removed and what is not.  Each test works in a new directory below the current one. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "os/os.h"
#include "target/file/fileset.h"
#include "target/pattern.h"
#include "target/target.h"
#include "unit/scratch.h"

/* ---- a directory for each test ---- */

struct place {
    char path[PATH_MAX]; /* absolute */
    int fd;
    volatile int stop;
    uint64_t reports, last_done_bytes;
    int stop_at_report; /* 0: never */
};

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof(*place));

    if (!place)
        return -1;
    place->fd = scratch_make("test_fileset", place->path);
    *state = place;
    log_set_level(LOG_QUIET);
    return place->fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;

    close(place->fd);
    scratch_remove(place->path);
    free(place);
    return 0;
}

/* Everything below the directory of the test. */
static uint64_t entries(const struct place *place)
{
    return scratch_entries(place->path);
}

static void write_file(const struct place *place, const char *name, const char *text)
{
    int fd = openat(place->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static bool exists(const struct place *place, const char *name)
{
    return scratch_exists(place->fd, name);
}

static void report(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes)
{
    struct place *place = arg;

    assert_non_null(what);
    assert_true(done_bytes <= total_bytes);
    assert_true(done_bytes >= place->last_done_bytes);
    place->last_done_bytes = done_bytes;
    if ((int)++place->reports == place->stop_at_report)
        place->stop = 2;
}

static struct fileset_layout layout_named(const char *run_name)
{
    struct fileset_layout layout = {.levels = 3, .width = 2, .file_bytes = 5000, .seed = 42};

    snprintf(layout.run_name, sizeof(layout.run_name), "%s", run_name);
    return layout;
}

static int create(struct place *place, const struct fileset_layout *layout, struct error *err)
{
    struct fileset_progress progress = {&place->stop, report, place};
    int dir_fd = -2;
    int code = fileset_create(place->fd, place->path, layout, &progress, &dir_fd, err);

    assert_int_equal(code == 0, dir_fd >= 0);
    assert_int_equal(code == 0, !error_is_set(err));
    return dir_fd;
}

/* ---- creation ---- */

static void test_create_and_remove(void **state)
{
    static const struct {
        bool single_file;
        uint64_t levels, width, file_bytes;
    } rows[] = {{true, 9, 9, 3000001}, {false, 1, 3, 1},       {false, 3, 2, 4096},
                {false, 32, 1, 10},    {false, 2, 4, 1048577}, {true, 1, 1, 1}};
    struct place *place = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fileset_layout layout = layout_named("run");
        struct error err = ERROR_INIT;
        struct stat st;
        char name[FILESET_NAME_MAX];
        struct fileset_tally tally;
        struct fileset_found found;
        int dir_fd;

        layout.single_file = rows[i].single_file;
        layout.levels = rows[i].levels;
        layout.width = rows[i].width;
        layout.file_bytes = rows[i].file_bytes;
        place->last_done_bytes = 0;
        dir_fd = create(place, &layout, &err);
        assert_true(dir_fd >= 0);
        assert_int_equal(entries(place), 2 + fileset_files(&layout) + fileset_directories(&layout));
        assert_int_equal(fstat(dir_fd, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0700);
        for (uint64_t f = 0; f < fileset_files(&layout); f++) {
            fileset_name(&layout, f, name, sizeof(name));
            assert_int_equal(fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
            assert_true(S_ISREG(st.st_mode));
            assert_int_equal(st.st_size, rows[i].file_bytes);
        }
        assert_int_equal(fileset_look(place->fd, place->path, "iosweep-run", false, &found, &err),
                         1);
        assert_true(found.alive && found.layout.counted);
        assert_int_equal(found.layout.files_made, fileset_files(&layout));
        tally = (struct fileset_tally){0};
        assert_int_equal(fileset_count(place->fd, place->path, &layout, &tally, &err), 0);
        assert_int_equal(tally.files, fileset_files(&layout));
        assert_int_equal(tally.bytes, fileset_total_bytes(&layout));
        assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), 0);
        assert_int_equal(entries(place), 0);
        close(dir_fd);
    }
    assert_true(place->reports > 0);
}

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

/* Data are generation 0 of the pattern; no word of eight bytes comes twice; all byte values are
 * equally frequent: nothing for a compressor or a deduplicator. */
static void test_data(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    struct pattern pattern;
    size_t words = 0, size_bytes = (2u << 20) + 4096u;
    uint64_t *all, count[256] = {0};
    const struct extents_limits limits = {.count = UINT64_MAX, .until_ns = UINT64_MAX};
    struct extents extents;
    int dir_fd;

    layout.levels = 1;
    layout.file_bytes = size_bytes;
    dir_fd = create(place, &layout, &err);
    assert_true(dir_fd >= 0);
    assert_int_equal(pattern_start(&pattern, layout.seed, &err), 0);
    all = malloc(2 * size_bytes);
    assert_non_null(all);
    for (uint64_t f = 0; f < 2; f++) {
        char *data = (char *)(all + words);
        char name[FILESET_NAME_MAX];
        int fd = openat(dir_fd, fileset_name(&layout, f, name, sizeof(name)), O_RDONLY);

        assert_true(fd >= 0);
        assert_int_equal(read(fd, data, size_bytes), size_bytes);
        extents = (struct extents){.files = 0};
        os_extents_add(&extents, fd, size_bytes, &limits);
#ifdef SYSTEM_LINUX
        assert_int_equal(extents.data_bytes, size_bytes);
#endif
        close(fd);
        assert_int_equal(pattern_check(&pattern, f, 0, size_bytes, 0, data), size_bytes);
        words += size_bytes / sizeof(uint64_t);
    }
    for (size_t i = 0; i < 2 * size_bytes; i++)
        count[((unsigned char *)all)[i]]++;
    for (unsigned byte = 0; byte < 256; byte++) /* 16400 expected, 128 standard deviation */
        assert_in_range(count[byte], 15600, 17200);
    qsort(all, words, sizeof(*all), compare_words);
    for (size_t i = 1; i < words; i++)
        assert_true(all[i] != all[i - 1]);
    free(all);
    pattern_end(&pattern);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), 0);
    close(dir_fd);
}

static void test_never_reused(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;

    assert_int_equal(mkdirat(place->fd, "iosweep-run", 0700), 0);
    write_file(place, "iosweep-run/f0", "mine");
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.errnum, EEXIST);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_true(exists(place, "iosweep-run/f0"));
    assert_int_equal(entries(place), 2);
}

static void test_stop_leaves_nothing(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;

    layout.file_bytes = 3u << 20;
    place->stop_at_report = 1; /* in the first file, after its first block */
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.status, STATUS_PARTIAL);
    assert_int_equal(err.errnum, EINTR);
    assert_int_equal(place->reports, 1);
    assert_true(place->last_done_bytes < layout.file_bytes);
    assert_int_equal(entries(place), 0);

    err = ERROR_INIT; /* stopped before it begins */
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.status, STATUS_PARTIAL);
    assert_int_equal(entries(place), 0);
}

static void test_no_space(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;

    layout.single_file = true;
    layout.file_bytes = UINT64_C(1) << 62;
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_int_equal(err.errnum, ENOSPC);
    assert_non_null(strstr(err.advice, " are needed, "));
    assert_int_equal(entries(place), 0);

    err = ERROR_INIT;
    layout.file_bytes = UINT64_C(1) << 63; /* no such length */
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    err = ERROR_INIT;
    layout = layout_named("run");
    layout.width = 1000;
    assert_int_equal(create(place, &layout, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_int_equal(entries(place), 0);
}

/* A block that cannot be written (here: a limit) removes everything made before. */
static void test_failed_write_leaves_nothing(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    int status, child;

    layout.file_bytes = 3u << 20;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct fileset_progress progress = {&place->stop, NULL, NULL};
        struct error err = ERROR_INIT;
        int dir_fd, code, limited;

        signal(SIGXFSZ, SIG_IGN);
        limited = setrlimit(RLIMIT_FSIZE, &(struct rlimit){1536 << 10, 1536 << 10});
        code = fileset_create(place->fd, place->path, &layout, &progress, &dir_fd, &err);
        _exit(limited == 0 && code == -1 && err.status == STATUS_TARGET && err.errnum == EFBIG &&
                      strstr(err.object, "/iosweep-run/d0/d0/f0")
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(entries(place), 0);
}

/* ---- removal ---- */

static void test_remove_missing_is_fine(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    int dir_fd;

    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), 0);
    dir_fd = create(place, &layout, &err);
    assert_int_equal(unlinkat(dir_fd, "d0/d0/f0", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1/f0", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1/f1", 0), 0);
    assert_int_equal(unlinkat(dir_fd, "d1/d1", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(dir_fd, FILESET_MANIFEST, 0), 0);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), 0);
    assert_int_equal(entries(place), 0);
    close(dir_fd);
}

/* Everything that may go, by the way the command takes; *removed counts the runs. */
static int clean(const char *path, unsigned *removed, struct error *err)
{
    static const int stop;
    const struct clean_request request = {.target = path, .all = true, .stop = &stop};
    struct clean_outcome outcome;
    const int code = target_clean(&request, &outcome, err);

    *removed = outcome.runs;
    return code;
}

static void test_foreign_file_stays(void **state)
{
    static const char *const foreign[] = {"iosweep-run/d1/notes.txt", "iosweep-run/thesis",
                                          "iosweep-run/d0/d1/f2"};
    struct place *place = *state;

    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        struct fileset_layout layout = layout_named("run");
        struct error err = ERROR_INIT;
        unsigned removed = 9;
        int dir_fd = create(place, &layout, &err);

        write_file(place, foreign[i], "dear to somebody");
        assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), -1);
        assert_int_equal(err.status, STATUS_TARGET);
        assert_non_null(strstr(err.object, foreign[i]));
        assert_true(exists(place, foreign[i]));
        assert_false(exists(place, "iosweep-run/d0/d0/f0"));
        assert_false(exists(place, "iosweep-run/d1/d1"));
        /* The manifest stayed, so that it can be finished once the file is out of the way. */
        assert_true(exists(place, "iosweep-run/MANIFEST"));
        close(dir_fd);
        err = ERROR_INIT;
        assert_int_equal(clean(place->path, &removed, &err), -1);
        assert_int_equal(removed, 0);
        assert_int_equal(unlinkat(place->fd, foreign[i], 0), 0);
        err = ERROR_INIT;
        assert_int_equal(clean(place->path, &removed, &err), 0);
        assert_int_equal(removed, 1);
        assert_int_equal(entries(place), 0);
    }
}

static void test_planted_link_is_not_followed(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    int dir_fd = create(place, &layout, &err);

    assert_int_equal(renameat(dir_fd, "d1", place->fd, "outside"), 0);
    assert_int_equal(symlinkat("../outside", dir_fd, "d1"), 0);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), -1);
    assert_non_null(strstr(err.object, "iosweep-run/d1"));
    assert_true(exists(place, "outside/d0/f0") && exists(place, "outside/d1/f1"));
    assert_true(exists(place, "iosweep-run/d1") && !exists(place, "iosweep-run/d0"));
    close(dir_fd);
}

static void test_replaced_top_is_not_touched(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    int dir_fd = create(place, &layout, &err);

    assert_int_equal(renameat(place->fd, "iosweep-run", place->fd, "moved"), 0);
    assert_int_equal(symlinkat("moved", place->fd, "iosweep-run"), 0);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), -1);
    assert_true(exists(place, "moved/d0/d0/f0"));
    close(dir_fd);

    err = ERROR_INIT; /* a directory of the same name that is not the one made */
    assert_int_equal(unlinkat(place->fd, "iosweep-run", 0), 0);
    dir_fd = create(place, &layout, &err);
    assert_int_equal(renameat(place->fd, "iosweep-run", place->fd, "moved again"), 0);
    assert_int_equal(renameat(place->fd, "moved", place->fd, "iosweep-run"), 0);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), -1);
    assert_true(exists(place, "iosweep-run/d0/d0/f0"));
    close(dir_fd);
}

static void test_directory_in_place_of_a_file(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    int dir_fd = create(place, &layout, &err);

    assert_int_equal(unlinkat(dir_fd, "d0/d0/f1", 0), 0);
    assert_int_equal(mkdirat(dir_fd, "d0/d0/f1", 0700), 0);
    assert_int_equal(fileset_remove(place->fd, place->path, &layout, &err), -1);
    assert_non_null(strstr(err.object, "iosweep-run/d0/d0/f1"));
    assert_true(exists(place, "iosweep-run/d0/d0/f1"));
    assert_false(exists(place, "iosweep-run/d0/d0/f0"));
    close(dir_fd);
}

static void test_abandon_and_keep(void **state)
{
    struct place *place = *state;
    struct fileset_layout kept = layout_named("kept"), lost = layout_named("lost");
    struct error err = ERROR_INIT;
    int kept_fd = create(place, &kept, &err), lost_fd;

    place->last_done_bytes = 0;
    lost_fd = create(place, &lost, &err);
    fileset_keep(place->fd, &kept);
    target_abandon();
    assert_true(exists(place, "iosweep-kept/d1/d1/f1"));
    assert_false(exists(place, "iosweep-lost"));
    target_abandon(); /* once more does no harm */
    assert_int_equal(fileset_remove(place->fd, place->path, &kept, &err), 0);
    assert_int_equal(entries(place), 0);
    close(kept_fd);
    close(lost_fd);
}

/* ---- clean ---- */

static void test_clean_live_run_is_refused(void **state)
{
    struct place *place = *state;
    struct fileset_layout live = layout_named("live"), dead = layout_named("dead");
    struct error err = ERROR_INIT;
    unsigned removed = 9;
    int live_fd = create(place, &live, &err), dead_fd;

    place->last_done_bytes = 0;
    dead_fd = create(place, &dead, &err);
    close(dead_fd);
    assert_int_equal(clean(place->path, &removed, &err), -1);
    assert_int_equal(removed, 1); /* the other one */
    assert_int_equal(err.status, STATUS_TARGET);
    assert_non_null(strstr(err.action, "in use"));
    assert_non_null(strstr(err.object, "iosweep-live"));
    assert_true(exists(place, "iosweep-live/d1/d1/f1"));
    assert_false(exists(place, "iosweep-dead"));
    close(live_fd);
    err = ERROR_INIT;
    assert_int_equal(clean(place->path, &removed, &err), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(entries(place), 0);
}

static void test_clean_one_run_by_its_own_path(void **state)
{
    struct place *place = *state;
    struct fileset_layout layout = layout_named("run");
    struct error err = ERROR_INIT;
    char path[PATH_MAX + 32];
    unsigned removed = 9;

    close(create(place, &layout, &err));
    assert_int_equal(mkdirat(place->fd, "iosweep-empty", 0700), 0);
    snprintf(path, sizeof(path), "%s/iosweep-run/", place->path);
    assert_int_equal(clean(path, &removed, &err), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(entries(place), 1);
}

/* What older versions kept is still removed. */
static void test_clean_older_manifest(void **state)
{
    static const enum fileset_content contents[] = {FILESET_WRITTEN, FILESET_OLDER};
    struct place *place = *state;

    for (size_t i = 0; i < 2; i++) {
        struct fileset_layout layout = layout_named("run");
        struct error err = ERROR_INIT;
        unsigned removed = 9;
        char *text;

        close(create(place, &layout, &err));
        layout.content = contents[i];
        text = fileset_manifest_format(&layout);
        assert_int_equal(unlinkat(place->fd, "iosweep-run/MANIFEST", 0), 0);
        write_file(place, "iosweep-run/MANIFEST", text);
        free(text);
        assert_int_equal(clean(place->path, &removed, &err), 0);
        assert_int_equal(removed, 1);
        assert_int_equal(entries(place), 0);
    }
}

static void test_clean_refuses_what_is_not_ours(void **state)
{
    static const char manifest[] = "iosweep manifest 1\nrun=x\nlayout=single\nlevels=1\nwidth=1\n"
                                   "file_bytes=1\nseed=1\n";
    static const struct {
        const char *name, *text, *advice;
    } rows[] = {
        {"iosweep-none", NULL, "no MANIFEST"},     {"iosweep-empty", "", "no MANIFEST"},
        {"iosweep-junk", "hello\n", "not valid"},  {"iosweep-other", manifest, "another run"},
        {"iosweep-link", "LINK", "symbolic link"}, {"iosweep-fifo", "FIFO", "not a regular file"},
    };
    struct place *place = *state;

    write_file(place, "manifest of x", manifest);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct error err = ERROR_INIT;
        unsigned removed = 9;
        char name[64];

        assert_int_equal(mkdirat(place->fd, rows[i].name, 0700), 0);
        snprintf(name, sizeof(name), "%s/f0", rows[i].name);
        write_file(place, name, "mine");
        snprintf(name, sizeof(name), "%s/MANIFEST", rows[i].name);
        if (rows[i].text && strcmp(rows[i].text, "LINK") == 0)
            assert_int_equal(symlinkat("../manifest of x", place->fd, name), 0);
        else if (rows[i].text && strcmp(rows[i].text, "FIFO") == 0)
            assert_int_equal(mkfifoat(place->fd, name, 0600), 0);
        else if (rows[i].text)
            write_file(place, name, rows[i].text);

        assert_int_equal(clean(place->path, &removed, &err), -1);
        assert_int_equal(removed, 0);
        assert_int_equal(err.status, STATUS_TARGET);
        assert_non_null(strstr(err.object, rows[i].name));
        assert_non_null(strstr(err.advice, rows[i].advice));
        snprintf(name, sizeof(name), "%s/f0", rows[i].name);
        assert_true(exists(place, name));
        assert_int_equal(unlinkat(place->fd, name, 0), 0);
        snprintf(name, sizeof(name), "%s/MANIFEST", rows[i].name);
        unlinkat(place->fd, name, 0);
        assert_int_equal(unlinkat(place->fd, rows[i].name, AT_REMOVEDIR), 0);
    }
}

/* A creator that was killed at its first steps; names that only look like ours. */
static void test_clean_empty_and_lookalikes(void **state)
{
    struct place *place = *state;
    struct error err = ERROR_INIT;
    unsigned removed = 9;

    assert_int_equal(mkdirat(place->fd, "iosweep-0123abcd", 0700), 0);
    assert_int_equal(mkdirat(place->fd, "iosweep-0123abcd-2.3", 0700), 0);
    write_file(place, "iosweep-0123abcd-2.3/MANIFEST", "");
    write_file(place, "iosweep-results.csv", "1,2,3");
    assert_int_equal(mkdirat(place->fd, "iosweep-results", 0700), 0);  /* somebody's, empty */
    assert_int_equal(mkdirat(place->fd, "iosweep-0123abce", 0755), 0); /* another mode */
    assert_int_equal(mkdirat(place->fd, "real", 0700), 0);
    assert_int_equal(symlinkat("real", place->fd, "iosweep-link"), 0);
    assert_int_equal(mkdirat(place->fd, "my-iosweep-c", 0700), 0);
    assert_int_equal(clean(place->path, &removed, &err), 0);
    assert_int_equal(removed, 2);
    assert_int_equal(entries(place), 6);
    assert_true(exists(place, "iosweep-results"));
    assert_true(exists(place, "iosweep-0123abce"));
    assert_int_equal(clean(place->path, &removed, &err), 0);
    assert_int_equal(removed, 0);
}

static void test_clean_no_directory(void **state)
{
    struct place *place = *state;
    struct error err = ERROR_INIT;
    char path[PATH_MAX + 32];
    unsigned removed = 9;

    snprintf(path, sizeof(path), "%s/missing", place->path);
    assert_int_equal(clean(path, &removed, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    assert_int_equal(removed, 0);
    err = ERROR_INIT;
    write_file(place, "file", "x");
    snprintf(path, sizeof(path), "%s/file", place->path);
    assert_int_equal(clean(path, &removed, &err), -1);
    assert_int_equal(err.errnum, ENOTDIR);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_create_and_remove),
        TEST(test_data),
        TEST(test_never_reused),
        TEST(test_stop_leaves_nothing),
        TEST(test_no_space),
        TEST(test_failed_write_leaves_nothing),
        TEST(test_remove_missing_is_fine),
        TEST(test_foreign_file_stays),
        TEST(test_planted_link_is_not_followed),
        TEST(test_replaced_top_is_not_touched),
        TEST(test_directory_in_place_of_a_file),
        TEST(test_abandon_and_keep),
        TEST(test_clean_live_run_is_refused),
        TEST(test_clean_one_run_by_its_own_path),
        TEST(test_clean_older_manifest),
        TEST(test_clean_refuses_what_is_not_ours),
        TEST(test_clean_empty_and_lookalikes),
        TEST(test_clean_no_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
