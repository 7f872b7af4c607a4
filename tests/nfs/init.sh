#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=dash
# init.sh - the first and only service of the virtual machine that guest.sh makes: loads the kernel's
# modules, serves the file system of its disk over NFS, mounts that from itself, runs /script and
# switches the machine off.
/bin/busybox --install -s /bin
PATH=/bin:/sbin
HOME=/
LD_LIBRARY_PATH=/lib
export PATH HOME LD_LIBRARY_PATH
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
exec </dev/null >/dev/console 2>&1

give_up() {
	echo "init: $*"
	sleep 1 # for what is on its way through the serial line
	reboot -f
}

while read -r module; do
	insmod "/lib/modules/$module" || echo "init: not loaded: $module"
done </lib/modules/order
ip link set lo up
hostname guest
tries=0
until [ -b /dev/vda ] || [ $tries -ge 50 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
mount -t ext4 /dev/vda /export || give_up "the disk cannot be mounted"
mount -t rpc_pipefs rpc /var/lib/nfs/rpc_pipefs
mount -t nfsd nfsd /proc/fs/nfsd || give_up "no NFS server in this kernel"
rpcbind || give_up "rpcbind does not start"
exportfs -ra || give_up "nothing is exported"
# Nobody has state to reclaim: do not make the first open wait.
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo 10 >/proc/fs/nfsd/nfsv4leasetime
rpc.mountd -p 20048 || give_up "rpc.mountd does not start"
rpc.nfsd 4 || give_up "rpc.nfsd does not start"
[ ! -e /proc/fs/nfsd/v4_end_grace ] || echo Y >/proc/fs/nfsd/v4_end_grace
mount.nfs 127.0.0.1:/ /nfs42 -o vers=4.2,proto=tcp || give_up "NFS 4.2 cannot be mounted"
mount.nfs 127.0.0.1:/export /nfs3 \
	-o vers=3,nolock,proto=tcp,port=2049,mountproto=tcp,mountport=20048 ||
	give_up "NFS 3 cannot be mounted"
read -r up rest </proc/uptime
echo "init: ready after $up s"

cd /tmp || give_up "no /tmp"
sh /script >/dev/ttyS1 2>&1
echo "GUEST_STATUS=$?" >/dev/ttyS1
read -r up rest </proc/uptime
echo "init: ended after $up s"
sync
sleep 1
reboot -f
