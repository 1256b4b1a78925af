#!/usr/bin/env python3
"""Which part of the odometry's yaw error adds up, and which grows with the rotation squared.

    python3 bench/yaw_drift.py DATA [--program build/release/fmbym] [--options --preset paper …]

Prints, for the sequences of DATA: the mean error from scan to scan; the deviation of its sums over stretches of 40 scans, beside
what independent errors would make; and the error over δ²/2π, δ being the true rotation, as a line through them all has it: -1 where
scans are compared as they were measured, and the motion between two sightings of a landmark is taken for that of a turn.
"""

import math
import statistics
import tempfile

import program

STRETCH = 40  # scans
GROSS = math.radians(3)  # such an error is none of these


def drift(found, truth):
    pairs = [(a - b, b) for a, b in zip(found, truth) if abs(a - b) < GROSS]
    errors = [error for error, _ in pairs]
    sums = [sum(errors[i : i + STRETCH]) for i in range(0, len(errors) - STRETCH + 1, STRETCH // 2)]
    squares = [turned * turned / (2 * math.pi) for _, turned in pairs]
    return {
        "mean error [°]": math.degrees(statistics.fmean(map(abs, errors))),
        "sums over 40 scans [°]": math.degrees(statistics.pstdev(sums)),
        "if independent [°]": math.degrees(statistics.pstdev(errors)) * math.sqrt(STRETCH),
        "error over δ²/2π": sum(e * s for e, s in zip(errors, squares)) / sum(s * s for s in squares),
    }


def main():
    arguments = program.parse_arguments(__doc__, "that of the sequences " + ", ".join(program.SEQUENCES))
    for number, (name, sequence) in enumerate(program.sequences(arguments.folder).items()):
        with tempfile.TemporaryDirectory() as folder:
            program.odometry(arguments.program, sequence, folder, arguments.options)
            found, truth = program.increments(sequence, folder, "yaw")
        row = drift(found, truth)
        if number == 0:
            print(f"| | {' | '.join(row)} |\n|---|{'---|' * len(row)}")
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in row.values())} |", flush=True)


if __name__ == "__main__":
    main()
