/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake.c - the scripted engine, clock and target; see fake.h. */
#include "base/compat.h"

#include "unit/fake.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of hooks */

uint64_t fake_now_ns, fake_reading_ns, fake_readings;
struct fake_script fake_script;
unsigned fake_prepares, fake_rounds;

static uint64_t read_clock(void *arg)
{
    fake_readings++;
    fake_now_ns += fake_reading_ns;
    return fake_now_ns;
}

struct clock fake_clock = {.now_ns = read_clock};

void fake_reset(const struct fake_step *steps, unsigned count)
{
    memset(&fake_script, 0, sizeof(fake_script));
    fake_script.steps = steps;
    fake_script.count = count;
    fake_script.lowest_offset = UINT64_MAX;
    fake_script.align_bytes = 1;
    fake_now_ns = 1000;
    fake_reading_ns = 0;
    fake_readings = 0;
    fake_prepares = fake_rounds = 0;
}

static const struct fake_step *step(void)
{
    static const struct fake_step idle;
    return fake_script.count ? &fake_script.steps[fake_script.next % fake_script.count] : &idle;
}

struct fake_ctx {
    const struct workload *work;
};

static struct fake_ctx the_ctx;

static int fake_setup(const struct workload *work, const struct engine_thread *thread, void **ctx,
                      struct error *err)
{
    the_ctx.work = work;
    *ctx = &the_ctx;
    fake_script.setups++;
    return 0;
}

static void fake_teardown(void *ctx)
{
    fake_script.teardowns++;
}

static int fake_open(void *ctx, uint32_t object, struct handle *file)
{
    const int result = (int)step()->open_result;
    fake_script.opens++;
    fake_script.object_hits[object % 64]++;
    fake_now_ns += step()->open_ns;
    file->fd = (int)object;
    if (result < 0)
        fake_script.next++;
    return result;
}

static int fake_seek(void *ctx, struct handle *file, uint64_t offset_bytes)
{
    fake_script.seeks++;
    fake_now_ns += step()->seek_ns;
    return (int)step()->seek_result;
}

/* Each piece is a step of the script. */
static int64_t fake_transfer(void *ctx, struct io *io)
{
    const uint64_t end = io->offset_bytes + io->bytes;
    const struct fake_step *now = step();

    fake_script.transfers++;
    fake_script.last_bytes = io->bytes;
    fake_script.last_pieces += !io->more;
    if (io->offset_bytes < fake_script.lowest_offset)
        fake_script.lowest_offset = io->offset_bytes;
    if (end > fake_script.highest_end)
        fake_script.highest_end = end;
    fake_script.misaligned += io->offset_bytes % fake_script.align_bytes != 0;
    fake_now_ns += now->transfer_ns;
    if (fake_script.stop_after && (int)fake_script.transfers >= fake_script.stop_after)
        fake_script.stop = 2;
    if (io->more)
        fake_script.next++;
    return now->transfer_result ? now->transfer_result : (int64_t)io->bytes;
}

static int fake_close(void *ctx, struct handle *file)
{
    const int result = (int)step()->close_result;
    fake_script.closes++;
    fake_now_ns += step()->close_ns;
    fake_script.next++;
    return result;
}

static void fake_forget(const struct workload *work, uint32_t object, uint64_t offset_bytes)
{
    fake_script.forgets++;
    fake_now_ns += 7;
}

#define FAKE_HOOKS                                                                            \
    .capabilities = ENGINE_WRITES | ENGINE_DIRECT | ENGINE_UNCACHED | ENGINE_SYNC_OPEN |      \
                    ENGINE_KEEP_OPEN | ENGINE_VIRTUAL,                                        \
    .setup = fake_setup, .teardown = fake_teardown, .open = fake_open, .read = fake_transfer, \
    .write = fake_transfer, .rmw = fake_transfer, .close = fake_close, .forget = fake_forget

const struct engine engine_fake = {
    .name = "fake",
    .summary = "plays a script",
    .libc_words = "Using a script",
    .phases = 1u << PHASE_OPEN | 1u << PHASE_SEEK | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    .seek = fake_seek,
    FAKE_HOOKS,
};

const struct engine engine_fake_pread = {
    .name = "fake_pread",
    .summary = "plays a script without seeking",
    .libc_words = "Using a script",
    .phases = 1u << PHASE_OPEN | 1u << PHASE_TRANSFER | 1u << PHASE_CLOSE,
    FAKE_HOOKS,
};

static int target_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                          struct error *err)
{
    fake_prepares++;
    return 0;
}

static int target_round(struct target *target, enum cache_mode mode, struct error *err)
{
    fake_rounds++;
    return 0;
}

static int target_probe(struct target *target, struct error *err)
{
    target->direct_align_bytes = 512;
    target->memory_align_bytes = 512;
    return 0;
}

const struct storage_driver target_fake = {
    .name = "fake",
    .kind = "fake",
    .scheme = "fake:",
    .capabilities = TARGET_FILES | TARGET_SHAPED | TARGET_CACHED | TARGET_OPENED,
    .prepare = target_prepare,
    .before_round = target_round,
    .probe_direct = target_probe,
};

struct target fake_target(uint64_t *length_bytes, uint32_t objects, uint64_t each_bytes)
{
    static const char *const names[64] = {"o"};
    static char label[] = "fake:";
    struct target target = {.driver = &target_fake,
                            .label = label,
                            .place = label,
                            .description = label,
                            .object_count = objects,
                            .length_bytes = length_bytes,
                            .total_bytes = objects * each_bytes,
                            .name = names,
                            .dir_fd = -1,
                            .writable = true};
    for (uint32_t i = 0; i < objects; i++)
        length_bytes[i] = each_bytes;
    return target;
}
