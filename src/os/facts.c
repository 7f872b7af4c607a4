/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* facts.c - facts about machine and targets that any system reports. Must never make a run fail. */
#include "base/compat.h"

#include "os/facts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "os/os.h"

void hostinfo_read(const char *root, struct hostinfo *info)
{
    struct utsname names;
    struct tm utc;
    time_t now = time(NULL);
    long number;

    *info = (struct hostinfo){.cpus = 0};
    if (uname(&names) >= 0) {
        text_copy(info->host, sizeof(info->host), names.nodename);
        snprintf(info->kernel, sizeof(info->kernel), "%s %s", names.sysname, names.release);
        text_copy(info->machine, sizeof(info->machine), names.machine);
    }
    if (gmtime_r(&now, &utc))
        strftime(info->date, sizeof(info->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
    number = sysconf(_SC_NPROCESSORS_ONLN);
    info->cpus = number > 0 ? (unsigned)number : 0;
    number = sysconf(_SC_PAGESIZE);
    info->page_bytes = number > 0 ? (uint64_t)number : 0;
    os_host_facts(root, info);
}

/* Resolves the path itself or its nearest existing ancestor (a dry run creates nothing); path stays
 * "" where there is none. */
static void find_existing(const char *place, char *path, size_t size)
{
    char text[PATH_MAX], *slash, *found;
    text_copy(text, sizeof(text), place);
    while ((found = realpath(text, NULL)) == NULL) {
        slash = strrchr(text, '/');
        if (!slash || text[1] == '\0')
            return;
        slash[slash == text] = '\0';
    }
    if (strlen(found) < size)
        text_copy(path, size, found);
    free(found);
}

void targetinfo_read(const char *root, const char *place, struct targetinfo *info)
{
    struct stat status;

    memset(info, 0, sizeof(*info));
    info->rotational = -1;
    if (place)
        find_existing(place, info->path, sizeof(info->path));
    if (!info->path[0])
        return;
    if (stat(info->path, &status) == 0) {
        info->is_device = S_ISBLK(status.st_mode);
        info->path_device = info->is_device ? status.st_rdev : status.st_dev;
    }
    os_target_facts(root, info);
}

size_t targetinfo_leads(const char *mount_point, const char *path)
{
    const size_t length = strlen(mount_point);

    if (strcmp(mount_point, "/") == 0)
        return 1;
    return strncmp(mount_point, path, length) == 0 && (path[length] == '/' || path[length] == '\0')
               ? length
               : 0;
}

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static void set_medium(struct medium *medium, const char *name, const char *rest,
                       const char *keeper)
{
    char shown[32];

    snprintf(medium->name, sizeof(medium->name), "%.32s%s", name,
             error_printable(rest, shown, sizeof(shown)));
    text_copy(medium->keeper, sizeof(medium->keeper), keeper);
}

void targetinfo_medium(const struct targetinfo *info, struct medium *medium)
{
    static const struct {
        const char *type, *name, *keeper; /* as mounted, and for display */
    } systems[] = {
        {"nfs", "NFS", "server"},
        {"nfs4", "NFS", "server"},
        {"cifs", "SMB", "server"},
        {"smb3", "SMB", "server"},
        {"smbfs", "SMB", "server"},
        {"afs", "AFS", "server"},
        {"ceph", "CephFS", "cluster"},
        {"lustre", "Lustre", "cluster"},
        {"beegfs", "BeeGFS", "cluster"},
        {"gpfs", "GPFS", "cluster"},
        {"glusterfs", "GlusterFS", "cluster"},
        {"orangefs", "OrangeFS", "cluster"},
        {"9p", "9p", "host"},
        {"virtiofs", "virtiofs", "host"},
        {"vboxsf", "shared folder", "host"},
        {"fuse", "FUSE", "daemon"},
        {"fuseblk", "FUSE", "daemon"},
        {"fusefs", "FUSE", "daemon"},
        {"macfuse", "FUSE", "daemon"},
        {"overlay", "overlay", "file system"},
    };
    static const struct {
        const char *path, *below, *name, *keeper;
    } devices[] = {
        {"/dev/loop", " of loop", "loop device", "file system"},
        {"/dev/nbd", " of nbd", "NBD", "server"},
        {"/dev/rbd", " of rbd", "RBD", "cluster"},
    };

    *medium = (struct medium){.name = ""};
    if (info->daemon[0])
        set_medium(medium, "FUSE ", info->daemon, "daemon");
    else if (begins_with(info->filesystem, "fuse."))
        set_medium(medium, "FUSE ", info->filesystem + strlen("fuse."), "daemon");
    for (size_t i = 0; !medium->name[0] && i < COUNT_OF(systems); i++)
        if (strcmp(info->filesystem, systems[i].type) == 0)
            set_medium(medium, systems[i].name, "", systems[i].keeper);
    for (size_t i = 0; !medium->name[0] && i < COUNT_OF(devices); i++)
        if (begins_with(info->device, devices[i].path) || strstr(info->below, devices[i].below))
            set_medium(medium, devices[i].name, "", devices[i].keeper);
    if (!medium->name[0] && (begins_with(info->device, "//") || strstr(info->device, ":/")))
        set_medium(medium, info->filesystem, "", "server");
}
