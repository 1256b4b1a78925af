#!/usr/bin/env python3
"""The paper's method written plainly in PyTorch, and its rate: what `fmbym bench` is compared with.

    python3 bench/pytorch_baseline.py [--resolutions 127,255,511] [--seconds 5] [--threads 1]
    python3 bench/pytorch_baseline.py --against build/release/fmbym [--rounds 5]

Needs Debian's python3-torch. Random weights and noise: it measures time only. Prints the rows `mask`, `f-raw`
and `f-mbym` in passes a second, as the median over the passes. With --against, both run `f-mbym` in turn, and the
ratios of their rates are printed: on a machine whose clock wanders, nothing else can be compared.
"""
import argparse
import json
import math
import statistics
import subprocess
import time

import torch
from torch import fft, nn
from torch.nn import functional as F

ANGLES = 733  # of Algorithm 1
CHANNELS = [8, 16, 32, 64, 128, 256]  # of Table II, from the image down


class Block(nn.Sequential):
    def __init__(self, channels_in, channels):
        super().__init__(
            nn.Conv2d(channels_in, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())


class MaskNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.ModuleList(Block(i, o) for i, o in zip([2] + CHANNELS, CHANNELS))
        self.decoder = nn.ModuleList(Block(i + o, o) for i, o in zip(CHANNELS[:0:-1], CHANNELS[-2::-1]))
        self.mask = nn.Conv2d(CHANNELS[0], 2, 3, padding=1)

    def forward(self, scans):  # (1, 2, n, n)
        skips = []
        x = scans
        for level, block in enumerate(self.encoder):
            x = block(F.max_pool2d(x, 2) if level else x)
            skips.append(x)
        for block, skip in zip(self.decoder, skips[-2::-1]):
            x = F.interpolate(x, size=skip.shape[-2:], mode="bilinear", align_corners=False)
            x = block(torch.cat([x, skip], dim=1))
        return torch.sigmoid(self.mask(x))


class FourierMatcher:
    """Algorithm 1, line by line."""

    def __init__(self, size):
        self.size = size
        hann = torch.hann_window(size, periodic=False)
        self.window = hann[:, None] * hann[None, :]
        frequency = fft.fftshift(fft.fftfreq(size))
        radius = torch.sqrt(frequency[:, None] ** 2 + frequency[None, :] ** 2)
        self.band = ((radius > 0.02) & (radius < 0.45)).float()
        theta = torch.arange(ANGLES) * (math.pi / ANGLES)
        radii = torch.linspace(0, 1, size)
        self.polar = torch.stack([theta.cos()[:, None] * radii, theta.sin()[:, None] * radii], dim=-1)[None]
        self.angles = (torch.arange(ANGLES) - ANGLES // 2) * (math.pi / ANGLES)
        self.shifts = torch.arange(2 * size) - size

    def polar_spectrum(self, scan):
        spectrum = fft.fftshift(fft.fft2(scan * self.window)) * self.band
        polar = F.grid_sample(spectrum.abs()[None, None], self.polar, align_corners=True)[0, 0]
        return F.pad(polar[None, None], (0, 0, ANGLES // 2, ANGLES // 2), mode="circular")[0, 0]

    @staticmethod
    def correlate(a, b):
        return fft.fftshift(fft.ifft2(fft.fft2(a) * fft.fft2(b).conj()).real)

    def rotation(self, f, g):
        scores = self.correlate(self.polar_spectrum(f), self.polar_spectrum(g)).mean(dim=1)
        middle = scores.shape[0] // 2
        scores = scores[middle - ANGLES // 2:middle - ANGLES // 2 + ANGLES]
        return (torch.softmax(2 * scores / scores.max(), 0) * self.angles).sum()

    def rotate(self, image, theta):
        c, s = theta.cos(), theta.sin()
        matrix = torch.stack([torch.stack([c, -s, 0 * c]), torch.stack([s, c, 0 * c])])[None]
        grid = F.affine_grid(matrix, (1, 1, self.size, self.size), align_corners=True)
        return F.grid_sample(image[None, None], grid, align_corners=True)[0, 0]

    def __call__(self, f, g):
        theta = self.rotation(f, g)
        pad = (0, self.size, 0, self.size)
        scores = self.correlate(F.pad(f, pad), F.pad(self.rotate(g, theta), pad))
        weights = torch.softmax(scores.flatten() / scores.max(), 0).reshape(scores.shape)
        x = (weights.sum(1) * self.shifts).sum()
        y = (weights.sum(0) * self.shifts).sum()
        return theta, theta.cos() * x + theta.sin() * y, theta.cos() * y - theta.sin() * x


def rate(step, seconds):
    for _ in range(3):
        step()
    times = []
    while sum(times) < seconds:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return 1 / sorted(times)[len(times) // 2]


def fmbym_rates(program, size, options):
    """Of f-mbym, by precision."""
    command = [program, "bench", "--json", "--methods", "f-mbym", "--resolutions", str(size),
               "--seconds", str(options.seconds), "--threads", str(options.threads)]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["rows"]
    return {row["precision"]: 1000 / row["ms_median"] for row in rows}


def compare(size, step, options):
    ratios = {"fp32": [], "int8": []}
    for _ in range(options.rounds):
        theirs = rate(step, options.seconds)
        for precision, ours in fmbym_rates(options.against, size, options).items():
            ratios[precision].append(ours / theirs)
    for precision, values in ratios.items():
        print(f"{size:10} {precision:>9} {statistics.median(values):8.1f} {min(values):8.1f} {max(values):8.1f}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--resolutions", default="127,255,511")
    parser.add_argument("--seconds", type=float, default=5, help="for a row")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--against", metavar="PROGRAM", help="the fmbym program to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="of the comparison")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    network = MaskNetwork().eval()
    print("resolution precision   median   lowest  highest   times as fast" if options.against else
          "resolution     mask    f-raw   f-mbym   Hz")
    for size in map(int, options.resolutions.split(",")):
        scans = torch.rand(1, 2, size, size)
        match = FourierMatcher(size)
        steps = [lambda: network(scans), lambda: match(*scans[0]), lambda: match(*(scans * network(scans))[0])]
        with torch.no_grad():
            if options.against:
                compare(size, steps[-1], options)
            else:
                print(f"{size:10} " + " ".join(f"{rate(step, options.seconds):8.2f}" for step in steps), flush=True)


if __name__ == "__main__":
    main()
