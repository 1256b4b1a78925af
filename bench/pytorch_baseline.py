#!/usr/bin/env python3
"""The paper's method written plainly in PyTorch, and its rate: what `fmbym bench` is compared with.

    python3 bench/pytorch_baseline.py [--resolutions 127,255,511] [--seconds 5] [--threads 1]

Needs Debian's python3-torch. Random weights and noise: it measures time only. Prints the rows `mask`, `f-raw`
and `f-mbym` in passes a second, as the median over the passes.
"""
import argparse
import math
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--resolutions", default="127,255,511")
    parser.add_argument("--seconds", type=float, default=5, help="for a row")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    network = MaskNetwork().eval()
    print("resolution     mask    f-raw   f-mbym   Hz")
    for size in map(int, options.resolutions.split(",")):
        scans = torch.rand(1, 2, size, size)
        match = FourierMatcher(size)
        with torch.no_grad():
            rates = [rate(step, options.seconds) for step in (
                lambda: network(scans), lambda: match(*scans[0]), lambda: match(*(scans * network(scans))[0]))]
        print(f"{size:10} " + " ".join(f"{hz:8.2f}" for hz in rates), flush=True)


if __name__ == "__main__":
    main()
