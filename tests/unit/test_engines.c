/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The contract of engine.h, checked on every engine of this build, with real files: data written
 * are read back, short files are short, missing files fail with ENOENT, nothing leaks. */
#include "base/compat.h"

#include "unit/cmocka_all.h"
#include "unit/engine_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "os/memory.h"
#include "run/cycle.h"
#include "unit/scratch.h"

#define FILES      3
#define FILE_BYTES 65536u
#define IO_BYTES   4096u

static char directory[] = "test_engines.XXXXXX";
static char path[4096];
static const char *const names[] = {"a", "b", "c"};
static const uint64_t lengths[] = {FILE_BYTES, FILE_BYTES, FILE_BYTES};
static struct target target;

/* Engines keep state such as rings between slices; retired at the end. */
static void *homes[16];

static void **home_of(const struct engine *engine)
{
    unsigned i = 0;
    while (engine_table[i] != engine)
        i++;
    assert_true(i < 16);
    return &homes[i];
}

static int make_files(void **state)
{
    unsigned char block[IO_BYTES];
    assert_non_null(mkdtemp(directory));
    assert_non_null(realpath(directory, path));
    target = (struct target){.driver = &target_file,
                             .label = directory,
                             .place = path,
                             .object_count = FILES,
                             .length_bytes = lengths,
                             .total_bytes = FILES * FILE_BYTES,
                             .name = names,
                             .dir_path = path,
                             .writable = true};
    target.dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned f = 0; f < FILES; f++) {
        int fd = openat(target.dir_fd, names[f], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        assert_true(fd >= 0);
        for (unsigned b = 0; b < FILE_BYTES / IO_BYTES; b++) {
            memset(block, (int)(f * 16 + b), sizeof(block));
            assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
        }
        close(fd);
    }
    return 0;
}

static int remove_files(void **state)
{
    for (unsigned i = 0; engine_table[i]; i++)
        if (homes[i])
            engine_table[i]->retire(homes[i]);
    for (unsigned f = 0; f < FILES; f++)
        unlinkat(target.dir_fd, names[f], 0);
    close(target.dir_fd);
    return rmdir(directory);
}

static struct workload work_for(enum io_test test)
{
    return (struct workload){.target = &target,
                             .test = test,
                             .size_bytes = IO_BYTES,
                             .io_bytes = IO_BYTES,
                             .object_count = FILES,
                             .depth = 4,
                             .slot_bytes = IO_BYTES};
}

static int64_t step(const struct engine *engine, void *ctx,
                    int64_t (*hook)(void *, const struct async_op *), enum async_step which,
                    const struct async_op *op)
{
    struct async_event event;
    int64_t result = hook(ctx, op);
    if (result != ASYNC_PENDING)
        return result;
    for (int tries = 0; tries < 1000; tries++) {
        int count;
        if (engine->async->submit)
            engine->async->submit(ctx);
        count = engine->async->reap(ctx, ASYNC_FOREVER, &event, 1);
        assert_true(count >= 0);
        if (count == 1) {
            assert_int_equal(event.slot, op->slot);
            assert_int_equal(event.step, which);
            return event.result;
        }
    }
    fail_msg("%s: no event", engine->name);
    return -1;
}

/* Performs an operation of an asynchronous engine in slot 3, like the loop. */
static int64_t operate_async(const struct engine *engine, const struct workload *work,
                             uint32_t object, uint64_t offset_bytes, void *buffer)
{
    const struct engine_async *async = engine->async;
    const struct engine_thread thread = {
        .memory = buffer, .memory_bytes = IO_BYTES, .home = home_of(engine)};
    struct async_op op = {
        .slot = 3, .object = object, .buffer = buffer, .offset_bytes = offset_bytes};
    const bool writes = work->test == TEST_WRITE;
    struct error err = ERROR_INIT;
    int64_t result;
    void *ctx = NULL;

    assert_int_equal(engine->setup(work, &thread, &ctx, &err), 0);
    result = work->keep_open ? 0 : step(engine, ctx, async->open, ASYNC_OPEN, &op);
    if (result >= 0) {
        result = step(engine, ctx, writes ? async->write : async->read,
                      writes ? ASYNC_WRITE : ASYNC_READ, &op);
        if (writes && work->sync == SYNC_END && result >= 0)
            assert_int_equal(step(engine, ctx, async->sync, ASYNC_SYNC, &op), 0);
        if (!work->keep_open)
            assert_int_equal(step(engine, ctx, async->close, ASYNC_CLOSE, &op), 0);
    }
    if (engine->forget)
        engine->forget(work, object, offset_bytes);
    engine->teardown(ctx);
    return result;
}

/* Performs an operation like the loop; returns the result of the transfer or the first error. */
static int64_t operate(const struct engine *engine, const struct workload *work, uint32_t object,
                       uint64_t offset_bytes, void *buffer)
{
    struct handle file = {.fd = -1};
    struct io io = {.file = &file,
                    .buffer = buffer,
                    .offset_bytes = offset_bytes,
                    .bytes = (size_t)work->io_bytes};
    struct error err = ERROR_INIT;
    int64_t result = 0;
    void *ctx = NULL, *scratch = NULL;

    if (engine->async)
        return operate_async(engine, work, object, offset_bytes, buffer);
    scratch = mem_buffer((size_t)work->io_bytes, 4096, &err);
    io.scratch = scratch;
    assert_int_equal(engine->setup(work, &(struct engine_thread){.memory = NULL}, &ctx, &err), 0);
    if (engine->open)
        result = engine->open(ctx, object, &file);
    if (result == 0) {
        if (engine->seek)
            result = engine->seek(ctx, &file, offset_bytes);
        if (result == 0)
            result = work->test == TEST_READ ? engine->read(ctx, &io)
                     : work->rmw             ? engine->rmw(ctx, &io)
                                             : engine->write(ctx, &io);
        if (engine->close) {
            int closed = engine->close(ctx, &file);
            if (closed < 0 && result >= 0)
                result = closed;
        }
    }
    if (engine->forget)
        engine->forget(work, object, offset_bytes);
    engine->teardown(ctx);
    mem_buffer_free(scratch);
    return result;
}

static void all_keep_the_contract(void **state)
{
    for (const struct engine *const *e = engine_table; *e; e++) {
        const char *fault = engine_check(*e);
        if (fault)
            fail_msg("%s: %s", (*e)->name, fault);
        assert_ptr_equal(engine_find((*e)->name), *e);
        for (const struct option_row *row = (*e)->options; row && row->name; row++) {
            assert_memory_equal(row->name, (*e)->name, strlen((*e)->name));
            assert_int_equal(row->name[strlen((*e)->name)], '.');
        }
    }
    assert_null(engine_find("no-such-engine"));
}

/* Kernels and containers may lack what an engine needs. */
static bool usable(const struct engine *engine)
{
    struct error err = ERROR_INIT;
    char text[512];
    if (!engine->available || engine->available(NULL, &err) == 0)
        return true;
    assert_int_equal(err.status, STATUS_TARGET);
    print_message("%s: not tried: %s\n", engine->name, error_format(&err, text, sizeof(text)));
    return false;
}

/* All engines except those that move no data, need a server or are unusable here. */
#define FOR_REAL_ENGINES(engine)                                                            \
    for (const struct engine *const *e = engine_table, *engine; (engine = *e) != NULL; e++) \
        if (!engine->driver && !(engine->capabilities & ENGINE_VIRTUAL) && usable(engine))

static void faults_of_an_engine_are_seen(void **state)
{
    struct engine broken = *engine_table[0];
    broken.close = NULL;
    assert_non_null(engine_check(&broken));
    broken = *engine_table[0];
    broken.write = NULL;
    assert_non_null(engine_check(&broken));
    broken = *engine_table[0];
    broken.seek = NULL;
    assert_true(engine_check(&broken) || !engine_table[0]->seek);
    broken = *engine_table[0];
    broken.forget = NULL;
    assert_true(engine_check(&broken) || !engine_table[0]->forget);
    broken = *engine_table[0];
    broken.async = &(const struct engine_async){.depth_max = 1};
    assert_non_null(engine_check(&broken));
    FOR_REAL_ENGINES(engine)
    if (engine->async) {
        struct engine_async hooks = *engine->async;
        broken = *engine;
        broken.async = &hooks;
        assert_null(engine_check(&broken));
        hooks.reap = NULL;
        assert_non_null(engine_check(&broken));
        hooks = *engine->async;
        hooks.depth_max = 0;
        assert_non_null(engine_check(&broken));
    }
    broken = *engine_table[0];
    broken.name = "";
    assert_non_null(engine_check(&broken));
}

/* Creates the engines' state, after which the number of open descriptors must not change. */
static void warm_up(const struct engine *engine)
{
    struct error err = ERROR_INIT;
    void *buffer = mem_buffer(IO_BYTES, 4096, &err);
    const struct workload work = work_for(TEST_READ);
    assert_int_equal(operate(engine, &work, 0, 0, buffer), IO_BYTES);
    mem_buffer_free(buffer);
}

static void reads_what_is_there(void **state)
{
    struct error err = ERROR_INIT;
    unsigned char *buffer = mem_buffer(IO_BYTES, 4096, &err);
    FOR_REAL_ENGINES(engine)
    {
        struct workload work = work_for(TEST_READ);
        int before;
        warm_up(engine);
        before = scratch_count_descriptors();
        /* Asynchronous engines keep files open themselves. */
        for (int keep = 0; keep < (engine->async ? 2 : 1); keep++)
            for (uint32_t f = 0; f < FILES; f++)
                for (uint64_t b = 0; b < FILE_BYTES / IO_BYTES; b++) {
                    work.keep_open = keep;
                    memset(buffer, 0xee, IO_BYTES);
                    assert_int_equal(operate(engine, &work, f, b * IO_BYTES, buffer), IO_BYTES);
                    assert_int_equal(buffer[0], f * 16 + b);
                    assert_int_equal(buffer[IO_BYTES - 1], f * 16 + b);
                }
        assert_int_equal(scratch_count_descriptors(), before);
    }
    mem_buffer_free(buffer);
}

static void writes_arrive_and_change_nothing_else(void **state)
{
    static const enum sync_mode syncs[] = {SYNC_NONE, SYNC_DATA, SYNC_FULL, SYNC_END};
    struct error err = ERROR_INIT;
    unsigned char *buffer = mem_buffer(IO_BYTES, 4096, &err), seen[3];
    FOR_REAL_ENGINES(engine)
    {
        struct workload work = work_for(TEST_WRITE);
        if (!(engine->capabilities & ENGINE_WRITES))
            continue;
        for (size_t s = 0; s < 4; s++) {
            struct stat st;
            int fd;
            work.sync = syncs[s];
            if ((work.sync == SYNC_DATA || work.sync == SYNC_FULL) &&
                !(engine->capabilities & ENGINE_SYNC_OPEN))
                continue;
            memset(buffer, (int)(200 + s), IO_BYTES);
            assert_int_equal(operate(engine, &work, 1, 8192, buffer), IO_BYTES);
            fd = openat(target.dir_fd, "b", O_RDWR);
            assert_int_equal(fstat(fd, &st), 0);
            assert_int_equal(st.st_size, FILE_BYTES);
            assert_int_equal(pread(fd, &seen[0], 1, 8191), 1);
            assert_int_equal(pread(fd, &seen[1], 1, 8192), 1);
            assert_int_equal(pread(fd, &seen[2], 1, 8192 + IO_BYTES), 1);
            assert_int_equal(seen[0], 16 + 1);
            assert_int_equal(seen[1], 200 + s);
            assert_int_equal(seen[2], 16 + 3);
            memset(buffer, 16 + 2, IO_BYTES); /* unchanged */
            assert_int_equal(pwrite(fd, buffer, IO_BYTES, 8192), IO_BYTES);
            close(fd);
        }
    }
    mem_buffer_free(buffer);
}

static void read_modify_write_keeps_the_rest_of_the_block(void **state)
{
    struct error err = ERROR_INIT;
    unsigned char *buffer = mem_buffer(IO_BYTES, 4096, &err), seen[2];
    FOR_REAL_ENGINES(engine)
    {
        struct workload work = work_for(TEST_WRITE);
        int fd;
        if (!engine->rmw)
            continue;
        work.rmw = true;
        work.size_bytes = 100;
        memset(buffer, 99, IO_BYTES);
        assert_int_equal(operate(engine, &work, 2, 4096, buffer), IO_BYTES);
        fd = openat(target.dir_fd, "c", O_RDWR);
        assert_int_equal(pread(fd, &seen[0], 1, 4096 + 99), 1);
        assert_int_equal(pread(fd, &seen[1], 1, 4096 + 100), 1);
        assert_int_equal(seen[0], 99);
        assert_int_equal(seen[1], 32 + 1);
        memset(buffer, 32 + 1, IO_BYTES);
        assert_int_equal(pwrite(fd, buffer, IO_BYTES, 4096), IO_BYTES);
        close(fd);
    }
    mem_buffer_free(buffer);
}

static void the_end_of_a_file_is_short(void **state)
{
    struct error err = ERROR_INIT;
    unsigned char *buffer = mem_buffer(IO_BYTES, 4096, &err);
    FOR_REAL_ENGINES(engine)
    {
        const struct workload work = work_for(TEST_READ);
        assert_int_equal(operate(engine, &work, 0, FILE_BYTES - 100, buffer), 100);
        assert_int_equal(operate(engine, &work, 0, FILE_BYTES, buffer), 0);
    }
    mem_buffer_free(buffer);
}

static void failures_are_negative_errno(void **state)
{
    static const char *const missing[] = {"missing", "b", "c"};
    struct error err = ERROR_INIT;
    unsigned char *buffer = mem_buffer(IO_BYTES, 4096, &err);
    const int before = scratch_count_descriptors();
    target.name = missing;
    FOR_REAL_ENGINES(engine)
    {
        const struct workload work = work_for(TEST_READ);
        assert_int_equal(operate(engine, &work, 0, 0, buffer), -ENOENT);
    }
    target.name = names;
    FOR_REAL_ENGINES(engine)
    {
        const struct workload work = work_for(TEST_READ);
        int64_t code;

        if (engine->async) /* they would have to register the buffer */
            continue;
        code = operate(engine, &work, 0, 0, (void *)(uintptr_t)8);
        if (code == -EINVAL && strcmp(engine->name, "stdio") == 0)
            continue; /* streams of some C libraries */
        assert_int_equal(code, -EFAULT);
    }
    assert_int_equal(scratch_count_descriptors(), before);
    mem_buffer_free(buffer);
}

static void the_null_store_has_objects(void **state)
{
    static const volatile int stop;
    const struct target_request request = {.target = "null:", .file_bytes = 1000, .stop = &stop};
    struct target *null = NULL;
    struct error err = ERROR_INIT;
    assert_ptr_equal(storage_driver_for("null:"), &target_null);
    assert_ptr_equal(storage_driver_for("null"), &target_file); /* a directory of that name */
    assert_int_equal(target_null.open(&request, &null, &err), 0);
    assert_int_equal(null->object_count, 64);
    assert_int_equal(null->length_bytes[63], 1000);
    assert_null(null->name);
    assert_int_equal(target_null.close(null, &err), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keep_the_contract),
        cmocka_unit_test(faults_of_an_engine_are_seen),
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(writes_arrive_and_change_nothing_else),
        cmocka_unit_test(read_modify_write_keeps_the_rest_of_the_block),
        cmocka_unit_test(the_end_of_a_file_is_short),
        cmocka_unit_test(failures_are_negative_errno),
        cmocka_unit_test(the_null_store_has_objects),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
