/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostinfo.c - reads what /proc, /sys, uname and statvfs tell about machine and targets.
 *
 * Nothing here may fail a run: what is missing stays an empty string, -1 or 0.  The file system of
 * a target is found by the longest mount point that leads to it, not by device number, because
 * btrfs and overlays give files other numbers than their mounts. */
#include "base/compat.h"

#include "out/hostinfo.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Copies what fits; empty for NULL. */
static void copy_text(char *to, size_t size, const char *from)
{
    size_t length = from != NULL ? strlen(from) : 0;
    if (length > size - 1)
        length = size - 1;
    if (length > 0)
        memcpy(to, from, length);
    to[length] = '\0';
}

/* First line of a small file without its newline; "" when it cannot be read. */
static void read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    text[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(text, (int)size, file) == NULL)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

/* Processors name themselves differently on each architecture. */
static void read_cpu_name(char *text, size_t size)
{
    static const char *const keys[] = {"model name", "cpu model", "Model", "cpu\t", "uarch"};
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];
    text[0] = '\0';
    if (file == NULL)
        return;
    while (text[0] == '\0' && fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon == NULL)
            continue;
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            if (strncmp(line, keys[i], strlen(keys[i])) == 0) {
                colon += 1 + strspn(colon + 1, " \t");
                copy_text(text, size, colon);
                text[strcspn(text, "\n")] = '\0';
                break;
            }
        }
    }
    fclose(file);
}

void hostinfo_read(struct hostinfo *info)
{
    struct utsname names;
    struct tm utc;
    time_t now = time(NULL);
    long number;
    memset(info, 0, sizeof(*info));
    if (uname(&names) == 0) {
        copy_text(info->host, sizeof(info->host), names.nodename);
        snprintf(info->kernel, sizeof(info->kernel), "%s %s", names.sysname, names.release);
        copy_text(info->machine, sizeof(info->machine), names.machine);
    }
    read_cpu_name(info->cpu, sizeof(info->cpu));
    read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
              info->clock_source, sizeof(info->clock_source));
    if (gmtime_r(&now, &utc) != NULL)
        strftime(info->date, sizeof(info->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    number = sysconf(_SC_NPROCESSORS_ONLN);
    info->cpus = number > 0 ? (unsigned)number : 0;
    number = sysconf(_SC_PAGESIZE);
    info->page_bytes = number > 0 ? (uint64_t)number : 0;
    number = sysconf(_SC_PHYS_PAGES);
    info->memory_bytes = number > 0 ? (uint64_t)number * info->page_bytes : 0;
    if (getloadavg(&info->load1, 1) != 1)
        info->load1 = -1;
}

/* Undoes the \040 of mountinfo, in place. */
static void unescape_octal(char *text)
{
    char *to = text;
    for (; *text != '\0'; to++) {
        if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
            text[2] <= '7' && text[3] >= '0' && text[3] <= '7') {
            *to = (char)(((text[1] - '0') << 6) | ((text[2] - '0') << 3) | (text[3] - '0'));
            text += 4;
        } else {
            *to = *text++;
        }
    }
    *to = '\0';
}

/* Appends the options of the superblock that the mount does not name already. */
static void join_options(char *to, size_t size, char *options)
{
    char *rest = NULL;
    for (char *word = strtok_r(options, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        size_t used = strlen(to), length = strlen(word);
        bool seen = false;
        for (const char *at = to; !seen && (at = strstr(at, word)) != NULL; at += length)
            seen = (at == to || at[-1] == ',') && (at[length] == ',' || at[length] == '\0');
        if (!seen)
            snprintf(to + used, size - used, "%s%s", used > 0 ? "," : "", word);
    }
}

static bool leads_to(const char *mount_point, const char *path)
{
    size_t length = strlen(mount_point);
    if (strcmp(mount_point, "/") == 0)
        return path[0] == '/';
    return strncmp(mount_point, path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* One line of /proc/self/mountinfo (proc(5)):
 *     36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue */
static void take_mount(char *line, const char *path, size_t *best, struct targetinfo *info)
{
    char *field[6], *rest = NULL, *tail = strstr(line, " - "), *type, *source, *super;
    if (tail == NULL)
        return;
    *tail = '\0';
    tail += 3;
    tail[strcspn(tail, "\n")] = '\0';
    for (int i = 0; i < 6; i++) {
        field[i] = strtok_r(i == 0 ? line : NULL, " ", &rest);
        if (field[i] == NULL)
            return;
    }
    unescape_octal(field[4]);
    /* A later mount hides an earlier one at the same place. */
    if (!leads_to(field[4], path) || strlen(field[4]) < *best)
        return;
    *best = strlen(field[4]);
    type = strtok_r(tail, " ", &rest);
    source = strtok_r(NULL, " ", &rest);
    super = strtok_r(NULL, " ", &rest);
    if (source != NULL)
        unescape_octal(source);
    copy_text(info->filesystem, sizeof(info->filesystem), type);
    copy_text(info->mount_point, sizeof(info->mount_point), field[4]);
    copy_text(info->mount_options, sizeof(info->mount_options), field[5]);
    if (super != NULL)
        join_options(info->mount_options, sizeof(info->mount_options), super);
    copy_text(info->device, sizeof(info->device), source);
}

static void read_mount(const char *path, struct targetinfo *info)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t size = 0, best = 0;
    if (file == NULL)
        return;
    while (getline(&line, &size, file) >= 0)
        take_mount(line, path, &best, info);
    free(line);
    fclose(file);
}

/* "none [mq-deadline] kyber" -> "mq-deadline" */
static void choose_scheduler(char *text)
{
    char *open = strchr(text, '['), *close = strchr(text, ']');
    if (open == NULL || close == NULL || close < open)
        return;
    *close = '\0';
    memmove(text, open + 1, (size_t)(close - open));
}

/* The queue of a partition is that of its disk, one level up. */
static void read_queue(dev_t device, struct targetinfo *info)
{
    static const char *const levels[] = {"", "../"};
    char path[128], text[64];
    for (int i = 0; i < 2 && info->rotational < 0; i++) {
        snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%squeue/rotational", major(device),
                 minor(device), levels[i]);
        read_line(path, text, sizeof(text));
        if (text[0] == '\0')
            continue;
        info->rotational = text[0] == '1';
        snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%squeue/scheduler", major(device),
                 minor(device), levels[i]);
        read_line(path, info->scheduler, sizeof(info->scheduler));
        choose_scheduler(info->scheduler);
    }
}

/* The path itself or the nearest directory above that exists (a dry run has created nothing).
 * Returns a string to free, or NULL. */
static char *existing_path(const char *place)
{
    char text[PATH_MAX], *slash, *found;
    copy_text(text, sizeof(text), place);
    while ((found = realpath(text, NULL)) == NULL) {
        slash = strrchr(text, '/');
        if (slash == NULL || slash == text)
            return NULL;
        *slash = '\0';
    }
    return found;
}

void targetinfo_read(const struct store *store, struct targetinfo *info)
{
    struct statvfs space;
    struct stat status, source;
    char *path;
    memset(info, 0, sizeof(*info));
    info->rotational = -1;
    path = store->place != NULL ? existing_path(store->place) : NULL;
    if (path == NULL)
        return;
    if (stat(path, &status) == 0 && S_ISBLK(status.st_mode)) {
        copy_text(info->device, sizeof(info->device), path);
        read_queue(status.st_rdev, info);
    } else {
        read_mount(path, info);
        if (info->device[0] == '/' && stat(info->device, &source) == 0 && S_ISBLK(source.st_mode))
            read_queue(source.st_rdev, info);
        if (info->rotational < 0 && stat(path, &status) == 0)
            read_queue(status.st_dev, info);
        if (statvfs(path, &space) == 0) {
            info->block_bytes = (uint64_t)space.f_bsize;
            info->free_bytes = (uint64_t)space.f_bavail * (uint64_t)space.f_frsize;
        }
    }
    free(path);
}
