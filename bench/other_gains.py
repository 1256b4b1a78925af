#!/usr/bin/env python3
"""The odometry on scans as a radar with another gain would have made them.

    python3 bench/other_gains.py DATA [--program build/release/fmbym] [--options --set mask.returns=0 …]

Writes the sequences of DATA again, every power times a gain and plus an offset, runs the program over them and prints the KITTI
errors. Needs NumPy and Pillow (python3-numpy, python3-pil).
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

import numpy
from PIL import Image

HEADER = 11  # bytes of a row before its powers
SEQUENCES = ["train-a", "train-b", "val"]
RECEIVERS = [(1, 0), (0.35, 0), (0.5, 0), (0.7, 0), (1.3, 0), (1, 25), (0.8, -15)]  # gain, offset


def write_again(sequence, folder, gain, offset):
    shutil.copytree(sequence, folder, ignore=shutil.ignore_patterns("*.png"))
    for file in sequence.glob("radar/*.png"):
        scan = numpy.array(Image.open(file))
        scan[:, HEADER:] = numpy.clip(numpy.round(scan[:, HEADER:] * gain + offset), 0, 255)
        Image.fromarray(scan).save(folder / "radar" / file.name, compress_level=1)


def score(program, sequence, options, output):
    command = [program, "odometry", sequence, "--json", "--output", output, *options]
    kitti = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["kitti"]
    return f"{kitti['translation_percent']:.2f} / {kitti['rotation_deg_per_km']:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="folder of the sequences")
    parser.add_argument("--program", default="build/release/fmbym")
    parser.add_argument("--options", nargs=argparse.REMAINDER, default=[], help="for fmbym odometry; the last ones")
    arguments = parser.parse_args()
    print(f"| gain, offset | {' | '.join(SEQUENCES)} |\n|---|{'---|' * len(SEQUENCES)}")
    for gain, offset in RECEIVERS:
        cells = []
        for name in SEQUENCES:
            with tempfile.TemporaryDirectory() as folder:
                changed = pathlib.Path(folder) / name
                write_again(arguments.data / name, changed, gain, offset)
                cells.append(score(arguments.program, changed, arguments.options, pathlib.Path(folder) / "out"))
        print(f"| {gain}, {offset} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
