/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* device.c - a block device as described in /sys/dev/block: its composition (a partition, a loop
 * over a file, a mapping or array of others), its queue, the model of the disks at the bottom, and
 * control group limits on any of them. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "os/linux/sysfile.h"

#define DEVICES_MAX 16
#define LEVELS_MAX  8

struct stack {
    const char *root;
    struct targetinfo *info;
    dev_t devices[DEVICES_MAX];
    unsigned count;
};

static bool read_name(const char *root, const char *base, char *text, size_t size)
{
    return sysfile_field(text, size, "DEVNAME=", root, "%s/uevent", base);
}

/* Strips the last component of a partition's path, which gives its disk. */
static void find_disk(const char *root, const char *base, char *disk, size_t size)
{
    char text[32];

    snprintf(disk, size, "%s%s", base,
             sysfile_line(text, sizeof(text), root, "%s/partition", base) ? "/.." : "");
}

static void take_number(struct stack *stack, const char *disk)
{
    char line[32];

    if (stack->count < DEVICES_MAX &&
        sysfile_line(line, sizeof(line), stack->root, "%s/dev", disk) &&
        sysfile_device(line, &stack->devices[stack->count]))
        stack->count++;
}

static void take_model(struct stack *stack, const char *disk)
{
    char text[96], *model = stack->info->model;

    if ((sysfile_line(text, sizeof(text), stack->root, "%s/device/model", disk) ||
         sysfile_line(text, sizeof(text), stack->root, "%s/device/name", disk)) &&
        !text_listed(model, text))
        text_add(model, sizeof(stack->info->model), ", ", "%s", text);
}

/* Adds the name of the device to `members`, unless that is NULL, and what it is made of to the
 * stack. */
static void walk_device(struct stack *stack, const char *base, unsigned level, char *members,
                        size_t size)
{
    char disk[SYSFILE_PATH], own[64], below[256] = "";
    const char *name;
    bool bottom = true;
    DIR *dir;

    find_disk(stack->root, base, disk, sizeof(disk));
    take_number(stack, disk);
    if (members && read_name(stack->root, base, own, sizeof(own)))
        text_add(members, size, ", ", "%s", own);
    dir = sysfile_list(stack->root, "%s/slaves", disk);
    while ((name = sysfile_entry(dir, level >= LEVELS_MAX)) != NULL) {
        char member[SYSFILE_PATH];

        if (snprintf(member, sizeof(member), "%s/slaves/%.200s", disk, name) >= (int)sizeof(member))
            continue;
        bottom = false;
        walk_device(stack, member, level + 1, level == 0 ? below : NULL, sizeof(below));
    }
    if (bottom)
        take_model(stack, disk);
    if (below[0] != '\0')
        text_add(stack->info->below, sizeof(stack->info->below), " of ", "%s", below);
}

/* "partition of sda", "loop of FILE", "dm root", "md raid1". */
static void name_kind(const char *root, const char *base, const char *disk, struct targetinfo *info)
{
    static const struct {
        const char *file, *kind;
    } kinds[] = {{"loop/backing_file", "loop of"}, {"dm/name", "dm"}, {"md/level", "md"}};
    const bool part = strcmp(disk, base) != 0;
    const char *kind = "partition of";
    char text[400];
    bool found = part && read_name(root, disk, text, sizeof(text));

    for (size_t i = 0; !part && !found && i < COUNT_OF(kinds); i++) {
        kind = kinds[i].kind;
        found = sysfile_line(text, sizeof(text), root, "%s/%s", base, kinds[i].file);
    }
    if (found)
        snprintf(info->below, sizeof(info->below), "%s %s", kind, text);
}

static void read_queue(const char *root, const char *disk, struct targetinfo *info)
{
    char text[256], *chosen;

    if (!sysfile_line(text, sizeof(text), root, "%s/queue/rotational", disk))
        return;
    info->rotational = text[0] == '1';
    sysfile_line(text, sizeof(text), root, "%s/queue/scheduler", disk);
    chosen = strchr(text, '['); /* "none [mq-deadline] kyber" */
    chosen = chosen ? chosen + 1 : text;
    chosen[strcspn(chosen, "]")] = '\0';
    text_copy(info->scheduler, sizeof(info->scheduler), chosen);
    sysfile_line(info->write_cache, sizeof(info->write_cache), root, "%s/queue/write_cache", disk);
}

void targetinfo_read_device(const char *root, dev_t device, struct targetinfo *info)
{
    struct stack stack = {.root = root, .info = info};
    char base[64], disk[SYSFILE_PATH], text[32];

    snprintf(base, sizeof(base), "/sys/dev/block/%u:%u", major(device), minor(device));
    if (!sysfile_line(text, sizeof(text), root, "%s/dev", base)) /* the kernel has no such device */
        return;
    find_disk(root, base, disk, sizeof(disk));
    read_queue(root, disk, info);
    name_kind(root, base, disk, info);
    walk_device(&stack, base, 0, NULL, 0);
    hostinfo_read_io_limits(root, stack.devices, stack.count, info->io_limits,
                            sizeof(info->io_limits));
}
