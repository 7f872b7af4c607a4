# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/net: HTTP on the connections of libcurl
if HAVE_LIBCURL
libiosweep_a_SOURCES += \
	src/net/authority.c src/net/authority.h \
	src/net/encode.c src/net/encode.h \
	src/net/http.c src/net/http.h \
	src/net/http_curl.c src/net/http_curl.h \
	src/net/http_exchange.c src/net/http_exchange.h \
	src/net/http_pool.c src/net/http_pool.h \
	src/net/http_reader.c src/net/http_reader.h
libiosweep_a_CPPFLAGS += $(LIBCURL_CFLAGS)
engine_libs += $(LIBCURL_LIBS)
endif
# needs no library, so it is also compiled without libcurl
libiosweep_a_SOURCES += src/net/http_poll.c src/net/http_poll.h
