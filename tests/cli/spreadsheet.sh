#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Results can be used in spreadsheets and scripts: an independent CSV reader finds one record per
# row with numbers in all numeric columns, whatever names and labels contain; and a spreadsheet
# reads the file, and a German one the file with decimal commas, as numbers rather than text.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need python3

cd "$work" || exit 99
target='a "target", with ;'
label='one; two, "three"'
mkdir "$target"
small='--quiet -m 2 -M 64k -l 64k --width 2 -n 12 --tests read,write'

# shellcheck disable=SC2086
run 0 $small --label "$label" -o plain.csv "$target"
# shellcheck disable=SC2086
run 0 $small --label "$label" -o german.csv --separator ';' --decimal , "$target"
nothing_left "$target"

iosweep help columns >columns || fail "help columns: status $?"
cat >check.py <<'END'
# The required content; used for CSV and for its conversion by a spreadsheet.
import csv, sys

TEXTS = {line.split("\t")[0] for line in open("columns") if line.split("\t")[1] == "text"}
# These have a value in each measured row.
FILLED = {"size_bytes", "operations", "time_s", "throughput_bytes_per_s", "rate_per_s", "test", "target",
          "engine", "cache", "threads", "depth", "rounds", "op_ns_mean", "op_ns_min", "latency_ns_max",
          "open_ns_mean", "transfer_ns_mean", "close_ns_mean", "errors", "label", "seek_ns_mean",
          "op_ns_stddev", "errors_short", "align_bytes", "latency_ns_min", "in_flight_mean",
          "elapsed_s", "errors_s", "latency_ns_mean", "latency_ns_stddev", "stop"}

def check(rows, number, target, label):
    """rows: of dictionaries; number: makes a number of a cell or raises ValueError"""
    assert len(rows) == 32, len(rows)
    for i, row in enumerate(rows):
        assert number(row["size_bytes"]) == 2 << i % 16, row
        assert number(row["operations"]) == 12, row
        assert row["test"] == ("read", "write")[i // 16], row
        assert row["target"] == target and row["label"] == label, row
        assert FILLED <= row.keys(), row
        for name, cell in row.items():
            if cell in ("", None):
                assert name not in FILLED, (name, row)
            elif name not in TEXTS:
                number(cell)
        rate = number(row["operations"]) / number(row["time_s"])
        assert abs(number(row["rate_per_s"]) - rate) < 1e-6 * rate, row

if __name__ == "__main__":
    name, separator, decimal, target, label = sys.argv[1:]
    def number(cell):
        assert decimal == "." or "." not in cell, cell
        return float(cell.replace(decimal, "."))
    with open(name, newline="") as file:
        rows = list(csv.DictReader(file, delimiter=separator, strict=True))
    assert not any(None in row or None in row.values() for row in rows), "ragged"
    check(rows, number, target, label)
END
python3 check.py plain.csv , . "$target" "$label" || fail "a CSV reader: see above"
python3 check.py german.csv ';' , "$target" "$label" || fail "a German CSV reader: see above"

# --- pandas, if installed
if python3 -c 'import pandas' 2>/dev/null; then
	python3 - plain.csv german.csv <<-'END' || fail "pandas: see above"
	import sys, pandas
	plain = pandas.read_csv(sys.argv[1])
	german = pandas.read_csv(sys.argv[2], sep=";", decimal=",")
	texts = {line.split("\t")[0] for line in open("columns") if line.split("\t")[1] == "text"}
	for frame in plain, german:
	    assert len(frame) == 32
	    for name in frame.columns:
	        if name not in texts:
	            assert frame[name].dtype.kind in "if", (name, frame[name].dtype)
	END
else
	echo "not tried: pandas, it is not installed"
fi

# --- a spreadsheet, if installed: converts to its own format, whose cells distinguish numbers from
# text
if ! command -v soffice >/dev/null; then
	echo "not tried: a spreadsheet, soffice is not installed"
	exit 0
fi
convert() {
	HOME=$work timeout 60 soffice "-env:UserInstallation=file://$work/profile" --headless \
		--infilter="CSV:$2,34,76,1,,$3" --convert-to xlsx "$1" >"$work/out" 2>"$work/err"
}
if ! convert plain.csv 44 1033 || [ ! -s plain.xlsx ]; then
	echo "not tried: a spreadsheet, soffice does not run here"
	exit 0
fi
convert german.csv 59 1031
cat >sheet.py <<'END'
import re, sys, zipfile
import xml.etree.ElementTree as tree
import check

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
book = zipfile.ZipFile(sys.argv[1])
shared = ["".join(text.text or "" for text in item.iter(SPACE + "t"))
          for item in tree.fromstring(book.read("xl/sharedStrings.xml")).iter(SPACE + "si")]
rows = []
for line in tree.fromstring(book.read("xl/worksheets/sheet1.xml")).iter(SPACE + "row"):
    cells = {}
    for cell in line.iter(SPACE + "c"):
        value = cell.find(SPACE + "v")
        if value is not None:
            text = cell.get("t") == "s"
            place = re.match("[A-Z]+", cell.get("r")).group()
            cells[place] = shared[int(value.text)] if text else float(value.text)
    if cells:
        rows.append(cells)

def number(cell):
    assert isinstance(cell, float), "text instead of a number: %r" % cell
    return cell

header = rows.pop(0)
check.check([{name: row.get(place) for place, name in header.items()} for row in rows],
            number, sys.argv[2], sys.argv[3])
END
for file in plain german; do
	python3 sheet.py $file.xlsx "$target" "$label" || fail "a spreadsheet with $file.csv: see above"
done
