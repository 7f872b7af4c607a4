/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* embedded.h - texts inside a page of HTML, so that the report one sends is the data, too.
 * report_html.c writes them; each is the element
 *
 *     <pre id="iosweep-data-N" data-name="NAME" data-format="WORD">
 *     the text, with &, < and > as entities</pre>
 *
 * N from 1 on, of which HTML leaves out the first newline.  Format "csv", "json" or "classic" are
 * results of one run; other words ("series") are something that belongs to them. */
#ifndef ANALYSIS_RESULTS_EMBEDDED_H
#define ANALYSIS_RESULTS_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define EMBEDDED_ID   "iosweep-data"
#define EMBEDDED_MOST 1000 /* of a page */

struct embedded {
    char *name, *format;
    char *text; /* terminated, without other bytes 0 */
    size_t length;
};

struct embedded_list { /* zeroed: empty */
    struct embedded *item;
    size_t count;
};

/* Whether it holds the results of a run. */
bool embedded_is_run(const struct embedded *item);

/* Takes what is embedded in a page; it may have passed through a browser or an editor.  path: for
 * messages.  Returns 0, or -1 with err (STATUS_USAGE: nothing there, cut off, damaged), with
 * nothing to free. */
int embedded_read(const char *page, size_t length, const char *path, struct embedded_list *list,
                  struct error *err);
void embedded_free(struct embedded_list *list);

#endif
