# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Completion of iosweep-mpi(1) for fish: that of iosweep(1), and options of its own.
# Made by contrib/completions/generate from the tables of the program: edit those.
complete -c iosweep-mpi -w iosweep
complete -c iosweep-mpi -n 'not contains -- (commandline -opc)[2] clean compare export fit help merge plot report' -l share -xa 'none all shift' -d 'files of the ranks'
complete -c iosweep-mpi -n 'not contains -- (commandline -opc)[2] clean compare export fit help merge plot report' -l hosts-per-target -x -d 'N hosts use each target [all ranks use all]'
complete -c iosweep-mpi -n 'not contains -- (commandline -opc)[2] clean compare export fit help merge plot report' -l rank-timeout -x -d 'a rank silent for so long is lost'
