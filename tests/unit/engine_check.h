/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine_check.h - whether an engine has the hooks that engine.h says it MUST have. */
#ifndef TESTS_ENGINE_CHECK_H
#define TESTS_ENGINE_CHECK_H

#include "engine/engine.h"

/* The first fault as text, or NULL. */
const char *engine_check(const struct engine *engine);

#endif
