/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* math.h - with classification macros that do not convert their argument. */
#ifndef OS_WINDOWS_MATH_H
#define OS_WINDOWS_MATH_H

#include_next <math.h>

#undef isfinite
#undef isinf
#undef isnan
#undef signbit
#define isfinite(number) __builtin_isfinite(number)
#define isinf(number)    __builtin_isinf(number)
#define isnan(number)    __builtin_isnan(number)
#define signbit(number)  __builtin_signbit(number)

#endif
