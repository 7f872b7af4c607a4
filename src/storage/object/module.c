/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.c - see module.h. */
#include "base/compat.h"

#include "storage/object/module.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define SYMBOL "iosweep_module"

static int refuse_missing(const char *path, const struct object_module_wish *wish, int errnum,
                          struct error *err)
{
    const bool absent = errnum == ENOENT || errnum == ENOTDIR;
    char *action = mem_printf("%s needs the package %s, which %s:", wish->scheme, wish->package,
                              absent ? "is not installed" : "cannot be used");

    error_set(err, STATUS_TARGET, absent ? 0 : errnum, action, path);
    free(action);
    return error_advise(err, "install %s %s in addition to iosweep", wish->package,
                        PACKAGE_VERSION);
}

/* The code of a module runs with all rights of the user, so only those who can change the program
 * may be able to change it. */
static int check_file(const char *path, const struct object_module_wish *wish, struct error *err)
{
    char *directory = mem_strdup(path), *end = strrchr(directory, '/');
    struct stat file, place;
    int code = 0;

    if (!end || path[0] != '/')
        code = error_refuse(err, STATUS_TARGET, "not an absolute module path:", path,
                            "build iosweep with an absolute --prefix");
    else if (end[1] = '\0', stat(directory, &place) != 0 || stat(path, &file) != 0)
        code = refuse_missing(path, wish, errno, err);
    else if (!S_ISREG(file.st_mode))
        code = refuse_missing(path, wish, EINVAL, err);
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

static int check_module(const struct object_module *module, const char *path,
                        const struct object_module_wish *wish, struct error *err)
{
    const struct object_module_sizes sizes = OBJECT_MODULE_SIZES;
    char *action;

    if (module->magic != OBJECT_MODULE_MAGIC)
        return error_refuse(err, STATUS_TARGET, "not a module of iosweep:", path, "install %s %s",
                            wish->package, PACKAGE_VERSION);
    if (strcmp(module->version, PACKAGE_VERSION) == 0 && module->bytes == sizeof(*module) &&
        memcmp(&module->sizes, &sizes, sizeof(sizes)) == 0 &&
        module->options_bytes == wish->options_bytes)
        return 0;
    if (strcmp(module->version, PACKAGE_VERSION) == 0)
        action = mem_printf("%s belongs to another build of iosweep %s:", wish->package,
                            PACKAGE_VERSION);
    else
        action = mem_printf("iosweep %s cannot use %s %s:", PACKAGE_VERSION, wish->package,
                            module->version);
    error_refuse(err, STATUS_TARGET, action, path, "install both from the same build");
    free(action);
    return -1;
}

int object_module_load(const char *path, const struct object_module_wish *wish,
                       const struct object_module **out, struct error *err)
{
    const struct object_module *module;
    const char *why;
    void *file;

    *out = NULL;
    if (check_file(path, wish, err) != 0)
        return -1;
    /* never closed, even if refused: libraries that it depends on may have started threads or the
     * like */
    file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file) {
        why = dlerror();
        if (strncmp(why, path, strlen(path)) == 0 && strncmp(why + strlen(path), ": ", 2) == 0)
            why += strlen(path) + 2;
        error_set(err, STATUS_TARGET, 0, "cannot load", path);
        error_explain(err, "%s", why);
        return error_advise(err, "install %s %s with what it needs", wish->package,
                            PACKAGE_VERSION);
    }
    module = dlsym(file, SYMBOL);
    if (!module)
        return error_refuse(err, STATUS_TARGET, "not a module of iosweep:", path, "install %s %s",
                            wish->package, PACKAGE_VERSION);
    if (check_module(module, path, wish, err) != 0)
        return -1;
    *out = module;
    return 0;
}
