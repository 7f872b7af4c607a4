/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts.h - what is known of machine and targets apart from the rows: read before anything is made,
 * printed so that a user can stop early, and read again at the end to tell what has changed. */
#ifndef OUT_FACTS_H
#define OUT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/store.h"

#define FACTS_TEXT 1024

/* "37 % holes, 12 % unwritten extents"; false, and an empty text, when there is nothing of that. */
bool facts_format_unread(const struct extents *extents, char *text, size_t size);

/* One line on stderr about a target with holes, unwritten, shared, compressed, encrypted or inline
 * extents; nothing about one of plain data. */
void facts_print_extents(const struct store *store);

#endif
