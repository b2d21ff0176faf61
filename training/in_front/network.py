"""The network that tells what lies in front of a face, and how the face looks behind it."""

import torch
from torch import nn
import torch.nn.functional as F

from data import CLASSES


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True))


class InFront(nn.Module):
    """A U-Net over squares of 2 x 2 texels, which sees the face and its mirror image.

    Input: N x 4 x HEIGHT x WIDTH: sRGB 0..1 and facing 0..1; both sides multiples of 32.
    Output: shares of the classes, N x CLASSES; the bare face, N x 3, sRGB; how much brighter light makes each texel,
    N x 1, as the logarithm of its sRGB values.
    """

    def __init__(self, widths=(24, 48, 72, 96, 96)):
        super().__init__()
        self.first = block(32, widths[0])
        self.down = nn.ModuleList(block(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(block(a + b, a) for a, b in zip(widths, widths[1:]))
        self.last = nn.Conv2d(widths[0], 4 * (len(CLASSES) + 5), 1)

    def logits(self, seen):
        """Returns logits of the classes, the bare face's colours, logits of where they are needed, and the shade."""
        x = seen - 0.5
        x = self.first(F.pixel_unshuffle(torch.cat([x, x.flip(3)], 1), 2))
        skipped = []
        for down in self.down:
            skipped.append(x)
            x = down(F.max_pool2d(x, 2))
        for up, skip in zip(reversed(self.up), reversed(skipped)):
            x = up(torch.cat([skip, F.interpolate(x, scale_factor=2, mode='nearest')], 1))
        classes, colours, needed, shade = F.pixel_shuffle(self.last(x), 2).split([len(CLASSES), 3, 1, 1], 1)
        return classes, colours + 0.5, needed, shade

    def forward(self, seen):
        classes, colours, needed, shade = self.logits(seen)
        return torch.softmax(classes, 1), mended(seen, colours, needed), shade


def read_network(weights):
    """Reads a trained network, to be asked and not trained."""
    network = InFront()
    network.load_state_dict(torch.load(weights))
    return network.eval()


def mended(seen, colours, needed):
    """Puts colours where they are needed over what is seen."""
    return torch.lerp(seen[:, :3], colours, torch.sigmoid(needed))
