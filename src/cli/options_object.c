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

struct idle { /* an option that would do nothing here */
    bool given;
    const char *name, *advice;
};

/* The first that was given; NULL: none. */
static const struct idle *first_given(const struct idle *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].given)
            return &options[i];
    return NULL;
}

static int refuse_idle(const struct idle *option, const char *text, struct error *err)
{
    error_set(err, STATUS_USAGE, 0, text, option->name);
    return error_advise(err, "%s", option->advice);
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What means nothing to an object store. */
static int refuse_of_files(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;
    const struct idle options[] = {
        {settings->single_file, "--single-file (-s)", "leave it out"},
        {request->tree_given, "--levels and --width", "leave it out"},
        {request->length_given, "--file-size (-l)", "--object-size sets the size of objects"},
        {settings->keep_open, "--keep-open", "leave it out"},
        {settings->sync != SYNC_NONE, "--sync", "leave it out"},
        {settings->overwrite, "--overwrite", "leave it out"},
        {settings->destroy_data, "--destroy-data", "leave it out"},
        {settings->small != SMALL_COVER, "--small", "leave it out"},
        {request->cache_given, "--cache (and -b)", "leave it out"},
    };
    const struct idle *option = first_given(options, COUNT_OF(options));

    return option ? refuse_idle(option, "this option is for files, not for object stores:", err)
                  : 0;
}

/* What only makes or fills objects, with -r. */
static int refuse_of_making(const struct object_options *object, struct error *err)
{
    static const char advice[] = "leave it out: objects are as they are";
    const struct idle options[] = {
        {object->object_bytes > 0, "--object-size", advice},
        {object->objects > 0, "--s3.objects", advice},
        {object->payload != S3_PAYLOAD_AUTO, "--s3.payload", advice},
        {object->checksum != S3_CHECKSUM_NONE, "--s3.checksum", advice},
    };
    const struct idle *option = first_given(options, COUNT_OF(options));

    return option ? refuse_idle(option, "--read-existing (-r) makes no objects, so no", err) : 0;
}

/* What belongs to a test that is not there.  An option with the word of its default is let through,
 * since it changes nothing. */
static int refuse_of_tests(const struct settings *settings, struct error *err)
{
    const struct object_options *object = &settings->object;
    const struct option_choices *tests = &settings->tests;
    const bool append = option_chosen(tests, TEST_APPEND);
    const bool read = option_chosen(tests, TEST_READ);
    const bool ranges = read && (object->object_bytes > 0 || settings->existing);
    struct object_options normal;

    object_options_init(&normal);
    const struct idle options[] = {
        {object->object_bytes > 0 && !read, "--object-size",
         "add read to --tests, or leave it out"},
        {object->part_bytes != normal.part_bytes && !append &&
             !option_chosen(tests, TEST_MULTIPART),
         "--s3.part-size", "add multipart or append to --tests, or leave it out"},
        {object->fragment_bytes != normal.fragment_bytes && !append, "--s3.fragment-size",
         "add append to --tests, or leave it out"},
        {object->batch != normal.batch && !option_chosen(tests, TEST_DELETE_MANY), "--s3.batch",
         "add delete-many to --tests, or leave it out"},
        {object->page != normal.page && !option_chosen(tests, TEST_LIST), "--s3.page-size",
         "add list to --tests, or leave it out"},
        {settings->align_bytes > 0 && !ranges, "--align",
         "only ranges of objects have offsets: add --object-size, or leave it out"},
    };
    const struct idle *option = first_given(options, COUNT_OF(options));

    return option ? refuse_idle(option, "no test uses", err) : 0;
}

static int check_alone(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;

    if (refuse_of_files(request, err) < 0)
        return -1;
    if (settings->existing && refuse_of_making(&settings->object, err) < 0)
        return -1;
    return refuse_of_tests(settings, err);
}

int options_check_objects(const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;
    const struct object_options *object = &settings->object;
    unsigned targets = 0;

    for (unsigned i = 0; i < settings->target_count; i++)
        targets += strncmp(settings->targets[i], "s3://", 5) == 0;
    if (object->given && !targets)
        return refuse(err, "an option of object stores was given, but no target is one",
                      "name s3://BUCKET[/PREFIX], or leave the option out");
    if (targets == settings->target_count && check_alone(request, err) < 0)
        return -1;
    if (object->anonymous && object->profile)
        return refuse(err, "--s3.anonymous and --s3.profile contradict each other",
                      "give one of them");
    if (object->insecure && object->ca_file)
        return refuse(err, "--insecure verifies nothing, so --s3.ca-file would do nothing",
                      "give one of them");
    if (targets > 1 && settings->run_name)
        return refuse(err, "--run-name names one run, but there are several object stores",
                      "sweep them one by one, or leave it out");
    return 0;
}
