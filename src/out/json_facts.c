/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_facts.c - the part of the JSON document that does not come from measuring: machine and
 * targets.  What could not be found out is null. */
#include "base/compat.h"

#include "out/json_write.h"

#include "out/hostinfo.h"

void json_put_host(struct json *json)
{
    struct hostinfo host;
    hostinfo_read(&host);
    open_group(json, "host", '{');
    put_fact(json, "name", host.host);
    put_fact(json, "kernel", host.kernel);
    put_fact(json, "machine", host.machine);
    put_fact(json, "cpu", host.cpu);
    put_count(json, "cpus", host.cpus);
    put_count(json, "memory_bytes", host.memory_bytes);
    put_count(json, "page_bytes", host.page_bytes);
    put_real(json, "load1", host.load1 >= 0 ? host.load1 : NAN, 2);
    put_fact(json, "clock_source", host.clock_source);
    close_group(json, '}');
    put_fact(json, "date", host.date);
}

static void put_known(struct json *json, const char *key, bool known, uint64_t count)
{
    if (known)
        put_count(json, key, count);
    else
        put_fact(json, key, NULL);
}

/* How the files that exist are stored; null for what is made or cannot be looked at. */
static void put_extents(struct json *json, const struct extents *extents)
{
    if (extents->files == 0) {
        put_fact(json, "extents", NULL);
        return;
    }
    open_group(json, "extents", '{');
    put_count(json, "files", extents->files);
    put_count(json, "bytes", extents->bytes);
    put_known(json, "data_bytes", extents->known_holes, extents->data_bytes);
    put_known(json, "hole_bytes", extents->known_holes, extents->hole_bytes);
    put_known(json, "unwritten_bytes", extents->known_extents, extents->unwritten_bytes);
    put_known(json, "shared_bytes", extents->known_extents, extents->shared_bytes);
    put_known(json, "compressed_bytes", extents->known_extents, extents->encoded_bytes);
    put_known(json, "encrypted_bytes", extents->known_extents, extents->encrypted_bytes);
    put_known(json, "inline_bytes", extents->known_extents, extents->inline_bytes);
    put_known(json, "extents", extents->known_extents, extents->extent_count);
    put_bool(json, "complete", !extents->cut);
    close_group(json, '}');
}

void json_put_target(struct json *json, const struct store *store)
{
    struct targetinfo facts;
    targetinfo_read(store, &facts);
    open_group(json, NULL, '{');
    put_text(json, "target", store->label);
    put_fact(json, "place", store->place);
    put_fact(json, "description", store->description);
    put_count(json, "objects", store->object_count);
    put_count(json, "total_bytes", store->total_bytes);
    put_bool(json, "own_files", store->ours);
    put_bool(json, "in_memory", store->in_memory);
    put_key(json, "direct_align_bytes");
    if (store->direct_align_bytes > 0)
        fprintf(json->state.stream, "%" PRIu32, store->direct_align_bytes);
    else
        fputs("null", json->state.stream);
    put_fact(json, "filesystem", facts.filesystem);
    put_fact(json, "mount_point", facts.mount_point);
    put_fact(json, "mount_options", facts.mount_options);
    put_fact(json, "network_options", store->network_options);
    put_fact(json, "device", facts.device);
    put_key(json, "rotational");
    fputs(facts.rotational < 0   ? "null"
          : facts.rotational > 0 ? "true"
                                 : "false",
          json->state.stream);
    put_fact(json, "scheduler", facts.scheduler);
    if (facts.block_bytes > 0) {
        put_count(json, "block_bytes", facts.block_bytes);
        put_count(json, "free_bytes", facts.free_bytes);
    }
    put_extents(json, &store->extents);
    put_text(json, "notes", store->notes);
    close_group(json, '}');
}
