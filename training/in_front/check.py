"""Measures a trained network on faces that it was not trained on: bare faces, and people who wear glasses.

For some of the glasses, the frame was drawn by hand (training/frames).

    /usr/bin/python3 -m in_front.check --data DIR --weights FILE.pt
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from in_front.data import BARE, Faces, FRAME, HAIR, LEFT, LENS, TOP, brows_and_eyes, grow, window
from in_front.network import InFront
from training_loop import HELD_OUT

# Largest share of a bare face that may be classified as something else.
MOST_LOST = 0.01
# A lock continues to a texel with at least the share LOCK of hair, over at most GAP texels; as in the engine
# (rooted-hair.ts).
LOCK, GAP = 0.25, 3
# Glasses count as found if lenses and frames cover more than this share of the eyes' band.
LEAST_WORN = 0.15
# Frames that were drawn by hand, a file per picture: in the atlas, white where the frame is.
FRAMES = Path(__file__).parent.parent / 'frames'
# Top, bottom, left and right of the eyes' band, as shares of the atlas's side.
BAND = (0.33, 0.43, 0.28, 0.72)


def rooted(classes, beyond):
    """Changes hair to bare skin if it is not connected with the area outside the mesh, as the engine does."""
    hair = (classes[HAIR:HAIR + 1] >= LOCK).float()
    now, before = beyond, None
    while before is None or not torch.equal(now, before):
        now, before = torch.maximum(beyond, grow(now, GAP) * hair), now
    classes = classes.clone()
    classes[BARE] += classes[HAIR] * (1 - now[0])
    classes[HAIR] *= now[0]
    return classes


def check(data, weights):
    faces = Faces(data)
    network = InFront.trained(weights)

    beyond = 1 - window(faces.inside())

    def classes_of(at):
        with torch.no_grad():
            return rooted(network(faces.seen(at)[None])[0][0], beyond)

    def lost(at):
        """Returns the share of certainly bare skin that the network classifies as something else."""
        known = window(faces.bare(at)[4])[0] > 0.5
        return float((classes_of(at).argmax(0) != BARE)[known].float().mean())

    def worn(at):
        """Returns the share of the eyes' band that lenses and frames cover."""
        top, bottom, left, right = (int(each * faces.side) for each in BAND)
        classes = classes_of(at)[:, top - TOP:bottom - TOP, left - LEFT:right - LEFT]
        return float((classes[FRAME] + classes[LENS]).mean())

    def frame_file(at):
        return FRAMES / f'{Path(faces.faces[at]["file"]).stem}.png'

    def overlap(at):
        """Returns the texels in both the found and the drawn frame, and those in at least one of them."""
        drawn = window(torch.from_numpy(np.array(Image.open(frame_file(at))))[None])[0]
        found = classes_of(at).argmax(0) == FRAME
        return int((found & drawn).sum()), int((found | drawn).sum())

    _, held = faces.split(HELD_OUT)
    losses = [lost(at) for at in held]
    print(f'{sum(each > MOST_LOST for each in losses)} of {len(held)} bare faces lose more than 1 % of their skin, '
          f'{100 * sum(losses) / len(held):.2f} % as the mean')
    features = window(brows_and_eyes(faces.side))[0] > 0.5
    taken = [float(classes_of(at)[HAIR][features].mean()) for at in held]
    print(f'hair is found on {100 * sum(taken) / len(held):.1f} % of the brows and eyes of bare faces, {100 * max(taken):.0f} % at most')
    wearers = [at for at in range(len(faces.faces)) if faces.shows(at, 'glasses')]
    found = sum(worn(at) > LEAST_WORN for at in wearers)
    false = sum(worn(at) > LEAST_WORN for at in held)
    print(f'glasses are found on {found} of {len(wearers)} wearers, and on {false} of {len(held)} bare faces')
    overlaps = [overlap(at) for at in wearers if frame_file(at).exists()]
    both, either = (sum(each) for each in zip(*overlaps))
    print(f'frames of {len(overlaps)} wearers: intersection over union {both / either:.2f}, '
          f'{sum(a / b for a, b in overlaps) / len(overlaps):.2f} as the mean of the faces')


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--weights', required=True)
    options = parser.parse_args()
    check(options.data, options.weights)
