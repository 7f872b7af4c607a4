#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A user's data are safe: existing files are only read, and their content, length, modes and all
# three times are kept; only --overwrite writes, never beyond the length and never through a link;
# what cannot be measured is refused in one line before anything happens; odd names are just names.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

chmod 755 "$work"
mkdir "$work/dir"
cd "$work/dir" || exit 99

# watch DIRECTORY; ...; unchanged WHAT: nothing in DIRECTORY differs: names, contents, modes and
# times. Access times are set before the others, so that even "relatime" would change them on the
# first read; they are compared before this test reads anything.
names() {
	find "$watched" -print0 | sort -z
}
facts() {
	xargs -0 stat -c '%n %F %a %u %h %i %s %x %y %z' <"$work/names"
}
contents() {
	find "$watched" -type f -exec cksum {} + | sort
}
watch() {
	watched=$1
	contents >"$work/contents"
	names >"$work/names"
	xargs -0 touch -h -a -d '2001-02-03 04:05:06' <"$work/names"
	facts >"$work/facts"
}
unchanged() {
	facts >"$work/facts_after"
	diff "$work/facts" "$work/facts_after" >&2 || fail "$*: changed"
	names | cmp -s - "$work/names" || fail "$*: other names: $(names | tr '\0' ' ')"
	contents | cmp -s - "$work/contents" || fail "$*: other contents"
	xargs -0 touch -h -a -d '2001-02-03 04:05:06' <"$work/names"
	facts >"$work/facts"
}

# refused STATUS WORD ARGS...: one line with WORD in it, no results
refused() {
	refused_status=$1
	refused_word=$2
	shift 2
	refuses "$refused_status" "$refused_word" -n 4 "$@"
	[ ! -s "$work/out" ] || fail "iosweep $*: refused, yet results"
}

# rows EXPECTED: number of rows
rows() {
	[ "$(tail -n +2 "$work/out" | wc -l)" -eq "$1" ] || fail "not $1 rows"
}

mkdir own tree tree/a tree/a/b elsewhere
head -c 300000 /dev/urandom >own/file
head -c 100000 /dev/urandom >tree/one
head -c 70000 /dev/urandom >tree/a/two
head -c 90001 /dev/urandom >tree/a/b/three
: >tree/a/empty
head -c 500000 /dev/urandom >elsewhere/outside
ln -s ../elsewhere/outside tree/link
ln -s ../elsewhere tree/a/directory_link
mkfifo tree/fifo

# --- reading changes nothing
for engine in posix pread; do
	for cache in cached asis uncached; do
		watch .
		run 0 -r --engine $engine --cache $cache -n 20 own/file
		rows 14
		unchanged "-r FILE, $engine, $cache"
		run 0 -r --engine $engine --cache $cache -n 20 tree
		rows 14
		unchanged "-r TREE, $engine, $cache"
	done
done
grep -q '3 files' "$work/err" || fail "a tree of 3 readable files is not announced as 3 files"
watch .
run 0 -r --keep-open --threads 2 -n 20 own/file tree
rows 28
unchanged "-r with two targets and threads"
watch own
run 0 -n 20 own/file
rows 14
! grep -q ',write,' "$work/out" || fail "a write test on an existing file without permission"
unchanged "FILE without -r"

# --- works without permission to write
chmod -R a-w own tree
watch .
run 0 -r -n 20 own/file tree
unchanged "-r where nothing is writable"
chmod -R u+w own tree
if [ "$(id -u)" = 0 ] && mkdir ../read_only && mount --bind . ../read_only 2>/dev/null; then
	on_exit "umount '$work/read_only'"
	mount -o remount,bind,ro ../read_only || fail "remount"
	watch .
	(cd ../read_only && run 0 -r -n 20 own/file tree && rows 28) || exit 1
	unchanged "-r on a read-only mount"
	refused 3 'Read-only' ../read_only/own
	refused 3 'Read-only' --overwrite ../read_only/own/file
	unchanged "a read-only mount"
else
	echo "not tried: a read-only mount, it takes root"
fi

# --- no call that could change anything
if can_trace; then
	trace "$work/trace" 0 -r -n 20 own/file tree
	sed 's/^[0-9]* *//' "$work/trace" | grep -Ev '^p?writev?(64)?\([12], ' | grep -E \
		-e '^(p?writev?2?|pwrite64|f?truncate(64)?|unlink|rename|mkdir|rmdir|link|symlink|mknod)' \
		-e '^(f?chmod|f?chown|lchown|utime|futimes|fallocate|sendfile|copy_file|splice|.*setxattr)' \
		-e '^(open|creat).*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)' >"$work/changing" &&
		fail "-r: $(head -1 "$work/changing")"
else
	echo "not tried: system calls of -r, strace cannot be used"
fi

# --- a directory that cannot be listed completely is not treated as a shorter one
mkdir listed listed/below
for f in a b c below/d; do cp own/file listed/$f; done
if can_trace && [ -z "${IOSWEEP_RUN:-}" ]; then
	listing() { # runs -r with this call for its entries failing
		LSAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -P "$PWD/$2" -e trace=getdents64 \
			-e inject=getdents64:error=EIO:when="$1" \
			"$IOSWEEP" -r --sizes 512 -n 4 listed >"$work/out" 2>"$work/err" </dev/null
		listing_status=$?
		grep -q INJECTED "$work/trace"
	}
	if listing 1 listed; then
		[ $listing_status = 3 ] || fail "no listing: exit status $listing_status, not 3"
		grep -q 'nothing can be read, not even listed/\.: Input/output error' "$work/err" ||
			fail "no listing: another reason"
		listing 2 listed || fail "no second call for entries"
		[ $listing_status = 0 ] || fail "half a listing: exit status $listing_status, not 0"
		grep -q 'left out, unreadable: 1 file or directory; the first: \.: Input' \
			"$work/err" || fail "half a listing is not reported"
		listing 1 listed/below || fail "no call for entries below"
		grep -q 'left out, .*; the first: below: Input/output error' "$work/err" ||
			fail "no listing of a directory below is not reported"
	else
		echo "not tried: listings that fail, this strace does not know the directory"
	fi
fi

# --- a file too deep to be opened by name is left out, the others are read
long=$(printf '%0200d' 0)
(
	cd listed || exit 1
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
		mkdir "$long" && cd "$long" || exit 1
	done
	echo deep >deep
) 2>/dev/null && {
	run 0 -r --sizes 512 -n 4 listed
	grep -q "left out, unreadable: 1 file or directory; .*File name too long" "$work/err" ||
		fail "a file that is too deep is not reported"
	rm -f listed/[abc] listed/below/d
	refused 3 'File name too long; name a directory further down' -r listed
}
rm -rf listed

# --- writing requires --overwrite, and never changes the length
watch .
run 3 -n 4 --tests write own/file
one_line "$work/err"
grep -q -e '--overwrite' "$work/err" || fail "the way to allow it is not named"
[ ! -s "$work/out" ] || fail "--tests write FILE: results"
refused 2 'write' -r --tests write tree
ln -s "$PWD/own/file" ../link
refused 3 'symbolic link' --overwrite ../link
unchanged "a write test without permission"
run 0 -r -n 4 ../link
rows 14
unchanged "-r through a link"
before=$(cksum <own/file)
inode=$(stat -c %i own/file)
run 0 --overwrite -n 200 own/file
rows 28
[ "$(cksum <own/file)" != "$before" ] || fail "--overwrite wrote nothing"
[ "$(wc -c <own/file)" -eq 300000 ] || fail "--overwrite changed the length"
[ "$(stat -c %i own/file)" = "$inode" ] || fail "--overwrite made another file"
[ "$(ls -A own)" = file ] || fail "--overwrite left something: $(ls -A own)"

# --- nothing to measure
watch .
refused 3 'does not exist\|no such file' missing
refused 3 'does not exist\|no such file' -r missing
refused 3 'does not exist\|no such file' own/missing/too
refused 3 'Not a directory' own/file/below
unchanged "targets that are not there"
ln -s nowhere ../dangling
ln -s loop ../loop
: >empty
mkdir nothing hollow
: >hollow/empty
mkfifo fifo
watch .
refused 3 'dangling symbolic link: .*point to' ../dangling
refused 3 'dangling symbolic link: .*point to' -r ../dangling
refused 3 'symbolic links' ../loop
refused 3 'symbolic links' -r ../loop
refused 3 'cannot be measured' fifo
refused 3 'cannot be measured' -r fifo
refused 3 'cannot be measured' /dev/null
refused 3 'cannot be measured' -r /dev/null
refused 3 'nothing to read in the empty file' empty
refused 3 'nothing to overwrite' --overwrite empty
refused 3 'no files' -r nothing
refused 3 'empty files' -r hollow
refused 2 'empty' ''
unchanged "targets that cannot be measured"
if command -v python3 >/dev/null; then
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
	refused 3 'cannot be measured' socket
	refused 3 'cannot be measured' -r socket
	rm socket
fi

# --- shorter than some sizes: those rows are skipped with a note
head -c 1000 /dev/urandom >short
run 0 -r -n 8 -M 4k --columns size_bytes,operations,time_s,throughput_bytes_per_s,notes short
rows 4
grep -q '^512,8,0' "$work/out" || fail "512 of 1000 bytes were not read"
for size in 1024 2048 4096; do
	grep -qx "$size,0,,,skipped:beyond_file" "$work/out" || fail "$size of 1000 bytes: not skipped"
done

# --- a link to a directory counts as the directory
mkdir place
ln -s place link_to_place
run 0 -n 4 -M 4 -l 4k link_to_place
nothing_left place
[ -L link_to_place ] || fail "the link is gone"

# --- names are taken literally
newline='new
line'
# shellcheck disable=SC2016
for name in 'two words' 'semi;touch pwned' '*' "$newline" "quote'\"" '$(touch pwned)' '-n' '%s%n'; do
	mkdir "./$name"
	run 0 -n 4 -M 4 -l 4k --width 2 -- "$name"
	rows 4
	nothing_left "./$name"
	head -c 5000 /dev/urandom >"./$name/$name"
	watch "./$name"
	run 0 -r -n 4 -M 4 "./$name/$name"
	rows 2
	run 0 -r -n 4 -M 4 "./$name"
	rows 2
	unchanged "names like $name"
	rm -r "./$name"
done
[ ! -e pwned ] || fail "a name was executed"

# --- without permission; root, which has all, switches to another user if possible
if [ "$(id -u)" = 0 ]; then
	other_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
	# shellcheck disable=SC2086
	$other_user "$IOSWEEP" --version >/dev/null 2>&1 && [ -x "$work" ] &&
		$other_user test -r "$work/dir/own/file" || other_user=
else
	other_user='env'
fi
if [ -n "$other_user" ]; then
	IOSWEEP_RUN="$other_user ${IOSWEEP_RUN:-}"
	mkdir locked forbidden
	cp own/file locked/file
	cp own/file unreadable
	cp own/file tree/a/unreadable
	chmod 0 unreadable tree/a/unreadable locked
	chmod 555 forbidden
	refused 3 'Permission denied; ask its owner' -r unreadable
	refused 3 'Permission denied; ask its owner' unreadable
	refused 3 'Permission denied; ask its owner' -r locked
	refused 3 'Permission denied' -r locked/file
	refused 3 'Permission denied' locked
	refused 2 'Permission denied; name a file in' -r -o forbidden/out.csv own/file
	refused 3 'Permission denied' forbidden
	nothing_left forbidden
	run 0 -r -n 4 tree
	grep -q 'unreadable: 1 file or directory' "$work/err" || fail "a gap in the tree is not reported"
	# without permission to keep access times, reading is still allowed
	chmod 755 locked
	chmod 444 locked/file
	before=$(cksum <locked/file)
	run 0 -r -n 4 locked/file
	rows 14
	[ "$(cksum <locked/file)" = "$before" ] || fail "-r as another user changed the file"
	refused 3 'Permission denied' --overwrite locked/file
	# the same is true of the files of a run
	mkdir shared
	chmod 777 shared
	run 0 --quiet --keep --run-name k --tests read --sizes 4k -n 4 -l 64k --levels 1 --width 4 shared
	chmod 0 shared/iosweep-k/f1
	run 0 -r --run-name k --sizes 4k -n 4 shared
	grep -q 'only 3 of its 4 files exist and are read' "$work/err" || fail "a gap in the run is not reported"
	chmod 0 shared/iosweep-k/f?
	refused 3 'cannot open the files of run' -r --run-name k shared
else
	echo "not tried: missing permissions, no other user can run the program here"
fi
