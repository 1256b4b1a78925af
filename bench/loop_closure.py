#!/usr/bin/env python3
"""How far odometry and ground truth are off where the road leads back to where it was.

    python3 bench/loop_closure.py DATA [--program build/release/fmbym]

`val` goes on where `train-b` ends, turns round, and passes some of its places again. There scans of the one are laid upon
scans of the other, so that what they show tells the true way between them, and no ground truth is needed. Prints the error of
each estimate of that way, in metres and degrees, over loops of several lengths; and beside it the KITTI error (% and °/km) against
ground truth within one of the loops.
"""

import math
import pathlib
import tempfile

import numpy
import program
from PIL import Image

# A scan of train-b and one of val, by their places in the sequences, that show the same place.
LOOPS = [(898, 91), (880, 105), (862, 120), (844, 140), (364, 294)]
SCORED = (844, 140)
BETWEEN = (1.43, 0.018, 0.014)  # [m, m, rad] from the last scan of train-b to the first of val, as before and after

ESTIMATES = {
    "`f-raw`, default": [],
    "`f-raw`, default, 127": ["--resolution", "127"],
    "`f-raw`, default, 511": ["--resolution", "511"],
    "`f-mbym`, default": ["--method", "f-mbym"],
    "`f-mbym`, default, 127": ["--method", "f-mbym", "--resolution", "127"],
    "`f-mbym`, default, 511": ["--method", "f-mbym", "--resolution", "511"],
    "`f-raw`, default, with the range offset found": ["--range-offset", "-0.2", "--range-resolution", "0.17542"],
    "`f-raw`, paper": ["--preset", "paper"],
    "`f-mbym`, paper": ["--preset", "paper", "--method", "f-mbym"],
    "`mbym`, paper": ["--preset", "paper", "--method", "mbym"],
}

RANGE_RESOLUTION = 0.1752  # [m]; of the reduced scans, as the program has it
AZIMUTH_OFFSET = 0.0103  # [rad]
TURN = 0.25  # [s]
NEAREST, FARTHEST = 2.5, 70  # [m]
STRONGEST = 0.05  # of all cells
NEIGHBOURS = 3  # scans before and after, which are laid together
PIXELS, PIXEL = 512, 0.4  # of the image that points are laid on; [m]

# From coarse to fine: smoothing [m], steps [m, rad], and how many of them to either side.
SEARCH = [(2, 2, 0.0175, 10, 6), (0.8, 0.3, 0.004, 4, 4), (0.5, 0.1, 0.0015, 2, 3), (0.5, 0.03, 0.0005, 2, 3)]


def compose(a, b):
    c, s = math.cos(a[2]), math.sin(a[2])
    return numpy.array([a[0] + c * b[0] - s * b[1], a[1] + s * b[0] + c * b[1], a[2] + b[2]])


def inverse(a):
    c, s = math.cos(a[2]), math.sin(a[2])
    return numpy.array([-c * a[0] - s * a[1], s * a[0] - c * a[1], -a[2]])


def transform(pose, points):
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return points @ numpy.array([[c, s], [-s, c]]) + pose[:2]


class Drive:
    """Both sequences, one after the other."""

    def __init__(self, sequences, folder):
        self.parts = [sequences["train-b"], sequences["val"]]
        out, back = (sorted(part.glob("radar/*.png")) for part in self.parts)
        self.files, self.first_of_val = out + back, len(out)
        self.folder = pathlib.Path(folder)
        (self.folder / "radar").mkdir()
        for file in self.files:
            (self.folder / "radar" / file.name).symlink_to(file.resolve())
        lines = [line for part in self.parts for line in (part / "radar.timestamps").read_text().split("\n") if line]
        (self.folder / "radar.timestamps").write_text("\n".join(lines) + "\n")

    def poses(self, increments):
        """Of all scans in the frame of the first, from files of increments."""
        steps = {}
        for file in increments:
            x, y, yaw = (program.column(file, name) for name in ("x", "y", "yaw"))
            steps.update({time: (x[time], y[time], yaw[time]) for time in x})
        found = [numpy.zeros(3)]
        for file in self.files[1:]:
            found.append(compose(found[-1], steps.get(file.stem, BETWEEN)))
        return found

    def true_poses(self):
        return self.poses(part / "gt" / "radar_odometry.csv" for part in self.parts)

    def estimate(self, arguments, options):
        with tempfile.TemporaryDirectory() as output:
            program.odometry(arguments.program, self.folder, output, [*options, *arguments.options])
            return self.poses([pathlib.Path(output) / "increments.csv"])

    def points(self, scan, velocity):
        """Peaks of the scan, as seen from where the sensor was in the middle of its turn."""
        rows = numpy.array(Image.open(self.files[scan]))
        encoder = rows[:, 8:10].copy().view(numpy.uint16)[:, 0] * (2 * math.pi / 5600)
        power = rows[:, 11:].astype(int)
        power[:, : int(NEAREST / RANGE_RESOLUTION)] = 0
        peak = power >= numpy.quantile(power, 1 - STRONGEST)
        for away in (1, 2, 3):
            peak &= (power >= numpy.roll(power, away, 0)) & (power >= numpy.roll(power, -away, 0))
        peak[:, 1:-1] &= (power[:, 1:-1] >= power[:, :-2]) & (power[:, 1:-1] >= power[:, 2:])
        row, bin_ = numpy.nonzero(peak)
        time = TURN * ((encoder[row] - encoder[0]) % (2 * math.pi) / (2 * math.pi) - 0.5)
        distance = (bin_ + 0.5) * RANGE_RESOLUTION
        turned = velocity[2] * time
        bearing = encoder[row] + AZIMUTH_OFFSET + turned
        x = time * (velocity[0] - turned / 2 * velocity[1]) + distance * numpy.cos(bearing)
        y = time * (velocity[1] + turned / 2 * velocity[0]) + distance * numpy.sin(bearing)
        return numpy.stack([x, y], 1)[distance < FARTHEST]

    def cloud(self, scan, poses):
        """Points of the scan and its neighbours, in its frame."""
        def seen(i):
            velocity = compose(inverse(poses[i - 1]), poses[i + 1]) / (2 * TURN)
            return transform(compose(inverse(poses[scan]), poses[i]), self.points(i, velocity))

        return numpy.concatenate([seen(i) for i in range(scan - NEIGHBOURS, scan + NEIGHBOURS + 1)])


def smooth_image(points, smoothing):
    half = PIXELS * PIXEL / 2
    count, _, _ = numpy.histogram2d(points[:, 0], points[:, 1], bins=PIXELS, range=[[-half, half]] * 2)
    squares = numpy.fft.fftfreq(PIXELS, PIXEL) ** 2
    filtered = numpy.exp(-2 * (math.pi * smoothing) ** 2 * (squares[:, None] + squares))
    return numpy.fft.ifft2(numpy.fft.fft2(numpy.minimum(count, NEIGHBOURS)) * filtered).real


def overlap(image, points):
    """The mean of the image at the points, bilinear."""
    place = points / PIXEL + PIXELS / 2 - 0.5
    corner = numpy.floor(place).astype(int)
    within = ((corner >= 0) & (corner < PIXELS - 1)).all(1)
    (r, c), (u, v) = corner[within].T, (place - corner)[within].T
    near = (1 - v) * image[r, c] + v * image[r, c + 1]
    far = (1 - v) * image[r + 1, c] + v * image[r + 1, c + 1]
    return ((1 - u) * near + u * far).sum() / len(points)


def lay_upon(reference, points, start):
    """The pose of the points that lays them upon the reference best."""
    best = start
    for smoothing, metres, angle, far, wide in SEARCH:
        image = smooth_image(reference, smoothing)
        shifts = range(-far, far + 1)
        steps = [(i * metres, j * metres, k * angle) for i in shifts for j in shifts for k in range(-wide, wide + 1)]
        some = points[:: 4 if smoothing > 1 else 1]
        while True:
            step = max(steps, key=lambda step: overlap(image, transform(best + step, some)))
            best = best + step
            if not any(step) or smoothing > 1:
                break
    return best


def write_kitti(poses, file):
    """Poses of the plane, a line each: the first three rows of a matrix, as KITTI has it."""
    lines = [f"{math.cos(yaw)} {-math.sin(yaw)} 0 {x} {math.sin(yaw)} {math.cos(yaw)} 0 {y} 0 0 1 0" for x, y, yaw in poses]
    file.write_text("\n".join(lines) + "\n")


def kitti_error(arguments, poses, truth):
    """In % and °/km, as the program has it."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("truth.txt", "estimate.txt")]
        write_kitti(truth, files[0])
        write_kitti(poses, files[1])
        score = program.run_json(arguments.program, "evaluate", "--groundtruth", files[0], "--estimate", files[1])["kitti"]
    return f"{score['translation_percent']:.2f} / {score['rotation_deg_per_km']:.1f}"


def main():
    arguments = program.parse_arguments(__doc__, "that of the sequences " + ", ".join(program.SEQUENCES))
    with tempfile.TemporaryDirectory() as folder:
        drive = Drive(program.sequences(arguments.folder), folder)
        truth = drive.true_poses()
        estimates = {"ground truth": truth}
        for name, options in ESTIMATES.items():
            estimates[name] = drive.estimate(arguments, options)
        reference = estimates["`f-raw`, default"]
        ways = []
        for of_train, of_val in LOOPS:
            first, last = of_train, drive.first_of_val + of_val
            expected = compose(inverse(reference[first]), reference[last])
            way = lay_upon(drive.cloud(first, reference), drive.cloud(last, reference), expected)
            ways.append((first, last, way))

    steps = [math.hypot(*(b - a)[:2]) for a, b in zip(truth, truth[1:])]
    lengths = [sum(steps[first:last]) for first, last, _ in ways]
    scored = LOOPS.index(SCORED)
    print("| | " + " | ".join(f"{length:.0f} m" for length in lengths) + f" | KITTI in the {lengths[scored]:.0f} m |")
    print("|---" * (len(ways) + 2) + "|")
    for name, poses in estimates.items():
        cells = []
        for first, last, way in ways:
            off = compose(inverse(way), compose(inverse(poses[first]), poses[last]))
            cells.append(f"{math.hypot(*off[:2]):.2f} m, {math.degrees(math.remainder(off[2], 2 * math.pi)):+.2f}°")
        first, last, _ = ways[scored]
        within = slice(first, last + 1)
        cells.append("–" if poses is truth else kitti_error(arguments, poses[within], truth[within]))
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
