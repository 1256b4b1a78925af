#!/usr/bin/env python3
"""How often the odometry takes a rotation for quite another one.

    python3 bench/gross_errors.py SEQUENCE… [--program build/release/fmbym] [--options --preset paper …]

Prints, for each sequence with ground truth: its score, the median and the largest error in yaw from scan to scan, and how many are
off by more than a degree. A sequence too short for a score has none.
"""

import math
import statistics
import tempfile

import program

GROSS = 1  # [°]


def main():
    arguments = program.parse_arguments(__doc__, "a sequence with ground truth", several=True)
    print("| | % | °/km | median [°] | largest [°] | above 1° | scans |\n|---|---|---|---|---|---|---|")
    for sequence in arguments.folder:
        with tempfile.TemporaryDirectory() as folder:
            score = program.odometry(arguments.program, sequence, folder, arguments.options)["kitti"]
            found, truth = program.increments(sequence, folder, "yaw")
        errors = [abs(math.degrees(a - b)) for a, b in zip(found, truth)]
        gross = sum(error > GROSS for error in errors)
        drift = f"{score['translation_percent']:.2f} | {score['rotation_deg_per_km']:.1f}" if score else "– | –"
        print(
            f"| {sequence.name} | {drift} | {statistics.median(errors):.3f} | {max(errors):.2f} | {gross} | {len(errors)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
