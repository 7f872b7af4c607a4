# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# notes.awk - the lines of notes.txt, which explains itself, as rows of a table in C.
function end_row() {
    if (word != "")
        printf "{\"%s\", \"%s\", \"%s\"},\n", word, meaning, advice
}
function quoted(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return text
}
/^#/ { next }
/^  / { meaning = meaning (meaning != "" ? " " : "") quoted(substr($0, 3)); next }
/^> / { advice = advice (advice != "" ? " " : "") quoted(substr($0, 3)); next }
{
    end_row()
    word = $0
    meaning = advice = ""
}
END { end_row() }
