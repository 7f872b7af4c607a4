/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.c - see module.h. */
#include "base/compat.h"

#include "storage/object/rados/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define INSTALL "install " RADOS_PACKAGE " " PACKAGE_VERSION

static int refuse_missing(const char *path, int errnum, struct error *err)
{
    const bool absent = errnum == ENOENT || errnum == ENOTDIR;

    error_set(err, STATUS_TARGET, absent ? 0 : errnum,
              absent ? RADOS_SCHEME " needs the package " RADOS_PACKAGE ", which is not installed:"
                     : RADOS_SCHEME " needs the package " RADOS_PACKAGE ", which cannot be used:",
              path);
    return error_advise(err, INSTALL " in addition to iosweep");
}

/* The code of a module runs with all rights of the user, so only those who can change the program
 * may be able to change it. */
static int check_file(const char *path, struct error *err)
{
    char *directory = mem_strdup(path), *end = strrchr(directory, '/');
    struct stat file, place;
    int code = 0;

    if (!end || path[0] != '/')
        code = error_refuse(err, STATUS_TARGET, "not an absolute module path:", path,
                            "build iosweep with an absolute --prefix");
    else if (end[1] = '\0', stat(directory, &place) != 0 || stat(path, &file) != 0)
        code = refuse_missing(path, errno, err);
    else if (!S_ISREG(file.st_mode))
        code = refuse_missing(path, EINVAL, err);
    else if ((file.st_mode | place.st_mode) & S_IWOTH)
        code = error_refuse(err, STATUS_TARGET, "a world-writable module is not loaded:", path,
                            "check what is in it, then chmod o-w file and directory");
    else if (file.st_uid != 0 && file.st_uid != geteuid() && file.st_uid != place.st_uid)
        code = error_refuse(err, STATUS_TARGET,
                            "the module belongs to another user and is not loaded:", path,
                            "it has to be owned by root, by you or by the owner of its directory");
    free(directory);
    return code;
}

static int check_build(const struct rados_build *build, const char *path, struct error *err)
{
    static const struct rados_build ours = RADOS_BUILD;
    char *action;

    if (build->magic != ours.magic)
        return error_refuse(err, STATUS_TARGET, "not a module of iosweep:", path, INSTALL);
    if (memcmp(build, &ours, sizeof(ours)) == 0)
        return 0;
    if (memcmp(build->version, ours.version, sizeof(ours.version)) == 0)
        action =
            mem_strdup(RADOS_PACKAGE " belongs to another build of iosweep " PACKAGE_VERSION ":");
    else
        action = mem_printf("iosweep " PACKAGE_VERSION " cannot use " RADOS_PACKAGE " %.*s:",
                            (int)sizeof(build->version), build->version);
    error_refuse(err, STATUS_TARGET, action, path, "install both from the same build");
    free(action);
    return -1;
}

const struct rados_module *rados_module_load(const char *path, struct error *err)
{
    const struct rados_module *module;
    const size_t length = strlen(path);
    const char *why;
    void *file;

    if (check_file(path, err) != 0)
        return NULL;
    /* never closed, even if refused: libraries that it depends on may have started threads or the
     * like */
    file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        why = dlerror();
        if (strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0)
            why += length + 2;
        error_set(err, STATUS_TARGET, 0, "cannot load", path);
        error_explain(err, "%s", why);
        error_advise(err, INSTALL " with what it needs");
        return NULL;
    }
    module = dlsym(file, "iosweep_module");
    if (!module) {
        error_refuse(err, STATUS_TARGET, "not a module of iosweep:", path, INSTALL);
        return NULL;
    }
    return check_build(&module->build, path, err) == 0 ? module : NULL;
}
