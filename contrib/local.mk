# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
presetsdir = $(pkgdatadir)/presets
dist_presets_DATA = \
	contrib/presets/database \
	contrib/presets/diskmark \
	contrib/presets/fs-benchmark-tool \
	contrib/presets/io-profile \
	contrib/presets/juicefs \
	contrib/presets/nfs \
	contrib/presets/quick \
	contrib/presets/rados-bench \
	contrib/presets/snia

dist_bashcomp_DATA = contrib/completions/iosweep
dist_zshcomp_DATA = contrib/completions/_iosweep
dist_fishcomp_DATA = contrib/completions/iosweep.fish
mpi_page = man/iosweep-mpi.1
if HAVE_MPI
dist_man_MANS += $(mpi_page)
dist_bashcomp_DATA += contrib/completions/iosweep-mpi
dist_fishcomp_DATA += contrib/completions/iosweep-mpi.fish
endif
# The files shipped are generated from the tables by whoever changes them: a cross build cannot run
# the program that prints these.
contrib_completions_rows_SOURCES = contrib/completions/rows.c
contrib_completions_rows_LDADD = $(src_iosweep_LDADD)
completions: contrib/completions/rows$(EXEEXT)
	contrib/completions/rows$(EXEEXT) >contrib/completions/rows.txt
	PYTHONPATH=$(srcdir)/src/results $(PYTHON) -B $(srcdir)/contrib/completions/rows.py >>contrib/completions/rows.txt
	$(SHELL) $(srcdir)/contrib/completions/generate lacks contrib/completions/rows.txt \
	  $(srcdir)/contrib/completions/iosweep
	for shell in bash:iosweep zsh:_iosweep fish:iosweep.fish fish-mpi:iosweep-mpi.fish; do \
	  $(SHELL) $(srcdir)/contrib/completions/generate $${shell%:*} contrib/completions/rows.txt \
	    >contrib/completions/made && mv contrib/completions/made $(srcdir)/contrib/completions/$${shell#*:} || exit 1; \
	done
.PHONY: completions
EXTRA_DIST += .clang-format .ci/run HACKING REUSE.toml LICENSES/GPL-2.0-or-later.txt $(mpi_page) \
	contrib/quickstart contrib/selftest contrib/completions/generate contrib/completions/rows.py \
	contrib/ci/compilers contrib/ci/lib-selftest-archs.sh contrib/ci/lib-selftest-builds.sh \
	contrib/ci/lib-selftest-install.sh contrib/ci/lib-selftest-results.sh contrib/ci/lib-selftest-run.sh \
	contrib/ci/lib-selftest-servers.sh contrib/ci/lib-setup.sh contrib/ci/ports contrib/ci/release-check \
	contrib/ci/windows-libraries \
	contrib/packaging/APKBUILD contrib/packaging/PKGBUILD contrib/packaging/iosweep.spec \
	contrib/packaging/lib-package-apk.sh contrib/packaging/lib-package-arch.sh \
	contrib/packaging/lib-package-deb.sh contrib/packaging/lib-package-root.sh \
	contrib/packaging/lib-package-rpm.sh contrib/packaging/package contrib/packaging/release \
	contrib/packaging/rpmlint.toml \
	contrib/packaging/debian/changelog contrib/packaging/debian/control \
	contrib/packaging/debian/copyright contrib/packaging/debian/iosweep-mpi.install \
	contrib/packaging/debian/iosweep-rados.install contrib/packaging/debian/iosweep-results.install contrib/packaging/debian/iosweep-results.lintian-overrides contrib/packaging/debian/iosweep.install \
	contrib/packaging/debian/not-installed contrib/packaging/debian/rules \
	contrib/packaging/debian/source/format contrib/packaging/debian/source/lintian-overrides \
	contrib/packaging/debian/tests/control contrib/packaging/debian/tests/mpi \
	contrib/packaging/debian/tests/s3 contrib/packaging/debian/tests/sweep
