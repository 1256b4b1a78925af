#!/usr/bin/env python3
"""How much of the odometry's yaw error is the same whatever finds the motion.

    python3 bench/shared_errors.py DATA [--program build/release/fmbym]

Runs quite different configurations over the sequences of DATA and prints, for each against the default one, the correlation
of their yaw errors, averaged over stretches of 20 scans. Errors that all have in common are not the matcher's: they are in
the ground truth, or in what the sensor shows.
"""

import math
import tempfile

import program

STRETCH = 20  # scans
RUNS = {
    "127 pixels": ["--resolution", "127"],
    "511 pixels": ["--resolution", "511"],
    "scan to scan": ["--set", "map.fade=0", "--set", "map.keyframe_distance_m=0"],
    "not compensated": ["--set", "compensate=false"],
    "paper preset": ["--preset", "paper"],
}


def errors(arguments, sequence, options):
    """Of the yaw, averaged over stretches [rad]."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--method", "f-raw", *options, *arguments.options]
        program.odometry(arguments.program, sequence, folder, options)
        found, truth = program.increments(sequence, folder, "yaw")
    off = [a - b for a, b in zip(found, truth)]
    return [sum(off[i : i + STRETCH]) / STRETCH for i in range(len(off) - STRETCH + 1)]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return both / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))


def main():
    arguments = program.parse_arguments(__doc__, "that of the sequences " + ", ".join(program.SEQUENCES))
    sequences = program.sequences(arguments.folder)
    print("| against the default preset at 255 | " + " | ".join(sequences) + " |")
    print("|---" * (len(sequences) + 1) + "|")
    usual = {name: errors(arguments, path, []) for name, path in sequences.items()}
    for run, options in RUNS.items():
        found = [correlation(usual[name], errors(arguments, path, options)) for name, path in sequences.items()]
        print(f"| {run} | " + " | ".join(f"{value:.2f}" for value in found) + " |", flush=True)


if __name__ == "__main__":
    main()
