"""The network that tells what lies in front of a face, and how the face looks behind it."""

import torch

from in_front.data import CLASSES
from unet import UNet


class InFront(UNet):
    """Input: N x 4 x HEIGHT x WIDTH: sRGB 0..1 and facing 0..1.

    Output: shares of the classes, N x CLASSES; the bare face, N x 3, sRGB; how much brighter light makes each texel,
    N x 1, as the logarithm of its sRGB values.
    """

    def __init__(self, widths=(24, 48, 72, 96, 96)):
        super().__init__(4, len(CLASSES) + 5, widths)

    def logits(self, seen):
        """Returns logits of the classes, the bare face's colours, logits of where they are needed, and the shade."""
        classes, colours, needed, shade = self.planes(seen).split([len(CLASSES), 3, 1, 1], 1)
        return classes, colours + 0.5, needed, shade

    def forward(self, seen):
        classes, colours, needed, shade = self.logits(seen)
        return torch.softmax(classes, 1), mended(seen, colours, needed), shade


def mended(seen, colours, needed):
    """Puts colours where they are needed over what is seen."""
    return torch.lerp(seen[:, :3], colours, torch.sigmoid(needed))
