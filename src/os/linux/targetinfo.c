/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* targetinfo.c - the file system that contains a target, and its mount.
 *
 * The mount is found by the longest mount point that is a prefix of the target, not by device
 * number, because btrfs and overlayfs give files device numbers other than their mount's. Only the
 * first step accesses the target itself, since a server that does not answer would block;
 * everything else is in /proc and /sys. Mount options may contain private data. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "os/linux/sysfile.h"

/* Whether the value of this option is a password or a user's name. */
static bool is_secret(const char *word, size_t length)
{
    static const char *const names[] = {"user", "username", "cred", "credentials"};
    static const char *const parts[] = {"pass", "pwd", "secret", "key", "token"};
    char name[64];

    if (length >= sizeof(name))
        length = sizeof(name) - 1;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)tolower((unsigned char)word[i]);
    name[length] = '\0';
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* Appends the options that are not in the list yet. */
static void join_options(char *to, size_t size, char *options)
{
    char *rest = NULL;
    for (char *word = strtok_r(options, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        /* The mount and its file system may differ in being read-only. */
        const bool access = strcmp(word, "rw") == 0 || strcmp(word, "ro") == 0;
        char *equals = strchr(word, '=');
        const size_t length = strlen(word);
        bool seen = false;
        for (const char *at = to; !seen && (at = strstr(at, word)) != NULL; at += length)
            seen = (at == to || at[-1] == ',') && (at[length] == ',' || at[length] == '\0');
        if (access && to[0] == 'r' && word[1] == 'o')
            to[1] = 'o';
        if (seen || (access && to[0] == 'r'))
            continue;
        if (equals && is_secret(word, (size_t)(equals - word)))
            text_add(to, size, ",", "%.*s***", (int)(equals - word) + 1, word);
        else
            text_add(to, size, ",", "%s", word);
    }
}

/* "https://me:password@host/" -> "https://me:***@host/"; a password may hold '@' and '/'. */
static void redact_source(char *text, size_t size)
{
    char *scheme = strstr(text, "://"), *from = scheme ? scheme + 3 : text;
    char *at = strrchr(from, '@'), *colon = strchr(from, ':'), *rest;

    if (!at || !colon || colon > at || (!scheme && memchr(text, '/', (size_t)(colon - text))))
        return;
    rest = mem_strdup(at);
    snprintf(colon + 1, size - (size_t)(colon + 1 - text), "***%s", rest);
    free(rest);
}

/* device: of the mount; major 0 if it has none (btrfs, network file systems). */
static void read_mount(const char *root, const char *path, struct targetinfo *info, dev_t *device)
{
    struct sysfile file = sysfile_open(root, "/proc/self/mountinfo");
    struct sysfile_mount mount;
    size_t best = 0, length;

    while (sysfile_next_mount(&file, false, &mount)) {
        sysfile_unescape(mount.place);
        /* A later mount hides an earlier one at the same place. */
        length = targetinfo_leads(mount.place, path);
        if (length == 0 || length < best)
            continue;
        best = length;
        sysfile_unescape(mount.source);
        text_copy(info->filesystem, sizeof(info->filesystem), mount.type);
        text_copy(info->mount_point, sizeof(info->mount_point), mount.place);
        info->mount_options[0] = '\0';
        join_options(info->mount_options, sizeof(info->mount_options), mount.options);
        if (mount.super)
            join_options(info->mount_options, sizeof(info->mount_options), mount.super);
        text_copy(info->device, sizeof(info->device), mount.source);
        redact_source(info->device, sizeof(info->device));
        *device = 0;
        (void)sysfile_device(mount.device, device);
    }
}

/* An overlay writes to its upper directory; returns the device of the file system there, provided
 * the path is valid here (in a container it is a path of the host). */
static void look_below_overlay(const char *root, struct targetinfo *info, dev_t *device)
{
    char upper[512], path[SYSFILE_PATH + 512], *end;
    const char *option = strstr(info->mount_options, "upperdir=");
    struct targetinfo *below;

    if (!option)
        return;
    text_copy(upper, sizeof(upper), option + strlen("upperdir="));
    end = strchr(upper, ',');
    if (end)
        *end = '\0';
    text_add(info->below, sizeof(info->below), "; ", "upper directory %s", upper);
    snprintf(path, sizeof(path), "%s%s", root, upper);
    if (access(path, F_OK) != 0)
        return;
    below = mem_calloc(1, sizeof(*below));
    read_mount(root, upper, below, device);
    free(below);
}

/* Whether a process serves a FUSE file system: it has /dev/fuse open, and newer kernels report the
 * connection's number for that descriptor, which is the mount's device number in the kernel's
 * encoding. */
static bool serves_fuse(const char *root, const char *process, dev_t device)
{
    const uint64_t wanted = (uint64_t)major(device) << 20 | minor(device);
    char path[64], to[sizeof("/dev/fuse") + 1], text[512];
    DIR *dir = sysfile_list(root, "/proc/%.16s/fd", process);
    const char *fd;
    bool found = false;

    while ((fd = sysfile_entry(dir, found)) != NULL) {
        const ssize_t length = readlinkat(dirfd(dir), fd, to, sizeof(to));
        uint64_t connection;

        if (length != (ssize_t)strlen("/dev/fuse") || memcmp(to, "/dev/fuse", (size_t)length) != 0)
            continue;
        snprintf(path, sizeof(path), "../fdinfo/%.16s", fd);
        found = sysfile_read(dirfd(dir), path, text, sizeof(text)) &&
                sysfile_number(text, "fuse_connection:", &connection) && connection == wanted;
    }
    return found;
}

/* Only root can inspect other users' processes. */
static void find_daemon(const char *root, dev_t device, struct targetinfo *info)
{
    DIR *dir = sysfile_list(root, "/proc");
    const char *process;

    while ((process = sysfile_entry(dir, info->daemon[0] != '\0')) != NULL)
        if (isdigit((unsigned char)process[0]) && serves_fuse(root, process, device) &&
            sysfile_line(info->daemon, sizeof(info->daemon), root, "/proc/%.16s/comm", process))
            text_add(info->below, sizeof(info->below), "; ", "daemon %s, process %.16s",
                     info->daemon, process);
}

void os_target_facts(const char *root, struct targetinfo *info)
{
    struct stat source;
    dev_t device = 0, mounted;

    if (info->is_device) {
        text_copy(info->device, sizeof(info->device), info->path);
        targetinfo_read_device(root, info->path_device, info);
        return;
    }
    read_mount(root, info->path, info, &device);
    mounted = device;
    if (strcmp(info->filesystem, "overlay") == 0)
        look_below_overlay(root, info, &device);
    if (major(device) == 0 && strncmp(info->device, "/dev/", 5) == 0 &&
        stat(info->device, &source) == 0 && S_ISBLK(source.st_mode))
        device = source.st_rdev;
    if (major(device) == 0 && root[0] == '\0')
        device = info->path_device;
    if (major(device) != 0)
        targetinfo_read_device(root, device, info);
    if (mounted != 0 && strncmp(info->filesystem, "fuse", 4) == 0)
        find_daemon(root, mounted, info);
}
