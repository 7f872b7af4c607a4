/* SPDX-License-Identifier: GPL-2.0-or-later */
/* protocol.h - RADOS as a protocol of the object layer. */
#ifndef TARGET_OBJECT_RADOS_PROTOCOL_H
#define TARGET_OBJECT_RADOS_PROTOCOL_H

#include "target/object/protocol.h"

extern const struct object_protocol rados_protocol;

/* "librados 3.0.0": the one that is loaded.  A constant string. */
const char *pool_library(void);

#endif
