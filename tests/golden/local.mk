# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Transcripts: commands, and what they have to print.  `make golden` takes over what they print now.
T_LOG_COMPILER = $(SHELL) $(srcdir)/tests/golden/golden.sh
golden_tests = \
	tests/golden/async.t \
	tests/golden/clashes.t \
	tests/golden/clean.t \
	tests/golden/dry-run.t \
	tests/golden/engines.t \
	tests/golden/errors.t \
	tests/golden/findings.t \
	tests/golden/help.t \
	tests/golden/hints.t \
	tests/golden/kinds.t \
	tests/golden/mem.t \
	tests/golden/option-files.t \
	tests/golden/results.t \
	tests/golden/sweep.t \
	tests/golden/words.t

EXTRA_DIST += $(golden_tests) tests/golden/golden.sh
golden_programs =
if HAVE_CMOCKA
golden_programs += tests/golden/findings tests/unit/slots
endif

golden: all $(golden_programs)
	@$(AM_TESTS_ENVIRONMENT) for test in $(golden_tests); do \
		$(T_LOG_COMPILER) --update "$(srcdir)/$$test" || test $$? = 77 || exit 1; done
.PHONY: golden
