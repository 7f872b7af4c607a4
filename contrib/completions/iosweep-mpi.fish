# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of iosweep-mpi(1) for fish: that of iosweep(1).
complete -c iosweep-mpi -w iosweep
