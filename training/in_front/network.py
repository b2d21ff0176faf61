"""The network that finds what is in front of a face, and predicts the face behind it."""

import torch

from in_front.data import CLASSES
from unet import UNet


class InFront(UNet):
    """Input: N x 4 x HEIGHT x WIDTH: sRGB 0..1 and facing 0..1.

    Output: shares of the classes, N x CLASSES; the bare face, N x 3, sRGB; the shade, N x 1:
    the logarithm of the factor by which light changes the sRGB values.
    """

    def __init__(self, widths=(24, 48, 72, 96, 96)):
        super().__init__(4, len(CLASSES) + 5, widths)

    def logits(self, seen):
        """Returns logits of the classes, colours of the bare face, logits of how much these are needed, and the shade."""
        classes, colours, needed, shade = self.planes(seen).split([len(CLASSES), 3, 1, 1], 1)
        return classes, colours + 0.5, needed, shade

    def forward(self, seen):
        classes, colours, needed, shade = self.logits(seen)
        return torch.softmax(classes, 1), with_bare_face(seen, colours, needed), shade


def with_bare_face(seen, colours, needed):
    """Replaces the colours of the picture by those of the bare face, as far as they are needed."""
    return torch.lerp(seen[:, :3], colours, torch.sigmoid(needed))
