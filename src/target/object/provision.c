/* SPDX-License-Identifier: GPL-2.0-or-later */
/* provision.c - objects that a slice uses up or moves: made before it, several at a time, so that its
 * operations are nothing but renaming or removing.  Objects to be removed are numbered through for
 * all threads and slices of a set; what a slice leaves over is there for the next one. */
#include "base/compat.h"

#include "target/object/operation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/memory.h"

#define COLD_RETRIES 3u
#define LOOK_NS      UINT64_C(200000000)

/* Cold work of all slots of a site at once. */
struct task {
    struct s3_site *site;
    const char *data; /* of the objects that are made */
    uint64_t up_to;   /* DELETE: make objects up to this number */
    /* Puts the first request of an operation into slot->call.  Returns false when this slot has
     * nothing to do any more. */
    bool (*next)(struct task *task, struct s3_slot *slot);
    int64_t failure; /* of the first one that failed */
};

static struct s3_set *set_of(const struct s3_set *set)
{
    return (struct s3_set *)(uintptr_t)set;
}

bool s3_stock_take(const struct s3_set *set, uint64_t count, uint64_t *first)
{
    struct s3_set *const stock = set_of(set);
    uint64_t taken = atomic_load_explicit(&stock->taken, memory_order_relaxed);

    do {
        if (taken + count > atomic_load_explicit(&stock->made, memory_order_relaxed))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&stock->taken, &taken, taken + count,
                                                    memory_order_relaxed, memory_order_relaxed));
    *first = taken;
    return true;
}

/* ---- running ---- */

static void task_begin(struct task *task, struct s3_slot *slot)
{
    struct s3_site *site = task->site;

    while (!task->failure && !s3_site_stops(site) && task->next(task, slot)) {
        const int64_t result = s3_site_begin(site, slot);

        if (result == ASYNC_PENDING)
            return;
        task->failure = result;
    }
}

static bool task_busy(const struct s3_site *site)
{
    for (uint32_t i = 0; i < site->width; i++)
        if (site->slot[i].busy)
            return true;
    return false;
}

/* Returns 0, or -errno of the first operation that failed. */
static int64_t task_run(struct task *task)
{
    struct s3_site *site = task->site;

    site->width = site->slots;
    site->retries = site->options->retries > COLD_RETRIES ? site->options->retries : COLD_RETRIES;
    for (uint32_t i = 0; i < site->width; i++) {
        site->slot[i].asked = false;
        task_begin(task, &site->slot[i]);
    }
    while (task_busy(site)) {
        const int got = s3_site_reap(site, LOOK_NS, site->event, site->width);

        if (got < 0)
            return got;
        for (int i = 0; i < got; i++) {
            if (site->event[i].result < 0 && !task->failure)
                task->failure = site->event[i].result;
            task_begin(task, &site->slot[site->event[i].slot]);
        }
    }
    return task->failure;
}

/* ---- objects to be removed ---- */

static void put_object(const struct task *task, struct s3_slot *slot, uint64_t number)
{
    slot->goal = S3_GOAL_MAKE;
    slot->call = (struct s3_call){
        .kind = S3_PUT,
        .key = s3_bucket_key(task->site->set, number, slot->key),
        .body = task->data,
        .body_bytes = task->site->work->io_bytes,
    };
}

/* All threads make what is missing together: nothing is taken meanwhile. */
static bool next_numbered(struct task *task, struct s3_slot *slot)
{
    struct s3_set *const stock = set_of(task->site->set);
    uint64_t number = atomic_load(&stock->made);

    do {
        if (number >= task->up_to)
            return false;
    } while (!atomic_compare_exchange_weak(&stock->made, &number, number + 1));
    put_object(task, slot, number);
    return true;
}

/* ---- objects to be renamed ---- */

static struct s3_movable *movable_of(struct s3_site *site)
{
    struct s3_movable *movable;

    for (unsigned i = 0; i < site->movable_count; i++)
        if (site->movable[i].set == site->set)
            return &site->movable[i];
    site->movable =
        mem_realloc_array(site->movable, site->movable_count + 1, sizeof *site->movable);
    movable = &site->movable[site->movable_count++];
    *movable = (struct s3_movable){.set = site->set};
    return movable;
}

static bool next_own(struct task *task, struct s3_slot *slot)
{
    struct s3_site *site = task->site;

    if (slot->asked || slot->index < movable_of(site)->made || slot->index >= site->work->depth)
        return false;
    slot->asked = true;
    slot->moved = false;
    put_object(task, slot, site->number_first + 2 * (uint64_t)slot->index);
    return true;
}

/* All slots of a slice share the content; none of another slice is under way. */
bool s3_stock_replace(struct s3_site *site, struct s3_slot *slot)
{
    const size_t bytes = (size_t)site->work->io_bytes;
    struct error unsaid = ERROR_INIT;

    if (site->spare_bytes < bytes) {
        mem_buffer_free(site->spare);
        site->spare = mem_buffer(bytes, 1, &unsaid);
        site->spare_bytes = site->spare ? bytes : 0;
        if (!site->spare)
            return false;
        mem_fill_random(site->spare, bytes, site->bucket->target.request->seed);
    }
    slot->call = (struct s3_call){
        .kind = S3_PUT,
        .key = slot->key,
        .body = site->spare,
        .body_bytes = bytes,
    };
    return true;
}

static bool next_back(struct task *task, struct s3_slot *slot)
{
    if (slot->asked || !slot->moved)
        return false;
    slot->asked = true;
    slot->goal = S3_GOAL_BACK;
    return s3_operation_first(task->site, slot) == 0;
}

/* What could not be moved back is made anew when it is needed. */
void s3_stock_restore(struct s3_site *site)
{
    struct task task = {.site = site, .next = next_back};

    if (site->work->test != TEST_RENAME)
        return;
    if (!site->http || task_run(&task) < 0 || s3_site_stops(site))
        movable_of(site)->made = 0;
    for (uint32_t i = 0; i < site->slots; i++)
        site->slot[i].moved = false;
}

/* ---- before a slice ---- */

static bool stock_task(struct s3_site *site, struct task *task)
{
    const struct s3_set *set = site->set;

    switch (site->work->test) {
    case TEST_RENAME:
        task->next = next_own;
        return movable_of(site)->made < site->work->depth;
    case TEST_DELETE:
    case TEST_DELETE_MANY:
        task->next = next_numbered;
        task->up_to = atomic_load(&set_of(set)->taken) + site->cycles * site->batch;
        return atomic_load(&set_of(set)->made) < task->up_to;
    default:
        return false;
    }
}

int s3_stock_make(struct s3_site *site, struct error *err)
{
    const size_t size_bytes = (size_t)site->work->io_bytes;
    struct task task = {.site = site};
    char *data;
    int64_t code;

    if (!stock_task(site, &task))
        return 0;
    data = mem_buffer(size_bytes, 1, err);
    if (!data)
        return -1;
    mem_fill_random(data, size_bytes, site->bucket->target.request->seed);
    task.data = data;
    code = task_run(&task);
    mem_buffer_free(data);
    if (code == -EDQUOT) {
        error_set(err, STATUS_TARGET, EDQUOT, "cannot make the objects of a test in",
                  site->bucket->target.place);
        return error_explain(err, "no request is left of --max-requests");
    }
    if (code < 0 && !s3_site_stops(site))
        return error_set(err, STATUS_TARGET, site->first_failure[0] ? 0 : (int)-code,
                         "cannot make the objects of a test:", site->first_failure);
    if (site->work->test == TEST_RENAME && !s3_site_stops(site) &&
        movable_of(site)->made < site->work->depth)
        movable_of(site)->made = site->work->depth;
    return 0;
}
