"""The network that corrects the faults of a swapped face."""

import torch
from torch import nn

from unet import UNet

# Largest correction, as a share of the range of colours.
MOST_STEP = 0.25


class Mend(UNet):
    """Input: N x 5 x HEIGHT x WIDTH: sRGB 0..1, facing 0..1, and how opaque the swapped face is, 0..1.

    Output: N x 3: corrections, which are added to the colours. They are zero where the swap drew nothing.
    """

    def __init__(self, widths=(24, 48, 72, 96, 96)):
        super().__init__(5, 3, widths)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, seen):
        return MOST_STEP * torch.tanh(self.planes(seen) / MOST_STEP) * seen[:, 4:]
