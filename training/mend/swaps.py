"""Real swaps of people onto pictures of themselves. These pictures are the correct results."""

import json
from pathlib import Path

import numpy as np
import torch

from in_front.data import Sample

# Bytes per texel of each file that training/prepare-swaps.ts writes.
CHANNELS = {'seen': 3, 'clean': 3, 'facing': 1, 'drawn': 1}


class Swaps:
    """Reads the files of training/prepare-swaps.ts, each entry when it is needed."""

    def __init__(self, folder):
        folder = Path(folder)
        index = json.loads((folder / 'swaps.json').read_text())
        side = index['side']
        self.people = index['people']
        self.files = {
            name: np.memmap(folder / f'swap-{name}.bin', np.uint8, 'r').reshape(-1, side, side, channels)
            for name, channels in CHANNELS.items()}

    def of(self, people):
        """Returns the indices of the swaps of these people."""
        return [at for at, person in enumerate(self.people) if person in people]

    def sample(self, at):
        """Returns a swap: `bare` is the correct result, `skin` is where the swap drew."""
        seen, clean, facing, drawn = (
            torch.from_numpy(self.files[name][at].copy()).permute(2, 0, 1).float() / 255 for name in CHANNELS)
        none = torch.zeros_like(drawn)
        return Sample(seen, clean, facing, drawn, none, none, none)
