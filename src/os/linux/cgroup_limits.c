/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup.c - what control groups allow this process: processors and traffic with a device.  A limit
 * there looks exactly like a slow disk.
 *
 * Version 2 limits, and processors in version 1, hold for all groups below; the least one counts.
 * Throttling in version 1 does not inherit: only the own group's limits hold. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "os/linux/cgroup.h"
#include "os/linux/sysfile.h"

enum limit { LIMIT_READ_BYTES, LIMIT_WRITE_BYTES, LIMIT_READ_OPS, LIMIT_WRITE_OPS, LIMIT_COUNT };

static void take_quota(double used, double period, double *least)
{
    if (used > 0 && period > 0 && (*least == 0 || used / period < *least))
        *least = used / period;
}

double hostinfo_read_cpu_quota(const char *root)
{
    struct cgroup group;
    char line[128], period[64];
    double least = 0;

    if (cgroup_find(root, NULL, &group))
        do {
            char *rest = NULL;
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.max", group.path)) {
                const double used = strtod(line, &rest); /* "max" is no number */
                take_quota(used, strtod(rest, NULL), &least);
            }
        } while (cgroup_up(&group));
    if (cgroup_find(root, "cpu", &group))
        do {
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.cfs_quota_us", group.path) &&
                sysfile_line(period, sizeof(period), root, "%s/cpu.cfs_period_us", group.path))
                take_quota(strtod(line, NULL), strtod(period, NULL), &least);
        } while (cgroup_up(&group));
    return least;
}

static bool is_one_of(const char *line, const dev_t *devices, unsigned count)
{
    char *end;
    const unsigned long first = strtoul(line, &end, 10);
    const unsigned long second = *end == ':' ? strtoul(end + 1, NULL, 10) : 0;

    for (unsigned i = 0; i < count; i++)
        if (*end == ':' && major(devices[i]) == first && minor(devices[i]) == second)
            return true;
    return false;
}

static void take_limit(const char *number, uint64_t *least)
{
    char *end;
    const uint64_t limit = strtoull(number, &end, 10);

    if (end != number && limit > 0 && (*least == 0 || limit < *least))
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
    if (!file)
        return;
    while (fgets(line, sizeof(line), file))
        for (int i = 0; i < LIMIT_COUNT && is_one_of(line, devices, count); i++) {
            const char *value = strstr(line, keys[i]);
            if (value)
                take_limit(value + strlen(keys[i]), &least[i]);
        }
    fclose(file);
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
        while (file && fgets(line, sizeof(line), file))
            if (is_one_of(line, devices, count) && strchr(line, ' '))
                take_limit(strchr(line, ' ') + 1, &least[i]);
        known = known || file;
        if (file)
            fclose(file);
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
        known = true; /* the top group has no file: there is no limit on all */
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
