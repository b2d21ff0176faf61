"""Draws what a trained network says of real pictures: each beside its classes in colour.

    /usr/bin/python3 training/in_front/sheet.py --data DIR --weights FILE.pt --out FILE.png [--shows glasses]
"""

import argparse

import numpy as np
import torch
from PIL import Image

from data import CLASSES, Faces
from network import InFront, inputs_of

# Colours of the classes: nothing, green, red, blue, yellow.
COLOURS = torch.tensor([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0.2, 0.4, 1], [1, 1, 0]]).float()
COLUMNS = 5


def draw(data, weights, out, shows, most):
    faces = Faces(data)
    network = InFront()
    network.load_state_dict(torch.load(weights))
    network.eval()
    wanted = [at for at, face in enumerate(faces.faces) if shows in face.get('shows', [] if shows else [''])]
    tiles = []
    for at in wanted[:most]:
        picture, oval = faces.read('rgb', at), faces.read('oval', at)
        with torch.no_grad():
            told = torch.softmax(network(inputs_of(picture[None], oval[None])), 1)[0]
        colour = torch.einsum('kyx,kc->cyx', told, COLOURS)
        tiles.append(torch.cat([picture, 0.5 * picture + 0.5 * colour], 2))
    tiles += [torch.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    rows = [torch.cat(tiles[at:at + COLUMNS], 2) for at in range(0, len(tiles), COLUMNS)]
    sheet = torch.cat(rows, 1).permute(1, 2, 0).numpy()
    Image.fromarray((255 * sheet.clip(0, 1)).astype(np.uint8)).save(out)
    print(f'{len(wanted[:most])} pictures of {", ".join(CLASSES)} in {out}')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--weights', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--shows', default='glasses')
    parser.add_argument('--most', type=int, default=40)
    options = parser.parse_args()
    draw(options.data, options.weights, options.out, options.shows, options.most)
