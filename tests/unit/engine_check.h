/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine_check.h - checks that an engine has the hooks that engine.h marks MUST. */
#ifndef TESTS_ENGINE_CHECK_H
#define TESTS_ENGINE_CHECK_H

#include "engine/engine.h"

/* Returns the first violation as text, or NULL. */
const char *engine_check(const struct engine *engine);

#endif
