# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# words.awk - the lines of notes.txt, words.txt, foreign.txt and pages.txt, which explain themselves,
# as a table in C for each file, ended by an empty row.
function end_row() {
    if (word != "")
        printf "{\"%s\", \"%s\", \"%s\"},\n", word, meaning, advice
    word = meaning = advice = ""
}
function end_table() {
    end_row()
    if (name != "")
        print "{NULL, NULL, NULL}};"
}
function quoted(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return text
}
FNR == 1 {
    end_table()
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/[.]txt$/, "", name)
    printf "const struct help_word words_of_%s[] = {\n", name
}
/^#/ { next }
/^  / { meaning = meaning (meaning != "" ? " " : "") quoted(substr($0, 3)); next }
/^[|]/ { meaning = meaning quoted(substr($0, 3)) "\\n"; next }
/^> / { advice = advice (advice != "" ? " " : "") quoted(substr($0, 3)); next }
{
    end_row()
    word = $0
    if ((gap = index(word, "  "))) {
        meaning = quoted(substr(word, gap + 2))
        word = substr(word, 1, gap - 1)
    }
}
END { end_table() }
