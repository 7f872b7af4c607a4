/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traffic.c - what crosses the network for files on NFS: finds the mount of a file target
 * once, then reads the kernel's counters of it whenever it is asked.  Also the sums of such
 * counters.
 *
 * The counters belong to the mount: whatever other processes do there at the same time is in them.
 * File systems of other kinds cost one fstatfs(2) in all. */
#include "base/compat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "target/file/mountstats.h"
#include "target/file/driver.h"

#define MAGIC_NFS    0x6969u
#define OPTIONS_MOST 512
#define NAME_OTHERS  "OTHERS" /* what the table has no room for */

/* ---- sums ---- */

void target_traffic_add_rpc(struct target_traffic *traffic, const struct target_rpc *rpc)
{
    struct target_rpc *row;
    uint32_t i = 0;

    while (i < traffic->rpc_count && strcmp(traffic->rpc[i].name, rpc->name) != 0)
        i++;
    if (i == TARGET_RPC_MOST) {
        i = TARGET_RPC_MOST - 1;
        memcpy(traffic->rpc[i].name, NAME_OTHERS, sizeof(NAME_OTHERS));
    }
    row = &traffic->rpc[i];
    if (i == traffic->rpc_count) {
        *row = *rpc;
        traffic->rpc_count++;
        return;
    }
    row->count += rpc->count;
    row->retransmissions += rpc->retransmissions;
    row->timeouts += rpc->timeouts;
    row->sent_bytes += rpc->sent_bytes;
    row->received_bytes += rpc->received_bytes;
    row->queue_ms += rpc->queue_ms;
    row->round_trip_ms += rpc->round_trip_ms;
    row->execute_ms += rpc->execute_ms;
}

/* Counters only grow; a mount that was made anew in between is worth nothing, but no harm. */
static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

static void add_difference(struct target_traffic *sum, const struct target_rpc *before,
                           const struct target_rpc *after)
{
    struct target_rpc rpc = *after;

    rpc.count = grown(before->count, after->count);
    rpc.retransmissions = grown(before->retransmissions, after->retransmissions);
    rpc.timeouts = grown(before->timeouts, after->timeouts);
    rpc.sent_bytes = grown(before->sent_bytes, after->sent_bytes);
    rpc.received_bytes = grown(before->received_bytes, after->received_bytes);
    rpc.queue_ms = grown(before->queue_ms, after->queue_ms);
    rpc.round_trip_ms = grown(before->round_trip_ms, after->round_trip_ms);
    rpc.execute_ms = grown(before->execute_ms, after->execute_ms);
    if (rpc.count > 0)
        target_traffic_add_rpc(sum, &rpc);
}

void target_traffic_add(struct target_traffic *sum, const struct target_traffic *before,
                       const struct target_traffic *after)
{
    static const struct target_rpc none = {.count = 0};

    for (uint32_t i = 0; i < after->rpc_count; i++) {
        const struct target_rpc *old = target_traffic_find(before, after->rpc[i].name);
        add_difference(sum, old != NULL ? old : &none, &after->rpc[i]);
    }
    sum->normal_read_bytes += grown(before->normal_read_bytes, after->normal_read_bytes);
    sum->normal_write_bytes += grown(before->normal_write_bytes, after->normal_write_bytes);
    sum->direct_read_bytes += grown(before->direct_read_bytes, after->direct_read_bytes);
    sum->direct_write_bytes += grown(before->direct_write_bytes, after->direct_write_bytes);
    sum->server_read_bytes += grown(before->server_read_bytes, after->server_read_bytes);
    sum->server_write_bytes += grown(before->server_write_bytes, after->server_write_bytes);
}

const struct target_rpc *target_traffic_find(const struct target_traffic *traffic, const char *name)
{
    for (uint32_t i = 0; i < traffic->rpc_count; i++)
        if (strcmp(traffic->rpc[i].name, name) == 0)
            return &traffic->rpc[i];
    return NULL;
}

struct target_rpc target_traffic_total(const struct target_traffic *traffic, bool data_only)
{
    static const char *const data[] = {"READ", "READ_PLUS", "WRITE"};
    struct target_traffic sum = {.rpc_count = 0};
    struct target_rpc rpc;

    for (uint32_t i = 0; i < traffic->rpc_count; i++) {
        bool wanted = !data_only;
        for (size_t k = 0; k < sizeof(data) / sizeof(data[0]); k++)
            wanted = wanted || strcmp(traffic->rpc[i].name, data[k]) == 0;
        rpc = traffic->rpc[i];
        memset(rpc.name, 0, sizeof(rpc.name));
        if (wanted)
            target_traffic_add_rpc(&sum, &rpc);
    }
    return sum.rpc[0];
}

/* ---- the mount of a target ---- */

struct search {
    unsigned major_number, minor_number;
    char entry[MOUNTSTATS_LINE];
};

/* A later line may hide an earlier one of the same mount: the last one counts. */
static bool take_mount(void *arg, const char *line)
{
    struct search *search = arg;
    char entry[MOUNTSTATS_LINE];

    if (mountstats_entry(line, search->major_number, search->minor_number, entry, sizeof(entry)))
        memcpy(search->entry, entry, sizeof(entry));
    return true;
}

static bool take_stats(void *arg, const char *line)
{
    struct mountstats *stats = arg;

    mountstats_take(stats, line);
    return !stats->past;
}

/* How the entry of the mount that holds an open directory begins, to be freed; NULL: not NFS. */
static char *find_entry(int dir_fd)
{
    struct search search = {.entry = ""};
    struct statfs fs;
    struct stat st;
    int fd;

    if (fstatfs(dir_fd, &fs) != 0 || (uint32_t)fs.f_type != MAGIC_NFS || fstat(dir_fd, &st) != 0)
        return NULL;
    search.major_number = major(st.st_dev);
    search.minor_number = minor(st.st_dev);
    fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    (void)mountstats_read(fd, take_mount, &search); /* what was read of it counts */
    close(fd);
    return search.entry[0] != '\0' ? mem_strdup(search.entry) : NULL;
}

void file_target_find_mount(struct file_target *fs)
{
    const int dir_fd = fs->target.dir_fd >= 0 ? fs->target.dir_fd : fs->parent_fd;
    struct mountstats stats = {.entry = NULL};
    char options[OPTIONS_MOST];

    fs->mountstats_fd = -1;
    fs->mount_entry = dir_fd >= 0 ? find_entry(dir_fd) : NULL;
    if (fs->mount_entry == NULL)
        return;
    fs->mountstats_fd = open("/proc/self/mountstats", O_RDONLY | O_CLOEXEC);
    stats.entry = fs->mount_entry;
    if (fs->mountstats_fd < 0 || mountstats_read(fs->mountstats_fd, take_stats, &stats) != 0)
        return;
    mountstats_choose(stats.options, options, sizeof(options));
    if (options[0] != '\0')
        fs->target.network_options = mem_strdup(options);
}

void file_target_forget_mount(struct file_target *fs)
{
    free(fs->mount_entry);
    free(fs->target.network_options);
    if (fs->mount_entry != NULL && fs->mountstats_fd >= 0)
        close(fs->mountstats_fd);
}

bool file_target_traffic(const struct target *target, struct target_traffic *traffic)
{
    const struct file_target *fs = (const struct file_target *)target;
    struct mountstats stats = {.entry = fs->mount_entry};

    if (fs->mount_entry == NULL || fs->mountstats_fd < 0 ||
        mountstats_read(fs->mountstats_fd, take_stats, &stats) != 0 || !mountstats_complete(&stats))
        return false;
    *traffic = stats.traffic;
    return true;
}
