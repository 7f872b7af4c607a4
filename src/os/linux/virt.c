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

/* Manufacturer strings of the firmware, most specific first. */
static const struct {
    const char *part, *name;
} makers[] = {
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

static const char *find_maker(const char *text)
{
    for (size_t i = 0; i < COUNT_OF(makers); i++)
        if (strstr(text, makers[i].part))
            return makers[i].name;
    return NULL;
}

/* The name of the container's kind, which is in a file or is the meaning of one. */
static bool read_container(const char *root, char *text, size_t size)
{
    static const struct {
        const char *file, *name;
    } marks[] = {
        {"/var/run/secrets/kubernetes.io", "kubernetes"},
        {"/run/.containerenv", "podman"},
        {"/.dockerenv", "docker"},
    };
    char path[SYSFILE_PATH], kernel[256];

    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        snprintf(path, sizeof(path), "%s%s", root, marks[i].file);
        if (access(path, F_OK) == 0) {
            text_copy(text, size, marks[i].name);
            return true;
        }
    }
    sysfile_line(kernel, sizeof(kernel), root, "/proc/sys/kernel/osrelease");
    if (strstr(kernel, "microsoft") || strstr(kernel, "Microsoft")) {
        text_copy(text, size, "wsl");
        return true;
    }
    return sysfile_line(text, size, root, "/run/systemd/container");
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
            name = find_maker(line);
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
