# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A unit test is a word here: tests/unit/NAME is made of tests/unit/NAME.c and the common parts.
unit_tests = \
	tests/unit/test_cards \
	tests/unit/test_clocks \
	tests/unit/test_columns \
	tests/unit/test_columns_figures \
	tests/unit/test_created \
	tests/unit/test_csv \
	tests/unit/test_cycle \
	tests/unit/test_cycle_async \
	tests/unit/test_cycle_mix \
	tests/unit/test_cycle_paced \
	tests/unit/test_engines \
	tests/unit/test_error \
	tests/unit/test_fileset \
	tests/unit/test_fileset_clean \
	tests/unit/test_findings \
	tests/unit/test_forecast \
	tests/unit/test_hist \
	tests/unit/test_join \
	tests/unit/test_json \
	tests/unit/test_judge \
	tests/unit/test_layout \
	tests/unit/test_life \
	tests/unit/test_mem_protocol \
	tests/unit/test_null \
	tests/unit/test_number \
	tests/unit/test_object \
	tests/unit/test_object_manifest \
	tests/unit/test_object_existing \
	tests/unit/test_object_fill \
	tests/unit/test_object_removal \
	tests/unit/test_option \
	tests/unit/test_order \
	tests/unit/test_own \
	tests/unit/test_options \
	tests/unit/test_pairs \
	tests/unit/test_parsers \
	tests/unit/test_pattern \
	tests/unit/test_payload \
	tests/unit/test_plan \
	tests/unit/test_plan_targets \
	tests/unit/test_prepare_joined \
	tests/unit/test_processors \
	tests/unit/test_reference_cycle \
	tests/unit/test_removal \
	tests/unit/test_retry \
	tests/unit/test_rng \
	tests/unit/test_row_end \
	tests/unit/test_row_troubles \
	tests/unit/test_scenarios \
	tests/unit/test_series \
	tests/unit/test_series_threads \
	tests/unit/test_series_print \
	tests/unit/test_slice_sum \
	tests/unit/test_stats \
	tests/unit/test_store \
	tests/unit/test_store_verify \
	tests/unit/test_summaries \
	tests/unit/test_sweep \
	tests/unit/test_table \
	tests/unit/test_targets_team \
	tests/unit/test_team \
	tests/unit/test_team_scripted \
	tests/unit/test_team_sim \
	tests/unit/test_team_formats \
	tests/unit/test_units \
	tests/unit/test_units_format \
	tests/unit/test_worker
if SYSTEM_WINDOWS
else
# They use strptime, readv, fork, private servers or a pseudo-terminal, or replace calls of the
# system, which linkers for Windows do not permit.
unit_tests += \
	tests/unit/test_classic \
	tests/unit/test_clean \
	tests/unit/test_interrupted \
	tests/unit/test_log \
	tests/unit/test_mem \
	tests/unit/test_walk
if SYSTEM_LINUX
unit_tests += \
	tests/unit/test_extents \
	tests/unit/test_hostinfo \
	tests/unit/test_mountstats \
	tests/unit/test_os_file \
	tests/unit/test_usage
endif
if HAVE_RADOS
unit_tests += tests/unit/test_rados
tests_unit_test_rados_CPPFLAGS = $(AM_CPPFLAGS) $(RADOS_CFLAGS)
tests_unit_test_rados_LDADD = $(rados_test_libs) $(LDADD)
endif
if HAVE_LIBCURL
unit_tests += \
	tests/unit/test_webhdfs \
	tests/unit/test_webhdfs_files \
	tests/unit/test_webhdfs_json \
	tests/unit/test_webhdfs_manifest \
	tests/unit/test_webhdfs_session
endif
if HAVE_S3
unit_tests += \
	tests/unit/test_http \
	tests/unit/test_http_reader \
	tests/unit/test_http_poll \
	tests/unit/test_http_wait \
	tests/unit/test_object_clean \
	tests/unit/test_s3_address \
	tests/unit/test_s3_answers \
	tests/unit/test_s3_changes \
	tests/unit/test_s3_client \
	tests/unit/test_s3_credentials \
	tests/unit/test_s3_engine \
	tests/unit/test_s3_request \
	tests/unit/test_s3_sign \
	tests/unit/test_s3_store \
	tests/unit/test_s3_xml
endif
endif
