#!/usr/bin/env python3
"""What the search makes of rotations that are known exactly: one scan after itself, turned.

    python3 bench/turned_scans.py DATA/train-b [--program build/release/fmbym] [--options --method f-mbym …]

Writes scans of the sequence again and again, each time with other encoder angles, runs the program over them and prints the error of
its yaw. A negative bias is a pull towards no rotation. Needs NumPy and Pillow (python3-numpy, python3-pil).
"""

import pathlib
import random
import sys
import tempfile

import numpy
import program
from PIL import Image

COUNTS = 5600  # of the encoder, in a turn
LARGEST = 16  # counts that a scan is turned by; one is 0.064°
EVERY, TURNS = 90, 25  # every so many scans of the sequence, each turned so often
PERIOD = 250000  # µs
LIMITS = [0.01, 0.15, 0.3, 0.5, 0.75, 1.1]  # of the rows of the table [°]


def write_turned(sequence, folder):
    """Returns the rotation to each scan from the one before it [°], None where another scan begins."""
    (folder / "radar").mkdir(parents=True)
    generator = random.Random(1)
    rotations, stamps = [], []
    files = sorted(sequence.glob("radar/*.png"))[EVERY // 2 :: EVERY]
    if not files:
        sys.exit(f"{sequence}: fewer than {EVERY // 2 + 1} scans in its folder radar; give a longer sequence")
    for file in files:
        scan = numpy.array(Image.open(file))
        encoder = scan[:, 8].astype(int) + 256 * scan[:, 9].astype(int)
        for repeat in range(TURNS):
            turn = generator.randint(-LARGEST, LARGEST)
            encoder = (encoder + turn) % COUNTS
            stamp = 1_500_000_000_000_000 + len(stamps) * PERIOD
            times = stamp + numpy.arange(len(scan)) * PERIOD // len(scan)
            scan[:, :8] = times.astype("<i8").view(numpy.uint8).reshape(-1, 8)
            scan[:, 8], scan[:, 9] = encoder % 256, encoder // 256
            Image.fromarray(scan).save(folder / "radar" / f"{stamp}.png", compress_level=1)
            stamps.append(stamp)
            rotations.append(turn * 360 / COUNTS if repeat else None)
    (folder / "radar.timestamps").write_text("".join(f"{stamp} 1\n" for stamp in stamps))
    return rotations


def main():
    arguments = program.parse_arguments(__doc__, "a sequence")
    with tempfile.TemporaryDirectory() as folder:
        turned, output = pathlib.Path(folder) / "turned", pathlib.Path(folder) / "out"
        rotations = write_turned(arguments.folder, turned)
        program.odometry(arguments.program, turned, output, arguments.options)
        found = [numpy.degrees(yaw) for yaw in program.column(output / "increments.csv", "yaw").values()]
    # Turning the antenna's angles one way turns the world that way, and the vehicle the other.
    pairs = numpy.array([(-truth, yaw) for truth, yaw in zip(rotations[1:], found) if truth is not None])
    truth, error = pairs[:, 0], pairs[:, 1] - pairs[:, 0]
    print("| rotation [°] | bias [°] | deviation [°] |\n|---|---|---|")
    for low, high in zip(LIMITS, LIMITS[1:]):
        here = (abs(truth) >= low) & (abs(truth) < high)
        bias = (error * numpy.sign(truth))[here].mean()
        print(f"| {low} to {high} | {bias:+.3f} | {error[here].std():.3f} |")


if __name__ == "__main__":
    main()
