#!/usr/bin/env python3
"""How often the odometry takes a rotation for quite another one.

    python3 bench/gross_errors.py SEQUENCE… [--program build/release/fmbym] [--options --preset paper …]

Prints, for each sequence with ground truth: its score; the mean, the median and the largest error in yaw from scan to scan, the mean
with its sign, clockwise positive; and how many are off by more than a degree. A sequence too short for a score has none.
"""

import math
import statistics
import tempfile

import program

GROSS = 1  # [°]


def main():
    arguments = program.parse_arguments(__doc__, "a sequence with ground truth", several=True)
    print("| | % | °/km | mean [°] | median [°] | largest [°] | above 1° | scans |\n|---|---|---|---|---|---|---|---|")
    for sequence in arguments.folder:
        with tempfile.TemporaryDirectory() as folder:
            score = program.odometry(arguments.program, sequence, folder, arguments.options)["kitti"]
            found, truth = program.increments(sequence, folder, "yaw")
        signed = [math.degrees(a - b) for a, b in zip(found, truth)]
        errors = [abs(error) for error in signed]
        gross = sum(error > GROSS for error in errors)
        drift = f"{score['translation_percent']:.2f} | {score['rotation_deg_per_km']:.1f}" if score else "– | –"
        typical = f"{statistics.fmean(signed):+.3f} | {statistics.median(errors):.3f}"
        print(f"| {sequence.name} | {drift} | {typical} | {max(errors):.2f} | {gross} | {len(errors)} |", flush=True)


if __name__ == "__main__":
    main()
