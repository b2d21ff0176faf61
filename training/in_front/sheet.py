"""Draws the results of a trained network on real faces: the atlas, its classes in colour, and the bare face.

    /usr/bin/python3 -m in_front.sheet --data DIR --weights FILE.pt --out FILE.png [--shows glasses]
"""

import argparse

import numpy as np
import torch
from PIL import Image

from in_front.data import CLASSES, Faces
from in_front.network import InFront

# Colours of the classes: nothing, green, red, blue, yellow, violet.
COLOURS = torch.tensor([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0.2, 0.4, 1], [1, 1, 0], [1, 0, 1]]).float()
COLUMNS = 8


def draw(data, weights, out, shows, most):
    faces = Faces(data)
    network = InFront.trained(weights)
    wanted = [at for at, face in enumerate(faces.faces) if shows in face.get('shows', [] if shows else [''])]
    tiles = []
    for at in wanted[:most]:
        seen = faces.seen(at)
        with torch.no_grad():
            classes, bare, _ = network(seen[None])
        picture = seen[:3]
        colour = torch.einsum('kyx,kc->cyx', classes[0], COLOURS)
        tiles.append(torch.cat([picture, 0.5 * picture + 0.5 * colour, bare[0]], 1))
    tiles += [torch.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    rows = [torch.cat(tiles[at:at + COLUMNS], 2) for at in range(0, len(tiles), COLUMNS)]
    sheet = torch.cat(rows, 1).permute(1, 2, 0).numpy()
    Image.fromarray((255 * sheet.clip(0, 1)).astype(np.uint8)).save(out)
    print(f'{len(wanted[:most])} faces; {", ".join(CLASSES)} in {out}')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--shows', default='glasses')
    parser.add_argument('--most', type=int, default=16)
    options = parser.parse_args()
    draw(options.data, options.weights, options.out, options.shows, options.most)
