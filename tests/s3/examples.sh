#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Each command in the section EXAMPLES of iosweep-objects(7), and each in README and doc/s3.md that
# names a bucket, works as printed, in order, with this test's server in the environment: the lines
# ".Dl $ COMMAND" of the first, and "iosweep ... s3://BUCKET" of the others. Here `iosweep` is a
# script that puts "-n 8 --objects 4" before the arguments, so that the test is short. The example's
# own options follow and take precedence, except the 40 GB that test fill would write.
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

sed -n 's/^\.Dl \$ //p' "$top_srcdir/man/iosweep-objects.7" | sed 's/\\-/-/g' >"$work/commands"
count=$(wc -l <"$work/commands")
[ "$count" -ge 10 ] || fail "only $count examples were found in iosweep-objects.7"
for page in README doc/s3.md; do # smaller, with as many parts
	sed -n 's/^    \(iosweep .*s3:\/\/BUCKET\)$/\1/p; s/^    \(iosweep compare 8.*\)/\1/p' "$top_srcdir/$page"
done |
	sed -e 's/BUCKET/bucket1/' -e 's/ 64M / 12M /' -e 's/-size 16M /-size 6M /' -e 's/-size 8M /-size 5M /' \
		-e 's/,16M /,2M /' >"$work/page"
[ "$(wc -l <"$work/page")" -ge 12 ] || fail "only $(wc -l <"$work/page") examples were found in README and doc/s3.md"
cat "$work/page" >>"$work/commands"
count=$(wc -l <"$work/commands")
! grep -v '^iosweep' "$work/commands" || fail "these are no commands of iosweep"
! grep '[\]' "$work/commands" || fail "escapes that this test does not know"

bucket=bucket1
s3_start
mkdir "$work/bin" "$work/here" "$work/here/dir1"
cat >"$work/bin/iosweep" <<'END'
#!/bin/sh
case " $* " in
" compare "*) # with so few operations it need not find anything
	"$IOSWEEP" "$@" || [ $? -le 2 ]
	exit
	;;
" clean "* | *" fill "*) ;;
*" -r "*) set -- -n 8 "$@" ;;
*) set -- -n 8 --objects 4 "$@" ;;
esac
exec "$IOSWEEP" "$@"
END
chmod +x "$work/bin/iosweep"
export IOSWEEP AWS_ENDPOINT_URL="$endpoint"
PATH=$work/bin:$PATH
cd "$work/here" || exit 99

while read -r command; do
	command=$(printf '%s\n' "$command" | sed "s,http://127[.]0[.]0[.]1:9000,$endpoint,")
	sh -c "$command" >"$work/out" 2>"$work/err" </dev/null || fail "status $?: $command"
	case $command in
	*" compare "*) ;;
	*clean* | *" -o "*) [ ! -s "$work/out" ] || fail "unexpected output: $command" ;;
	*) [ -s "$work/out" ] || fail "no output: $command" ;;
	esac
	case $command in
	*--keep* | *" -r "*) [ "$(s3 list iosweep-monday/ | wc -l)" -ge 9 ] || fail "not kept: $command" ;;
	*) holds 0 ;;
	esac
done <"$work/commands"
nothing_left dir1
say "$count examples"
