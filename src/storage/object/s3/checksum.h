/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* checksum.h - the checksums of S3, in its format: base64 of the big-endian value. CRC-32 (IEEE
 * 802.3), CRC-32C (Castagnoli, RFC 3720), CRC-64/NVME (reflected polynomial 0x9a6c9329ac4bc9b5, NVM
 * Express base specification), MD5 and SHA-256 by OpenSSL. */
#ifndef STORAGE_OBJECT_S3_CHECKSUM_H
#define STORAGE_OBJECT_S3_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "storage/object/s3/options.h"

#define CHECKSUM_TEXT   32 /* base64 of the longest (MD5) with terminator */
#define CHECKSUM_SHA256 32

/* Continue a CRC over more data; start with 0. Each return value is a finished CRC. */
uint32_t checksum_crc32(uint32_t crc, const void *data, size_t bytes);
uint32_t checksum_crc32c(uint32_t crc, const void *data, size_t bytes);
uint64_t checksum_crc64nvme(uint64_t crc, const void *data, size_t bytes);

/* Writes the base64 checksum of data to text[CHECKSUM_TEXT]; not for S3_CHECKSUM_NONE. Returns 0 or
 * -1 (MD5 forbidden by system policy). */
int checksum_text(enum s3_checksum kind, const void *data, size_t bytes, char *text);

/* SHA-256 of data.  Returns 0 or -1. */
int checksum_sha256(const void *data, size_t bytes, uint8_t digest[CHECKSUM_SHA256]);

/* "x-amz-checksum-crc32c" and so on, "content-md5" for MD5; NULL for none. */
const char *checksum_header(enum s3_checksum kind);

#endif
