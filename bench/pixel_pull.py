#!/usr/bin/env python3
"""Whether the odometry's translation is drawn to whole pixels.

    python3 bench/pixel_pull.py DATA [--program build/release/fmbym] [--options --preset paper …]

Prints the mean error along the road by what part of a pixel the true motion is beyond a whole number of them, over all sequences of
DATA. Errors below zero up to the middle and above zero from there on are a pull.
"""

import statistics
import tempfile

import program

SIDE = 102.4  # of an image and the pixel beyond [m]
PARTS = 5
SLOWEST, GROSS = 0.3, 0.3  # [m]: hardly a motion, and none of these errors


def main():
    arguments = program.parse_arguments(__doc__, "that of the sequences " + ", ".join(program.SEQUENCES))
    errors = [[] for _ in range(PARTS)]
    for sequence in program.sequences(arguments.folder).values():
        with tempfile.TemporaryDirectory() as folder:
            run = program.odometry(arguments.program, sequence, folder, arguments.options)
            found, truth = program.increments(sequence, folder, "x")
        pixel = SIDE / (run["resolution"] + 1)
        for a, b in zip(found, truth):
            if b > SLOWEST and abs(a - b) < GROSS:
                errors[int(b / pixel % 1 * PARTS)].append(a - b)
    print("| part of a pixel | mean error [m] | motions |\n|---|---|---|")
    for part, here in enumerate(errors):
        mean = f"{statistics.fmean(here):+.3f}" if here else "–"
        print(f"| {part / PARTS:.1f} to {(part + 1) / PARTS:.1f} | {mean} | {len(here)} |")


if __name__ == "__main__":
    main()
