# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/cli: options and commands
libiosweep_a_SOURCES += \
	src/cli/command.c src/cli/command.h \
	src/cli/command_clean.c \
	src/cli/dryrun.c \
	src/cli/ending.c \
	src/cli/help.c src/cli/help.h \
	src/cli/meet.c src/cli/meet.h \
	src/cli/optionfile.c \
	src/cli/options.c src/cli/options.h \
	src/cli/options_check.c \
	src/cli/options_parse.c \
	src/cli/outputs.c src/cli/outputs.h \
	src/cli/parser.c \
	src/cli/ready.c src/cli/ready.h \
	src/cli/said.c src/cli/said.h \
	src/cli/steps.c \
	src/cli/tables.c \
	src/cli/targets.c src/cli/targets.h \
	src/cli/targets_team.c \
	src/cli/words.c src/cli/words.h

# what words mean is compiled in
words_awk = src/cli/words.awk
words_book = src/cli/words.txt
words_foreign = src/cli/foreign.txt
words_pages = src/cli/pages.txt
words_made = src/cli/words.inc
EXTRA_DIST += $(words_awk) $(words_book) $(words_foreign) $(words_pages)
CLEANFILES += $(words_made)
$(words_made): $(words_awk) $(results_notes) $(words_book) $(words_foreign) $(words_pages)
	$(AM_V_GEN)$(MKDIR_P) src/cli && $(AWK) -f $(srcdir)/$(words_awk) $(srcdir)/$(results_notes) \
		$(srcdir)/$(words_book) $(srcdir)/$(words_foreign) \
		$(srcdir)/$(words_pages) >$@
src/cli/libiosweep_a-words.$(OBJEXT): $(words_made)
