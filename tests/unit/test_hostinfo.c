/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_hostinfo.c - facts read from a root directory with hand-made kernel files: the results are
 * known on any machine. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "os/linux/facts_parts.h"
#include "report/facts/facts.h"
#include "unit/scratch.h"

static char root[PATH_MAX];
static int root_fd;

static int set_up(void **state)
{
    root_fd = scratch_make("hostinfo", root);
    return root_fd < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    close(root_fd);
    scratch_remove(root);
    return 0;
}

/* Creates the directories above a name. */
static void make_above(const char *name)
{
    char path[512];

    snprintf(path, sizeof(path), "%s", name);
    for (char *c = strchr(path, '/'); c; c = strchr(c + 1, '/')) {
        *c = '\0';
        mkdirat(root_fd, path, 0700);
        *c = '/';
    }
}

/* Writes a file; names are relative to the root. */
static void put(const char *name, const char *text)
{
    int fd;

    make_above(name);
    fd = openat(root_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void put_link(const char *name, const char *to)
{
    make_above(name);
    assert_int_equal(symlinkat(to, root_fd, name), 0);
}

static void test_host(void **state)
{
    struct hostinfo host;

    hostinfo_read(root, &host); /* no files: nothing known, nothing invented */
    assert_string_equal(host.governor, "");
    assert_string_equal(host.clock_source, "");
    assert_string_equal(host.virtualization, "");
    assert_string_equal(host.cpu, "");
    assert_true(host.cpus_quota <= 0);
    assert_int_equal(host.memory_bytes, 0);

    put("sys/devices/system/cpu/online", "0-3,6,8-9\n");
    put("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    put("proc/meminfo", "MemTotal:       1000 kB\nMemFree: 5 kB\n");
    put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Example 5\nflags\t\t: fpu sse\n");
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    put("sys/devices/system/cpu/cpufreq/scaling_governor", "none of them\n");
    hostinfo_read(root, &host);
    assert_int_equal(host.cpus, 7);
    assert_true(host.cpus_allowed > 0);
    assert_string_equal(host.clock_source, "hpet");
    assert_int_equal(host.memory_bytes, 1024000);
    assert_string_equal(host.cpu, "Example 5");
    assert_string_equal(host.governor, "powersave");
    assert_string_equal(host.virtualization, "none");
    put("sys/devices/system/cpu/cpu10/cpufreq/scaling_governor", "performance\n");
    hostinfo_read(root, &host);
    assert_string_equal(host.governor, "mixed");
}

static const char *virtualization(void)
{
    static char text[96];

    hostinfo_read_virtualization(root, text, sizeof(text));
    return text;
}

static void test_virtualization(void **state)
{
    put("proc/cpuinfo", "flags\t\t: fpu hypervisor sse\n");
    assert_string_equal(virtualization(), "vm");
    put("sys/devices/system/clocksource/clocksource0/available_clocksource",
        "tsc kvm-clock acpi_pm\n");
    assert_string_equal(virtualization(), "kvm");
    put("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
    assert_string_equal(virtualization(), "vmware");
    put("sys/class/dmi/id/product_name", "VirtualBox\n");
    assert_string_equal(virtualization(), "virtualbox");
    put("sys/hypervisor/type", "xen\n");
    assert_string_equal(virtualization(), "xen");
    put("run/systemd/container", "lxc\n");
    assert_string_equal(virtualization(), "lxc container in xen");
    put(".dockerenv", "");
    assert_string_equal(virtualization(), "docker container in xen");
    assert_int_equal(unlinkat(root_fd, "sys/hypervisor/type", 0), 0);
    assert_int_equal(unlinkat(root_fd, "sys/class/dmi/id/product_name", 0), 0);
    put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
    put("proc/cpuinfo", "flags\t\t: fpu sse\n"); /* a bare-metal instance */
    assert_string_equal(virtualization(), "docker container");
}

static void test_quota(void **state)
{
    put("proc/self/mountinfo",
        "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
        "31 1 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
    put("proc/self/cgroup", "4:cpu,cpuacct:/jobs/a\n0::/user/job\n");
    assert_true(hostinfo_read_cpu_quota(root) <= 0);
    put("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    assert_true(hostinfo_read_cpu_quota(root) <= 0);
    put("sys/fs/cgroup/user/cpu.max", "150000 100000\n"); /* the parent group */
    assert_true(hostinfo_read_cpu_quota(root) > 1.49);
    assert_true(hostinfo_read_cpu_quota(root) < 1.51);
    put("sys/fs/cgroup/cpu/jobs/a/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/jobs/a/cpu.cfs_period_us", "100000\n");
    assert_true(hostinfo_read_cpu_quota(root) > 1.49);
    put("sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us", "25000\n");
    put("sys/fs/cgroup/cpu/jobs/cpu.cfs_period_us", "100000\n");
    assert_true(hostinfo_read_cpu_quota(root) < 0.26);
}

static void test_memory_limit(void **state)
{
    put("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
                               "31 1 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    put("proc/self/cgroup", "4:memory:/jobs/a\n0::/user/job\n");
    assert_true(cgroup_memory_left(root) == UINT64_MAX);
    put("sys/fs/cgroup/user/job/memory.max", "max\n");
    put("sys/fs/cgroup/user/job/memory.current", "5000000\n");
    assert_true(cgroup_memory_left(root) == UINT64_MAX);
    put("sys/fs/cgroup/user/memory.max", "30000000\n"); /* the parent group */
    put("sys/fs/cgroup/user/memory.current", "20000000\n");
    assert_int_equal(cgroup_memory_left(root), 10000000);
    /* File cache is reclaimable; "file" and the like are other lines. */
    put("sys/fs/cgroup/user/memory.stat",
        "anon 1\nfile 9\ninactive_file 4000000\nactive_file 1000000\n");
    assert_int_equal(cgroup_memory_left(root), 15000000);
    put("sys/fs/cgroup/memory/jobs/a/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/jobs/a/memory.usage_in_bytes", "4096\n");
    assert_int_equal(cgroup_memory_left(root), 15000000);
    put("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "20971520\n");
    put("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "19971520\n");
    put("sys/fs/cgroup/memory/jobs/memory.stat", "total_inactive_file 500000\n");
    assert_int_equal(cgroup_memory_left(root), 1500000);
    put("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "25971520\n");
    assert_int_equal(cgroup_memory_left(root), 0); /* above the limit, which was lowered */
}

static const char *limits(unsigned first, unsigned second)
{
    static char text[192];
    const dev_t devices[] = {makedev(first, second)};

    hostinfo_read_io_limits(root, devices, 1, text, sizeof(text));
    return text;
}

static void test_io_limits(void **state)
{
    assert_string_equal(limits(8, 0), ""); /* no control groups at all */
    put("proc/self/cgroup", "0::/docker/abc/inner\n3:blkio:/rig\n");
    put("proc/self/mountinfo", /* only a container's part is visible */
        "30 1 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    assert_string_equal(limits(8, 0), "none");
    put("sys/fs/cgroup/inner/io.max",
        "8:16 rbps=1 wbps=2 riops=3 wiops=4\n8:0 rbps=max wbps=1048576 riops=max wiops=max\n");
    put("sys/fs/cgroup/io.max", "8:0 rbps=max wbps=4194304 riops=100 wiops=max\n");
    assert_string_equal(limits(8, 0), "write 1048576 bytes/s, read 100 operations/s");
    assert_string_equal(limits(8, 1), "none");
    put("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n");
    assert_string_equal(limits(254, 0), "");
    put("sys/fs/cgroup/blkio/rig/blkio.throttle.read_bps_device", "254:0 5242880\n");
    put("sys/fs/cgroup/blkio/rig/blkio.throttle.write_iops_device", "254:0 50\n254:16 7\n");
    /* not inherited in version 1 */
    put("sys/fs/cgroup/blkio/blkio.throttle.read_bps_device", "254:0 1\n");
    assert_string_equal(limits(254, 0), "read 5242880 bytes/s, write 50 operations/s");
}

/* A disk 8:0 "sda" with a partition 8:1, in the shape of /sys/devices. */
static void put_disk(void)
{
    put("sys/devices/sda/dev", "8:0\n");
    put("sys/devices/sda/uevent", "MAJOR=8\nMINOR=0\nDEVNAME=sda\n");
    put("sys/devices/sda/device/model", "Example SSD 5  \n");
    put("sys/devices/sda/queue/rotational", "0\n");
    put("sys/devices/sda/queue/scheduler", "none [mq-deadline] kyber\n");
    put("sys/devices/sda/queue/write_cache", "write back\n");
    put("sys/devices/sda/sda1/dev", "8:1\n");
    put("sys/devices/sda/sda1/partition", "1\n");
    put("sys/devices/sda/sda1/uevent", "DEVNAME=sda1\n");
    put_link("sys/dev/block/8:0", "../../devices/sda");
    put_link("sys/dev/block/8:1", "../../devices/sda/sda1");
}

/* Escapes a name as in mountinfo, in buf of 4 * PATH_MAX. */
static const char *escape(const char *name, char *buf)
{
    char *to = buf;

    for (; *name; name++)
        if (strchr(" \t\n\\", *name))
            to += snprintf(to, 5, "\\%03o", (unsigned)*name);
        else
            *to++ = *name;
    *to = '\0';
    return buf;
}

/* Mounts this file system at the test's root directory, which is the target. */
static void mount_at(const char *numbers, const char *options, const char *tail)
{
    char text[16 * PATH_MAX], place[4 * PATH_MAX];

    snprintf(text, sizeof(text),
             "20 1 99:0 / / rw - rootfs /dev/none rw\n"
             "21 1 99:1 / %s rw - hidden /dev/none rw\n"
             "22 1 %s / %s %s shared:1 - %s\n"
             "23 1 99:2 / %s.other rw - other /dev/none rw\n"
             "24 1 99:3 / / rw - above /dev/none rw\n",
             escape(root, place), numbers, place, options, tail, place);
    put("proc/self/mountinfo", text);
}

static void test_partition(void **state)
{
    struct targetinfo target;
    char below[PATH_MAX + 16];

    put_disk();
    mount_at("8:1", "rw,noatime", "ext4 /dev/name\\040of\\040sda1 rw,errors=continue");
    snprintf(below, sizeof(below), "%s/not/there/yet", root);
    targetinfo_read(root, below, &target);
    assert_string_equal(target.filesystem, "ext4");
    assert_string_equal(target.mount_point, root);
    assert_string_equal(target.mount_options, "rw,noatime,errors=continue");
    assert_string_equal(target.device, "/dev/name of sda1");
    assert_string_equal(target.below, "partition of sda");
    assert_string_equal(target.model, "Example SSD 5");
    assert_string_equal(target.scheduler, "mq-deadline");
    assert_string_equal(target.write_cache, "write back");
    assert_string_equal(target.io_limits, "");
    assert_int_equal(target.rotational, 0);

    targetinfo_read(root, NULL, &target);
    assert_string_equal(target.path, "");
    assert_string_equal(target.filesystem, "");
    assert_int_equal(target.rotational, -1);
    targetinfo_read(root, "null:", &target);
    assert_string_equal(target.path, "");
}

static void test_stacks(void **state)
{
    struct targetinfo target;

    put_disk();
    put("sys/dev/block/253:0/dev", "253:0\n");
    put("sys/dev/block/253:0/dm/name", "vg-root\n");
    put("sys/dev/block/253:0/queue/rotational", "1\n");
    put_link("sys/dev/block/253:0/slaves/md0", "../../../../devices/md0");
    put("sys/devices/md0/dev", "9:0\n");
    put("sys/devices/md0/uevent", "DEVNAME=md0\n");
    put_link("sys/devices/md0/slaves/sda1", "../../sda/sda1");
    put("proc/self/cgroup", "0::/\n");
    mount_at("253:0", "rw", "xfs /dev/mapper/vg-root rw");
    targetinfo_read(root, root, &target);
    assert_string_equal(target.below, "dm vg-root of md0");
    assert_string_equal(target.model, "Example SSD 5");
    assert_int_equal(target.rotational, 1);
    assert_string_equal(target.scheduler, "");

    put("sys/dev/block/7:3/dev", "7:3\n");
    put("sys/dev/block/7:3/uevent", "DEVNAME=loop3\n");
    put("sys/dev/block/7:3/loop/backing_file", "/var/disk image\n");
    mount_at("7:3", "rw", "btrfs /dev/loop3 rw,subvolid=5");
    targetinfo_read(root, root, &target);
    assert_string_equal(target.below, "loop of /var/disk image");

    put("upper/x", "");
    mount_at("0:99", "rw", "overlay overlay rw,lowerdir=/a,upperdir=/upper,workdir=/w");
    targetinfo_read(root, root, &target);
    assert_string_equal(target.below, "upper directory /upper");
    assert_int_equal(target.rotational, -1);
}

static void test_networks_and_secrets(void **state)
{
    static const struct {
        const char *tail, *device, *options;
    } rows[] = {
        {"nfs4 server:/export rw,vers=4.2,rsize=1048576,wsize=1048576,acregmin=1,acregmax=2,hard",
         "server:/export", "rw,vers=4.2,rsize=1048576,wsize=1048576,acregmin=1,acregmax=2,hard"},
        {"cifs //server/share "
         "rw,vers=3.0,username=carol,domain=W,password=hush,credentials=/etc/c",
         "//server/share", "rw,vers=3.0,username=***,domain=W,password=***,credentials=***"},
        {"cifs //server/share rw,user=carol,PASS=hush,mysecretname=x,uid=5", "//server/share",
         "rw,user=***,PASS=***,mysecretname=***,uid=5"},
        {"ceph 10.0.0.1:/ rw,name=admin,secret=AQ==,keyring=/etc/k,passwd", "10.0.0.1:/",
         "rw,name=admin,secret=***,keyring=***,passwd"},
        {"fuse.sshfs carol@server:/home rw,user_id=0,group_id=0", "carol@server:/home",
         "rw,user_id=0,group_id=0"},
        {"fuse.davfs https://carol:hush@server/dav rw", "https://carol:***@server/dav", "rw"},
        {"fuse.davfs https://carol:hu@s/h@server/dav rw", "https://carol:***@server/dav", "rw"},
        {"fuse.s3 key:hu/sh@bucket rw", "key:***@bucket", "rw"},
        {"nfs server:/a@b rw", "server:***@b", "rw"}, /* redacting too much is harmless */
        {"fuse.s3 key:hush@bucket rw,access_key_id=A,token=B", "key:***@bucket",
         "rw,access_key_id=***,token=***"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct targetinfo target;
        mount_at("0:50", "rw", rows[i].tail);
        targetinfo_read(root, root, &target);
        assert_memory_equal(target.filesystem, rows[i].tail, strlen(target.filesystem));
        assert_true(target.filesystem[0] != '\0');
        assert_string_equal(target.device, rows[i].device);
        assert_string_equal(target.mount_options, rows[i].options);
    }
}

static void test_medium(void **state)
{
    static const struct {
        const char *filesystem, *device, *below, *name, *keeper;
    } rows[] = {
        {"ext4", "/dev/sda1", "partition of sda", "", ""},
        {"btrfs", "/dev/mapper/a:b", "dm a:b of sda", "", ""},
        {"tmpfs", "tmpfs", "", "", ""},
        {"", "/dev/loop0", "loop of /image", "loop device", "file system"},
        {"ext4", "/dev/loop3p1", "partition of loop3", "loop device", "file system"},
        {"xfs", "/dev/dm-0", "dm root of loop0", "loop device", "file system"},
        {"nfs4", "server:/export", "", "NFS", "server"},
        {"cifs", "//server/share", "", "SMB", "server"},
        {"other", "server:/export", "", "other", "server"},
        {"9p", "share", "", "9p", "host"},
        {"overlay", "overlay", "upper directory /u", "overlay", "file system"},
        {"fuse", "/dev/fuse", "", "FUSE", "daemon"},
        {"fuse.bindfs", "/srv", "", "FUSE bindfs", "daemon"},
        {"fuseblk", "/dev/sda2", "partition of sda", "FUSE", "daemon"},
        {"ext4", "/dev/nbd0", "", "NBD", "server"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct targetinfo target = {.path = ""};
        struct medium medium;
        text_copy(target.filesystem, sizeof(target.filesystem), rows[i].filesystem);
        text_copy(target.device, sizeof(target.device), rows[i].device);
        text_copy(target.below, sizeof(target.below), rows[i].below);
        targetinfo_medium(&target, &medium);
        assert_string_equal(medium.name, rows[i].name);
        assert_string_equal(medium.keeper, rows[i].keeper);
    }
}

/* The daemon is found by its connection number; without that the mount's type names it. */
static void test_fuse_daemon(void **state)
{
    struct targetinfo target;
    struct medium medium;

    mount_at("0:50", "rw", "fuse.sshfs server: rw");
    put("proc/11/comm", "other\n");
    put("proc/11/fdinfo/5", "pos:\t0\nfuse_connection:\t51\n");
    put_link("proc/11/fd/5", "/dev/fuse");
    put("proc/12/comm", "no daemon\n");
    put("proc/12/fdinfo/5", "fuse_connection:\t50\n");
    put_link("proc/12/fd/5", "/dev/fuses");
    targetinfo_read(root, root, &target);
    targetinfo_medium(&target, &medium);
    assert_string_equal(medium.name, "FUSE sshfs");
    assert_string_equal(target.below, "");

    put("proc/13/comm", "ssh fs 2\n");
    put("proc/13/fdinfo/7", "pos:\t0\nfuse_connection:\t50\n");
    put_link("proc/13/fd/0", "/dev/null");
    put_link("proc/13/fd/7", "/dev/fuse");
    targetinfo_read(root, root, &target);
    targetinfo_medium(&target, &medium);
    assert_string_equal(medium.name, "FUSE ssh fs 2");
    assert_string_equal(medium.keeper, "daemon");
    assert_string_equal(target.below, "daemon ssh fs 2, process 13");
    mount_at("8:1", "rw", "fuseblk /dev/name rw"); /* a block device's number */
    put("proc/11/fdinfo/5", "fuse_connection:\t8388609\n");
    targetinfo_read(root, root, &target);
    assert_string_equal(target.daemon, "other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_virtualization, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quota, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_io_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_partition, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_networks_and_secrets, set_up, tear_down),
        cmocka_unit_test(test_medium),
        cmocka_unit_test_setup_teardown(test_fuse_daemon, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
