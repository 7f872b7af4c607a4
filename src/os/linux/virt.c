/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* virt.c - detects virtual machines and containers. Both affect what a figure means: the storage is
 * shared, and there may be a cache below that no flag here bypasses. */
#include "base/compat.h"

#include "os/linux/facts_parts.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "os/linux/sysfile.h"

struct hint {
    const char *part, *name;
};

/* Manufacturer strings of the firmware, most specific first. */
static const struct hint makers[] = {
    {"KVM", "kvm"},
    {"OpenStack", "kvm"},
    {"Google Compute Engine", "google"},
    {"Amazon EC2", "amazon"},
    {"VMware", "vmware"},
    {"VMW", "vmware"},
    {"VirtualBox", "virtualbox"},
    {"innotek", "virtualbox"},
    {"Virtual Machine", "microsoft"},
    {"Xen", "xen"},
    {"Parallels", "parallels"},
    {"BHYVE", "bhyve"},
    {"Apple Virtualization", "apple"},
    {"Hetzner", "kvm"},
    {"QEMU", "qemu"},
    {"Bochs", "bochs"},
};

static const struct hint runtimes[] = {
    {"kubepods", "kubernetes"},   {"docker", "docker"}, {"libpod", "podman"},
    {"containerd", "containerd"}, {"lxc", "lxc"},       {"machine.slice", "systemd-nspawn"},
};

static const char *find_hint(const struct hint *hints, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, hints[i].part))
            return hints[i].name;
    return NULL;
}

static bool file_exists(const char *root, const char *name)
{
    char path[SYSFILE_PATH];

    snprintf(path, sizeof(path), "%s%s", root, name);
    return access(path, F_OK) == 0;
}

/* "container=lxc" in the environment of process 1, which only root may read. */
static bool read_first_process(const char *root, char *text, size_t size)
{
    struct sysfile file = sysfile_open(root, "/proc/1/environ");
    static const char key[] = "container=";

    text[0] = '\0';
    while (file.file && text[0] == '\0' && getdelim(&file.line, &file.room, '\0', file.file) >= 0)
        if (strncmp(file.line, key, strlen(key)) == 0)
            text_copy(text, size, file.line + strlen(key));
    (void)sysfile_next(&file, true);
    return text[0] != '\0';
}

static bool read_container(const char *root, char *text, size_t size)
{
    struct sysfile file;
    const char *name = NULL;
    char line[512];

    if (read_first_process(root, text, size))
        return true;
    if (file_exists(root, "/run/.containerenv"))
        name = "podman";
    else if (file_exists(root, "/.dockerenv"))
        name = "docker";
    else if (sysfile_line(line, sizeof(line), root, "/proc/sys/kernel/osrelease") &&
             (strstr(line, "microsoft") || strstr(line, "Microsoft")))
        name = "wsl";
    file = sysfile_open(root, "/proc/1/cgroup");
    while (sysfile_next(&file, name))
        name = find_hint(runtimes, COUNT_OF(runtimes), file.line);
    text_copy(text, size, name);
    return name;
}

/* Whether CPUID reports a hypervisor: 1 yes, 0 no, -1 unknown on this architecture. */
static int asks_processor(const char *root)
{
    char flags[8192];

    if (!sysfile_field(flags, sizeof(flags), "flags", root, "/proc/cpuinfo")) /* x86 */
        return -1;
    return strstr(flags, " hypervisor") != NULL;
}

static const char *read_machine(const char *root)
{
    static const char *const files[] = {"product_name", "sys_vendor", "board_vendor",
                                        "bios_vendor"};
    const char *name = NULL;
    char line[256];
    int processor;

    if (sysfile_line(line, sizeof(line), root, "/sys/hypervisor/type"))
        return strcmp(line, "xen") == 0 ? "xen" : "vm";
    for (size_t i = 0; !name && i < COUNT_OF(files); i++)
        if (sysfile_line(line, sizeof(line), root, "/sys/class/dmi/id/%s", files[i]))
            name = find_hint(makers, COUNT_OF(makers), line);
    if (!name && sysfile_line(line, sizeof(line), root, "/proc/device-tree/hypervisor/compatible"))
        name = strstr(line, "kvm") ? "kvm" : strstr(line, "xen") ? "xen" : "vm";
    processor = asks_processor(root);
    if (name && processor == 0 && strcmp(name, "amazon") == 0)
        name = "none"; /* a bare-metal instance */
    if (name || processor < 0)
        return name;
    if (processor == 0)
        return "none";
    /* Clock sources that only one hypervisor offers. */
    sysfile_line(line, sizeof(line), root,
                 "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    return strstr(line, "kvm-clock") ? "kvm"
           : strstr(line, "hyperv")  ? "microsoft"
           : strstr(line, "xen")     ? "xen"
                                     : "vm";
}

void hostinfo_read_virtualization(const char *root, char *text, size_t size)
{
    const char *machine = read_machine(root);
    char container[48];

    if (!read_container(root, container, sizeof(container)))
        text_copy(text, size, machine);
    else if (!machine || strcmp(machine, "none") == 0)
        snprintf(text, size, "%s container", container);
    else
        snprintf(text, size, "%s container in %s", container, machine);
}
