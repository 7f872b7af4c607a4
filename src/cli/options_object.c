/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options_object.c - which options go together with targets that are object stores. */
#include "base/compat.h"

#include "cli/options_object.h"

#include <string.h>

static int refuse(struct error *err, const char *text, const char *advice)
{
    error_set(err, STATUS_USAGE, 0, text, NULL);
    return error_advise(err, "%s", advice);
}

/* The first option on the command line that means nothing to an object store; NULL: none. */
static const char *file_option(const struct request *request)
{
    const struct settings *settings = &request->settings;
    const struct {
        bool given;
        const char *name;
    } options[] = {
        {settings->single_file, "--single-file (-s)"},
        {request->tree_given, "--levels and --width"},
        {request->length_given, "--file-size (-l)"},
        {settings->keep_open, "--keep-open"},
        {settings->sync != SYNC_NONE, "--sync"},
        {settings->overwrite, "--overwrite"},
        {settings->destroy_data, "--destroy-data"},
        {settings->small != SMALL_COVER, "--small"},
        {settings->caches.count > 1 || settings->caches.index[0] != CACHE_CACHED,
         "--cache (and -b)"},
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

int options_check_objects(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;
    const struct object_options *object = &settings->object;
    const char *name = file_option(request);
    unsigned stores = 0;

    for (unsigned i = 0; i < settings->target_count; i++)
        stores += strncmp(settings->targets[i], "s3://", 5) == 0;
    if (object->given && !stores)
        return refuse(err, "an option of object stores was given, but no target is one",
                      "name s3://BUCKET[/PREFIX], or leave the option out");
    if (stores == settings->target_count && name) {
        error_set(err, STATUS_USAGE, 0, "this option is for files, not for object stores:", name);
        return error_advise(err, name[2] == 'f' ? "--object-size sets the size of objects"
                                                : "leave it out");
    }
    if (object->anonymous && object->profile)
        return refuse(err, "--s3.anonymous and --s3.profile contradict each other",
                      "give one of them");
    if (stores > 1 && object->run_name)
        return refuse(err, "--run-name names one run, but there are several object stores",
                      "sweep them one by one, or leave it out");
    return 0;
}
