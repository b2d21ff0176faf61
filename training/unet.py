"""The architecture of all networks here: a small U-Net over the engine's atlas."""

import torch
from torch import nn
import torch.nn.functional as F


def block(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True))


def of_texels(weight):
    """Turns weights of a 3 x 3 convolution over squares of 2 x 2 texels into those of a 6 x 6 one over texels."""
    outputs, inputs = weight.shape[:2]
    by_place = weight.reshape(outputs, inputs // 4, 2, 2, 3, 3).permute(0, 1, 4, 2, 5, 3)
    return by_place.reshape(outputs, inputs // 4, 6, 6)


def of_squares(weight):
    """Inverts `of_texels`."""
    outputs, inputs = weight.shape[:2]
    by_place = weight.reshape(outputs, inputs, 3, 2, 3, 2).permute(0, 1, 3, 5, 2, 4)
    return by_place.reshape(outputs, 4 * inputs, 3, 3)


class UNet(nn.Module):
    """A U-Net over squares of 2 x 2 texels of the face and of its mirror image.

    Input: N x `inputs` x HEIGHT x WIDTH, 0..1; both sides multiples of 32. Output: N x `outputs` planes.
    """

    def __init__(self, inputs, outputs, widths):
        super().__init__()
        self.squares = nn.PixelUnshuffle(2)
        self.first = block(8 * inputs, widths[0])
        self.down = nn.ModuleList(block(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(block(a + b, a) for a, b in zip(widths, widths[1:]))
        self.last = nn.Conv2d(widths[0], 4 * outputs, 1)

    def begin(self, state):
        """Loads the weights of a network of the same architecture.

        That network may have fewer input channels, and another number of outputs: then the last layer is not loaded.
        Returns whether the last layer was loaded.
        """
        state = dict(state)
        width, channels = self.first[0].weight.shape[:2]
        by_channel = (width, 2, channels // 8, 4, 3, 3)
        known = state['first.0.weight'].view(width, 2, -1, 4, 3, 3)
        first = torch.zeros(by_channel)
        first[:, :, :known.shape[2]] = known
        state['first.0.weight'] = first.view(self.first[0].weight.shape)
        has_same_outputs = state['last.weight'].shape == self.last.weight.shape
        if not has_same_outputs:
            state.update({name: value for name, value in self.state_dict().items() if name.startswith('last.')})
        self.load_state_dict(state)
        return has_same_outputs

    def read_texels(self):
        """Lets the first convolution read texels, with the same result: reordering them takes longer."""
        by_square = self.first[0]
        by_texel = nn.Conv2d(
            by_square.in_channels // 4, by_square.out_channels, 6, stride=2, padding=2, bias=False)
        by_texel.weight = nn.Parameter(of_texels(by_square.weight.detach()))
        self.first[0] = by_texel
        self.squares = nn.Identity()

    @classmethod
    def trained(cls, weights):
        """Loads a trained network for inference."""
        network = cls()
        network.load_state_dict(torch.load(weights, map_location='cpu'))
        return network.eval()

    def planes(self, seen):
        x = seen - 0.5
        x = self.first(self.squares(torch.cat([x, x.flip(3)], 1)))
        skipped = []
        for down in self.down:
            skipped.append(x)
            x = down(F.max_pool2d(x, 2))
        for up, skip in zip(reversed(self.up), reversed(skipped)):
            x = up(torch.cat([skip, F.interpolate(x, scale_factor=2, mode='nearest')], 1))
        return F.pixel_shuffle(self.last(x), 2)
