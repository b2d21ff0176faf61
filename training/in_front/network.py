"""The network that tells what lies in front of a face."""

import torch
from torch import nn
import torch.nn.functional as F

from data import CLASSES


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True))


class InFront(nn.Module):
    """A U-Net over squares of 2 x 2 pixels.

    Input: N x 4 x SIDE x SIDE: sRGB less a half, and the mesh's oval, 0..1; SIDE a multiple of 32.
    Output: N x CLASSES x SIDE x SIDE, logits.
    """

    def __init__(self, widths=(24, 48, 72, 96, 96)):
        super().__init__()
        self.first = block(16, widths[0])
        self.down = nn.ModuleList(block(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(block(a + b, a) for a, b in zip(widths, widths[1:]))
        self.last = nn.Conv2d(widths[0], 4 * len(CLASSES), 1)

    def forward(self, x):
        x = self.first(F.pixel_unshuffle(x, 2))
        skipped = []
        for down in self.down:
            skipped.append(x)
            x = down(F.max_pool2d(x, 2))
        for up, skip in zip(reversed(self.up), reversed(skipped)):
            x = up(torch.cat([skip, F.interpolate(x, scale_factor=2, mode='nearest')], 1))
        return F.pixel_shuffle(self.last(x), 2)


def inputs_of(picture, oval):
    """Joins pictures (N x 3, 0..1) and ovals (N x 1) to the network's input."""
    return torch.cat([picture - 0.5, oval], 1)
