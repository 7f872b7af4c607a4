# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/cli: options and commands
libiosweep_a_SOURCES += \
	src/cli/command.c src/cli/command.h \
	src/cli/command_clean.c \
	src/cli/command_help.c \
	src/cli/command_results.c \
	src/cli/dryrun.c src/cli/dryrun.h \
	src/cli/ending.c src/cli/ending.h \
	src/cli/help.c src/cli/help.h \
	src/cli/help_asked.h \
	src/cli/help_search.c \
	src/cli/help_topic.c \
	src/cli/help_words.c \
	src/cli/hint.c src/cli/hint.h \
	src/cli/hint_target.c \
	src/cli/hint_value.c \
	src/cli/meet.c src/cli/meet.h \
	src/cli/notes.c src/cli/notes.h \
	src/cli/optionfile.c src/cli/optionfile.h \
	src/cli/options.c src/cli/options.h \
	src/cli/options_check.c src/cli/options_check.h \
	src/cli/options_parse.c \
	src/cli/outfile.c src/cli/outfile.h \
	src/cli/outputs.c src/cli/outputs.h \
	src/cli/parser.c src/cli/parser.h \
	src/cli/ready.c src/cli/ready.h \
	src/cli/ready_team.c src/cli/ready_team.h \
	src/cli/repeat.c src/cli/repeat.h \
	src/cli/said.c src/cli/said.h \
	src/cli/steps.c src/cli/steps.h \
	src/cli/targets.c src/cli/targets.h \
	src/cli/targets_team.c src/cli/targets_team.h

# what notes mean is compiled in
notes_awk = src/cli/notes.awk
notes_made = src/cli/notes.inc
EXTRA_DIST += $(notes_awk)
CLEANFILES += $(notes_made)
$(notes_made): $(results_notes) $(notes_awk)
	$(AM_V_GEN)$(MKDIR_P) src/cli && $(AWK) -f $(srcdir)/$(notes_awk) $(srcdir)/$(results_notes) >$@
src/cli/libiosweep_a-notes.$(OBJEXT): $(notes_made)
