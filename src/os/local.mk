# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What differs between systems: see src/os/os.h.
libiosweep_a_SOURCES += \
	src/os/beneath.c src/os/beneath.h \
	src/os/counts.h \
	src/os/facts.c src/os/facts.h \
	src/os/memory.c src/os/memory.h \
	src/os/os.h \
	src/os/posix/calls.h \
	src/os/processors.c src/os/processors.h \
	src/os/socket.h \
	src/os/traffic.c src/os/traffic.h
# what a system lacks, or is not written for it, and what all but Windows and Linux share
unknown = src/os/posix/unknown.c src/os/posix/unknown.h
unknown_to_linux = $(unknown) src/os/posix/list.c
# shared by some of them
holes = src/os/posix/holes.c src/os/posix/holes.h
bsd_and_darwin = \
	src/os/bsd/facts.c \
	src/os/bsd/mount.c \
	src/os/bsd/system.h
bsd_alone = src/os/bsd/inline.h

if SYSTEM_LINUX
libiosweep_a_SOURCES += $(holes) \
	src/os/linux/cache.c \
	src/os/linux/cgroup.c \
	src/os/linux/device.c src/os/linux/facts_parts.h \
	src/os/linux/extents.c \
	src/os/linux/file.c src/os/linux/inline.h src/os/linux/kernel.h \
	src/os/linux/hostinfo.c \
	src/os/linux/mountstats.c src/os/linux/mountstats.h \
	src/os/linux/open.c \
	src/os/linux/process.c \
	src/os/linux/processors.c \
	src/os/linux/sysfile.c src/os/linux/sysfile.h \
	src/os/linux/targetinfo.c \
	src/os/linux/usage.c \
	src/os/linux/user.c \
	src/os/linux/virt.c
endif
if SYSTEM_FREEBSD
libiosweep_a_SOURCES += $(unknown_to_linux) $(bsd_and_darwin) $(bsd_alone) $(holes) \
	src/os/bsd/freebsd.c
endif
if SYSTEM_NETBSD
libiosweep_a_SOURCES += $(unknown_to_linux) $(bsd_and_darwin) $(bsd_alone) \
	src/os/bsd/netbsd.c
endif
if SYSTEM_OPENBSD
libiosweep_a_SOURCES += $(unknown_to_linux) $(bsd_and_darwin) $(bsd_alone) \
	src/os/bsd/openbsd.c
endif
if SYSTEM_DARWIN
libiosweep_a_SOURCES += $(unknown_to_linux) $(bsd_and_darwin) \
	$(holes) \
	src/os/darwin/cache.c \
	src/os/darwin/inline.h \
	src/os/darwin/system.c
endif
if SYSTEM_POSIX
libiosweep_a_SOURCES += $(unknown_to_linux) \
	src/os/posix/inline.h
endif
if SYSTEM_WINDOWS
libiosweep_a_SOURCES += $(unknown) \
	src/os/windows/descriptors.c \
	src/os/windows/directory.c \
	src/os/windows/errors.c \
	src/os/windows/inline.h \
	src/os/windows/handles.c \
	src/os/windows/lock.c \
	src/os/windows/machine.c \
	src/os/windows/names.c \
	src/os/windows/process.c \
	src/os/windows/signals.c \
	src/os/windows/socket.c \
	src/os/windows/start.c \
	src/os/windows/streams.c \
	src/os/windows/system.c \
	src/os/windows/win.h
else
libiosweep_a_SOURCES += src/os/posix/shared.c src/os/posix/socket.c
endif

# headers for Windows that replace those of POSIX
EXTRA_DIST += \
	src/os/windows/include/arpa/inet.h src/os/windows/include/dirent.h \
	src/os/windows/include/first.h src/os/windows/include/netinet/in.h \
	src/os/windows/include/poll.h src/os/windows/include/pwd.h \
	src/os/windows/include/sys/resource.h src/os/windows/include/sys/socket.h \
	src/os/windows/include/sys/stat.h src/os/windows/include/sys/statvfs.h \
	src/os/windows/include/sys/uio.h src/os/windows/include/sys/utsname.h \
	src/os/windows/include/unistd.h
