"""Draws each kind of fault on held-out faces: the clean face, the faulty face, and the corrected face.

    /usr/bin/python3 -m mend.sheet --data DIR --weights FILE.pt --out FILE.png
"""

import argparse
import random

import numpy as np
import torch
from PIL import Image

from in_front.data import Faces, window
from mend.faults import FAULTS, drawn_area
from mend.network import Mend
from training_loop import HELD_OUT

# Faces for each kind of fault.
COLUMNS = 4


def draw(data, weights, out):
    faces = Faces(data)
    network = Mend.trained(weights)
    rng = random.Random(1)
    _, held = faces.split(HELD_OUT)
    rows = []
    for name, (_, draw_fault) in FAULTS.items():
        tiles, left, before = [], 0, 0
        for _ in range(COLUMNS):
            at = rng.choice(held)
            clean, facing = faces.read('atlas-rgb', at), faces.read('atlas-facing', at)
            drawn = drawn_area(facing, rng)
            faulty = torch.lerp(clean, draw_fault(clean, faces, at, faces.other, rng).clamp(0, 1), drawn)
            seen = window(torch.cat([faulty, facing, drawn]))
            with torch.no_grad():
                mended = (seen[:3] + network(seen[None])[0]).clamp(0, 1)
            tiles += [window(clean), seen[:3], mended]
            fault = (seen[:3] - window(clean)).abs()
            faulty = (fault.amax(0) > 0.02).float()
            left += float(((mended - window(clean)).abs() * faulty).sum())
            before += float((fault * faulty).sum())
        print(f'{name}: {100 * left / max(before, 1e-6):.0f} % of the fault is left')
        rows.append(torch.cat(tiles, 2))
    sheet = torch.cat(rows, 1).permute(1, 2, 0).numpy()
    Image.fromarray((255 * sheet).astype(np.uint8)).save(out)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    options = parser.parse_args()
    draw(options.data, options.weights, options.out)
