"""What the benchmarks in Python have in common: their arguments, and a run of the program."""

import argparse
import csv
import json
import pathlib
import subprocess
import sys

SEQUENCES = ["train-a", "train-b", "val"]


def parse_arguments(documentation, folder, several=False):
    """Of a benchmark that takes this folder or several such, the program, and options for its runs."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="+" if several else None, help=folder)
    parser.add_argument("--program", default="build/release/fmbym")
    parser.add_argument("--options", nargs=argparse.REMAINDER, default=[], help="for fmbym odometry; the last ones")
    return parser.parse_args()


def sequences(folder):
    """The three of this folder, by name."""
    found = {name: folder / name for name in SEQUENCES}
    for path in found.values():
        if not any(path.glob("radar/*.png")):
            sys.exit(f"{path}: no scans; give the folder that holds {', '.join(SEQUENCES)}")
    return found


def run_json(program, *arguments):
    """Returns the JSON it prints. Ends with what the program has to say where it fails."""
    try:
        run = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{program}: {error.strerror}; build it, or name it with --program")
    if run.returncode != 0:
        sys.exit(run.stderr.strip())
    return json.loads(run.stdout)


def odometry(program, sequence, output, options):
    return run_json(program, "odometry", sequence, "--output", output, *options)


def column(file, name):
    """Of a file of increments, by the time of the later scan [m or rad]."""
    with open(file, newline="") as lines:
        return {row["source_radar_timestamp"]: float(row[name]) for row in csv.DictReader(lines)}


def increments(sequence, output, name):
    """One column of what a run found and of the ground truth, from scan to scan."""
    found = column(pathlib.Path(output) / "increments.csv", name)
    ground_truth = sequence / "gt" / "radar_odometry.csv"
    if not ground_truth.exists():
        sys.exit(f"{ground_truth}: not there; give a sequence with ground truth")
    truth = column(ground_truth, name)
    times = [time for time in sorted(found) if time in truth]
    return [found[time] for time in times], [truth[time] for time in times]
