/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.c - words of the command line that mean something for some targets only. */
#include "base/compat.h"

#include "cli/targets.h"

#include <sys/stat.h>

/* A word that allows writing must fit some target: the wrong one would silently allow nothing. */
static int check_permissions(const struct settings *settings, struct error *err)
{
    unsigned files = 0, devices = 0;
    struct stat st;

    for (unsigned i = 0; i < settings->target_count; i++) {
        if (stat(settings->targets[i], &st) < 0)
            return 0; /* opening it will say why */
        files += S_ISREG(st.st_mode);
        devices += S_ISBLK(st.st_mode);
    }
    if (settings->overwrite && !files) {
        error_set(err, STATUS_USAGE, 0, "--overwrite is for an existing file, not for",
                  settings->targets[0]);
        return error_advise(err, devices ? "a block device needs --destroy-data"
                                         : "leave it out: test files are iosweep's own");
    }
    if (settings->destroy_data && !devices) {
        error_set(err, STATUS_USAGE, 0, "--destroy-data is for a block device, not for",
                  settings->targets[0]);
        return error_advise(err, files ? "a file needs --overwrite"
                                       : "leave it out: test files are iosweep's own");
    }
    return 0;
}

/* What exists as one file has no runs. */
static int check_run_name(const struct settings *settings, struct error *err)
{
    struct stat st;

    for (unsigned i = 0; settings->run_name && i < settings->target_count; i++) {
        const char *target = settings->targets[i];
        const struct target_driver *driver = target_driver_for(target);
        if (driver->clean &&
            (driver != &target_file || stat(target, &st) < 0 || S_ISDIR(st.st_mode)))
            continue;
        error_set(err, STATUS_USAGE, 0, "no run can be made or found in", target);
        return error_advise(err, "--run-name is for directories and object stores");
    }
    return 0;
}

int targets_check(const struct settings *settings, struct error *err)
{
    return check_permissions(settings, err) < 0 ? -1 : check_run_name(settings, err);
}
