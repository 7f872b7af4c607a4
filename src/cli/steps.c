/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - --tests: what is done, in the order in which it is done. */
#include "base/compat.h"

#include "cli/steps.h"

#include <string.h>

#include "cli/options.h"

int steps_parse(void *block, const char *word, struct error *err)
{
    struct request *request = block;
    struct steps steps = {.count = 0};
    const char *at = word;

    for (;;) {
        const size_t length = strcspn(at, ",");
        const int known = test_number(at, length); /* by former names, too */
        unsigned test = (unsigned)known;
        if (known < 0 && option_find(test_names, at, length, &test, err) < 0)
            return -1;
        if (steps.count == SETTINGS_STEPS_MAX)
            return error_refuse(err, STATUS_USAGE, "too many steps:", word,
                                "at most %d can be given; --loops repeats them",
                                SETTINGS_STEPS_MAX);
        steps.step[steps.count++] = (struct step){.test = (enum io_test)test};
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    request->settings.tests = steps;
    return 0;
}
