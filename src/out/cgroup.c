/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup.c - what control groups allow this process: processors and traffic with a device.  A limit
 * there looks exactly like a slow disk.
 *
 * Version 2 limits, and processors in version 1, hold for all groups below; the least one counts.
 * Throttling in version 1 does not inherit: only the own group's limits hold.  A process may see
 * its groups only from inside a container: then the mount is already the own group. */
#include "base/compat.h"

#include "out/hostinfo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "out/sysfile.h"

enum limit { LIMIT_READ_BYTES, LIMIT_WRITE_BYTES, LIMIT_READ_OPS, LIMIT_WRITE_OPS, LIMIT_COUNT };

struct group {
    char path[SYSFILE_PATH]; /* without the root */
    size_t top;              /* length of the part that is the mount point */
};

/* Is `word` one of those between the commas? */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ',') && strchr(", \n", at[length]) != NULL)
            return true;
    return false;
}

/* Where the hierarchy of a controller is mounted (version 2: controller NULL), and which part of it
 * is to be seen there. */
static bool find_mount(const char *root, const char *controller, struct group *group, char *part,
                       size_t part_size)
{
    FILE *file = sysfile_open(root, "/proc/self/mountinfo");
    char line[2048];
    bool found = false;

    while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL) {
        char *tail = strstr(line, " - "), *rest = NULL, *field[5], *type, *options;
        int n = 0;
        if (tail == NULL)
            continue;
        *tail = '\0';
        while (n < 5 && (field[n] = strtok_r(n == 0 ? line : NULL, " ", &rest)) != NULL)
            n++;
        type = strtok_r(tail + 3, " ", &rest);
        strtok_r(NULL, " ", &rest); /* source */
        options = strtok_r(NULL, " ", &rest);
        if (n < 5 || type == NULL || options == NULL)
            continue;
        found = controller == NULL ? strcmp(type, "cgroup2") == 0
                                   : strcmp(type, "cgroup") == 0 && has_word(options, controller);
        if (!found)
            continue;
        sysfile_copy(part, part_size, field[3]);
        sysfile_copy(group->path, sizeof(group->path), field[4]);
        group->top = strlen(group->path);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* The group of this process: lines "4:memory,cpu:/path", version 2: "0::/path". */
static bool find_group(const char *root, const char *controller, struct group *group)
{
    FILE *file;
    char part[512], line[1024], *own = NULL;
    size_t part_length;

    if (!find_mount(root, controller, group, part, sizeof(part)))
        return false;
    file = sysfile_open(root, "/proc/self/cgroup");
    while (file != NULL && own == NULL && fgets(line, sizeof(line), file) != NULL) {
        char *names = strchr(line, ':'), *path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *path++ = '\0';
        if (controller == NULL ? names[1] == '\0' : has_word(names + 1, controller))
            own = path;
    }
    if (file != NULL)
        fclose(file);
    if (own == NULL)
        return false;
    own[strcspn(own, "\n")] = '\0';
    part_length = strcmp(part, "/") == 0 ? 0 : strlen(part);
    if (strncmp(own, part, part_length) == 0)
        own += part_length;
    if (own[0] == '/' && own[1] != '\0')
        snprintf(group->path + group->top, sizeof(group->path) - group->top, "%s", own);
    return true;
}

/* Goes to the group above; false at the top. */
static bool go_up(struct group *group)
{
    char *slash = strrchr(group->path, '/');

    if (strlen(group->path) <= group->top || slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

static void take_quota(double used, double period, double *least)
{
    if (used > 0 && period > 0 && (*least == 0 || used / period < *least))
        *least = used / period;
}

double hostinfo_read_cpu_quota(const char *root)
{
    struct group group;
    char line[128], period[64];
    double least = 0;

    if (find_group(root, NULL, &group))
        do {
            char *rest = NULL;
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.max", group.path)) {
                const double used = strtod(line, &rest); /* "max" is no number */
                take_quota(used, strtod(rest, NULL), &least);
            }
        } while (go_up(&group));
    if (find_group(root, "cpu", &group))
        do {
            if (sysfile_line(line, sizeof(line), root, "%s/cpu.cfs_quota_us", group.path) &&
                sysfile_line(period, sizeof(period), root, "%s/cpu.cfs_period_us", group.path))
                take_quota(strtod(line, NULL), strtod(period, NULL), &least);
        } while (go_up(&group));
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
    if (file == NULL)
        return;
    while (fgets(line, sizeof(line), file) != NULL)
        for (int i = 0; i < LIMIT_COUNT && is_one_of(line, devices, count); i++) {
            const char *value = strstr(line, keys[i]);
            if (value != NULL)
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
        while (file != NULL && fgets(line, sizeof(line), file) != NULL)
            if (is_one_of(line, devices, count) && strchr(line, ' ') != NULL)
                take_limit(strchr(line, ' ') + 1, &least[i]);
        known = known || file != NULL;
        if (file != NULL)
            fclose(file);
    }
    return known;
}

void hostinfo_read_io_limits(const char *root, const dev_t *devices, unsigned count, char *text,
                             size_t size)
{
    static const char *const actions[LIMIT_COUNT] = {"read", "write", "read", "write"};
    uint64_t least[LIMIT_COUNT] = {0};
    struct group group;
    bool known = false;

    text[0] = '\0';
    if (count == 0)
        return;
    if (find_group(root, NULL, &group)) {
        known = true; /* the top group has no file: there is no limit on all */
        do
            take_io_max(root, group.path, devices, count, least);
        while (go_up(&group));
    }
    if (find_group(root, "blkio", &group))
        known = take_throttle(root, group.path, devices, count, least) || known;
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (least[i] > 0)
            sysfile_add(text, size, ", ", "%s %" PRIu64 " %s/s", actions[i], least[i],
                        i < LIMIT_READ_OPS ? "bytes" : "operations");
    if (known && text[0] == '\0')
        sysfile_copy(text, size, "none");
}
