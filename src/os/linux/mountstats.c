/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mountstats.c - parses /proc/self/mountstats, and finds a mount's entry in it.
 *
 * Both files escape blanks in places and sources alike, so names are compared without decoding. The
 * counters of an operation are, in this order (the kernel's net/sunrpc/stats.c): operations,
 * transmissions, major timeouts, bytes sent, bytes received, and in milliseconds queued, round
 * trips, execution; version 1.1 adds operations that failed. */
#include "base/compat.h"

#include "os/linux/mountstats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/mem.h"
#include "base/number.h"
#include "os/linux/kernel.h"
#include "os/linux/sysfile.h"

/* Parses up to `most` unsigned numbers separated by blanks and returns their count. */
static unsigned take_numbers(const char *text, uint64_t *number, unsigned most)
{
    unsigned count = 0;

    while (count < most && sysfile_take(&text, &number[count]) && strchr(" \t", *text))
        count++;
    return count;
}

/* The text after a key; NULL if the line does not begin with the key. */
static const char *text_after(const char *line, const char *key)
{
    const size_t length = strlen(key);

    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static void take_bytes(struct target_traffic *traffic, const char *text)
{
    uint64_t n[6]; /* read(2), write(2), the same with O_DIRECT, READ and WRITE of the server */

    if (take_numbers(text, n, 6) < 6)
        return;
    traffic->server_read_bytes = n[4];
    traffic->server_write_bytes = n[5];
}

/* "NAME: numbers". Operations never used make up most of the table and are skipped. */
static void take_operation(struct target_traffic *traffic, const char *line)
{
    const size_t length = strcspn(line, ":");
    struct target_rpc rpc = {.count = 0};
    uint64_t n[8];

    if (line[length] != ':' || length == 0 || length >= sizeof(rpc.name) ||
        take_numbers(line + length + 1, n, 8) < 8 || n[0] == 0)
        return;
    for (size_t i = 0; i < length; i++) {
        const char c = line[i];
        if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_')
            return;
        rpc.name[i] = c;
    }
    memcpy(rpc.number, n, sizeof(rpc.number));
    rpc.retransmissions = number_minus(n[1], n[0]);
    target_traffic_add_rpc(traffic, &rpc);
}

static void take_fact(struct mountstats *stats, const char *line)
{
    const char *text;

    if ((text = text_after(line, "bytes:")) != NULL) {
        take_bytes(&stats->traffic, text);
    } else if ((text = text_after(line, "RPC iostats version:")) != NULL) {
        text += strspn(text, " ");
        stats->known = text_after(text, "1.0") != NULL || text_after(text, "1.1");
    } else if (text_after(line, "per-op statistics")) {
        stats->operations = true;
    }
}

void mountstats_take(struct mountstats *stats, const char *line)
{
    if (stats->past)
        return;
    if (text_after(line, "device ") || text_after(line, "no device ")) {
        stats->past = stats->here;
        stats->here = !stats->here && text_after(line, stats->entry);
        return;
    }
    if (!stats->here)
        return;
    line += strspn(line, " \t");
    if (stats->operations && stats->known)
        take_operation(&stats->traffic, line);
    else
        take_fact(stats, line);
}

/* ---- the mount of a file ---- */

struct os_mount {
    char *entry; /* prefix of its entry */
};

/* For other file systems this costs one fstatfs(2). A later mount may hide an earlier one, so the
 * last line counts. */
struct os_mount *os_mount_find(int fd)
{
    struct os_mount *found = NULL;
    struct sysfile_mount mount;
    struct sysfile file;
    struct statfs fs;
    struct stat st;
    dev_t device;

    if (fstatfs(fd, &fs) != 0 || (uint32_t)fs.f_type != MAGIC_NFS || fstat(fd, &st) != 0)
        return NULL;
    file = sysfile_open("", "/proc/self/mountinfo");
    while (sysfile_next_mount(&file, false, &mount)) {
        if (!sysfile_device(mount.device, &device) || device != st.st_dev ||
            !text_after(mount.type, "nfs"))
            continue;
        os_mount_free(found);
        found = mem_calloc(1, sizeof(*found));
        found->entry =
            mem_printf("device %s mounted on %s with fstype nfs", mount.source, mount.place);
    }
    return found;
}

bool os_mount_traffic(const struct os_mount *mount, struct target_traffic *traffic)
{
    struct sysfile file = sysfile_open("", "/proc/self/mountstats");
    struct mountstats stats = {.entry = mount->entry};

    while (sysfile_next(&file, stats.past))
        mountstats_take(&stats, file.line);
    if (!mountstats_complete(&stats))
        return false;
    *traffic = stats.traffic;
    return true;
}

void os_mount_free(struct os_mount *mount)
{
    if (mount)
        free(mount->entry);
    free(mount);
}
