#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# guest.sh - boots a virtual machine with the distribution's kernel that serves NFS to itself, and
# runs a script in it: the only place where a real NFS mount can be had without a server, without
# root and without changing this machine.
#
# The kernel and the NFS tools come from packages that are downloaded and unpacked, never installed;
# which ones is asked of apt, because names of libraries differ between releases.  The machine boots
# from an initramfs of busybox and those tools, without a network but its own loopback.
set -u
umask 022

usage() {
	cat <<'END'
Usage: tests/nfs/guest.sh -d DIRECTORY [-f FILE]... [-m MIB] [-t SECONDS] SCRIPT
Run SCRIPT (for busybox sh) in a virtual machine, with NFS mounts of its own server at /nfs42 and /nfs3.
  -d DIRECTORY  where packages are kept (and used again) and the machine is made
  -f FILE       put FILE, and the libraries it needs, into /bin of the machine
  -m MIB        memory of the machine (default 768)
  -t SECONDS    limit for its life (default 600)
What SCRIPT says comes to standard output; what the kernel says is in DIRECTORY/console.
The exit status is that of SCRIPT; 124: the time was up; 125: the machine did not get as far as
SCRIPT; 77: something is missing here (the last line says what).
END
}

directory=
files=
memory=768
limit=600
while getopts d:f:m:t:h option; do
	case $option in
	d) directory=$OPTARG ;;
	f) files="$files $OPTARG" ;;
	m) memory=$OPTARG ;;
	t) limit=$OPTARG ;;
	h)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
done
shift $((OPTIND - 1))
if [ $# -ne 1 ] || [ -z "$directory" ]; then
	usage >&2
	exit 2
fi
script=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 125
PATH=$PATH:/usr/sbin:/sbin
LC_ALL=C
export PATH LC_ALL

lack() {
	echo "$*"
	exit 77
}
broken() {
	echo "$*" >&2
	exit 125
}

for program in qemu-system-x86_64 cpio gzip mkfs.ext4 apt-get apt-cache dpkg-deb dpkg-query \
	ldd timeout truncate; do
	command -v "$program" >/dev/null || lack "$program is not installed"
done
[ "$(uname -m)" = x86_64 ] || lack "the virtual machine is made for x86_64, not for $(uname -m)"
mkdir -p -- "$directory" && directory=$(CDPATH='' cd -- "$directory" && pwd -P) || exit 125
root=$directory/root # what packages hold, once it is complete

tools="busybox-static nfs-kernel-server nfs-common rpcbind kmod"

# --- packages ------------------------------------------------------------------------------------

# depends PACKAGE...: what they need themselves, no alternatives
depends() {
	apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
		--no-enhances "$@" 2>/dev/null | sed -n 's/^ *\(Pre\)\{0,1\}Depends: \([^<]*\)$/\2/p' | sort -u
}

# The kernel of Debian or of Ubuntu, whose packages may have its image and modules apart.
kernel_packages() {
	for meta in linux-image-amd64 linux-image-virtual linux-image-generic; do
		image=$(depends "$meta" | grep '^linux-image-[0-9]' | head -n 1)
		[ -n "$image" ] || continue
		echo "$image"
		depends "$image" "$meta" | grep -E '^linux-(binary|modules)-[0-9]'
		return 0
	done
}

# Libraries that the tools need, near or far, and that are not here already.
library_packages() {
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
		--no-replaces --no-enhances "$@" 2>/dev/null | grep '^lib' | grep -v ':' | sort -u |
		while read -r package; do
			dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^.i' ||
				echo "$package"
		done
}

fetch_packages() {
	kernel=$(kernel_packages)
	[ -n "$kernel" ] || lack "apt knows no kernel package (apt-get update)"
	# shellcheck disable=SC2086 # lists of words
	libraries=$(library_packages $tools)
	rm -rf "$directory/packages" "$directory/unpacking"
	mkdir -p "$directory/packages" "$directory/unpacking/lib" || exit 125
	cd "$directory/packages" || exit 125
	# shellcheck disable=SC2086
	timeout 300 apt-get -q -o Acquire::Retries=2 -o Acquire::http::Timeout=20 download \
		$kernel $tools $libraries >"$directory/download.log" 2>&1 </dev/null ||
		lack "packages cannot be downloaded: $(grep '^E:' "$directory/download.log" | head -n 1)"
	for package in *.deb; do
		dpkg-deb -x "$package" "$directory/unpacking" || exit 125
	done
	cd "$directory" || exit 125
	if [ ! -d unpacking/lib/modules ]; then
		mv unpacking/usr/lib/modules unpacking/lib/ || broken "no kernel modules in: $kernel"
	fi
	rm -rf packages
	echo "$tools" >unpacking/tools && rm -rf "$root" && mv unpacking "$root" || exit 125
}

[ "$(cat "$root/tools" 2>/dev/null)" = "$tools" ] || fetch_packages
library_path=$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu
version=$(find "$root/lib/modules" -mindepth 1 -maxdepth 1 -exec basename {} \; | head -n 1)
modules=$root/lib/modules/$version
vmlinuz=$root/boot/vmlinuz-$version
[ -r "$vmlinuz" ] || vmlinuz=$modules/vmlinuz
[ -r "$vmlinuz" ] || broken "no kernel at $vmlinuz"

# tool NAME: where the packages have it
tool() {
	for prefix in usr/sbin sbin usr/bin bin; do
		if [ -f "$root/$prefix/$1" ] || [ -h "$root/$prefix/$1" ]; then
			echo "$root/$prefix/$1"
			return 0
		fi
	done
	broken "the packages hold no $1"
}

if [ ! -e "$modules/modules.dep" ]; then
	depmod=$(command -v depmod || true)
	if [ -z "$depmod" ]; then # a link to kmod, which goes by the name it is called by
		ln -sf "$(tool kmod)" "$directory/depmod" && depmod=$directory/depmod
	fi
	LD_LIBRARY_PATH=$library_path "$depmod" -b "$root" "$version" || broken "depmod failed"
fi

# --- the machine's files -------------------------------------------------------------------------

made=$(mktemp -d "$directory/machine.XXXXXX") || exit 125
# shellcheck disable=SC2317 # called by the trap
clean() {
	rm -rf "$made"
}
trap clean EXIT
trap 'exit 143' HUP INT TERM
guest=$made/root
for name in bin dev etc export lib lib64 lib/modules nfs3 nfs42 nfssoft proc run/rpcbind sbin sys tmp \
	var/lib/nfs/rpc_pipefs var/lib/nfs/sm var/lib/nfs/v4recovery; do
	mkdir -p "$guest/$name" || exit 125
done
ln -s /run "$guest/var/run"

# add FILE DIRECTORY [PATH]: with the libraries it needs, looked for in PATH first
add() {
	cp -L -- "$1" "$guest/$2/" || exit 125
	LD_LIBRARY_PATH=${3-} ldd "$1" >"$made/ldd" 2>/dev/null
	! grep 'not found' "$made/ldd" >&2 || broken "libraries of $1 are missing"
	sed -n 's/^[^/]*\(\/[^ ]*\).*/\1/p' "$made/ldd" | while read -r library; do
		[ -e "$guest/lib/${library##*/}" ] || cp -L "$library" "$guest/lib/"
		case $library in
		*/ld-linux*) cp -L "$library" "$guest/lib64/" ;;
		esac
	done
}

add "$(tool busybox)" bin
for name in rpc.nfsd rpc.mountd exportfs mount.nfs rpcbind; do
	add "$(tool "$name")" sbin "$library_path"
done
for file in $files; do
	add "$file" bin
done
for file in "$root/etc/netconfig" /etc/netconfig; do
	[ ! -r "$file" ] || cp "$file" "$guest/etc/"
done
[ -e "$guest/etc/netconfig" ] || broken "no etc/netconfig in the packages"
cp "$here/init.sh" "$guest/init" && cp "$script" "$guest/script" && chmod 755 "$guest/init" || exit 125

# What the kernel needs, in the order of loading; what is built in is in no list.
awk '
function plain(name) {
	sub(/.*\//, "", name)
	sub(/[.]ko.*/, "", name)
	gsub(/-/, "_", name)
	return name
}
function load(file, list, count, k) {
	if (file in loaded)
		return
	loaded[file]
	count = split(needs[file], list, " ")
	for (k = count; k >= 1; k--)
		load(list[k])
	print file
}
{
	file = $1
	sub(/:$/, "", file)
	$1 = ""
	needs[file] = $0
	place[plain(file)] = file
}
END {
	count = split("crc32c_generic crc32c_intel md5 virtio_pci virtio_blk virtio_rng ext4 nfsd nfs nfsv3 nfsv4", want, " ")
	for (i = 1; i <= count; i++)
		if (want[i] in place)
			load(place[want[i]])
}' "$modules/modules.dep" >"$made/modules"
grep -q '/nfsd[.]ko' "$made/modules" || broken "the kernel package has no module nfsd"
while read -r file; do
	name=${file##*/}
	case $file in
	*.xz) xz -dc "$modules/$file" >"$guest/lib/modules/${name%.xz}" ;;
	*.zst) zstd -qdc "$modules/$file" >"$guest/lib/modules/${name%.zst}" ;;
	*.gz) gzip -dc "$modules/$file" >"$guest/lib/modules/${name%.gz}" ;;
	*) cp "$modules/$file" "$guest/lib/modules/" ;;
	esac || broken "cannot unpack the module $file"
	name=${name%.xz}
	name=${name%.zst}
	echo "${name%.gz}" >>"$guest/lib/modules/order"
done <"$made/modules"

cat >"$guest/etc/passwd" <<'END'
root:x:0:0::/:/bin/sh
_rpc:x:105:65534::/run:/bin/sh
nobody:x:65534:65534::/:/bin/sh
END
printf 'root:x:0:\nnogroup:x:65534:\n' >"$guest/etc/group"
echo '127.0.0.1 localhost' >"$guest/etc/hosts"
printf '%s: files\n' hosts services protocols rpc passwd group >"$guest/etc/nsswitch.conf"
printf 'tcp 6 TCP\nudp 17 UDP\n' >"$guest/etc/protocols"
printf 'sunrpc 111/tcp portmapper\nsunrpc 111/udp portmapper\nnfs 2049/tcp\n' >"$guest/etc/services"
echo '/export *(rw,no_root_squash,no_subtree_check,async,fsid=0,insecure)' >"$guest/etc/exports"

(cd "$guest" && find . | cpio -o -H newc -R 0:0 --quiet | gzip -1) >"$made/initramfs" || exit 125
truncate -s 1G "$made/disk" && mkfs.ext4 -q -F "$made/disk" || exit 125

# --- its life ------------------------------------------------------------------------------------

# Without the processor's help for virtual machines, which may not be there: slow, but the same
# everywhere.  The second serial line carries what the script says and, as last line, its status.
timeout -k 10 "$limit" qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m "$memory" \
	-nodefaults -no-user-config -display none -no-reboot \
	-serial "file:$directory/console" -serial "file:$made/said" \
	-kernel "$vmlinuz" -initrd "$made/initramfs" \
	-append 'console=ttyS0 loglevel=4 panic=-1 mitigations=off no_timer_check' \
	-drive "file=$made/disk,format=raw,if=none,id=d,cache=unsafe" -device virtio-blk-pci,drive=d \
	-device virtio-rng-pci </dev/null >"$directory/qemu.log" 2>&1
ended=$?
[ -e "$made/said" ] || : >"$made/said"
tr -d '\r' <"$made/said" | sed '/^GUEST_STATUS=/d'
status=$(tr -d '\r' <"$made/said" | sed -n 's/^GUEST_STATUS=\([0-9]*\)$/\1/p' | tail -n 1)
[ -z "$status" ] || exit "$status"
if [ "$ended" -eq 124 ]; then
	echo "the virtual machine was ended after $limit s" >&2
	exit 124
fi
tail -n 20 "$directory/qemu.log" "$directory/console" >&2
exit 125
