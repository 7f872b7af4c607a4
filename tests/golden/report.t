# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The command report: Markdown in full, one small page in full but for its style, and of other pages what
# can be read.  Its figures come from files that stand here, and from $data/run.json, a recorded run.
# needs: jansson

# --- Markdown of a file with the default columns: what was measured, verdict, tables, notes, facts
$ cat >curve.csv <<'END'
> size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
> 4096,1000,0.004,1024000000,250000,read,/x,posix,direct,random,1,1,1,11,2000,1900,2100,1800,2500,9000,,20000,800,8192000,3,cache_hits;wide,
> 8192,1000,0.004,2048000000,250000,read,/x,posix,direct,random,1,1,1,11,4000,,,3600,,,,,900,,0,,
> 16384,0,,,,read,/x,posix,direct,random,1,1,1,,,,,,,,,,,,,skipped:beyond_file,
> 1,1000,0.005,,200000,stat,/x,posix,asis,random,1,1,1,11,5000,4900,5100,4800,6000,7000,8000,9000,700,,0,odd,
> END
$ iosweep report --format md curve.csv
| ### read and stat on /x
|
| Operations of 1 B to 8 KiB by engine posix, on the device with O_DIRECT (direct).
|
| - /x answers like memory, probably a cache below the file system: 8 KiB reads take 3.60 us (p50). The figures are steady.
|
| #### read
|
| | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---:|---|
| | 4 KiB | 2.00 us | 5.0 % | 1.02 GB/s | 250 k/s | 1.80 us | 9.00 us | cache_hits, wide |
| | 8 KiB | 4.00 us | – | 2.05 GB/s | 250 k/s | 3.60 us | – |  |
|
| #### stat
|
| | size | time/op | ± | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---|
| | 1 B | 5.00 us | 2.0 % | 200 k/s | 4.80 us | 7.00 us | odd |
|
| <details><summary>What the notes mean</summary>
|
| - **cache_hits** (1 row, 4 KiB): The row was meant to come from the storage, but memory answered part of it: these are not the figures of the storage. Use --cache direct, or a larger --file-size.
| - **wide** (1 row, 4 KiB): The 95 % interval of the median is wider than the precision asked for (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine.
| - **skipped:beyond_file** (1 row, 16 KiB): Not measured: the size is larger than every file of the target.
| - **odd** (1 row, 1 B)
|
| </details>
| <details><summary>curve.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>

# --- of a recorded run in JSON: host, findings, command and all settings
$ iosweep report --format md "$data/run.json"
| ### read and write on /data
|
| Operations of 4 KiB to 1 MiB by engine posix, in the page cache (cached), which is not the device and on the device with O_DIRECT (direct); measured on host host1.
|
| - /data answers like an SSD, or a disk behind the host's cache: 4 KiB reads take 52.0 us (p50), 1 MiB reads reach 571 MB/s, 4 KiB writes take 50.4 us (p50), 64 KiB writes reach 295 MB/s. The page cache makes 4 KiB reads 7.6 times faster (6.88 us); the machine was busy (other programs used 88 % of the processors): do not rely on these figures.
| - the machine was busy (other programs used 88 % of the processors during this run), so do not trust the figures: 10 of 10 rows are not steady (worst: read of 4 KiB ±693.9 %), stalls took up to 77 % of the operations' time, rate and time/op are up to 194 % apart; repeat on an idle machine
| - rows with cache=cached are page cache speeds; compare with the rows with cache=direct
|
| #### read
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | cached | 4 KiB | 7.35 us | 693.9 % | 190 MB/s | 46.3 k/s | 6.88 us | – | outliers, wide |
| | cached | 64 KiB | 20.1 us | 21.0 % | 3.42 GB/s | 52.2 k/s | 18.8 us | – | wide |
| | cached | 1 MiB | 963 us | 54.9 % | 1.20 GB/s | 1.15 k/s | 198 us | – | wide |
| | direct | 4 KiB | 220 us | 37.9 % | 24.3 MB/s | 5.92 k/s | 52.0 us | – | wide |
| | direct | 64 KiB | 216 us | 62.8 % | 322 MB/s | 4.92 k/s | 126 us | – | wide |
| | direct | 1 MiB | 1.82 ms | 23.4 % | 571 MB/s | 545 /s | 1.48 ms | – | wide |
|
| #### write
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | cached | 4 KiB | 9.90 us | 12.5 % | 428 MB/s | 104 k/s | 8.90 us | – | wide |
| | cached | 64 KiB | 29.0 us | 152.7 % | 1.37 GB/s | 20.9 k/s | 26.2 us | – | outliers, wide |
| | direct | 4 KiB | 103 us | 92.6 % | 35.9 MB/s | 8.77 k/s | 50.4 us | – | wide |
| | direct | 64 KiB | 193 us | 39.9 % | 295 MB/s | 4.50 k/s | 125 us | – | wide |
|
| <details><summary>What the notes mean</summary>
|
| - **outliers** (2 rows, 4 KiB to 64 KiB): At least one round was far off the others.  It counts like any other; the median hardly feels it, the mean does. Look for other load on the machine.
| - **wide** (10 rows, 4 KiB to 1 MiB): The 95 % interval of the median is wider than the precision asked for (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine.
|
| </details>
| <details><summary>run.json: machine, target and settings</summary>
|
| ```sh
| iosweep --format json -o run.json --tests read,write --sizes 4k,64k,1M --cache cached,direct -n 300 --label 'a | b' /data
| ```
|
| | fact | value |
| |---|---|
| | iosweep | 0.9 |
| | host.name | host1 |
| | host.kernel | Linux 6.1.0 |
| | host.machine | x86_64 |
| | host.cpu | a processor |
| | host.cpus | 2 |
| | host.cpus_allowed | 2 |
| | host.virtualization | docker container in kvm |
| | host.memory_bytes | 25276514304 |
| | host.swap_bytes | 0 |
| | host.swap_used_bytes | 0 |
| | host.page_bytes | 4096 |
| | host.load1 | 4.85 |
| | host.clock_source | tsc |
| | libraries | glibc 2.36 |
| | date | DATE |
| | label | a \| b |
| | targets.0.target | /data |
| | targets.0.place | /data/iosweep-NAME |
| | targets.0.description | 1 file of 4 MiB |
| | targets.0.objects | 1 |
| | targets.0.total_bytes | 4194304 |
| | targets.0.own_files | true |
| | targets.0.in_memory | false |
| | targets.0.direct_align_bytes | 512 |
| | targets.0.filesystem | ext4 |
| | targets.0.mount_point | /data |
| | targets.0.mount_options | rw,relatime |
| | targets.0.device | /dev/sda |
| | targets.0.rotational | true |
| | targets.0.scheduler | mq-deadline |
| | targets.0.queue_depth | 256 |
| | targets.0.write_cache | write back |
| | targets.0.logical_block_bytes | 512 |
| | targets.0.physical_block_bytes | 4096 |
| | targets.0.io_limits | none |
| | targets.0.block_bytes | 4096 |
| | targets.0.free_bytes | 78032666624 |
| | settings.tests | read,write |
| | settings.caches | cached,direct |
| | settings.threads | 1 |
| | settings.depths | 1 |
| | settings.accesses | random |
| | settings.sizes | 4096,65536,1048576 |
| | settings.engines | posix |
| | settings.existing | false |
| | settings.single_file | false |
| | settings.levels | 1 |
| | settings.width | 1 |
| | settings.file_bytes | 4194304 |
| | settings.small | cover |
| | settings.sync | none |
| | settings.readahead | normal |
| | settings.keep_open | false |
| | settings.payload | random |
| | settings.pin | false |
| | settings.verify | false |
| | settings.repetitions | 300 |
| | settings.precision | 0.025 |
| | settings.rounds_min | 7 |
| | settings.rounds_max | 7 |
| | settings.max_errors | 100 |
| | settings.allow_short | false |
| | seed | 3105926304 |
| | clock_cost_ns | 51.09 |
| | clock_step_ns | 51 |
| | loop_ns | 42.58 |
| | reference_ns | 4592.44 |
| | load1_end | 4.95 |
| | processors.count | 2 |
| | processors.own_percent | 10.4 |
| | processors.others_percent | 88.3 |
| | processors.others_percent_most | 92.2 |
| | processors.kernel_percent | 1.1 |
| | processors.steal_percent | 0.2 |
| | processors.cpu_pressure_percent | 93.9 |
| | processors.io_pressure_percent | 18.9 |
|
| </details>

# --- the page of one curve
$ body() { sed '/<style>/,/<\/style>/d; /<pre id="iosweep-data/,/<\/pre>/d'; }
$ iosweep report --format html curve.csv | body
| <!DOCTYPE html>
| <html lang="en">
| <head>
| <meta charset="utf-8"/>
| <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
| <meta name="viewport" content="width=device-width, initial-scale=1"/>
| <meta name="color-scheme" content="light dark"/>
| <meta name="generator" content="iosweep VERSION"/>
| <title>read and stat on /x - iosweep</title>
| </head>
| <body>
| <header>
| <p class="name">iosweep report</p>
| <h1>read and stat on /x</h1>
| <p>Operations of 1 B to 8 KiB by engine posix, on the device with O_DIRECT (direct).</p>
| <p class="meta">curve.csv</p>
| <div class="verdict">
| <p>/x answers like memory, probably a cache below the file system: 8 KiB reads take 3.60 us (p50).</p>
| <p>The figures are steady.</p>
| </div>
| <nav><a href="#curves">Curves</a><a href="#sizes">By size</a><a href="#latency">Latency</a><a href="#evidence">Evidence</a><a href="#notes">Notes</a><a href="#facts">Machine and settings</a><a href="#data">Data</a></nav>
| </header>
| <main>
| <section id="curves">
| <h2>The curves</h2>
| <p class="say">Points are medians over the rounds, bands their 95 % intervals; both axes are logarithmic.  A ring is around the smallest size with 90 % of the best throughput.</p>
| <div class="pair">
| <figure>
| <figcaption><b>read: throughput</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: throughput">
| <path class="g" d="M68 243.3H448"/><text class="y" x="62" y="247.3">1 GB/s</text><path class="g" d="M68 132.0H448"/><text class="y" x="62" y="136.0">2 GB/s</text><path class="g" d="M78.8 10V250"/><text class="x" x="78.8" y="263">1 B</text><path class="g n" d="M106.3 10V246"/><path class="g" d="M133.9 10V250"/><text class="x" x="133.9" y="263">4 B</text><path class="g n" d="M161.5 10V246"/><path class="g" d="M189.1 10V250"/><text class="x" x="189.1" y="263">16 B</text><path class="g n" d="M216.6 10V246"/><path class="g" d="M244.2 10V250"/><text class="x" x="244.2" y="263">64 B</text><path class="g n" d="M271.8 10V246"/><path class="g" d="M299.4 10V250"/><text class="x" x="299.4" y="263">256 B</text><path class="g n" d="M326.9 10V246"/><path class="g" d="M354.5 10V250"/><text class="x" x="354.5" y="263">1 KiB</text><path class="g n" d="M382.1 10V246"/><path class="g" d="M409.7 10V250"/><text class="x" x="409.7" y="263">4 KiB</text><path class="g n" d="M437.2 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="b c0 one" d="M409.7 136.0L409.7 120.0Z"/>
| <path class="l c0 d0" d="M409.7 128.2L437.2 128.2"/>
| <path class="m c0" d="M409.7 128.2m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>4 KiB: 2.05 GB/s (1.95 GB/s to 2.16 GB/s)</title></path>
| <path class="m c0" d="M437.2 128.2m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>8 KiB: 2.05 GB/s</title></path>
| </svg>
| </figure>
| <figure>
| <figcaption><b>read: time per operation</b> of all threads together, 1 / rate</figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: time per operation">
| <path class="g" d="M68 199.1H448"/><text class="y" x="62" y="203.1">2 us</text><path class="g" d="M68 51.9H448"/><text class="y" x="62" y="55.9">5 us</text><path class="g" d="M78.8 10V250"/><text class="x" x="78.8" y="263">1 B</text><path class="g n" d="M106.3 10V246"/><path class="g" d="M133.9 10V250"/><text class="x" x="133.9" y="263">4 B</text><path class="g n" d="M161.5 10V246"/><path class="g" d="M189.1 10V250"/><text class="x" x="189.1" y="263">16 B</text><path class="g n" d="M216.6 10V246"/><path class="g" d="M244.2 10V250"/><text class="x" x="244.2" y="263">64 B</text><path class="g n" d="M271.8 10V246"/><path class="g" d="M299.4 10V250"/><text class="x" x="299.4" y="263">256 B</text><path class="g n" d="M326.9 10V246"/><path class="g" d="M354.5 10V250"/><text class="x" x="354.5" y="263">1 KiB</text><path class="g n" d="M382.1 10V246"/><path class="g" d="M409.7 10V250"/><text class="x" x="409.7" y="263">4 KiB</text><path class="g n" d="M437.2 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="b c0 one" d="M409.7 207.3L409.7 191.2Z"/>
| <path class="l c0 d0" d="M409.7 199.1L437.2 87.7"/>
| <path class="m c0" d="M409.7 199.1m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>4 KiB: 2 us (1.9 us to 2.1 us)</title></path>
| <path class="m c0" d="M437.2 87.7m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>8 KiB: 4 us</title></path>
| </svg>
| </figure>
| </div>
| <div class="pair">
| <figure>
| <figcaption><b>stat: time per operation</b> of all threads together, 1 / rate</figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="stat: time per operation">
| <path class="g" d="M68 199.1H448"/><text class="y" x="62" y="203.1">2 us</text><path class="g" d="M68 51.9H448"/><text class="y" x="62" y="55.9">5 us</text><path class="g" d="M78.8 10V250"/><text class="x" x="78.8" y="263">1 B</text><path class="g n" d="M106.3 10V246"/><path class="g" d="M133.9 10V250"/><text class="x" x="133.9" y="263">4 B</text><path class="g n" d="M161.5 10V246"/><path class="g" d="M189.1 10V250"/><text class="x" x="189.1" y="263">16 B</text><path class="g n" d="M216.6 10V246"/><path class="g" d="M244.2 10V250"/><text class="x" x="244.2" y="263">64 B</text><path class="g n" d="M271.8 10V246"/><path class="g" d="M299.4 10V250"/><text class="x" x="299.4" y="263">256 B</text><path class="g n" d="M326.9 10V246"/><path class="g" d="M354.5 10V250"/><text class="x" x="354.5" y="263">1 KiB</text><path class="g n" d="M382.1 10V246"/><path class="g" d="M409.7 10V250"/><text class="x" x="409.7" y="263">4 KiB</text><path class="g n" d="M437.2 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="b c1 one" d="M78.8 55.1L78.8 48.7Z"/>
| <path class="l c1 d1" d="M78.8 51.9"/>
| <path class="m c1" d="M78.8 51.9m-2.9-2.9h5.8v5.8h-5.8z"><title>1 B: 5 us (4.9 us to 5.1 us)</title></path>
| </svg>
| </figure>
| </div>
| </section>
| <section id="sizes">
| <h2>By size</h2>
| <p class="say">Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.</p>
| <div class="box" tabindex="0"><table class="rows"><caption>read</caption><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col" class="bar">throughput [MB/s]</th><th scope="col">rate [k/s]</th><th scope="col">time/op [us]</th><th scope="col">&#177; [%]</th><th scope="col">p50 [us]</th><th scope="col">p90 [us]</th><th scope="col">p99 [us]</th><th scope="col">max [us]</th><th scope="col" class="w">notes</th></tr></thead><tbody>
| <tr><th scope="row">4 KiB</th><td>4096</td><td class="bar" style="--w:50%">1024</td><td>250</td><td>2</td><td>5.0</td><td>1.800</td><td>2.500</td><td>9</td><td>20</td><td class="w">cache_hits, wide</td></tr>
| <tr><th scope="row">8 KiB</th><td>8192</td><td class="bar" style="--w:100%">2048</td><td>250</td><td>4</td><td></td><td>3.600</td><td></td><td></td><td></td><td class="w"></td></tr>
| </tbody></table></div>
| <div class="box" tabindex="0"><table class="rows"><caption>stat</caption><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col" class="bar">rate [k/s]</th><th scope="col">time/op [us]</th><th scope="col">&#177; [%]</th><th scope="col">p50 [us]</th><th scope="col">p90 [us]</th><th scope="col">p99 [us]</th><th scope="col">p99.9 [us]</th><th scope="col">max [us]</th><th scope="col" class="w">notes</th></tr></thead><tbody>
| <tr><th scope="row">1 B</th><td>1</td><td class="bar" style="--w:100%">200</td><td>5</td><td>2.0</td><td>4.800</td><td>6</td><td>7</td><td>8</td><td>9</td><td class="w">odd</td></tr>
| </tbody></table></div>
| </section>
| <section id="latency">
| <h2>Latency</h2>
| <p class="say">How long single operations took: half of them no longer than the line (p50), 90 % no longer than the dark band reaches, 99 % no longer than the pale one.</p>
| <div class="pair">
| <figure>
| <figcaption><b>read</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read">
| <path class="g" d="M68 224.7H448"/><text class="y" x="62" y="228.7">2 us</text><path class="g" d="M68 98.0H448"/><text class="y" x="62" y="102.0">5 us</text><path class="g" d="M77.7 10V250"/><text class="x" x="77.7" y="263">1 B</text><path class="g n" d="M102.5 10V246"/><path class="g n" d="M127.3 10V246"/><path class="g" d="M152.1 10V250"/><text class="x" x="152.1" y="263">8 B</text><path class="g n" d="M177.0 10V246"/><path class="g n" d="M201.8 10V246"/><path class="g" d="M226.6 10V250"/><text class="x" x="226.6" y="263">64 B</text><path class="g n" d="M251.4 10V246"/><path class="g n" d="M276.2 10V246"/><path class="g" d="M301.0 10V250"/><text class="x" x="301.0" y="263">512 B</text><path class="g n" d="M325.9 10V246"/><path class="g n" d="M350.7 10V246"/><path class="g" d="M375.5 10V250"/><text class="x" x="375.5" y="263">4 KiB</text><path class="g n" d="M400.3 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="p p2 one" d="M375.5 193.9L375.5 16.7Z"/>
| <path class="p p1 one" d="M375.5 239.3L375.5 193.9Z"/>
| <path class="l p0 t" d="M375.5 16.7"/>
| <path class="l p0 t d1" d="M375.5 193.9"/>
| <path class="l p0" d="M375.5 239.3L400.3 143.4"/>
| <path class="m p0" d="M375.5 239.3m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m p0" d="M400.3 143.4m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><text class="e" x="406.3" y="147.4">p50</text><text class="e" x="381.5" y="197.9">p90</text><text class="e" x="381.5" y="20.7">p99</text>
| </svg>
| </figure>
| <figure>
| <figcaption><b>stat</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="stat">
| <path class="g" d="M68 224.7H448"/><text class="y" x="62" y="228.7">2 us</text><path class="g" d="M68 98.0H448"/><text class="y" x="62" y="102.0">5 us</text><path class="g" d="M77.7 10V250"/><text class="x" x="77.7" y="263">1 B</text><path class="g n" d="M102.5 10V246"/><path class="g n" d="M127.3 10V246"/><path class="g" d="M152.1 10V250"/><text class="x" x="152.1" y="263">8 B</text><path class="g n" d="M177.0 10V246"/><path class="g n" d="M201.8 10V246"/><path class="g" d="M226.6 10V250"/><text class="x" x="226.6" y="263">64 B</text><path class="g n" d="M251.4 10V246"/><path class="g n" d="M276.2 10V246"/><path class="g" d="M301.0 10V250"/><text class="x" x="301.0" y="263">512 B</text><path class="g n" d="M325.9 10V246"/><path class="g n" d="M350.7 10V246"/><path class="g" d="M375.5 10V250"/><text class="x" x="375.5" y="263">4 KiB</text><path class="g n" d="M400.3 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="p p2 one" d="M77.7 72.8L77.7 51.4Z"/>
| <path class="p p1 one" d="M77.7 103.6L77.7 72.8Z"/>
| <path class="l p0 d2" d="M77.7 33.0"/>
| <path class="l p0 t" d="M77.7 51.4"/>
| <path class="l p0 t d1" d="M77.7 72.8"/>
| <path class="l p0" d="M77.7 103.6"/>
| <path class="m p0" d="M77.7 103.6m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><text class="e" x="83.7" y="107.6">p50</text><text class="e" x="83.7" y="76.8">p90</text><text class="e" x="83.7" y="55.4">p99</text><text class="e" x="83.7" y="37.0">p99.9</text>
| </svg>
| </figure>
| </div>
| </section>
| <section id="evidence">
| <h2>Evidence</h2>
| <p class="say">Why the figures can be believed, or not: how many bytes were asked for, how many really moved to or from the storage, and what share of the operations memory answered instead; how many rounds there were, and how far they leave the median uncertain.</p>
| <div class="box" tabindex="0"><table class="evidence"><thead><tr><th scope="col" class="w">curve</th><th scope="col">size [B]</th><th scope="col">rounds</th><th scope="col">&#177; [%]</th><th scope="col">asked for [MB]</th><th scope="col">moved [MB]</th><th scope="col">moved / asked</th><th scope="col">errors</th><th scope="col" class="w">drift</th></tr></thead><tbody>
| <tr><th scope="row" class="w">read</th><td>4096</td><td>11</td><td>5.0</td><td>4.10</td><td>8.19</td><td>2.000</td><td>3</td><td class="w"></td></tr>
| <tr><th scope="row" class="w">read</th><td>8192</td><td>11</td><td></td><td>8.19</td><td></td><td></td><td>0</td><td class="w"></td></tr>
| <tr><th scope="row" class="w">stat</th><td>1</td><td>11</td><td>2.0</td><td></td><td></td><td></td><td>0</td><td class="w"></td></tr>
| </tbody></table></div>
| </section>
| <section id="notes">
| <h2>Notes</h2>
| <p class="say">Words that qualify rows, the weightiest first, and what to do about them.</p>
| <dl>
| <dt>cache_hits <span class="dim">1 of 4 rows, 4 KiB</span></dt><dd>The row was meant to come from the storage, but memory answered part of it: these are not the figures of the storage. Use --cache direct, or a larger --file-size.</dd>
| <dt>wide <span class="dim">1 of 4 rows, 4 KiB</span></dt><dd>The 95 % interval of the median is wider than the precision asked for (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine.</dd>
| <dt>skipped:beyond_file <span class="dim">1 of 4 rows, 16 KiB</span></dt><dd>Not measured: the size is larger than every file of the target. </dd>
| <dt>odd <span class="dim">1 of 4 rows, 1 B</span></dt><dd>A note that this version does not know. </dd>
| </dl>
| </section>
| <section id="facts">
| <h2>Machine, settings, command</h2>
| <p class="say">What the files say of their runs, and how to repeat them.</p>
| <h3>curve.csv</h3>
| <p>These results do not say on which machine and with which settings and command they were measured; results of --format json do.</p>
| </section>
| <section id="data">
| <h2>Data</h2>
| <p class="say">The results that this page was made of, as they were.</p>
| <details><summary>curve.csv</summary>
| </section>
| </main>
| <footer>Made by iosweep VERSION.  This page needs no network and runs no script.</footer>
| </body>
| </html>

# --- what can be read of the page of that run
$ text() { body | sed 's/<\/\(td\|th\|a\|li\|text\|dt\|figcaption\)>/ | /g; s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' |
> 	grep -v '^[ |]*$'; }
$ iosweep report --format html "$data/run.json" | text
| read and write on /data - iosweep
| iosweep report
| read and write on /data
| Operations of 4 KiB to 1 MiB by engine posix, in the page cache (cached), which is not the device and on the device with O_DIRECT (direct); measured on host host1.
| run.json: host host1, ext4 on /dev/sda, Linux 6.1.0, DATE, iosweep 0.9
| /data answers like an SSD, or a disk behind the host's cache: 4 KiB reads take 52.0 us (p50), 1 MiB reads reach 571 MB/s, 4 KiB writes take 50.4 us (p50), 64 KiB writes reach 295 MB/s.
| The page cache makes 4 KiB reads 7.6 times faster (6.88 us); the machine was busy (other programs used 88 % of the processors): do not rely on these figures.
| Curves | Findings | By size | Latency | Evidence | Notes | Machine and settings | Data | 
| The curves
| Points are medians over the rounds, bands their 95 % intervals; both axes are logarithmic.  A ring is around the smallest size with 90 % of the best throughput.
| read: throughput  | 
| 100 MB/s | 1 GB/s | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| 4 KiB: 557 MB/s (38.2 MB/s to 801 MB/s)
| 64 KiB: 3.26 GB/s (2.94 GB/s to 4.72 GB/s)
| 1 MiB: 1.09 GB/s (863 MB/s to 6.64 GB/s)
| 4 KiB: 18.6 MB/s (17.4 MB/s to 60.3 MB/s)
| 64 KiB: 303 MB/s (174 MB/s to 628 MB/s)
| 1 MiB: 575 MB/s (462 MB/s to 742 MB/s)
| read: time per operation of all threads together, 1 / rate | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| 4 KiB: 7.35 us (5.12 us to 107 us)
| 64 KiB: 20.1 us (13.9 us to 22.3 us)
| 1 MiB: 963 us (158 us to 1.22 ms)
| 4 KiB: 220 us (67.9 us to 235 us)
| 64 KiB: 216 us (104 us to 376 us)
| 1 MiB: 1.82 ms (1.41 ms to 2.27 ms)
| cached | direct | 
| write: throughput  | 
| 100 MB/s | 1 GB/s | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| 4 KiB: 414 MB/s (382 MB/s to 496 MB/s)
| 64 KiB: 2.26 GB/s (600 MB/s to 3.19 GB/s)
| 4 KiB: 39.8 MB/s (17.4 MB/s to 90.4 MB/s)
| 64 KiB: 340 MB/s (212 MB/s to 421 MB/s)
| write: time per operation of all threads together, 1 / rate | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| 4 KiB: 9.9 us (8.25 us to 10.7 us)
| 64 KiB: 29 us (20.6 us to 109 us)
| 4 KiB: 103 us (45.3 us to 236 us)
| 64 KiB: 193 us (156 us to 309 us)
| cached | direct | 
| Findings
| What the runs said of themselves.
| the machine was busy (other programs used 88 % of the processors during this run), so do not trust the figures: 10 of 10 rows are not steady (worst: read of 4 KiB ±693.9 %), stalls took up to 77 % of the operations' time, rate and time/op are up to 194 % apart; repeat on an idle machine | 
| rows with cache=cached are page cache speeds; compare with the rows with cache=direct | 
| By size
| Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.
| read: cachedsize | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | &#177; [%] | p50 [us] | p90 [us] | max [us] | notes | 
| 4 KiB | 4096 | 189.7 | 46.31 | 7.350 | 693.9 | 6.880 | 10.18 | 4089 | outliers, wide | 
| 64 KiB | 65536 | 3424 | 52.25 | 20.09 | 21.0 | 18.82 | 24.96 | 61.06 | wide | 
| 1 MiB | 1048576 | 1201 | 1.145 | 962.9 | 54.9 | 197.6 | 362.5 | 32516 | wide | 
| read: directsize | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | &#177; [%] | p50 [us] | p90 [us] | max [us] | notes | 
| 4 KiB | 4096 | 24.26 | 5.924 | 220.4 | 37.9 | 51.97 | 76.29 | 8334 | wide | 
| 64 KiB | 65536 | 322.4 | 4.920 | 216.4 | 62.8 | 126.5 | 185.3 | 5819 | wide | 
| 1 MiB | 1048576 | 571.1 | 0.5446 | 1823 | 23.4 | 1483 | 2408 | 8862 | wide | 
| write: cachedsize | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | &#177; [%] | p50 [us] | p90 [us] | max [us] | notes | 
| 4 KiB | 4096 | 427.6 | 104.4 | 9.904 | 12.5 | 8.896 | 11.20 | 26.34 | wide | 
| 64 KiB | 65536 | 1373 | 20.95 | 29.04 | 152.7 | 26.24 | 38.14 | 3605 | outliers, wide | 
| write: directsize | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | &#177; [%] | p50 [us] | p90 [us] | max [us] | notes | 
| 4 KiB | 4096 | 35.93 | 8.771 | 102.8 | 92.6 | 50.43 | 72.19 | 4089 | wide | 
| 64 KiB | 65536 | 294.7 | 4.497 | 192.7 | 39.9 | 125.4 | 187.4 | 4485 | wide | 
| Latency
| How long single operations took: half of them no longer than the line (p50), 90 % no longer than the dark band reaches, 99 % no longer than the pale one.
| read: cached  | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| p50 | p90 | 
| read: direct  | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| p50 | p90 | 
| write: cached  | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| p50 | p90 | 
| write: direct  | 
| 10 us | 100 us | 1 ms | 4 KiB | 16 KiB | 64 KiB | 256 KiB | 1 MiB | I/O size | 
| p50 | p90 | 
| Evidence
| Why the figures can be believed, or not: how many bytes were asked for, how many really moved to or from the storage, and what share of the operations memory answered instead; how many rounds there were, and how far they leave the median uncertain.
| curve | size [B] | rounds | &#177; [%] | asked for [MB] | moved [MB] | moved / asked | from memory [%] | errors | drift | 
| read: cached | 4096 | 7 | 693.9 | 1.23 | 0.00 | 0.000 | 100.0 | 0 |  | 
| read: cached | 65536 | 7 | 21.0 | 19.66 | 0.00 | 0.000 | 100.0 | 0 |  | 
| read: cached | 1048576 | 7 | 54.9 | 314.57 | 0.00 | 0.000 | 100.0 | 0 |  | 
| read: direct | 4096 | 7 | 37.9 | 1.23 | 1.23 | 1.000 | 0.0 | 0 |  | 
| read: direct | 65536 | 7 | 62.8 | 19.66 | 19.66 | 1.000 | 0.0 | 0 |  | 
| read: direct | 1048576 | 7 | 23.4 | 314.57 | 314.57 | 1.000 | 0.0 | 0 |  | 
| write: cached | 4096 | 7 | 12.5 | 1.23 | 0.19 | 0.153 |  | 0 |  | 
| write: cached | 65536 | 7 | 152.7 | 19.66 | 2.31 | 0.118 |  | 0 |  | 
| write: direct | 4096 | 7 | 92.6 | 1.23 | 1.23 | 1.000 | 0.0 | 0 |  | 
| write: direct | 65536 | 7 | 39.9 | 19.66 | 19.66 | 1.000 | 0.0 | 0 |  | 
| Notes
| Words that qualify rows, the weightiest first, and what to do about them.
| outliers 2 of 10 rows, 4 KiB to 64 KiB | At least one round was far off the others.  It counts like any other; the median hardly feels it, the mean does. Look for other load on the machine.
| wide 10 of 10 rows, 4 KiB to 1 MiB | The 95 % interval of the median is wider than the precision asked for (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine.
| Machine, settings, command
| What the files say of their runs, and how to repeat them.
| run.json
| The command to repeat it:
| iosweep --format json -o run.json --tests read,write --sizes 4k,64k,1M --cache cached,direct -n 300 --label 'a | b' /data
| Machine
| name | host1 | 
| kernel | Linux 6.1.0 | 
| machine | x86_64 | 
| cpu | a processor | 
| cpus | 2 | 
| cpus_allowed | 2 | 
| virtualization | docker container in kvm | 
| memory_bytes | 25276514304 | 
| swap_bytes | 0 | 
| swap_used_bytes | 0 | 
| page_bytes | 4096 | 
| load1 | 4.85 | 
| clock_source | tsc | 
| Targets
| 0.target | /data | 
| 0.place | /data/iosweep-NAME | 
| 0.description | 1 file of 4 MiB | 
| 0.objects | 1 | 
| 0.total_bytes | 4194304 | 
| 0.own_files | true | 
| 0.in_memory | false | 
| 0.direct_align_bytes | 512 | 
| 0.filesystem | ext4 | 
| 0.mount_point | /data | 
| 0.mount_options | rw,relatime | 
| 0.device | /dev/sda | 
| 0.rotational | true | 
| 0.scheduler | mq-deadline | 
| 0.queue_depth | 256 | 
| 0.write_cache | write back | 
| 0.logical_block_bytes | 512 | 
| 0.physical_block_bytes | 4096 | 
| 0.io_limits | none | 
| 0.block_bytes | 4096 | 
| 0.free_bytes | 78032666624 | 
| Settings
| tests | read,write | 
| caches | cached,direct | 
| threads | 1 | 
| depths | 1 | 
| accesses | random | 
| sizes | 4096,65536,1048576 | 
| engines | posix | 
| existing | false | 
| single_file | false | 
| levels | 1 | 
| width | 1 | 
| file_bytes | 4194304 | 
| small | cover | 
| sync | none | 
| readahead | normal | 
| keep_open | false | 
| payload | random | 
| pin | false | 
| verify | false | 
| repetitions | 300 | 
| precision | 0.025 | 
| rounds_min | 7 | 
| rounds_max | 7 | 
| max_errors | 100 | 
| allow_short | false | 
| Run
| libraries | glibc 2.36 | 
| date | DATE | 
| label | a | b | 
| seed | 3105926304 | 
| clock_cost_ns | 51.09 | 
| clock_step_ns | 51 | 
| loop_ns | 42.58 | 
| reference_ns | 4592.44 | 
| load1_end | 4.95 | 
| processors.count | 2 | 
| processors.own_percent | 10.4 | 
| processors.others_percent | 88.3 | 
| processors.others_percent_most | 92.2 | 
| processors.kernel_percent | 1.1 | 
| processors.steal_percent | 0.2 | 
| processors.cpu_pressure_percent | 93.9 | 
| processors.io_pressure_percent | 18.9 | 
| Data
| The results that this page was made of, as they were.
| run.json
| Made by iosweep VERSION.  This page needs no network and runs no script.

# --- two runs are compared
$ sed '2s/,2000,1900,2100,/,3000,2900,3100,/; 3s/4000,,/2000,,/; 1,4!s/odd/drift/' curve.csv >new.csv
$ iosweep report --format md curve.csv new.csv
| ### read and stat on /x
|
| Operations of 1 B to 8 KiB by engine posix, on the device with O_DIRECT (direct).
|
| - curve.csv: /x answers like memory, probably a cache below the file system: 8 KiB reads take 3.60 us (p50). The figures are steady.
| - new.csv: /x answers like memory, probably a cache below the file system: 8 KiB reads take 3.60 us (p50). The figures are steady.
|
| #### curve.csv → new.csv
|
| - read: 50.0 % slower overall (time per operation +50.0 %, conservative +17.0 % to +93.0 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 2 without verdict
| - stat: unclear overall (time per operation +0.0 %, conservative -11.3 % to +12.8 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
|
| | cell | size | old | new | time/op | 95 % interval | verdict |
| |---|---:|---:|---:|---:|---:|---|
| | read, direct | 4 KiB | 2.00 us | 3.00 us | +50.0 % | +17.0 % to +93.0 % | slower |
| | read, direct | 8 KiB | 4.00 us | 2.00 us | x0.500 | – | no verdict |
| | read, direct | 16 KiB | – | – |  | – | skipped |
| | stat, asis | 1 B | 5.00 us | 5.00 us | +0.0 % | -11.3 % to +12.8 % | unclear |
|
| #### read
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | curve.csv | 4 KiB | 2.00 us | 5.0 % | 1.02 GB/s | 250 k/s | 1.80 us | 9.00 us | cache_hits, wide |
| | curve.csv | 8 KiB | 4.00 us | – | 2.05 GB/s | 250 k/s | 3.60 us | – |  |
| | new.csv | 4 KiB | 3.00 us | 3.3 % | 1.02 GB/s | 250 k/s | 1.80 us | 9.00 us | cache_hits, wide |
| | new.csv | 8 KiB | 2.00 us | – | 2.05 GB/s | 250 k/s | 3.60 us | – |  |
|
| #### stat
|
| | curve | size | time/op | ± | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---|
| | curve.csv | 1 B | 5.00 us | 2.0 % | 200 k/s | 4.80 us | 7.00 us | odd |
| | new.csv | 1 B | 5.00 us | 2.0 % | 200 k/s | 4.80 us | 7.00 us | drift |
|
| <details><summary>What the notes mean</summary>
|
| - **cache_hits** (2 rows, 4 KiB): The row was meant to come from the storage, but memory answered part of it: these are not the figures of the storage. Use --cache direct, or a larger --file-size.
| - **drift** (1 row, 1 B): The rounds became faster or slower from the first to the last: no steady state was reached. Measure again until this note is gone.
| - **wide** (2 rows, 4 KiB): The 95 % interval of the median is wider than the precision asked for (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine.
| - **skipped:beyond_file** (2 rows, 16 KiB): Not measured: the size is larger than every file of the target.
| - **odd** (1 row, 1 B)
|
| </details>
| <details><summary>curve.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
| <details><summary>new.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
$ iosweep report --format html curve.csv new.csv | sed -n '/<section id="compared"/,/<\/section>/p'
| <section id="compared">
| <h2>Runs compared</h2>
| <p class="say">Times per operation against those of the first file, with 95 % intervals: above the grey strip of &#177;2&#160;% it is slower, below it faster.  One sweep of each says little of what differs from sweep to sweep anyway.</p>
| <h3>new.csv against curve.csv</h3>
| <p>read: 50.0 % slower overall (time per operation +50.0 %, conservative +17.0 % to +93.0 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 2 without verdict.</p>
| <div class="pair">
| <div>
| <figure>
| <figcaption><b>read: change of the time per operation</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: change of the time per operation">
| <path class="g" d="M68 242.9H448"/><text class="y" x="62" y="246.9">-50 %</text><path class="g" d="M68 165.8H448"/><text class="y" x="62" y="169.8">0 %</text><path class="g" d="M68 88.7H448"/><text class="y" x="62" y="92.7">+50 %</text><path class="g" d="M68 11.6H448"/><text class="y" x="62" y="15.6">+100 %</text><path class="g" d="M78.8 10V250"/><text class="x" x="78.8" y="263">1 B</text><path class="g n" d="M106.3 10V246"/><path class="g" d="M133.9 10V250"/><text class="x" x="133.9" y="263">4 B</text><path class="g n" d="M161.5 10V246"/><path class="g" d="M189.1 10V250"/><text class="x" x="189.1" y="263">16 B</text><path class="g n" d="M216.6 10V246"/><path class="g" d="M244.2 10V250"/><text class="x" x="244.2" y="263">64 B</text><path class="g n" d="M271.8 10V246"/><path class="g" d="M299.4 10V250"/><text class="x" x="299.4" y="263">256 B</text><path class="g n" d="M326.9 10V246"/><path class="g" d="M354.5 10V250"/><text class="x" x="354.5" y="263">1 KiB</text><path class="g n" d="M382.1 10V246"/><path class="g" d="M409.7 10V250"/><text class="x" x="409.7" y="263">4 KiB</text><path class="g n" d="M437.2 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="strip" d="M68 162.7H448V168.8H68Z"/><path class="one" d="M68 165.8H448"/>
| <text class="e" x="406" y="22">slower</text><text class="e" x="406" y="241">faster</text>
| <path class="b c0 one" d="M409.7 139.5L409.7 22.3Z"/>
| <path class="l c0 d0" d="M409.7 88.7L437.2 242.9"/>
| <path class="m c0" d="M409.7 88.7m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m c0" d="M437.2 242.9m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/></svg>
| </figure>
| </div>
| </div>
| <div class="box" tabindex="0"><table class="compared"><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col">old [us]</th><th scope="col">new [us]</th><th scope="col">change [%]</th><th scope="col">from [%]</th><th scope="col">to [%]</th><th scope="col" class="w">verdict</th><th scope="col" class="w">cell</th></tr></thead><tbody>
| <tr><th scope="row">4 KiB</th><td>4096</td><td>2.000</td><td>3.000</td><td>50.0</td><td>17.0</td><td>93.0</td><td class="w">slower</td><td class="w dim">read 4 KiB /x posix direct</td></tr>
| <tr><th scope="row">8 KiB</th><td>8192</td><td>4.000</td><td>2.000</td><td>-50.0</td><td></td><td></td><td class="w">no verdict</td><td class="w dim">read 8 KiB /x posix direct</td></tr>
| <tr><th scope="row">16 KiB</th><td>16384</td><td></td><td></td><td></td><td></td><td></td><td class="w">skipped</td><td class="w dim">read 16 KiB /x posix direct</td></tr>
| </tbody></table></div>
| <p>stat: unclear overall (time per operation +0.0 %, conservative -11.3 % to +12.8 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict.</p>
| <div class="pair">
| <div>
| <figure>
| <figcaption><b>stat: change of the time per operation</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="stat: change of the time per operation">
| <path class="g" d="M68 228.0H448"/><text class="y" x="62" y="232.0">-10 %</text><path class="g" d="M68 181.7H448"/><text class="y" x="62" y="185.7">-5 %</text><path class="g" d="M68 135.5H448"/><text class="y" x="62" y="139.5">0 %</text><path class="g" d="M68 89.2H448"/><text class="y" x="62" y="93.2">+5 %</text><path class="g" d="M68 43.0H448"/><text class="y" x="62" y="47.0">+10 %</text><path class="g" d="M78.8 10V250"/><text class="x" x="78.8" y="263">1 B</text><path class="g n" d="M106.3 10V246"/><path class="g" d="M133.9 10V250"/><text class="x" x="133.9" y="263">4 B</text><path class="g n" d="M161.5 10V246"/><path class="g" d="M189.1 10V250"/><text class="x" x="189.1" y="263">16 B</text><path class="g n" d="M216.6 10V246"/><path class="g" d="M244.2 10V250"/><text class="x" x="244.2" y="263">64 B</text><path class="g n" d="M271.8 10V246"/><path class="g" d="M299.4 10V250"/><text class="x" x="299.4" y="263">256 B</text><path class="g n" d="M326.9 10V246"/><path class="g" d="M354.5 10V250"/><text class="x" x="354.5" y="263">1 KiB</text><path class="g n" d="M382.1 10V246"/><path class="g" d="M409.7 10V250"/><text class="x" x="409.7" y="263">4 KiB</text><path class="g n" d="M437.2 10V246"/><text class="x" x="258" y="280">I/O size</text>
| <path class="strip" d="M68 117.0H448V153.6H68Z"/><path class="one" d="M68 135.5H448"/>
| <text class="e" x="406" y="22">slower</text><text class="e" x="406" y="241">faster</text>
| <path class="b c0 one" d="M78.8 240.1L78.8 17.5Z"/>
| <path class="l c0 d0" d="M78.8 135.5"/>
| <path class="m c0" d="M78.8 135.5m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/></svg>
| </figure>
| </div>
| </div>
| <div class="box" tabindex="0"><table class="compared"><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col">old [us]</th><th scope="col">new [us]</th><th scope="col">change [%]</th><th scope="col">from [%]</th><th scope="col">to [%]</th><th scope="col" class="w">verdict</th><th scope="col" class="w">cell</th></tr></thead><tbody>
| <tr><th scope="row">1 B</th><td>1</td><td>5.000</td><td>5.000</td><td>0.0</td><td>-11.3</td><td>12.8</td><td class="w">unclear</td><td class="w dim">stat 1 B /x posix asis</td></tr>
| </tbody></table></div>
| </section>
$ iosweep report --format md -o pages.md curve.csv "$data/run.json"; sed -n 1,12p pages.md
| ### read, stat and write on /x and /data
|
| Operations of 1 B to 1 MiB by engine posix, in the page cache (cached), which is not the device and on the device with O_DIRECT (direct); measured on host host1.
|
| - curve.csv: /x answers like memory, probably a cache below the file system: 8 KiB reads take 3.60 us (p50). The figures are steady.
| - run.json: /data answers like an SSD, or a disk behind the host's cache: 4 KiB reads take 52.0 us (p50), 1 MiB reads reach 571 MB/s, 4 KiB writes take 50.4 us (p50), 64 KiB writes reach 295 MB/s. The page cache makes 4 KiB reads 7.6 times faster (6.88 us); the machine was busy (other programs used 88 % of the processors): do not rely on these figures.
| - run.json: the machine was busy (other programs used 88 % of the processors during this run), so do not trust the figures: 10 of 10 rows are not steady (worst: read of 4 KiB ±693.9 %), stalls took up to 77 % of the operations' time, rate and time/op are up to 194 % apart; repeat on an idle machine
| - run.json: rows with cache=cached are page cache speeds; compare with the rows with cache=direct
|
| #### curve.csv → run.json
|
| - read: 110 times slower overall (time per operation x110, conservative x2.79 to x156); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict

# --- depths: a panel of a few curves each, and maps of throughput and latency
$ awk 'BEGIN { print "size_bytes,op_ns_median,latency_ns_p50,test,target,cache,threads,depth"
> 	for (t = 1; t <= 2; t++) for (d = 1; d <= 16; d *= 2) for (s = 4096; s <= 16384; s *= 2)
> 		print s "," (5e4 + s) / d "," 5e4 + d * 1000 ",read,/dev/x,direct," t "," d }' >depth.csv
$ iosweep report --format html depth.csv | text
| read on /dev/x - iosweep
| iosweep report
| read on /dev/x
| Operations of 4 KiB to 16 KiB, on the device with O_DIRECT (direct).
| depth.csv
| /dev/x answers like an SSD: 4 KiB reads take 51.0 us (p50).
| The figures are steady.
| Curves | By size | Latency | Map | Machine and settings | Data | 
| The curves
| Points are medians over the rounds, bands their 95 % intervals; both axes are logarithmic.  A ring is around the smallest size with 90 % of the best throughput.
| read, 1 thread: throughput  | 
| 100 MB/s | 200 MB/s | 500 MB/s | 1 GB/s | 2 GB/s | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| 4 KiB: 75.7 MB/s
| 8 KiB: 141 MB/s
| 16 KiB: 247 MB/s
| 4 KiB: 151 MB/s
| 8 KiB: 282 MB/s
| 16 KiB: 494 MB/s
| 4 KiB: 303 MB/s
| 8 KiB: 563 MB/s
| 16 KiB: 987 MB/s
| 4 KiB: 606 MB/s
| 8 KiB: 1.13 GB/s
| 16 KiB: 1.97 GB/s
| 4 KiB: 1.21 GB/s
| 8 KiB: 2.25 GB/s
| 16 KiB: 3.95 GB/s
| read, 1 thread: time per operation of all threads together, 1 / rate | 
| 5 us | 10 us | 20 us | 50 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| 4 KiB: 54.1 us
| 8 KiB: 58.2 us
| 16 KiB: 66.4 us
| 4 KiB: 27 us
| 8 KiB: 29.1 us
| 16 KiB: 33.2 us
| 4 KiB: 13.5 us
| 8 KiB: 14.5 us
| 16 KiB: 16.6 us
| 4 KiB: 6.76 us
| 8 KiB: 7.27 us
| 16 KiB: 8.3 us
| 4 KiB: 3.38 us
| 8 KiB: 3.64 us
| 16 KiB: 4.15 us
| depth 1 | depth 2 | depth 4 | depth 8 | depth 16 | 
| read, 2 threads: throughput  | 
| 100 MB/s | 200 MB/s | 500 MB/s | 1 GB/s | 2 GB/s | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| 4 KiB: 75.7 MB/s
| 8 KiB: 141 MB/s
| 16 KiB: 247 MB/s
| 4 KiB: 151 MB/s
| 8 KiB: 282 MB/s
| 16 KiB: 494 MB/s
| 4 KiB: 303 MB/s
| 8 KiB: 563 MB/s
| 16 KiB: 987 MB/s
| 4 KiB: 606 MB/s
| 8 KiB: 1.13 GB/s
| 16 KiB: 1.97 GB/s
| 4 KiB: 1.21 GB/s
| 8 KiB: 2.25 GB/s
| 16 KiB: 3.95 GB/s
| read, 2 threads: time per operation of all threads together, 1 / rate | 
| 5 us | 10 us | 20 us | 50 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| 4 KiB: 54.1 us
| 8 KiB: 58.2 us
| 16 KiB: 66.4 us
| 4 KiB: 27 us
| 8 KiB: 29.1 us
| 16 KiB: 33.2 us
| 4 KiB: 13.5 us
| 8 KiB: 14.5 us
| 16 KiB: 16.6 us
| 4 KiB: 6.76 us
| 8 KiB: 7.27 us
| 16 KiB: 8.3 us
| 4 KiB: 3.38 us
| 8 KiB: 3.64 us
| 16 KiB: 4.15 us
| depth 1 | depth 2 | depth 4 | depth 8 | depth 16 | 
| By size
| Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.
| read, 1 thread: depth 1size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 75.72 | 18.49 | 54.10 | 51 |  | 
| 8 KiB | 8192 | 140.8 | 17.18 | 58.19 | 51 |  | 
| 16 KiB | 16384 | 246.8 | 15.06 | 66.38 | 51 |  | 
| read, 1 thread: depth 2size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 151.4 | 36.97 | 27.05 | 52 |  | 
| 8 KiB | 8192 | 281.6 | 34.37 | 29.10 | 52 |  | 
| 16 KiB | 16384 | 493.6 | 30.13 | 33.19 | 52 |  | 
| read, 1 thread: depth 4size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 302.9 | 73.94 | 13.52 | 54 |  | 
| 8 KiB | 8192 | 563.1 | 68.74 | 14.55 | 54 |  | 
| 16 KiB | 16384 | 987.2 | 60.26 | 16.60 | 54 |  | 
| read, 1 thread: depth 8size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 605.7 | 147.9 | 6.762 | 58 |  | 
| 8 KiB | 8192 | 1126 | 137.5 | 7.274 | 58 |  | 
| 16 KiB | 16384 | 1974 | 120.5 | 8.298 | 58 |  | 
| read, 1 thread: depth 16size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 1211 | 295.8 | 3.381 | 66 |  | 
| 8 KiB | 8192 | 2252 | 275.0 | 3.637 | 66 |  | 
| 16 KiB | 16384 | 3949 | 241.0 | 4.149 | 66 |  | 
| read, 2 threads: depth 1size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 75.72 | 18.49 | 54.10 | 51 |  | 
| 8 KiB | 8192 | 140.8 | 17.18 | 58.19 | 51 |  | 
| 16 KiB | 16384 | 246.8 | 15.06 | 66.38 | 51 |  | 
| read, 2 threads: depth 2size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 151.4 | 36.97 | 27.05 | 52 |  | 
| 8 KiB | 8192 | 281.6 | 34.37 | 29.10 | 52 |  | 
| 16 KiB | 16384 | 493.6 | 30.13 | 33.19 | 52 |  | 
| read, 2 threads: depth 4size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 302.9 | 73.94 | 13.52 | 54 |  | 
| 8 KiB | 8192 | 563.1 | 68.74 | 14.55 | 54 |  | 
| 16 KiB | 16384 | 987.2 | 60.26 | 16.60 | 54 |  | 
| read, 2 threads: depth 8size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 605.7 | 147.9 | 6.762 | 58 |  | 
| 8 KiB | 8192 | 1126 | 137.5 | 7.274 | 58 |  | 
| 16 KiB | 16384 | 1974 | 120.5 | 8.298 | 58 |  | 
| read, 2 threads: depth 16size | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | p50 [us] | notes | 
| 4 KiB | 4096 | 1211 | 295.8 | 3.381 | 66 |  | 
| 8 KiB | 8192 | 2252 | 275.0 | 3.637 | 66 |  | 
| 16 KiB | 16384 | 3949 | 241.0 | 4.149 | 66 |  | 
| Latency
| How long single operations took: half of them no longer than the line (p50), 90 % no longer than the dark band reaches, 99 % no longer than the pale one.
| read, 1 thread: depth 1  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 1 thread: depth 2  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 1 thread: depth 4  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 1 thread: depth 8  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 1 thread: depth 16  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 2 threads: depth 1  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 2 threads: depth 2  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 2 threads: depth 4  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 2 threads: depth 8  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| read, 2 threads: depth 16  | 
| 50 us | 100 us | 4 KiB | 8 KiB | 16 KiB | I/O size | 
| p50 | 
| Depth and size
| The stronger the shade, the larger the number; the scale is logarithmic.
| read, 1 thread: throughput [MB/s]depth | 4 KiB | 8 KiB | 16 KiB | 
| 1 | 75.72 | 140.8 | 246.8 | 
| 2 | 151.4 | 281.6 | 493.6 | 
| 4 | 302.9 | 563.1 | 987.2 | 
| 8 | 605.7 | 1126 | 1974 | 
| 16 | 1211 | 2252 | 3949 | 
| read, 1 thread: median latency [us]depth | 4 KiB | 8 KiB | 16 KiB | 
| 1 | 51 | 51 | 51 | 
| 2 | 52 | 52 | 52 | 
| 4 | 54 | 54 | 54 | 
| 8 | 58 | 58 | 58 | 
| 16 | 66 | 66 | 66 | 
| read, 2 threads: throughput [MB/s]depth | 4 KiB | 8 KiB | 16 KiB | 
| 1 | 75.72 | 140.8 | 246.8 | 
| 2 | 151.4 | 281.6 | 493.6 | 
| 4 | 302.9 | 563.1 | 987.2 | 
| 8 | 605.7 | 1126 | 1974 | 
| 16 | 1211 | 2252 | 3949 | 
| read, 2 threads: median latency [us]depth | 4 KiB | 8 KiB | 16 KiB | 
| 1 | 51 | 51 | 51 | 
| 2 | 52 | 52 | 52 | 
| 4 | 54 | 54 | 54 | 
| 8 | 58 | 58 | 58 | 
| 16 | 66 | 66 | 66 | 
| Machine, settings, command
| What the files say of their runs, and how to repeat them.
| depth.csv
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
| Data
| The results that this page was made of, as they were.
| depth.csv
| Made by iosweep VERSION.  This page needs no network and runs no script.
$ iosweep report --format html depth.csv | grep -c 'class="l r[0-7]'
| 22

# --- records of --series beside their run
$ cat >series.csv <<'END'
> ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_mean,latency_ns_p50,latency_ns_p99,size_bytes,operations,operations_ended_total
> 1,1,read,1e6,3000,2000,9000,4096,10,10
> 2,1,read,4e6,3000,2500,8000,4096,10,20
> 3.9,1,read,2e6,3000,2000,7000,4096,10,30
> END
$ iosweep report --format md curve.csv series.csv | sed -n '/over time/,/^$/p; /^|.*median/,/^$/p'
| #### read: throughput over time
|
$ iosweep report --format md curve.csv series.csv | sed -n '/over time/,/<details/p'
| #### read: throughput over time
|
| | size | intervals | lowest | mean | highest | highest p99 | from the start to the end |
| |---:|---:|---:|---:|---:|---:|---|
| | 4 KiB | 3 | 1.00 MB/s | 2.33 MB/s | 4.00 MB/s | 9.00 us | ▃█▅ |
|
| <details><summary>What the notes mean</summary>
$ iosweep report --format html curve.csv series.csv | sed -n '/<section id="course"/,/<\/section>/p'
| <section id="course">
| <h2>Over time</h2>
| <p class="say">What each interval of the run did; a line is interrupted where its row was not under way.</p>
| <div class="pair">
| <figure>
| <figcaption><b>read: throughput</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: throughput">
| <path class="g" d="M68 239.3H448"/><text class="y" x="62" y="243.3">1 MB/s</text><path class="g" d="M68 128.0H448"/><text class="y" x="62" y="132.0">2 MB/s</text><path class="g" d="M68.0 10V250"/><text class="x" x="68.0" y="263">0 s</text><path class="g" d="M165.4 10V250"/><text class="x" x="165.4" y="263">1 s</text><path class="g" d="M262.9 10V250"/><text class="x" x="262.9" y="263">2 s</text><path class="g" d="M360.3 10V250"/><text class="x" x="360.3" y="263">3 s</text><text class="x" x="258" y="280">time since the start</text>
| <path class="l r4" d="M116.7 239.3L214.2 16.7M399.3 128.0"/>
| <path class="m r4" d="M116.7 239.3m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m r4" d="M214.2 16.7m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m r4" d="M399.3 128.0m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/></svg>
| </figure>
| <figure>
| <figcaption><b>read: latency</b> p50; dotted: p99</figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: latency">
| <path class="g" d="M68 239.3H448"/><text class="y" x="62" y="243.3">2 us</text><path class="g" d="M68 103.7H448"/><text class="y" x="62" y="107.7">5 us</text><path class="g" d="M68.0 10V250"/><text class="x" x="68.0" y="263">0 s</text><path class="g" d="M165.4 10V250"/><text class="x" x="165.4" y="263">1 s</text><path class="g" d="M262.9 10V250"/><text class="x" x="262.9" y="263">2 s</text><path class="g" d="M360.3 10V250"/><text class="x" x="360.3" y="263">3 s</text><text class="x" x="258" y="280">time since the start</text>
| <path class="l r4 t d2" d="M116.7 16.7L214.2 34.1M399.3 53.9"/>
| <path class="l r4" d="M116.7 239.3L214.2 206.3M399.3 239.3"/>
| <path class="m r4" d="M116.7 239.3m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m r4" d="M214.2 206.3m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/><path class="m r4" d="M399.3 239.3m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/></svg>
| </figure>
| </div>
| </section>
$ awk 'BEGIN { print "ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_mean,latency_ns_p99,size_bytes,operations"
> 	for (s = 1; s <= 12; s++) for (t = 1; t <= 5; t++) print t + (t > 3) ",1,read," 1e6 * s * t ",1000,2000," 512 * 2 ^ s ",10" }' >twelve.csv
$ iosweep report --format html curve.csv twelve.csv | sed -n '/<section id="course"/,/<\/section>/p' | text
| Over time
| What each interval of the run did; a line is interrupted where its row was not under way.
| read: throughput 8 of 12 sizes | 
| 1 MB/s | 2 MB/s | 5 MB/s | 10 MB/s | 20 MB/s | 50 MB/s | 0 s | 1 s | 2 s | 3 s | 4 s | 5 s | 6 s | time since the start | 
| read: latency mean; dotted: p99 | 
| 1 us | 2 us | 0 s | 1 s | 2 s | 3 s | 4 s | 5 s | 6 s | time since the start | 
| 1 KiB | 4 KiB | 8 KiB | 32 KiB | 64 KiB | 256 KiB | 512 KiB | 2 MiB | 
$ iosweep report -o x.html series.csv
! iosweep: records of --series alone are no report: series.csv; give the results of that run, too; or iosweep plot draws them
? 2
$ iosweep report --format md series.csv curve.csv | head -3
| ### read and stat on /x
|
| Operations of 1 B to 8 KiB by engine posix, on the device with O_DIRECT (direct).

# --- the verdict: what a row says of its device, by its notes, its cache mode and the machine.  verdict
# OF TEST,CACHE,NOTES shows what is said of 4 KiB in 95 us.
$ verdict() {
> 	for row; do
> 		echo 'size_bytes,operations,rate_per_s,throughput_bytes_per_s,op_ns_median,latency_ns_p50,target,threads,depth,stop,test,cache,notes' >verdict.csv
> 		for one in $(echo "$row" | tr + ' '); do echo "4096,1000,10000,4e7,100000,95000,/x,1,1,time,$one" >>verdict.csv; done
> 		echo "$row: $(iosweep report --format md verdict.csv | sed -n '/^- \//p')"
> 	done
> }
$ verdict read,direct, read,direct,wide read,direct,'drift;unwritten' read,direct,'unwritten;wide' read,direct,xunwritten read,direct,unwrittenx
| read,direct,: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| read,direct,wide: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). 1 of 1 figure varies by more than 10 %: measure longer before you quote it.
| read,direct,drift;unwritten: 
| read,direct,unwritten;wide: 
| read,direct,xunwritten: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| read,direct,unwrittenx: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
$ verdict read,direct,cache_hits read,direct,covered read,direct,rmw read,direct,incomplete read,cached,not_cached
| read,direct,cache_hits: 
| read,direct,covered: 
| read,direct,rmw: 
| read,direct,incomplete: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). Cut short: 1 of 1 row had too little time.
| read,cached,not_cached: 
! iosweep: verdict.csv: 1 of 1 row is incomplete: cut short, with less data than was asked for
$ verdict read,cached, read,asis, read,uncached, write,uncached, read,uncached,+write,uncached, read,direct,+write,direct,+read,cached,
| read,cached,: - /x: the device was not measured, these are page cache speeds. The figures are steady.
| read,asis,: 
| read,uncached,: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| write,uncached,: 
| read,uncached,+write,uncached,: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| read,direct,+write,direct,+read,cached,: - /x answers like an SSD: 4 KiB reads take 95.0 us (p50), 4 KiB writes take 95.0 us (p50). The page cache makes 4 KiB reads no faster; the figures are steady.
$ limits() { verdict "$1" >/dev/null; sed "$2" verdict.csv | iosweep report --format md - | grep '^- /'; }
$ limits read,direct, 's/4096,1000,10000/4096,100,1000/; s/,100000,/,1000000,/' # a limit of the rate
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50) but only 1.00 k/s go through (a limit?). The figures are steady.
$ limits read,direct,incomplete+write,direct,incomplete+stat,direct, '2s/,1000,/,50,/; 3s/,time,/,errors,/; 4s/,time,/,precision,/'
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). Cut short: 1 of 3 rows had too little time.
! iosweep: verdict.csv: 2 of 3 rows are incomplete: cut short, with less data than was asked for
! iosweep: -: 2 of 3 rows are incomplete: cut short, with less data than was asked for
$ limits read,direct,incomplete+read,direct,incomplete '3s/4096,1000,/65536,2,/'
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). Cut short: 2 of 2 rows had too little time.
! iosweep: verdict.csv: 2 of 2 rows are incomplete: cut short, with less data than was asked for
! iosweep: -: 2 of 2 rows are incomplete: cut short, with less data than was asked for
$ limits read,cached, 's/,4e7,/,,/' # no speed of anything
? 1
$ limits read,direct,wide 's/,1000,/,50,/'
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). 1 of 1 figure varies by more than 10 %: measure longer before you quote it.
$ machine() { # the same in JSON: FACTS OF TARGET, OF HOST, AT THE END
> 	printf '{"iosweep":"0.9","run":{"targets":[{"target":"/a"},{"target":%s}],"host":{"cpus":2%s}},"rows":[{"size_bytes":4096,"operations":1000,"op_ns_median":100000,"latency_ns_p50":95000,"throughput_bytes_per_s":4e7,"test":"read","target":"/x","cache":"direct","threads":1,"depth":1,"notes":""}]%s}\n' "$1" "${2:-}" "${3:-}" >machine.json
> 	iosweep report --format md machine.json | grep '^- /'
> }
$ machine '"/x","rotational":true' && machine '"/y","rotational":true' && machine '"/x","network_options":"vers=4.2"' && machine '"/x","in_memory":true'
| - /x is a hard disk that answers from a cache of its own: 4 KiB reads take 95.0 us (p50). The figures are steady.
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| - /x answers like a file server nearby, from its memory: 4 KiB reads take 95.0 us (p50). The figures are steady.
| - /x is memory, with no device behind it: 4 KiB reads take 95.0 us (p50). The figures are steady.
$ machine '"/x"' ',"load1":0.1' ',"load1_end":9.5' && machine '"/x"' ',"load1":9.5' ',"load1_end":0.1' && machine '"/x"' ',"load1":9.5'
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The machine was busy (load 9.5 on 2 processors): do not rely on these figures.
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The machine was quiet and the figures are steady.
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The machine was busy (load 9.5 on 2 processors): do not rely on these figures.
$ others() { machine '"/x"' ',"load1":0.1' ',"load1_end":9.5,"processors":{"count":2,"own_percent":30.0,"others_percent":'"$1"',"others_percent_most":'"$1"',"kernel_percent":0.0,"steal_percent":'"$2"'}'; }
$ others 43.1 0.0; others 25.0 0.0; others 1.0 30.0
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The machine was busy (other programs used 43 % of the processors): do not rely on these figures.
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The figures are steady.
| - /x answers like an SSD: 4 KiB reads take 95.0 us (p50). The machine was busy (its host withheld 49 % of the processor time it needed): do not rely on these figures.
$ threads() { sed "s/direct/cached/; s/\"threads\":1/\"threads\":$1/" machine.json >threads.json; iosweep report --format md threads.json | grep '^- /'; } # of its own
$ others 25.0 0.0 >/dev/null; threads 2; machine '"/x"' ',"load1":0.1' ',"load1_end":7.9' >/dev/null; threads 8
| - /x: the device was not measured, these are page cache speeds. The machine was busy (other programs used 25 % of the processors): do not rely on these figures.
| - /x: the device was not measured, these are page cache speeds. The machine was quiet and the figures are steady.

# --- title and what it is about: as many targets as a sentence bears; a team
$ awk 'BEGIN { print "size_bytes,op_ns_median,test,target,cache,engine"; for (i = 0; i < 6; i++) print "4096,7,read,/" substr("abcdef", i + 1, 1) ",cached,posix" }' >targets.csv
$ iosweep report --format md targets.csv | sed -n 1,3p
| ### read on /a, /b, /c, /d, /e and /f
|
| Operations of 4 KiB by engine posix, in the page cache (cached), which is not the device.
$ printf '512,7,read,/g,direct,posix\n512,7,read,/a,uncached,pread\n' | cat targets.csv - | iosweep report --format md - | sed -n 1,3p
| ### read on /a, /b, /c, /d, /e, /f and others
|
| Operations of 512 B to 4 KiB by engine posix and pread, in the page cache (cached), which is not the device, on the device with O_DIRECT (direct) and with the page cache emptied before each round (uncached).
$ printf 'size_bytes,op_ns_median,test,ranks\n512,7,read,4\n1024,7,read,4\n' | iosweep report --format md - | sed -n 1,3p
| ### read
|
| Operations of 512 B to 1 KiB; measured by 4 ranks together.
$ printf 'size_bytes,op_ns_median,test,ranks\n512,7,read,4\n512,9,read,1\n' | iosweep report --format md - | sed -n '1,3p; /^|/p'
| ### read
|
| Operations of 512 B; measured by up to 4 ranks together.
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | ranks 4 | 512 B | 7.00 ns | – | 73.1 GB/s | 143 M/s | – | – |  |
| | ranks 1 | 512 B | 9.00 ns | – | 56.9 GB/s | 111 M/s | – | – |  |
$ name() { awk -v at="$1" 'BEGIN { for (i = 0; i < 300; i++) printf "%s", i == 50 ? at : "a" }'; }
$ printf "size_bytes,op_ns_median,test,target\n1,5,read,$(name one)\n1,6,read,$(name two)\n" >long.csv
$ iosweep report --format md long.csv
| ### read on aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…ee87b4…aaaaaaaaaaaaaaaaaaaaaaaaaaaa and aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…25dab2…aaaaaaaaaaaaaaaaaaaaaaaaaaaa
|
| Operations of 1 B.
|
| #### read
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…ee87b4…aaaaaaaaaaaaaaaaaaaaaaaaaaaa | 1 B | 5.00 ns | – | 200 MB/s | 200 M/s | – | – |  |
| | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…25dab2…aaaaaaaaaaaaaaaaaaaaaaaaaaaa | 1 B | 6.00 ns | – | 167 MB/s | 167 M/s | – | – |  |
|
| <details><summary>long.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
| | fact | value |
| |---|---|
| | target | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaoneaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
| | target | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaatwoaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
|
| </details>

# --- what is not known has no column, and a bandwidth is not made up
$ printf 'size_bytes,throughput_bytes_per_s\n4096,1000000\n' >bare.csv; iosweep report --format md bare.csv; iosweep report --format html bare.csv | text
| ### I/O
|
| Operations of 4 KiB.
|
| #### all tests
|
| | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---:|---|
| | 4 KiB | 4.10 ms | – | 1.00 MB/s | 244 /s | – | – |  |
|
| <details><summary>bare.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
| I/O - iosweep
| iosweep report
| I/O
| Operations of 4 KiB.
| bare.csv
| By size | Machine and settings | Data | 
| Figures
| Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.
| curve | size | size [B] | throughput [kB/s] | rate [1/s] | time/op [ms] | notes | 
| all tests | 4 KiB | 4096 | 1000 | 244.1 | 4.096 |  | 
| Machine, settings, command
| What the files say of their runs, and how to repeat them.
| bare.csv
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
| Data
| The results that this page was made of, as they were.
| bare.csv
| Made by iosweep VERSION.  This page needs no network and runs no script.
$ printf 'size_bytes,op_ns_median,test\n4096,100004,read\n8192,100008,read\n16384,100016,read\n32768,100032,read\n' >flat.csv
$ iosweep report --format html flat.csv | sed -n '/<section id="summary"/,/<\/section>/p' | text
| In a few figures
| What each curve comes to, by the typical round.  Fixed cost and bandwidth are those of the line time = fixed cost + size / bandwidth that fits best; the last column says by how much the points are off it on average.
| curve | smallest | time/op there [us] | best throughput [MB/s] | at | 90 % of it from | fixed cost [us] | off by [%] | 
| read | 4 KiB | 100.0 | 327.6 | 32 KiB | 32 KiB | 100 | 0.0 | 
| The bandwidth of 1 curve is left out: no size measured reaches 90 % of it, so it is an extrapolation beyond the largest one.
$ printf 'size_bytes,op_ns_median,test\n4096,5096,read\n65536,66536,read\n1048576,1049576,read\n16777216,16778216,read\n' >line.csv
$ iosweep report --format html line.csv | sed -n '/<section id="summary"/,/<\/section>/p' | text
| In a few figures
| What each curve comes to, by the typical round.  Fixed cost and bandwidth are those of the line time = fixed cost + size / bandwidth that fits best; the last column says by how much the points are off it on average.
| curve | smallest | time/op there [us] | best throughput [MB/s] | at | 90 % of it from | fixed cost [us] | bandwidth [MB/s] | off by [%] | 
| read | 4 KiB | 5.096 | 999.9 | 16 MiB | 64 KiB | 1 | 1000 | 0.0 | 

# --- more rows than can be shown, and notes; files that are left out
$ awk 'BEGIN { print "size_bytes,op_ns_median,test"; for (i = 0; i < 6000; i++) print 512 * 2 ^ (i % 4) "," 1000 + i ",read" }' >many.csv
$ sed 's/,1\([0-9]*\),/,2\1,/' many.csv >fewer.csv
$ iosweep report --format html many.csv | text
| read - iosweep
| iosweep report
| read
| Operations of 512 B to 4 KiB.
| many.csv
| 4 of 6000 rows with figures are shown: of rows of the same curve and size the one with the median time per operation; the results have the other 5996, and iosweep compare, fit and plot take all of them.
| Curves | In a few figures | By size | Machine and settings | Data | 
| The curves
| Points are medians over the rounds, bands their 95 % intervals; both axes are logarithmic.  A ring is around the smallest size with 90 % of the best throughput.
| read: throughput  | 
| 200 MB/s | 500 MB/s | 1 GB/s | 512 B | 1 KiB | 2 KiB | 4 KiB | I/O size | 
| 512 B: 128 MB/s
| 1 KiB: 256 MB/s
| 2 KiB: 512 MB/s
| 4 KiB: 1.02 GB/s
| read: time per operation of all threads together, 1 / rate | 
| 2 us | 5 us | 512 B | 1 KiB | 2 KiB | 4 KiB | I/O size | 
| 512 B: 4 us
| 1 KiB: 4 us
| 2 KiB: 4 us
| 4 KiB: 4 us
| In a few figures
| What each curve comes to, by the typical round.  Fixed cost and bandwidth are those of the line time = fixed cost + size / bandwidth that fits best; the last column says by how much the points are off it on average.
| curve | smallest | time/op there [us] | best throughput [MB/s] | at | 90 % of it from | fixed cost [us] | off by [%] | 
| read | 512 B | 3.996 | 1024 | 4 KiB | 4 KiB | 3.996 | 0.0 | 
| The bandwidth of 1 curve is left out: no size measured reaches 90 % of it, so it is an extrapolation beyond the largest one.
| By size
| Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.
| readsize | size [B] | throughput [MB/s] | rate [k/s] | time/op [us] | notes | 
| 512 B | 512 | 128.1 | 250.3 | 3.996 |  | 
| 1 KiB | 1024 | 256.2 | 250.2 | 3.997 |  | 
| 2 KiB | 2048 | 512.3 | 250.1 | 3.998 |  | 
| 4 KiB | 4096 | 1024 | 250.1 | 3.999 |  | 
| Machine, settings, command
| What the files say of their runs, and how to repeat them.
| many.csv
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
| Data
| The results that this page was made of, as they were.
| many.csv
| Made by iosweep VERSION.  This page needs no network and runs no script.
! iosweep: 4 of 6000 rows with figures are shown: of rows of the same curve and size the one with the median time per operation; the results have the other 5996, and iosweep compare, fit and plot take all of them
$ iosweep report --format html --data never many.csv fewer.csv | sed -n '/<section id="data"/,/<\/section>/p; /class="few"/p' | text
| 8 of 12000 rows with figures are shown: of rows of the same curve and size the one with the median time per operation; the results have the other 11992, and iosweep compare, fit and plot take all of them.
| Data
| The results that this page was made of, 0.2 MiB, are not in it: compare, fit, plot, merge and report read the files themselves.  With --data always they are in the page.
| many.csv | 
| fewer.csv | 
! iosweep: 8 of 12000 rows with figures are shown: of rows of the same curve and size the one with the median time per operation; the results have the other 11992, and iosweep compare, fit and plot take all of them
! iosweep: not compared: several rows for one cell, but no rounds to pool, in many.csv; the cell is read 512 B; use one file per sweep, or JSON files
$ iosweep report -o never.html --data never --quiet many.csv; iosweep fit never.html
! iosweep: no results of iosweep in this page: never.html; iosweep report leaves them out with --data never, and when they are larger than 16 MiB
? 2
$ awk 'BEGIN { print "size_bytes,op_ns_median,test"; for (i = 1; i <= 6000; i++) print i ",1000,read" }' >sizes.csv
$ sed 's/,1000,/,1500,/' sizes.csv | iosweep report --format md sizes.csv - | sed '/^| [0-9r]/d'
| ### read
|
| Operations of 1 B to 6000 B.
|
| **500 of 12000 rows with figures are shown: of each curve some sizes, evenly chosen, with the smallest and the largest; the results have the other 11500, and iosweep compare, fit and plot take all of them.**
|
| #### sizes.csv → standard input
|
| - read: no verdict overall (time per operation +50.0 %, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 6000 without verdict
|
| | cell | size | old | new | time/op | 95 % interval | verdict |
| |---|---:|---:|---:|---:|---:|---|
|
| **500 of 6000 cells are shown, those whose time per operation changed most; iosweep compare prints all of them.**
|
| #### read
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | sizes.csv | 1 B | 1.00 us | – | 1.00 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 25 B | 1.00 us | – | 25.0 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 49 B | 1.00 us | – | 49.0 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 73 B | 1.00 us | – | 73.0 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 97 B | 1.00 us | – | 97.0 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 121 B | 1.00 us | – | 121 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 146 B | 1.00 us | – | 146 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 170 B | 1.00 us | – | 170 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 194 B | 1.00 us | – | 194 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 218 B | 1.00 us | – | 218 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 242 B | 1.00 us | – | 242 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 266 B | 1.00 us | – | 266 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 290 B | 1.00 us | – | 290 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 314 B | 1.00 us | – | 314 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 338 B | 1.00 us | – | 338 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 362 B | 1.00 us | – | 362 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 386 B | 1.00 us | – | 386 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 411 B | 1.00 us | – | 411 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 435 B | 1.00 us | – | 435 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 459 B | 1.00 us | – | 459 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 483 B | 1.00 us | – | 483 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 507 B | 1.00 us | – | 507 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 531 B | 1.00 us | – | 531 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 555 B | 1.00 us | – | 555 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 579 B | 1.00 us | – | 579 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 603 B | 1.00 us | – | 603 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 627 B | 1.00 us | – | 627 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 651 B | 1.00 us | – | 651 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 676 B | 1.00 us | – | 676 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 700 B | 1.00 us | – | 700 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 724 B | 1.00 us | – | 724 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 748 B | 1.00 us | – | 748 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 772 B | 1.00 us | – | 772 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 796 B | 1.00 us | – | 796 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 820 B | 1.00 us | – | 820 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 844 B | 1.00 us | – | 844 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 868 B | 1.00 us | – | 868 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 892 B | 1.00 us | – | 892 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 917 B | 1.00 us | – | 917 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 941 B | 1.00 us | – | 941 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 965 B | 1.00 us | – | 965 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 989 B | 1.00 us | – | 989 MB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1013 B | 1.00 us | – | 1.01 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1037 B | 1.00 us | – | 1.04 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1061 B | 1.00 us | – | 1.06 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1085 B | 1.00 us | – | 1.08 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1109 B | 1.00 us | – | 1.11 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1133 B | 1.00 us | – | 1.13 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1157 B | 1.00 us | – | 1.16 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1182 B | 1.00 us | – | 1.18 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1206 B | 1.00 us | – | 1.21 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1230 B | 1.00 us | – | 1.23 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1254 B | 1.00 us | – | 1.25 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1278 B | 1.00 us | – | 1.28 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1302 B | 1.00 us | – | 1.30 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1326 B | 1.00 us | – | 1.33 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1350 B | 1.00 us | – | 1.35 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1374 B | 1.00 us | – | 1.37 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1398 B | 1.00 us | – | 1.40 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1422 B | 1.00 us | – | 1.42 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1447 B | 1.00 us | – | 1.45 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1471 B | 1.00 us | – | 1.47 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1495 B | 1.00 us | – | 1.50 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1519 B | 1.00 us | – | 1.52 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1543 B | 1.00 us | – | 1.54 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1567 B | 1.00 us | – | 1.57 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1591 B | 1.00 us | – | 1.59 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1615 B | 1.00 us | – | 1.61 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1639 B | 1.00 us | – | 1.64 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1663 B | 1.00 us | – | 1.66 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1687 B | 1.00 us | – | 1.69 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1712 B | 1.00 us | – | 1.71 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1736 B | 1.00 us | – | 1.74 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1760 B | 1.00 us | – | 1.76 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1784 B | 1.00 us | – | 1.78 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1808 B | 1.00 us | – | 1.81 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1832 B | 1.00 us | – | 1.83 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1856 B | 1.00 us | – | 1.86 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1880 B | 1.00 us | – | 1.88 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1904 B | 1.00 us | – | 1.90 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1928 B | 1.00 us | – | 1.93 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1952 B | 1.00 us | – | 1.95 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 1977 B | 1.00 us | – | 1.98 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2001 B | 1.00 us | – | 2.00 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2025 B | 1.00 us | – | 2.02 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2049 B | 1.00 us | – | 2.05 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2073 B | 1.00 us | – | 2.07 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2097 B | 1.00 us | – | 2.10 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2121 B | 1.00 us | – | 2.12 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2145 B | 1.00 us | – | 2.15 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2169 B | 1.00 us | – | 2.17 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2193 B | 1.00 us | – | 2.19 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2217 B | 1.00 us | – | 2.22 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2242 B | 1.00 us | – | 2.24 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2266 B | 1.00 us | – | 2.27 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2290 B | 1.00 us | – | 2.29 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2314 B | 1.00 us | – | 2.31 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2338 B | 1.00 us | – | 2.34 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2362 B | 1.00 us | – | 2.36 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2386 B | 1.00 us | – | 2.39 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2410 B | 1.00 us | – | 2.41 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2434 B | 1.00 us | – | 2.43 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2458 B | 1.00 us | – | 2.46 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2483 B | 1.00 us | – | 2.48 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2507 B | 1.00 us | – | 2.51 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2531 B | 1.00 us | – | 2.53 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2555 B | 1.00 us | – | 2.56 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2579 B | 1.00 us | – | 2.58 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2603 B | 1.00 us | – | 2.60 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2627 B | 1.00 us | – | 2.63 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2651 B | 1.00 us | – | 2.65 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2675 B | 1.00 us | – | 2.67 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2699 B | 1.00 us | – | 2.70 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2723 B | 1.00 us | – | 2.72 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2748 B | 1.00 us | – | 2.75 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2772 B | 1.00 us | – | 2.77 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2796 B | 1.00 us | – | 2.80 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2820 B | 1.00 us | – | 2.82 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2844 B | 1.00 us | – | 2.84 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2868 B | 1.00 us | – | 2.87 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2892 B | 1.00 us | – | 2.89 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2916 B | 1.00 us | – | 2.92 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2940 B | 1.00 us | – | 2.94 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2964 B | 1.00 us | – | 2.96 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 2988 B | 1.00 us | – | 2.99 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3013 B | 1.00 us | – | 3.01 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3037 B | 1.00 us | – | 3.04 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3061 B | 1.00 us | – | 3.06 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3085 B | 1.00 us | – | 3.08 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3109 B | 1.00 us | – | 3.11 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3133 B | 1.00 us | – | 3.13 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3157 B | 1.00 us | – | 3.16 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3181 B | 1.00 us | – | 3.18 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3205 B | 1.00 us | – | 3.21 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3229 B | 1.00 us | – | 3.23 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3253 B | 1.00 us | – | 3.25 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3278 B | 1.00 us | – | 3.28 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3302 B | 1.00 us | – | 3.30 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3326 B | 1.00 us | – | 3.33 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3350 B | 1.00 us | – | 3.35 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3374 B | 1.00 us | – | 3.37 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3398 B | 1.00 us | – | 3.40 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3422 B | 1.00 us | – | 3.42 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3446 B | 1.00 us | – | 3.45 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3470 B | 1.00 us | – | 3.47 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3494 B | 1.00 us | – | 3.49 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3518 B | 1.00 us | – | 3.52 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3543 B | 1.00 us | – | 3.54 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3567 B | 1.00 us | – | 3.57 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3591 B | 1.00 us | – | 3.59 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3615 B | 1.00 us | – | 3.62 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3639 B | 1.00 us | – | 3.64 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3663 B | 1.00 us | – | 3.66 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3687 B | 1.00 us | – | 3.69 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3711 B | 1.00 us | – | 3.71 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3735 B | 1.00 us | – | 3.73 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3759 B | 1.00 us | – | 3.76 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3784 B | 1.00 us | – | 3.78 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3808 B | 1.00 us | – | 3.81 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3832 B | 1.00 us | – | 3.83 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3856 B | 1.00 us | – | 3.86 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3880 B | 1.00 us | – | 3.88 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3904 B | 1.00 us | – | 3.90 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3928 B | 1.00 us | – | 3.93 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3952 B | 1.00 us | – | 3.95 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 3976 B | 1.00 us | – | 3.98 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4000 B | 1.00 us | – | 4.00 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4024 B | 1.00 us | – | 4.02 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4049 B | 1.00 us | – | 4.05 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4073 B | 1.00 us | – | 4.07 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4097 B | 1.00 us | – | 4.10 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4121 B | 1.00 us | – | 4.12 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4145 B | 1.00 us | – | 4.14 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4169 B | 1.00 us | – | 4.17 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4193 B | 1.00 us | – | 4.19 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4217 B | 1.00 us | – | 4.22 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4241 B | 1.00 us | – | 4.24 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4265 B | 1.00 us | – | 4.26 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4289 B | 1.00 us | – | 4.29 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4314 B | 1.00 us | – | 4.31 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4338 B | 1.00 us | – | 4.34 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4362 B | 1.00 us | – | 4.36 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4386 B | 1.00 us | – | 4.39 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4410 B | 1.00 us | – | 4.41 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4434 B | 1.00 us | – | 4.43 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4458 B | 1.00 us | – | 4.46 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4482 B | 1.00 us | – | 4.48 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4506 B | 1.00 us | – | 4.51 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4530 B | 1.00 us | – | 4.53 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4554 B | 1.00 us | – | 4.55 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4579 B | 1.00 us | – | 4.58 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4603 B | 1.00 us | – | 4.60 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4627 B | 1.00 us | – | 4.63 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4651 B | 1.00 us | – | 4.65 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4675 B | 1.00 us | – | 4.67 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4699 B | 1.00 us | – | 4.70 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4723 B | 1.00 us | – | 4.72 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4747 B | 1.00 us | – | 4.75 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4771 B | 1.00 us | – | 4.77 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4795 B | 1.00 us | – | 4.79 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4819 B | 1.00 us | – | 4.82 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4844 B | 1.00 us | – | 4.84 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4868 B | 1.00 us | – | 4.87 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4892 B | 1.00 us | – | 4.89 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4916 B | 1.00 us | – | 4.92 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4940 B | 1.00 us | – | 4.94 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4964 B | 1.00 us | – | 4.96 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 4988 B | 1.00 us | – | 4.99 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5012 B | 1.00 us | – | 5.01 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5036 B | 1.00 us | – | 5.04 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5060 B | 1.00 us | – | 5.06 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5084 B | 1.00 us | – | 5.08 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5109 B | 1.00 us | – | 5.11 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5133 B | 1.00 us | – | 5.13 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5157 B | 1.00 us | – | 5.16 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5181 B | 1.00 us | – | 5.18 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5205 B | 1.00 us | – | 5.21 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5229 B | 1.00 us | – | 5.23 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5253 B | 1.00 us | – | 5.25 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5277 B | 1.00 us | – | 5.28 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5301 B | 1.00 us | – | 5.30 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5325 B | 1.00 us | – | 5.33 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5350 B | 1.00 us | – | 5.35 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5374 B | 1.00 us | – | 5.37 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5398 B | 1.00 us | – | 5.40 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5422 B | 1.00 us | – | 5.42 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5446 B | 1.00 us | – | 5.45 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5470 B | 1.00 us | – | 5.47 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5494 B | 1.00 us | – | 5.49 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5518 B | 1.00 us | – | 5.52 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5542 B | 1.00 us | – | 5.54 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5566 B | 1.00 us | – | 5.57 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5590 B | 1.00 us | – | 5.59 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5615 B | 1.00 us | – | 5.62 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5639 B | 1.00 us | – | 5.64 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5663 B | 1.00 us | – | 5.66 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5687 B | 1.00 us | – | 5.69 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5711 B | 1.00 us | – | 5.71 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5735 B | 1.00 us | – | 5.74 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5759 B | 1.00 us | – | 5.76 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5783 B | 1.00 us | – | 5.78 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5807 B | 1.00 us | – | 5.81 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5831 B | 1.00 us | – | 5.83 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5855 B | 1.00 us | – | 5.86 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5880 B | 1.00 us | – | 5.88 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5904 B | 1.00 us | – | 5.90 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5928 B | 1.00 us | – | 5.93 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5952 B | 1.00 us | – | 5.95 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 5976 B | 1.00 us | – | 5.98 GB/s | 1.00 M/s | – | – |  |
| | sizes.csv | 6000 B | 1.00 us | – | 6.00 GB/s | 1.00 M/s | – | – |  |
| | \- | 1 B | 1.50 us | – | 667 kB/s | 667 k/s | – | – |  |
| | \- | 25 B | 1.50 us | – | 16.7 MB/s | 667 k/s | – | – |  |
| | \- | 49 B | 1.50 us | – | 32.7 MB/s | 667 k/s | – | – |  |
| | \- | 73 B | 1.50 us | – | 48.7 MB/s | 667 k/s | – | – |  |
| | \- | 97 B | 1.50 us | – | 64.7 MB/s | 667 k/s | – | – |  |
| | \- | 121 B | 1.50 us | – | 80.7 MB/s | 667 k/s | – | – |  |
| | \- | 146 B | 1.50 us | – | 97.3 MB/s | 667 k/s | – | – |  |
| | \- | 170 B | 1.50 us | – | 113 MB/s | 667 k/s | – | – |  |
| | \- | 194 B | 1.50 us | – | 129 MB/s | 667 k/s | – | – |  |
| | \- | 218 B | 1.50 us | – | 145 MB/s | 667 k/s | – | – |  |
| | \- | 242 B | 1.50 us | – | 161 MB/s | 667 k/s | – | – |  |
| | \- | 266 B | 1.50 us | – | 177 MB/s | 667 k/s | – | – |  |
| | \- | 290 B | 1.50 us | – | 193 MB/s | 667 k/s | – | – |  |
| | \- | 314 B | 1.50 us | – | 209 MB/s | 667 k/s | – | – |  |
| | \- | 338 B | 1.50 us | – | 225 MB/s | 667 k/s | – | – |  |
| | \- | 362 B | 1.50 us | – | 241 MB/s | 667 k/s | – | – |  |
| | \- | 386 B | 1.50 us | – | 257 MB/s | 667 k/s | – | – |  |
| | \- | 411 B | 1.50 us | – | 274 MB/s | 667 k/s | – | – |  |
| | \- | 435 B | 1.50 us | – | 290 MB/s | 667 k/s | – | – |  |
| | \- | 459 B | 1.50 us | – | 306 MB/s | 667 k/s | – | – |  |
| | \- | 483 B | 1.50 us | – | 322 MB/s | 667 k/s | – | – |  |
| | \- | 507 B | 1.50 us | – | 338 MB/s | 667 k/s | – | – |  |
| | \- | 531 B | 1.50 us | – | 354 MB/s | 667 k/s | – | – |  |
| | \- | 555 B | 1.50 us | – | 370 MB/s | 667 k/s | – | – |  |
| | \- | 579 B | 1.50 us | – | 386 MB/s | 667 k/s | – | – |  |
| | \- | 603 B | 1.50 us | – | 402 MB/s | 667 k/s | – | – |  |
| | \- | 627 B | 1.50 us | – | 418 MB/s | 667 k/s | – | – |  |
| | \- | 651 B | 1.50 us | – | 434 MB/s | 667 k/s | – | – |  |
| | \- | 676 B | 1.50 us | – | 451 MB/s | 667 k/s | – | – |  |
| | \- | 700 B | 1.50 us | – | 467 MB/s | 667 k/s | – | – |  |
| | \- | 724 B | 1.50 us | – | 483 MB/s | 667 k/s | – | – |  |
| | \- | 748 B | 1.50 us | – | 499 MB/s | 667 k/s | – | – |  |
| | \- | 772 B | 1.50 us | – | 515 MB/s | 667 k/s | – | – |  |
| | \- | 796 B | 1.50 us | – | 531 MB/s | 667 k/s | – | – |  |
| | \- | 820 B | 1.50 us | – | 547 MB/s | 667 k/s | – | – |  |
| | \- | 844 B | 1.50 us | – | 563 MB/s | 667 k/s | – | – |  |
| | \- | 868 B | 1.50 us | – | 579 MB/s | 667 k/s | – | – |  |
| | \- | 892 B | 1.50 us | – | 595 MB/s | 667 k/s | – | – |  |
| | \- | 917 B | 1.50 us | – | 611 MB/s | 667 k/s | – | – |  |
| | \- | 941 B | 1.50 us | – | 627 MB/s | 667 k/s | – | – |  |
| | \- | 965 B | 1.50 us | – | 643 MB/s | 667 k/s | – | – |  |
| | \- | 989 B | 1.50 us | – | 659 MB/s | 667 k/s | – | – |  |
| | \- | 1013 B | 1.50 us | – | 675 MB/s | 667 k/s | – | – |  |
| | \- | 1037 B | 1.50 us | – | 691 MB/s | 667 k/s | – | – |  |
| | \- | 1061 B | 1.50 us | – | 707 MB/s | 667 k/s | – | – |  |
| | \- | 1085 B | 1.50 us | – | 723 MB/s | 667 k/s | – | – |  |
| | \- | 1109 B | 1.50 us | – | 739 MB/s | 667 k/s | – | – |  |
| | \- | 1133 B | 1.50 us | – | 755 MB/s | 667 k/s | – | – |  |
| | \- | 1157 B | 1.50 us | – | 771 MB/s | 667 k/s | – | – |  |
| | \- | 1182 B | 1.50 us | – | 788 MB/s | 667 k/s | – | – |  |
| | \- | 1206 B | 1.50 us | – | 804 MB/s | 667 k/s | – | – |  |
| | \- | 1230 B | 1.50 us | – | 820 MB/s | 667 k/s | – | – |  |
| | \- | 1254 B | 1.50 us | – | 836 MB/s | 667 k/s | – | – |  |
| | \- | 1278 B | 1.50 us | – | 852 MB/s | 667 k/s | – | – |  |
| | \- | 1302 B | 1.50 us | – | 868 MB/s | 667 k/s | – | – |  |
| | \- | 1326 B | 1.50 us | – | 884 MB/s | 667 k/s | – | – |  |
| | \- | 1350 B | 1.50 us | – | 900 MB/s | 667 k/s | – | – |  |
| | \- | 1374 B | 1.50 us | – | 916 MB/s | 667 k/s | – | – |  |
| | \- | 1398 B | 1.50 us | – | 932 MB/s | 667 k/s | – | – |  |
| | \- | 1422 B | 1.50 us | – | 948 MB/s | 667 k/s | – | – |  |
| | \- | 1447 B | 1.50 us | – | 965 MB/s | 667 k/s | – | – |  |
| | \- | 1471 B | 1.50 us | – | 981 MB/s | 667 k/s | – | – |  |
| | \- | 1495 B | 1.50 us | – | 997 MB/s | 667 k/s | – | – |  |
| | \- | 1519 B | 1.50 us | – | 1.01 GB/s | 667 k/s | – | – |  |
| | \- | 1543 B | 1.50 us | – | 1.03 GB/s | 667 k/s | – | – |  |
| | \- | 1567 B | 1.50 us | – | 1.04 GB/s | 667 k/s | – | – |  |
| | \- | 1591 B | 1.50 us | – | 1.06 GB/s | 667 k/s | – | – |  |
| | \- | 1615 B | 1.50 us | – | 1.08 GB/s | 667 k/s | – | – |  |
| | \- | 1639 B | 1.50 us | – | 1.09 GB/s | 667 k/s | – | – |  |
| | \- | 1663 B | 1.50 us | – | 1.11 GB/s | 667 k/s | – | – |  |
| | \- | 1687 B | 1.50 us | – | 1.12 GB/s | 667 k/s | – | – |  |
| | \- | 1712 B | 1.50 us | – | 1.14 GB/s | 667 k/s | – | – |  |
| | \- | 1736 B | 1.50 us | – | 1.16 GB/s | 667 k/s | – | – |  |
| | \- | 1760 B | 1.50 us | – | 1.17 GB/s | 667 k/s | – | – |  |
| | \- | 1784 B | 1.50 us | – | 1.19 GB/s | 667 k/s | – | – |  |
| | \- | 1808 B | 1.50 us | – | 1.21 GB/s | 667 k/s | – | – |  |
| | \- | 1832 B | 1.50 us | – | 1.22 GB/s | 667 k/s | – | – |  |
| | \- | 1856 B | 1.50 us | – | 1.24 GB/s | 667 k/s | – | – |  |
| | \- | 1880 B | 1.50 us | – | 1.25 GB/s | 667 k/s | – | – |  |
| | \- | 1904 B | 1.50 us | – | 1.27 GB/s | 667 k/s | – | – |  |
| | \- | 1928 B | 1.50 us | – | 1.29 GB/s | 667 k/s | – | – |  |
| | \- | 1952 B | 1.50 us | – | 1.30 GB/s | 667 k/s | – | – |  |
| | \- | 1977 B | 1.50 us | – | 1.32 GB/s | 667 k/s | – | – |  |
| | \- | 2001 B | 1.50 us | – | 1.33 GB/s | 667 k/s | – | – |  |
| | \- | 2025 B | 1.50 us | – | 1.35 GB/s | 667 k/s | – | – |  |
| | \- | 2049 B | 1.50 us | – | 1.37 GB/s | 667 k/s | – | – |  |
| | \- | 2073 B | 1.50 us | – | 1.38 GB/s | 667 k/s | – | – |  |
| | \- | 2097 B | 1.50 us | – | 1.40 GB/s | 667 k/s | – | – |  |
| | \- | 2121 B | 1.50 us | – | 1.41 GB/s | 667 k/s | – | – |  |
| | \- | 2145 B | 1.50 us | – | 1.43 GB/s | 667 k/s | – | – |  |
| | \- | 2169 B | 1.50 us | – | 1.45 GB/s | 667 k/s | – | – |  |
| | \- | 2193 B | 1.50 us | – | 1.46 GB/s | 667 k/s | – | – |  |
| | \- | 2217 B | 1.50 us | – | 1.48 GB/s | 667 k/s | – | – |  |
| | \- | 2242 B | 1.50 us | – | 1.49 GB/s | 667 k/s | – | – |  |
| | \- | 2266 B | 1.50 us | – | 1.51 GB/s | 667 k/s | – | – |  |
| | \- | 2290 B | 1.50 us | – | 1.53 GB/s | 667 k/s | – | – |  |
| | \- | 2314 B | 1.50 us | – | 1.54 GB/s | 667 k/s | – | – |  |
| | \- | 2338 B | 1.50 us | – | 1.56 GB/s | 667 k/s | – | – |  |
| | \- | 2362 B | 1.50 us | – | 1.57 GB/s | 667 k/s | – | – |  |
| | \- | 2386 B | 1.50 us | – | 1.59 GB/s | 667 k/s | – | – |  |
| | \- | 2410 B | 1.50 us | – | 1.61 GB/s | 667 k/s | – | – |  |
| | \- | 2434 B | 1.50 us | – | 1.62 GB/s | 667 k/s | – | – |  |
| | \- | 2458 B | 1.50 us | – | 1.64 GB/s | 667 k/s | – | – |  |
| | \- | 2483 B | 1.50 us | – | 1.66 GB/s | 667 k/s | – | – |  |
| | \- | 2507 B | 1.50 us | – | 1.67 GB/s | 667 k/s | – | – |  |
| | \- | 2531 B | 1.50 us | – | 1.69 GB/s | 667 k/s | – | – |  |
| | \- | 2555 B | 1.50 us | – | 1.70 GB/s | 667 k/s | – | – |  |
| | \- | 2579 B | 1.50 us | – | 1.72 GB/s | 667 k/s | – | – |  |
| | \- | 2603 B | 1.50 us | – | 1.74 GB/s | 667 k/s | – | – |  |
| | \- | 2627 B | 1.50 us | – | 1.75 GB/s | 667 k/s | – | – |  |
| | \- | 2651 B | 1.50 us | – | 1.77 GB/s | 667 k/s | – | – |  |
| | \- | 2675 B | 1.50 us | – | 1.78 GB/s | 667 k/s | – | – |  |
| | \- | 2699 B | 1.50 us | – | 1.80 GB/s | 667 k/s | – | – |  |
| | \- | 2723 B | 1.50 us | – | 1.82 GB/s | 667 k/s | – | – |  |
| | \- | 2748 B | 1.50 us | – | 1.83 GB/s | 667 k/s | – | – |  |
| | \- | 2772 B | 1.50 us | – | 1.85 GB/s | 667 k/s | – | – |  |
| | \- | 2796 B | 1.50 us | – | 1.86 GB/s | 667 k/s | – | – |  |
| | \- | 2820 B | 1.50 us | – | 1.88 GB/s | 667 k/s | – | – |  |
| | \- | 2844 B | 1.50 us | – | 1.90 GB/s | 667 k/s | – | – |  |
| | \- | 2868 B | 1.50 us | – | 1.91 GB/s | 667 k/s | – | – |  |
| | \- | 2892 B | 1.50 us | – | 1.93 GB/s | 667 k/s | – | – |  |
| | \- | 2916 B | 1.50 us | – | 1.94 GB/s | 667 k/s | – | – |  |
| | \- | 2940 B | 1.50 us | – | 1.96 GB/s | 667 k/s | – | – |  |
| | \- | 2964 B | 1.50 us | – | 1.98 GB/s | 667 k/s | – | – |  |
| | \- | 2988 B | 1.50 us | – | 1.99 GB/s | 667 k/s | – | – |  |
| | \- | 3013 B | 1.50 us | – | 2.01 GB/s | 667 k/s | – | – |  |
| | \- | 3037 B | 1.50 us | – | 2.02 GB/s | 667 k/s | – | – |  |
| | \- | 3061 B | 1.50 us | – | 2.04 GB/s | 667 k/s | – | – |  |
| | \- | 3085 B | 1.50 us | – | 2.06 GB/s | 667 k/s | – | – |  |
| | \- | 3109 B | 1.50 us | – | 2.07 GB/s | 667 k/s | – | – |  |
| | \- | 3133 B | 1.50 us | – | 2.09 GB/s | 667 k/s | – | – |  |
| | \- | 3157 B | 1.50 us | – | 2.10 GB/s | 667 k/s | – | – |  |
| | \- | 3181 B | 1.50 us | – | 2.12 GB/s | 667 k/s | – | – |  |
| | \- | 3205 B | 1.50 us | – | 2.14 GB/s | 667 k/s | – | – |  |
| | \- | 3229 B | 1.50 us | – | 2.15 GB/s | 667 k/s | – | – |  |
| | \- | 3253 B | 1.50 us | – | 2.17 GB/s | 667 k/s | – | – |  |
| | \- | 3278 B | 1.50 us | – | 2.19 GB/s | 667 k/s | – | – |  |
| | \- | 3302 B | 1.50 us | – | 2.20 GB/s | 667 k/s | – | – |  |
| | \- | 3326 B | 1.50 us | – | 2.22 GB/s | 667 k/s | – | – |  |
| | \- | 3350 B | 1.50 us | – | 2.23 GB/s | 667 k/s | – | – |  |
| | \- | 3374 B | 1.50 us | – | 2.25 GB/s | 667 k/s | – | – |  |
| | \- | 3398 B | 1.50 us | – | 2.27 GB/s | 667 k/s | – | – |  |
| | \- | 3422 B | 1.50 us | – | 2.28 GB/s | 667 k/s | – | – |  |
| | \- | 3446 B | 1.50 us | – | 2.30 GB/s | 667 k/s | – | – |  |
| | \- | 3470 B | 1.50 us | – | 2.31 GB/s | 667 k/s | – | – |  |
| | \- | 3494 B | 1.50 us | – | 2.33 GB/s | 667 k/s | – | – |  |
| | \- | 3518 B | 1.50 us | – | 2.35 GB/s | 667 k/s | – | – |  |
| | \- | 3543 B | 1.50 us | – | 2.36 GB/s | 667 k/s | – | – |  |
| | \- | 3567 B | 1.50 us | – | 2.38 GB/s | 667 k/s | – | – |  |
| | \- | 3591 B | 1.50 us | – | 2.39 GB/s | 667 k/s | – | – |  |
| | \- | 3615 B | 1.50 us | – | 2.41 GB/s | 667 k/s | – | – |  |
| | \- | 3639 B | 1.50 us | – | 2.43 GB/s | 667 k/s | – | – |  |
| | \- | 3663 B | 1.50 us | – | 2.44 GB/s | 667 k/s | – | – |  |
| | \- | 3687 B | 1.50 us | – | 2.46 GB/s | 667 k/s | – | – |  |
| | \- | 3711 B | 1.50 us | – | 2.47 GB/s | 667 k/s | – | – |  |
| | \- | 3735 B | 1.50 us | – | 2.49 GB/s | 667 k/s | – | – |  |
| | \- | 3759 B | 1.50 us | – | 2.51 GB/s | 667 k/s | – | – |  |
| | \- | 3784 B | 1.50 us | – | 2.52 GB/s | 667 k/s | – | – |  |
| | \- | 3808 B | 1.50 us | – | 2.54 GB/s | 667 k/s | – | – |  |
| | \- | 3832 B | 1.50 us | – | 2.55 GB/s | 667 k/s | – | – |  |
| | \- | 3856 B | 1.50 us | – | 2.57 GB/s | 667 k/s | – | – |  |
| | \- | 3880 B | 1.50 us | – | 2.59 GB/s | 667 k/s | – | – |  |
| | \- | 3904 B | 1.50 us | – | 2.60 GB/s | 667 k/s | – | – |  |
| | \- | 3928 B | 1.50 us | – | 2.62 GB/s | 667 k/s | – | – |  |
| | \- | 3952 B | 1.50 us | – | 2.63 GB/s | 667 k/s | – | – |  |
| | \- | 3976 B | 1.50 us | – | 2.65 GB/s | 667 k/s | – | – |  |
| | \- | 4000 B | 1.50 us | – | 2.67 GB/s | 667 k/s | – | – |  |
| | \- | 4024 B | 1.50 us | – | 2.68 GB/s | 667 k/s | – | – |  |
| | \- | 4049 B | 1.50 us | – | 2.70 GB/s | 667 k/s | – | – |  |
| | \- | 4073 B | 1.50 us | – | 2.72 GB/s | 667 k/s | – | – |  |
| | \- | 4097 B | 1.50 us | – | 2.73 GB/s | 667 k/s | – | – |  |
| | \- | 4121 B | 1.50 us | – | 2.75 GB/s | 667 k/s | – | – |  |
| | \- | 4145 B | 1.50 us | – | 2.76 GB/s | 667 k/s | – | – |  |
| | \- | 4169 B | 1.50 us | – | 2.78 GB/s | 667 k/s | – | – |  |
| | \- | 4193 B | 1.50 us | – | 2.80 GB/s | 667 k/s | – | – |  |
| | \- | 4217 B | 1.50 us | – | 2.81 GB/s | 667 k/s | – | – |  |
| | \- | 4241 B | 1.50 us | – | 2.83 GB/s | 667 k/s | – | – |  |
| | \- | 4265 B | 1.50 us | – | 2.84 GB/s | 667 k/s | – | – |  |
| | \- | 4289 B | 1.50 us | – | 2.86 GB/s | 667 k/s | – | – |  |
| | \- | 4314 B | 1.50 us | – | 2.88 GB/s | 667 k/s | – | – |  |
| | \- | 4338 B | 1.50 us | – | 2.89 GB/s | 667 k/s | – | – |  |
| | \- | 4362 B | 1.50 us | – | 2.91 GB/s | 667 k/s | – | – |  |
| | \- | 4386 B | 1.50 us | – | 2.92 GB/s | 667 k/s | – | – |  |
| | \- | 4410 B | 1.50 us | – | 2.94 GB/s | 667 k/s | – | – |  |
| | \- | 4434 B | 1.50 us | – | 2.96 GB/s | 667 k/s | – | – |  |
| | \- | 4458 B | 1.50 us | – | 2.97 GB/s | 667 k/s | – | – |  |
| | \- | 4482 B | 1.50 us | – | 2.99 GB/s | 667 k/s | – | – |  |
| | \- | 4506 B | 1.50 us | – | 3.00 GB/s | 667 k/s | – | – |  |
| | \- | 4530 B | 1.50 us | – | 3.02 GB/s | 667 k/s | – | – |  |
| | \- | 4554 B | 1.50 us | – | 3.04 GB/s | 667 k/s | – | – |  |
| | \- | 4579 B | 1.50 us | – | 3.05 GB/s | 667 k/s | – | – |  |
| | \- | 4603 B | 1.50 us | – | 3.07 GB/s | 667 k/s | – | – |  |
| | \- | 4627 B | 1.50 us | – | 3.08 GB/s | 667 k/s | – | – |  |
| | \- | 4651 B | 1.50 us | – | 3.10 GB/s | 667 k/s | – | – |  |
| | \- | 4675 B | 1.50 us | – | 3.12 GB/s | 667 k/s | – | – |  |
| | \- | 4699 B | 1.50 us | – | 3.13 GB/s | 667 k/s | – | – |  |
| | \- | 4723 B | 1.50 us | – | 3.15 GB/s | 667 k/s | – | – |  |
| | \- | 4747 B | 1.50 us | – | 3.16 GB/s | 667 k/s | – | – |  |
| | \- | 4771 B | 1.50 us | – | 3.18 GB/s | 667 k/s | – | – |  |
| | \- | 4795 B | 1.50 us | – | 3.20 GB/s | 667 k/s | – | – |  |
| | \- | 4819 B | 1.50 us | – | 3.21 GB/s | 667 k/s | – | – |  |
| | \- | 4844 B | 1.50 us | – | 3.23 GB/s | 667 k/s | – | – |  |
| | \- | 4868 B | 1.50 us | – | 3.25 GB/s | 667 k/s | – | – |  |
| | \- | 4892 B | 1.50 us | – | 3.26 GB/s | 667 k/s | – | – |  |
| | \- | 4916 B | 1.50 us | – | 3.28 GB/s | 667 k/s | – | – |  |
| | \- | 4940 B | 1.50 us | – | 3.29 GB/s | 667 k/s | – | – |  |
| | \- | 4964 B | 1.50 us | – | 3.31 GB/s | 667 k/s | – | – |  |
| | \- | 4988 B | 1.50 us | – | 3.33 GB/s | 667 k/s | – | – |  |
| | \- | 5012 B | 1.50 us | – | 3.34 GB/s | 667 k/s | – | – |  |
| | \- | 5036 B | 1.50 us | – | 3.36 GB/s | 667 k/s | – | – |  |
| | \- | 5060 B | 1.50 us | – | 3.37 GB/s | 667 k/s | – | – |  |
| | \- | 5084 B | 1.50 us | – | 3.39 GB/s | 667 k/s | – | – |  |
| | \- | 5109 B | 1.50 us | – | 3.41 GB/s | 667 k/s | – | – |  |
| | \- | 5133 B | 1.50 us | – | 3.42 GB/s | 667 k/s | – | – |  |
| | \- | 5157 B | 1.50 us | – | 3.44 GB/s | 667 k/s | – | – |  |
| | \- | 5181 B | 1.50 us | – | 3.45 GB/s | 667 k/s | – | – |  |
| | \- | 5205 B | 1.50 us | – | 3.47 GB/s | 667 k/s | – | – |  |
| | \- | 5229 B | 1.50 us | – | 3.49 GB/s | 667 k/s | – | – |  |
| | \- | 5253 B | 1.50 us | – | 3.50 GB/s | 667 k/s | – | – |  |
| | \- | 5277 B | 1.50 us | – | 3.52 GB/s | 667 k/s | – | – |  |
| | \- | 5301 B | 1.50 us | – | 3.53 GB/s | 667 k/s | – | – |  |
| | \- | 5325 B | 1.50 us | – | 3.55 GB/s | 667 k/s | – | – |  |
| | \- | 5350 B | 1.50 us | – | 3.57 GB/s | 667 k/s | – | – |  |
| | \- | 5374 B | 1.50 us | – | 3.58 GB/s | 667 k/s | – | – |  |
| | \- | 5398 B | 1.50 us | – | 3.60 GB/s | 667 k/s | – | – |  |
| | \- | 5422 B | 1.50 us | – | 3.61 GB/s | 667 k/s | – | – |  |
| | \- | 5446 B | 1.50 us | – | 3.63 GB/s | 667 k/s | – | – |  |
| | \- | 5470 B | 1.50 us | – | 3.65 GB/s | 667 k/s | – | – |  |
| | \- | 5494 B | 1.50 us | – | 3.66 GB/s | 667 k/s | – | – |  |
| | \- | 5518 B | 1.50 us | – | 3.68 GB/s | 667 k/s | – | – |  |
| | \- | 5542 B | 1.50 us | – | 3.69 GB/s | 667 k/s | – | – |  |
| | \- | 5566 B | 1.50 us | – | 3.71 GB/s | 667 k/s | – | – |  |
| | \- | 5590 B | 1.50 us | – | 3.73 GB/s | 667 k/s | – | – |  |
| | \- | 5615 B | 1.50 us | – | 3.74 GB/s | 667 k/s | – | – |  |
| | \- | 5639 B | 1.50 us | – | 3.76 GB/s | 667 k/s | – | – |  |
| | \- | 5663 B | 1.50 us | – | 3.78 GB/s | 667 k/s | – | – |  |
| | \- | 5687 B | 1.50 us | – | 3.79 GB/s | 667 k/s | – | – |  |
| | \- | 5711 B | 1.50 us | – | 3.81 GB/s | 667 k/s | – | – |  |
| | \- | 5735 B | 1.50 us | – | 3.82 GB/s | 667 k/s | – | – |  |
| | \- | 5759 B | 1.50 us | – | 3.84 GB/s | 667 k/s | – | – |  |
| | \- | 5783 B | 1.50 us | – | 3.86 GB/s | 667 k/s | – | – |  |
| | \- | 5807 B | 1.50 us | – | 3.87 GB/s | 667 k/s | – | – |  |
| | \- | 5831 B | 1.50 us | – | 3.89 GB/s | 667 k/s | – | – |  |
| | \- | 5855 B | 1.50 us | – | 3.90 GB/s | 667 k/s | – | – |  |
| | \- | 5880 B | 1.50 us | – | 3.92 GB/s | 667 k/s | – | – |  |
| | \- | 5904 B | 1.50 us | – | 3.94 GB/s | 667 k/s | – | – |  |
| | \- | 5928 B | 1.50 us | – | 3.95 GB/s | 667 k/s | – | – |  |
| | \- | 5952 B | 1.50 us | – | 3.97 GB/s | 667 k/s | – | – |  |
| | \- | 5976 B | 1.50 us | – | 3.98 GB/s | 667 k/s | – | – |  |
| | \- | 6000 B | 1.50 us | – | 4.00 GB/s | 667 k/s | – | – |  |
|
| <details><summary>sizes.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
| <details><summary>standard input: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
! iosweep: 500 of 12000 rows with figures are shown: of each curve some sizes, evenly chosen, with the smallest and the largest; the results have the other 11500, and iosweep compare, fit and plot take all of them
! iosweep: 500 of 6000 cells are shown, those whose time per operation changed most; iosweep compare prints all of them
$ awk 'BEGIN { print "size_bytes,op_ns_median,notes"; for (i = 0; i < 150; i++) print "512,7,word" i; print "512,7,word3;cache_hits" }' >words.csv
$ iosweep report --format md words.csv | sed -n '/<summary>What/,/<\/details>/{ /word[1-9]/d; p; }'
| <details><summary>What the notes mean</summary>
|
| - **cache_hits** (1 row, 512 B): The row was meant to come from the storage, but memory answered part of it: these are not the figures of the storage. Use --cache direct, or a larger --file-size.
| - **word0** (1 row, 512 B)
|
| 50 notes of other words stand in the rows of the results only.
|
| </details>

# --- a text of a file is text
$ printf 'size_bytes,op_ns_median,test,target,label,notes\n4096,1000,read,"/a<script>|`x`*y*[z](w)&amp;\033[31m","@all #1 | ~~x~~\n\n# y",<b>;odd|\n4096,1000,read,"/b","1. \\|",odd\n8192,1000,read,"/b","1. \\|",odd\n' >hostile.csv
$ cp hostile.csv '<i>|@b.csv'; iosweep report --format md hostile.csv '<i>|@b.csv'
| ### read on /a&lt;script&gt;\|\`x\`\*y\*\[z\](w)&amp;amp;\\x1b\[31m and /b
|
| Operations of 4 KiB to 8 KiB.
|
| #### hostile.csv → &lt;i&gt;\|@<!-- -->b.csv
|
| - read: no verdict overall (time per operation +0.0 %, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 3 without verdict
|
| | cell | size | old | new | time/op | 95 % interval | verdict |
| |---|---:|---:|---:|---:|---:|---|
| | read, /a&lt;script&gt;\|\`x\`\*y\*\[z\](w)&amp;amp;\\x1b\[31m, @<!-- -->all \#<!-- -->1 \| \~\~x\~\~\\x0a\\x0a\#<!-- --> y | 4 KiB | 1.00 us | 1.00 us | +0.0 % | – | no verdict |
| | read, /b, 1. \\\| | 4 KiB | 1.00 us | 1.00 us | +0.0 % | – | no verdict |
| | read, /b, 1. \\\| | 8 KiB | 1.00 us | 1.00 us | +0.0 % | – | no verdict |
|
| #### read
|
| | curve | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---|
| | hostile.csv /a&lt;script&gt;\|\`x\`\*y\*\[z\](w)&amp;amp;\\x1b\[31m @<!-- -->all \#<!-- -->1 \| \~\~x\~\~\\x0a\\x0a\#<!-- --> y | 4 KiB | 1.00 us | – | 4.10 GB/s | 1.00 M/s | – | – | &lt;b&gt;, odd\| |
| | hostile.csv /b 1. \\x5c\| | 4 KiB | 1.00 us | – | 4.10 GB/s | 1.00 M/s | – | – | odd |
| | hostile.csv /b 1. \\x5c\| | 8 KiB | 1.00 us | – | 8.19 GB/s | 1.00 M/s | – | – | odd |
| | &lt;i&gt;\|@<!-- -->b.csv /a&lt;script&gt;\|\`x\`\*y\*\[z\](w)&amp;amp;\\x1b\[31m @<!-- -->all \#<!-- -->1 \| \~\~x\~\~\\x0a\\x0a\#<!-- --> y | 4 KiB | 1.00 us | – | 4.10 GB/s | 1.00 M/s | – | – | &lt;b&gt;, odd\| |
| | &lt;i&gt;\|@<!-- -->b.csv /b 1. \\x5c\| | 4 KiB | 1.00 us | – | 4.10 GB/s | 1.00 M/s | – | – | odd |
| | &lt;i&gt;\|@<!-- -->b.csv /b 1. \\x5c\| | 8 KiB | 1.00 us | – | 8.19 GB/s | 1.00 M/s | – | – | odd |
|
| <details><summary>What the notes mean</summary>
|
| - **&lt;b&gt;** (2 rows, 4 KiB)
| - **odd** (4 rows, 4 KiB to 8 KiB)
| - **odd\|** (2 rows, 4 KiB)
|
| </details>
| <details><summary>hostile.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
| <details><summary>&lt;i&gt;|@<!-- -->b.csv: machine, target and settings</summary>
|
| These results do not say on which machine and with which settings and command they were measured; results of --format json do.
|
|
| </details>
$ iosweep report --format html hostile.csv | body
| <!DOCTYPE html>
| <html lang="en">
| <head>
| <meta charset="utf-8"/>
| <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
| <meta name="viewport" content="width=device-width, initial-scale=1"/>
| <meta name="color-scheme" content="light dark"/>
| <meta name="generator" content="iosweep VERSION"/>
| <title>read on /a&lt;script&gt;|`x`*y*[z](w)&amp;amp;\x1b[31m and /b - iosweep</title>
| </head>
| <body>
| <header>
| <p class="name">iosweep report</p>
| <h1>read on /a&lt;script&gt;|`x`*y*[z](w)&amp;amp;\x1b[31m and /b</h1>
| <p>Operations of 4 KiB to 8 KiB.</p>
| <p class="meta">hostile.csv</p>
| <nav><a href="#curves">Curves</a><a href="#sizes">By size</a><a href="#notes">Notes</a><a href="#facts">Machine and settings</a><a href="#data">Data</a></nav>
| </header>
| <main>
| <section id="curves">
| <h2>The curves</h2>
| <p class="say">Points are medians over the rounds, bands their 95 % intervals; both axes are logarithmic.  A ring is around the smallest size with 90 % of the best throughput.</p>
| <div class="pair">
| <figure>
| <figcaption><b>read: throughput</b> </figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: throughput">
| <path class="g" d="M68 151.6H448"/><text class="y" x="62" y="155.6">5 GB/s</text><path class="g" d="M68 40.3H448"/><text class="y" x="62" y="44.3">10 GB/s</text><path class="g" d="M168.4 10V250"/><text class="x" x="168.4" y="263">4 KiB</text><path class="g" d="M347.6 10V250"/><text class="x" x="347.6" y="263">8 KiB</text><text class="x" x="258" y="280">I/O size</text>
| <path class="l c0 d0" d="M168.4 183.7"/>
| <path class="m c0" d="M168.4 183.7m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>4 KiB: 4.1 GB/s</title></path>
| <path class="l c1 d1" d="M168.4 183.7L347.6 72.3"/>
| <path class="m c1" d="M168.4 183.7m-2.9-2.9h5.8v5.8h-5.8z"><title>4 KiB: 4.1 GB/s</title></path>
| <path class="m c1" d="M347.6 72.3m-2.9-2.9h5.8v5.8h-5.8z"><title>8 KiB: 8.19 GB/s</title></path>
| </svg>
| </figure>
| <figure>
| <figcaption><b>read: time per operation</b> of all threads together, 1 / rate</figcaption>
| <svg viewBox="0 0 460 290" role="img" aria-label="read: time per operation">
| <path class="g" d="M68 239.3H448"/><text class="y" x="62" y="243.3">500 ns</text><path class="g" d="M68 128.0H448"/><text class="y" x="62" y="132.0">1 us</text><path class="g" d="M68 16.7H448"/><text class="y" x="62" y="20.7">2 us</text><path class="g" d="M168.4 10V250"/><text class="x" x="168.4" y="263">4 KiB</text><path class="g" d="M347.6 10V250"/><text class="x" x="347.6" y="263">8 KiB</text><text class="x" x="258" y="280">I/O size</text>
| <path class="l c0 d0" d="M168.4 128.0"/>
| <path class="m c0" d="M168.4 128.0m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"><title>4 KiB: 1 us</title></path>
| <path class="l c1 d1" d="M168.4 128.0L347.6 128.0"/>
| <path class="m c1" d="M168.4 128.0m-2.9-2.9h5.8v5.8h-5.8z"><title>4 KiB: 1 us</title></path>
| <path class="m c1" d="M347.6 128.0m-2.9-2.9h5.8v5.8h-5.8z"><title>8 KiB: 1 us</title></path>
| </svg>
| </figure>
| </div>
| <ul class="key"><li><svg viewBox="0 0 36 12" aria-hidden="true"><path class="l c0 d0" d="M1 6H35"/><path class="m c0" d="M18.0 6.0m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"/></svg>/a&lt;script&gt;|`x`*y*[z](w)&amp;amp;\x1b[31m @all #1 | ~~x~~\x0a\x0a# y</li><li><svg viewBox="0 0 36 12" aria-hidden="true"><path class="l c1 d1" d="M1 6H35"/><path class="m c1" d="M18.0 6.0m-2.9-2.9h5.8v5.8h-5.8z"/></svg>/b 1. \x5c|</li></ul>
| </section>
| <section id="sizes">
| <h2>By size</h2>
| <p class="say">Throughput and rate are over all of the time, time/op is that of the typical round, p50 to max are of single operations.  Columns have one unit each, so that the cells can be copied into a spreadsheet.</p>
| <div class="box" tabindex="0"><table class="rows"><caption>read: /a&lt;script&gt;|`x`*y*[z](w)&amp;amp;\x1b[31m @all #1 | ~~x~~\x0a\x0a# y</caption><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col" class="bar">throughput [MB/s]</th><th scope="col">rate [k/s]</th><th scope="col">time/op [ns]</th><th scope="col" class="w">notes</th></tr></thead><tbody>
| <tr><th scope="row">4 KiB</th><td>4096</td><td class="bar" style="--w:100%">4096</td><td>1000</td><td>1000</td><td class="w">&lt;b&gt;, odd|</td></tr>
| </tbody></table></div>
| <div class="box" tabindex="0"><table class="rows"><caption>read: /b 1. \x5c|</caption><thead><tr><th scope="col">size</th><th scope="col">size [B]</th><th scope="col" class="bar">throughput [MB/s]</th><th scope="col">rate [k/s]</th><th scope="col">time/op [ns]</th><th scope="col" class="w">notes</th></tr></thead><tbody>
| <tr><th scope="row">4 KiB</th><td>4096</td><td class="bar" style="--w:50%">4096</td><td>1000</td><td>1000</td><td class="w">odd</td></tr>
| <tr><th scope="row">8 KiB</th><td>8192</td><td class="bar" style="--w:100%">8192</td><td>1000</td><td>1000</td><td class="w">odd</td></tr>
| </tbody></table></div>
| </section>
| <section id="notes">
| <h2>Notes</h2>
| <p class="say">Words that qualify rows, the weightiest first, and what to do about them.</p>
| <dl>
| <dt>&lt;b&gt; <span class="dim">1 of 3 rows, 4 KiB</span></dt><dd>A note that this version does not know. </dd>
| <dt>odd <span class="dim">2 of 3 rows, 4 KiB to 8 KiB</span></dt><dd>A note that this version does not know. </dd>
| <dt>odd| <span class="dim">1 of 3 rows, 4 KiB</span></dt><dd>A note that this version does not know. </dd>
| </dl>
| </section>
| <section id="facts">
| <h2>Machine, settings, command</h2>
| <p class="say">What the files say of their runs, and how to repeat them.</p>
| <h3>hostile.csv</h3>
| <p>These results do not say on which machine and with which settings and command they were measured; results of --format json do.</p>
| </section>
| <section id="data">
| <h2>Data</h2>
| <p class="say">The results that this page was made of, as they were.</p>
| <details><summary>hostile.csv</summary>
| </section>
| </main>
| <footer>Made by iosweep VERSION.  This page needs no network and runs no script.</footer>
| </body>
| </html>
$ for label in '-a -b' '+a +b' 'a_b _c_' '$u$' 'a\\b'; do printf '%s\n' size_bytes,op_ns_median,label "1,1,$label" 1,2,x | iosweep report --format md - | grep '1.00 ns'; done
| | \-a -b | 1 B | 1.00 ns | – | 1.00 GB/s | 1.00 G/s | – | – |  |
| | \+a +b | 1 B | 1.00 ns | – | 1.00 GB/s | 1.00 G/s | – | – |  |
| | a_b \_c\_ | 1 B | 1.00 ns | – | 1.00 GB/s | 1.00 G/s | – | – |  |
| | \$u\$ | 1 B | 1.00 ns | – | 1.00 GB/s | 1.00 G/s | – | – |  |
| | a\\x5c\\x5cb | 1 B | 1.00 ns | – | 1.00 GB/s | 1.00 G/s | – | – |  |
$ printf '{"iosweep":"0.9","run":{"command":"iosweep ```x"},"rows":[{"size_bytes":4096,"op_ns_median":100000,"test":"read","notes":""}],"findings":["it is slow"]}\n' >fence.json; iosweep report --format md fence.json
| ### read
|
| Operations of 4 KiB.
|
| - it is slow
|
| #### read
|
| | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---:|---|
| | 4 KiB | 100 us | – | 41.0 MB/s | 10.0 k/s | – | – |  |
|
| <details><summary>fence.json: machine, target and settings</summary>
|
| ````sh
| iosweep ```x
| ````
|
| | fact | value |
| |---|---|
| | iosweep | 0.9 |
|
| </details>

# --- a report is read like its files
$ iosweep report -o both.html curve.csv new.csv; iosweep report -o curve.html curve.csv
$ iosweep report --format md curve.html | sed -n '/^|/p'
| | size | time/op | ± | throughput | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---:|---|
| | 4 KiB | 2.00 us | 5.0 % | 1.02 GB/s | 250 k/s | 1.80 us | 9.00 us | cache_hits, wide |
| | 8 KiB | 4.00 us | – | 2.05 GB/s | 250 k/s | 3.60 us | – |  |
| | size | time/op | ± | rate | p50 | p99 | notes |
| |---:|---:|---:|---:|---:|---:|---|
| | 1 B | 5.00 us | 2.0 % | 200 k/s | 4.80 us | 7.00 us | odd |
$ iosweep fit both.html curve.html
! iosweep: several runs are in this report: both.html; add #1 to #2 to its name: #1 curve.csv, #2 new.csv
? 2
$ iosweep fit both.html#3
! iosweep: no such run in this report: both.html#3; it has 2
? 2
$ iosweep report -o x.html both.html#3
! iosweep: no such run in this report: both.html#3; it has 2
? 2
$ iosweep report -o x.html curve.csv#1
! iosweep: not a report, so it has no numbered runs: curve.csv#1; leave out #1
? 2
$ sed '/iosweep-data/q' both.html >half.html; iosweep report -o x.html half.html
! iosweep: this report is cut off: half.html; it ends in the middle of its results
? 2
$ echo '<!DOCTYPE html><p>another page</p>' >other.html; iosweep report -o x.html other.html
! iosweep: no results of iosweep in this page: other.html; iosweep report leaves them out with --data never, and when they are larger than 16 MiB
? 2
$ iosweep report --format md both.html | grep '####'
| #### both.html (curve.csv) → both.html (new.csv)
| #### read
| #### stat

# --- what is refused: one line, and nothing is written
$ printf 'not,a,result\n' >broken.csv; head -1 curve.csv >empty.csv; sed -n '1p; 4p' curve.csv >skipped.csv; : >nothing.csv
$ sed 1d curve.csv >headless.csv; cut -d, -f1,6,7 curve.csv >few.csv; cut -d, -f2- curve.csv >sizeless.csv
$ for file in missing broken empty nothing skipped headless few sizeless; do iosweep report -o x.html $file.csv || echo $?; done
| 2
| 2
| 2
| 2
| 2
| 2
| 2
| 2
! iosweep: cannot read missing.csv: it does not exist; name a file of results, as iosweep -o FILE writes
! iosweep: not an iosweep result: broken.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
! iosweep: no rows of results in empty.csv; expected CSV or JSON output of iosweep
! iosweep: nothing to read in nothing.csv; it holds no results; did its run fail?
! iosweep: nothing was measured in skipped.csv
! iosweep: not an iosweep result: headless.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
! iosweep: too few columns in the header few.csv:1; needed are size_bytes and op_ns_median, rate_per_s, throughput_bytes_per_s or both operations and time_s
! iosweep: not an iosweep result: sizeless.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
$ awk 'BEGIN { print "size_bytes,op_ns_median,depth"; for (i = 1; i <= 301; i++) print "512,1000," i }' >too-many.csv; iosweep report -o x.html too-many.csv
! iosweep: too many curves for a report: too-many.csv; 301 of them, but 300 fit; use files with fewer tests, depths or loops
? 2
$ iosweep report
! iosweep: report needs a file of results; iosweep report FILE...
? 2
$ iosweep report -o x.gif curve.csv
! iosweep: unknown kind of report: x.gif; name it FILE.html or FILE.md, or add --format
? 2
$ iosweep report --format fods curve.csv
! iosweep: --format: unknown choice: fods; choose from html, md
? 2
$ iosweep report curve.csv
! iosweep: no kind of report named; use -o FILE.html or FILE.md, or --format
? 2
$ iosweep report -o x.html --data some curve.csv
! iosweep: --data: unknown choice: some; choose from auto, always, never
? 2
$ iosweep report -o x.html curve.csv curve.csv
! iosweep: given twice: curve.csv
? 2
$ iosweep report -o x.html - - <curve.csv
! iosweep: standard input can be read only once
? 2
$ iosweep report -o no/such/x.html curve.csv
! iosweep: cannot write the results to no/such/x.html: No such file or directory; the directory for it does not exist
? 2
$ cp curve.csv same.html; iosweep report -o same.html same.html
! iosweep: the output would overwrite an input: same.html; give the name of another file
? 2
$ iosweep report -o both.html both.html#1
! iosweep: the output would overwrite an input: both.html; give the name of another file
? 2
$ ls x.* no 2>/dev/null
? 2
