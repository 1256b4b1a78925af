#!/usr/bin/env python3
"""Makes the simulated drives that weights were trained on: short, and no two through the same town, noise or traffic.

    python3 bench/training_drives.py OUT [--seeds N] [--program build/release/fmbym]

Writes OUT/STYLE-SEED, four styles of each of the seeds from 401 on; what is there already is left as it is. models/README.md says
which weights have learnt from how many of them.
"""

import argparse
import pathlib
import random

import program

STYLES = ["urban", "suburban", "highway", "park"]
FIRST_SEED, SCANS = 401, 60


def drives(seeds):
    for number in range(len(STYLES) * seeds):
        noise = random.Random(number + 1).uniform(0.7, 1.4)
        moving = random.Random(number + 1001).choice([4, 8, 12, 20, 30])
        yield STYLES[number % len(STYLES)], FIRST_SEED + number // len(STYLES), noise, moving


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--program", default="build/release/fmbym")
    arguments = parser.parse_args()
    for style, seed, noise, moving in drives(arguments.seeds):
        drive = arguments.output / f"{style}-{seed}"
        if drive.exists():
            continue
        options = ["--style", style, "--seed", str(seed), "--scans", str(SCANS), "--reduced"]
        options += ["--noise", f"{noise:.2f}", "--moving", str(moving)]
        program.run_json(arguments.program, "simulate", drive, *options)
        print(drive, flush=True)


if __name__ == "__main__":
    main()
