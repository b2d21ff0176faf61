"""Says what a trained network finds on faces it has not learned from: bare ones, and wearers of glasses.

    /usr/bin/python3 training/in_front/check.py --data DIR --weights FILE.pt
"""

import argparse

import torch

from data import BARE, Faces, FRAME, known_of, LEFT, LENS, TOP, window
from network import read_network
from train import HELD_OUT

# Share of a bare face that may be taken for something else.
MOST_LOST = 0.01
# Share of the eyes' band that lenses and frames must cover where glasses are worn.
LEAST_WORN = 0.15
# Rows and columns of that band, in sides of the atlas.
BAND = (0.33, 0.43, 0.28, 0.72)


def check(data, weights):
    faces = Faces(data)
    network = read_network(weights)

    def classes_of(at):
        with torch.no_grad():
            return network(faces.seen(at)[None])[0][0]

    def lost(at):
        """The share of what surely is bare skin that is taken for something else."""
        _, known, _ = known_of(faces.read('atlas-rgb', at), faces.read('atlas-facing', at))
        known = window(known)[0] > 0.5
        return float((classes_of(at).argmax(0) != BARE)[known].float().mean())

    def worn(at):
        """The share of the eyes' band that lenses and frames cover."""
        top, bottom, left, right = (int(each * faces.side) for each in BAND)
        classes = classes_of(at)[:, top - TOP:bottom - TOP, left - LEFT:right - LEFT]
        return float((classes[FRAME] + classes[LENS]).mean())

    _, held = faces.split(HELD_OUT)
    losses = [lost(at) for at in held]
    print(f'{sum(each > MOST_LOST for each in losses)} of {len(held)} bare faces lose more than 1 %, '
          f'{100 * sum(losses) / len(held):.2f} % on the mean')
    wearers = [at for at, face in enumerate(faces.faces) if 'glasses' in face.get('shows', [])]
    found = sum(worn(at) > LEAST_WORN for at in wearers)
    false = sum(worn(at) > LEAST_WORN for at in held)
    print(f'glasses are found on {found} of {len(wearers)} wearers, and on {false} of {len(held)} bare faces')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--weights', required=True)
    options = parser.parse_args()
    check(options.data, options.weights)
