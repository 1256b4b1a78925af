#!/usr/bin/env python3
"""How much of the odometry's yaw error is the same whatever finds the motion.

    python3 bench/shared_errors.py DATA [--program build/release/fmbym]

Runs quite different configurations over the sequences of DATA and prints, for each against the default one, the correlation
of their yaw errors, averaged over stretches of 20 scans. Errors that all have in common are not the matcher's: they are in
the ground truth, or in what the sensor shows.
"""

import argparse
import csv
import math
import pathlib
import subprocess
import tempfile

STRETCH = 20  # scans
SEQUENCES = ["train-a", "train-b", "val"]
RUNS = {
    "127 pixels": ["--resolution", "127"],
    "511 pixels": ["--resolution", "511"],
    "scan to scan": ["--set", "map.fade=0", "--set", "map.keyframe_distance_m=0"],
    "not compensated": ["--set", "compensate=false"],
    "paper preset": ["--preset", "paper"],
}


def yaws(file):
    """By the time of the later scan [rad]."""
    with open(file, newline="") as lines:
        return {row["source_radar_timestamp"]: float(row["yaw"]) for row in csv.DictReader(lines)}


def errors(program, sequence, options):
    """Of the yaw, averaged over stretches [rad]."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "odometry", sequence, "--method", "f-raw", "--output", folder, *options]
        subprocess.run(command, check=True, capture_output=True)
        found = yaws(pathlib.Path(folder) / "increments.csv")
    truth = yaws(sequence / "gt" / "radar_odometry.csv")
    off = [found[time] - truth[time] for time in sorted(found) if time in truth]
    return [sum(off[i : i + STRETCH]) / STRETCH for i in range(len(off) - STRETCH + 1)]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return both / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="folder of the sequences " + ", ".join(SEQUENCES))
    parser.add_argument("--program", default="build/release/fmbym")
    options = parser.parse_args()
    print("| against the default preset at 255 | " + " | ".join(SEQUENCES) + " |")
    print("|---" * (len(SEQUENCES) + 1) + "|")
    usual = {s: errors(options.program, options.data / s, []) for s in SEQUENCES}
    for name, extra in RUNS.items():
        found = [correlation(usual[s], errors(options.program, options.data / s, extra)) for s in SEQUENCES]
        print(f"| {name} | " + " | ".join(f"{value:.2f}" for value in found) + " |", flush=True)


if __name__ == "__main__":
    main()
