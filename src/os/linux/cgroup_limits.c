/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cgroup_limits.c - limits of control groups on this process: processors and device traffic. A
 * limit there looks exactly like a slow disk.
 *
 * Version 2 limits, and CPU quotas in version 1, apply to all descendants; the lowest one counts.
 * Throttling in version 1 is not inherited: only the own group's limits apply. */
#include "base/compat.h"

#include "base/number.h"
#include "os/linux/facts_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "os/linux/sysfile.h"

enum limit { LIMIT_READ_BYTES, LIMIT_WRITE_BYTES, LIMIT_READ_OPS, LIMIT_WRITE_OPS, LIMIT_COUNT };

/* Non-numbers mean no limit: "max", "-1". */
static void take_quota(const char *used, const char *period, double *least)
{
    uint64_t used_us, period_us;

    if (number_read(used, &used_us) && number_read(period, &period_us) && used_us > 0 &&
        period_us > 0 && (*least == 0 || (double)used_us / (double)period_us < *least))
        *least = (double)used_us / (double)period_us;
}

double hostinfo_read_cpu_quota(const char *root)
{
    struct cgroup group;
    char line[128], period[64];
    double least = 0;

    if (cgroup_find(root, NULL, &group))
        do {
            char *rest = line;
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.max", group.path)) {
                const char *used = strsep(&rest, " ");
                take_quota(used, rest ? rest : "", &least);
            }
        } while (cgroup_up(&group));
    if (cgroup_find(root, "cpu", &group))
        do {
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.cfs_quota_us", group.path) &&
                sysfile_line(period, sizeof(period), root, "%s/cpu.cfs_period_us", group.path))
                take_quota(line, period, &least);
        } while (cgroup_up(&group));
    return least;
}

static bool is_device_of(const char *line, const dev_t *devices, unsigned count)
{
    dev_t device;

    if (!sysfile_device(line, &device))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (devices[i] == device)
            return true;
    return false;
}

static void take_limit(const char *number, uint64_t *least)
{
    uint64_t limit;

    if (number_take(&number, &limit) && limit > 0 && (*least == 0 || limit < *least))
        *least = limit;
}

/* "8:0 rbps=1048576 wbps=max riops=max wiops=100" */
static void take_io_max(const char *root, const char *path, const dev_t *devices, unsigned count,
                        uint64_t *least)
{
    static const char *const keys[LIMIT_COUNT] = {" rbps=", " wbps=", " riops=", " wiops="};
    char line[256], name[SYSFILE_PATH + 16];
    FILE *file;

    snprintf(name, sizeof(name), "%s/io.max", path);
    file = sysfile_open(root, name);
    while (sysfile_next(file, false, line, sizeof(line)))
        for (int i = 0; i < LIMIT_COUNT && is_device_of(line, devices, count); i++) {
            const char *value = strstr(line, keys[i]);
            if (value)
                take_limit(value + strlen(keys[i]), &least[i]);
        }
}

/* One limit per file, lines "8:0 1048576". */
static bool take_throttle(const char *root, const char *path, const dev_t *devices, unsigned count,
                          uint64_t *least)
{
    static const char *const files[LIMIT_COUNT] = {"read_bps", "write_bps", "read_iops",
                                                   "write_iops"};
    char line[256], name[SYSFILE_PATH + 48];
    bool known = false;

    for (int i = 0; i < LIMIT_COUNT; i++) {
        FILE *file;
        snprintf(name, sizeof(name), "%s/blkio.throttle.%s_device", path, files[i]);
        file = sysfile_open(root, name);
        known = known || file;
        while (sysfile_next(file, false, line, sizeof(line)))
            if (is_device_of(line, devices, count) && strchr(line, ' '))
                take_limit(strchr(line, ' ') + 1, &least[i]);
    }
    return known;
}

void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size)
{
    static const char *const actions[LIMIT_COUNT] = {"read", "write", "read", "write"};
    uint64_t least[LIMIT_COUNT] = {0};
    struct cgroup group;
    bool known = false;

    text[0] = '\0';
    if (count == 0)
        return;
    if (cgroup_find(root, NULL, &group)) {
        known = true; /* the root group has no such file, since it cannot be limited */
        do
            take_io_max(root, group.path, devices, count, least);
        while (cgroup_up(&group));
    }
    if (cgroup_find(root, "blkio", &group))
        known = take_throttle(root, group.path, devices, count, least) || known;
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (least[i] > 0)
            text_add(text, size, ", ", "%s %" PRIu64 " %s/s", actions[i], least[i],
                     i < LIMIT_READ_OPS ? "bytes" : "operations");
    if (known && text[0] == '\0')
        text_copy(text, size, "none");
}
