#!/usr/bin/env python3
"""The odometry on scans as a radar with another gain would have made them.

    python3 bench/other_gains.py DATA [--program build/release/fmbym] [--options --set mask.returns=0 …]

Writes the sequences of DATA again, every power times a gain and plus an offset, runs the program over them and prints the KITTI
errors. Needs NumPy and Pillow (python3-numpy, python3-pil).
"""

import pathlib
import shutil
import tempfile

import numpy
import program
from PIL import Image

HEADER = 11  # bytes of a row before its powers
RECEIVERS = [(1, 0), (0.35, 0), (0.5, 0), (0.7, 0), (1.3, 0), (1, 25), (0.8, -15)]  # gain, offset


def write_again(sequence, folder, gain, offset):
    shutil.copytree(sequence, folder, ignore=shutil.ignore_patterns("*.png"))
    for file in sequence.glob("radar/*.png"):
        scan = numpy.array(Image.open(file))
        scan[:, HEADER:] = numpy.clip(numpy.round(scan[:, HEADER:] * gain + offset), 0, 255)
        Image.fromarray(scan).save(folder / "radar" / file.name, compress_level=1)


def main():
    arguments = program.parse_arguments(__doc__, "that of the sequences " + ", ".join(program.SEQUENCES))
    sequences = program.sequences(arguments.folder)
    print(f"| gain, offset | {' | '.join(sequences)} |\n|---|{'---|' * len(sequences)}")
    for gain, offset in RECEIVERS:
        cells = []
        for name, sequence in sequences.items():
            with tempfile.TemporaryDirectory() as folder:
                changed, output = pathlib.Path(folder) / name, pathlib.Path(folder) / "out"
                write_again(sequence, changed, gain, offset)
                kitti = program.odometry(arguments.program, changed, output, arguments.options)["kitti"]
                cells.append(f"{kitti['translation_percent']:.2f} / {kitti['rotation_deg_per_km']:.1f}")
        print(f"| {gain}, {offset} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
