/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fileset_live.h - between the making and the removing of filesets, and nobody else's business. */
#ifndef TARGET_FILE_FILESET_LIVE_H
#define TARGET_FILE_FILESET_LIVE_H

#include <fcntl.h>

#include "target/file/fileset.h"

/* How directories of ours are opened: never through a link. */
#define FILESET_DIRECTORY_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Notes a directory just made, so that fileset_abandon finds it.  A full table or no descriptor
 * left costs only that. */
void fileset_live_add(int parent_fd, int dir_fd, const struct fileset_layout *layout);

#endif
