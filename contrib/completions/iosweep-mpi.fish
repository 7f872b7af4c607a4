# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Completion of iosweep-mpi(1) for fish: that of iosweep(1).
complete -c iosweep-mpi -w iosweep
