# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check-rows.awk - checks the CSV of a sweep on standard input: the first five columns in order, the
# expected sizes for each test, numbers in them, and the identities
# throughput = size * operations / time and rate = operations / time to 1e-6.
#     awk -f check-rows.awk -v sizes='2 4 8' -v tests='write read' [-v ops=50]
# Prints the first fault and exits with 1.
BEGIN {
	FS = ","
	wanted_size_count = split(sizes, wanted_size, " ")
	wanted_test_count = split(tests, wanted_test, " ")
	five = "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s"
	fault = ""
}

function refuse(text) {
	if (fault == "") {
		fault = text
		print "line " NR ": " text
	}
	exit 1
}

function close_to(a, b) {
	return a - b <= 1e-6 * b && b - a <= 1e-6 * b
}

NR == 1 {
	if (index($0, five ",test,target,engine,cache,access,threads,depth,loop,rounds,") != 1)
		refuse("the header does not begin with the first columns: " $0)
	fields = NF
	next
}

{
	row = NR - 2
	if (NF != fields)
		refuse(NF " fields, not " fields)
	if ($1 != wanted_size[row % wanted_size_count + 1])
		refuse("size " $1 ", not " wanted_size[row % wanted_size_count + 1])
	if ($6 != wanted_test[int(row / wanted_size_count) + 1])
		refuse("test " $6 ", not " wanted_test[int(row / wanted_size_count) + 1])
	if ($1 !~ /^[0-9]+$/ || $2 !~ /^[1-9][0-9]*$/)
		refuse("not whole numbers: " $1 " " $2)
	if ($3 !~ /^[0-9]+\.[0-9]+$/ || $4 !~ /^[0-9]+\.[0-9]+$/ || $5 !~ /^[0-9]+\.[0-9]+$/)
		refuse("not numbers with a decimal point: " $3 " " $4 " " $5)
	if (ops != "" && $2 != ops)
		refuse($2 " operations, not " ops)
	if (!close_to($4 * $3, $1 * $2))
		refuse("throughput is not size * operations / time: " $0)
	if (!close_to($5 * $3, $2))
		refuse("rate is not operations / time: " $0)
}

END {
	if (fault == "" && NR - 1 != wanted_size_count * wanted_test_count) {
		print NR - 1 " rows, not " wanted_size_count * wanted_test_count
		fault = "rows"
	}
	if (fault != "")
		exit 1
}
