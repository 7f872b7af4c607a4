#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep fit: lines through curves whose parameters are known, without noise, with it, with points
that were disturbed; curves that are no line; every magnitude; and what is said and refused.  Lines
through the origin are in witness.py."""

import math
import random
import unittest

import support
from iosweep_results import fit, read

SIZES = [2**i for i in range(1, 25)]  # 2 B to 16 MiB


def line(sizes, t0_ns=1000, bytes_per_s=8e9):
    return [t0_ns + size / bytes_per_s * 1e9 for size in sizes]


def noisy(times, seed, share=0.03):
    rng = random.Random(seed)
    return [t * (1 + share * rng.gauss(0, 1)) for t in times]


def bent(sizes, before, after, at=1 << 20):
    """The slope changes at that size."""
    return [
        t + max(size - at, 0) * (1e9 / after - 1e9 / before)
        for size, t in zip(sizes, line(sizes, 1000, before))
    ]


class Lines(unittest.TestCase):
    def near(self, value, expected, share):
        self.assertLessEqual(abs(value - expected), share * abs(expected), (value, expected))

    def is_line(self, found, t0_ns, bytes_per_s, share):
        self.near(found.t0_ns, t0_ns, share)
        self.near(found.bandwidth_bytes_per_s, bytes_per_s, share)

    def test_a_line_is_found(self):
        whole = fit.fit(SIZES, line(SIZES))
        self.is_line(whole, 1000, 8e9, 1e-9)
        self.near(whole.half_bytes, 8000, 1e-9)
        self.assertLess(abs(whole.worst), 1e-9)
        self.assertEqual((whole.points, whole.from_bytes, whole.to_bytes), (24, 2, 16 << 20))
        self.near(whole.ns(8000), 2000, 1e-9)
        self.near(whole.residual(8000, 3000), 0.5, 1e-6)

    def test_any_magnitude(self):
        for first, last, t0_ns, bytes_per_s in (
            (0, 44, 1000, 1e9), (0, 44, 1e6, 5e10), (30, 44, 1e9, 1e9), (0, 3, 3e-3, 1e15),
            (0, 6, 1e12, 1e-3), (9, 22, 46800, 1.46e9), (60, 64, 1e15, 1e12), (10, 40, 16e3, 11e9),
        ):  # fmt: skip
            sizes = [2**i for i in range(first, last + 1)]
            whole = fit.fit(sizes, line(sizes, t0_ns, bytes_per_s))
            self.is_line(whole, t0_ns, bytes_per_s, 1e-3)
            self.assertLess(abs(whole.worst), 1e-3)

    def test_noise_is_borne(self):
        wrong = 0
        for seed in range(60):
            whole = fit.fit(SIZES, noisy(line(SIZES), seed))
            self.is_line(whole, 1000, 8e9, 0.05)
            self.assertTrue(0.5 < whole.mean_error_percent < 6)
            wrong += abs(whole.t0_ns / 1000 - 1) > 0.03
        self.assertLessEqual(wrong, 1)

    def test_disturbed_points_are_borne(self):
        wrong = 0
        for seed in range(100):
            times = noisy(line(SIZES), seed)
            disturbed = random.Random(seed).sample(range(len(SIZES)), 2)
            for i in disturbed:
                times[i] *= 3
            whole = fit.fit(SIZES, times)
            self.is_line(whole, 1000, 8e9, 0.1)
            wrong += abs(whole.t0_ns / 1000 - 1) > 0.03
            self.assertGreater(abs(whole.worst), 1.7)  # they are not hidden
            self.assertIn(whole.worst_bytes, [SIZES[i] for i in disturbed])
        self.assertLessEqual(wrong, 10)

    def test_what_is_no_line(self):
        sizes = [512 * 2**i for i in range(8)]
        flat = fit.fit(sizes, [5000.0] * 8)  # the time does not depend on the size
        self.near(flat.t0_ns, 5000, 1e-9)
        self.assertGreater(flat.bandwidth_bytes_per_s, 1e15)
        falling = fit.fit(sizes, [9000.0 - 1000 * i for i in range(8)])
        self.assertEqual((falling.bandwidth_bytes_per_s, falling.half_bytes), (math.inf, math.inf))
        self.assertTrue(2000 < falling.t0_ns == falling.ns(10**12) < 9000)

    def test_too_little(self):
        self.assertIsNone(fit.fit([], []))
        self.assertIsNone(fit.fit([512, 1024, 2048] + [2048] * 17, [5000.0] * 20))
        for time_ns in 1e-320, 1e-160, 1e160, 1e308:  # whose squares no double holds
            fit.fit(SIZES, [time_ns * i for i in range(1, 25)])


class Knees(support.Scratch):
    def test_knee_and_best_size_respect_the_intervals(self):
        for speeds, sizes in (  # of the best, and of 90 % of it
            (((50, 48, 52), (95, 94, 96), (100, 99, 101)), (3, 2)),
            (((50, 48, 52), (95, 94, 99.5), (100, 99, 101)), (None, 2)),
            (((50, 48, 52), (100, 99, 101), (95, 94, 99.5)), (None, 2)),
            (((80, 60, 120), (95, 70, 130), (100, 90, 110)), (None, None)),
            (((50, 48, 52), (95, 70, 96), (100, 99, 101)), (3, None)),
            (((50, 48, 52), (95, 94, math.inf), (100, 99, 101)), (None, 2)),
            (((80,), (95,), (100,)), (3, 2)),
        ):
            rows = []
            for size, speed in enumerate(speeds, 1):
                mean, *ends = (size / value for value in speed)
                rows.append([size, mean, *reversed(ends)])
            width = len(rows[0])
            self.write("a.csv", "".join(",".join(map(str, row)) + "\n" for row in [
                ["size_bytes", "op_ns_mean", "op_ns_low", "op_ns_high"][:width], *rows]))
            best_per_s, *found = fit.knee(read.read("a.csv").rows)
            self.assertEqual(tuple(found), sizes)
            self.assertAlmostEqual(best_per_s, 1e11)


class Command(support.Scratch):
    def csv(self, rows, header="size_bytes,op_ns_mean,test,notes"):
        with open("a.csv", "w", encoding="utf-8") as stream:
            stream.writelines(",".join(map(str, row)) + "\n" for row in [[header], *rows])

    def test_a_line_that_is_far_off_is_reported(self):
        sizes, noisy = [2**i for i in range(1, 27)], ("drift", "outliers;wide")
        for before, after, note, said in (
            (1e9, 8e9, "outliers", "64 MiB, where operations take 81 % less than predicted; look"
             " at knee90 (32 MiB)"),
            (1e9, 8e9, "drift", "knee90 (32 MiB), or repeat the sweep on an idle machine"),
            (1e9, 8e9, "outliers;wide", "less than predicted; repeat the sweep on an idle machine"),
            (8e9, 1e9, "widest", "% longer than predicted; look at knee90 ("),
            (1e9, 1.1e9, "", None),
        ):
            with self.subTest(before=before, after=after, note=note):
                notes = ["", note] + [""] * 24
                self.csv(zip(sizes, bent(sizes, before, after), ["read"] * 26, notes))
                status, errors, _ = support.run(["fit", "a.csv"])
                self.assertEqual((status, len(errors)), (0, said is not None))
                for sentence in errors:
                    self.assertIn("iosweep: read: the line does not fit the curve at ", sentence)
                    self.assertIn(said, sentence)
                    self.assertEqual(sentence.endswith("idle machine"), note in noisy)

    def test_what_is_left_out(self):
        rows = [(size, t, "stat", "") for size, t in zip(SIZES, line(SIZES))]
        self.csv(rows)
        status, errors, _ = support.run(["fit", "a.csv"])
        self.assertEqual((status, errors), (2, [
            "iosweep: nothing to fit in a.csv; all its rows were skipped, or are of tests that move"
            " no data"]))
        self.csv([(8, "", "read", ""), (16, "", "read", "")])
        self.assertEqual(len(support.run(["fit", "a.csv"])[1]), 1)
        self.csv(rows + [(size, 100, "read", "") for size in SIZES[:3]] + [(8, "", "read", "")])
        status, errors, _ = support.run(["fit", "a.csv"])
        self.assertEqual(status, 1)
        self.assertIn("25 of 28 rows left out: no figures, or of tests that", errors[0])
        self.assertIn("read: no line: 3 sizes with figures, at least 4 are needed", errors[1])

    def test_what_takes_too_long_is_refused(self):
        self.csv([(512 + i % 9, 1000 + i % 7, "read", "") for i in range(50_001)])
        status, errors, out = support.run(["fit", "a.csv"])
        self.assertEqual((status, out, len(errors)), (2, "", 1))
        self.assertIn("more than 50000 rows", errors[0])


if __name__ == "__main__":
    unittest.main()
