"""Trains the network that takes the faults off a swapped face.

    /usr/bin/python3 -m mend.train --data DIR --out FILE.pt [--minutes N] [--seed N] [--begin FILE.pt]
        [--processes N] [--rate N]
"""

import random

import torch
import torch.nn.functional as F

from mend.faults import make_sample
from mend.network import Mend
from training_loop import Task, draw_batch, run

# Error up to which its square counts, at the beginning and at the end.
MOST_SQUARED, LEAST_SQUARED = 0.1, 0.01


def batch_of(faces, chosen, rng):
    """Returns what is seen (picture, facing, where the swap drew) and the picture without faults."""
    stack = draw_batch(faces, chosen, rng, make_sample)
    return stack(lambda s: torch.cat([s.picture, s.facing, s.skin])), stack(lambda s: s.bare)


def loss_of(network, past, seen, clean):
    """How far the mended face is from the clean one: its colours, and their steps from texel to texel."""
    # In bfloat16, and with each pixel's channels side by side, it takes 0.37 of the time.
    with torch.autocast('cpu', dtype=torch.bfloat16):
        steps = network(seen.to(memory_format=torch.channels_last)).float().contiguous()
    error = seen[:, :3] + steps - clean
    changed = ((seen[:, :3] - clean).abs().amax(1, keepdim=True) * 12).clamp(max=1)
    weights = seen[:, 4:] * (1 + 6 * changed)
    # First the squares of most errors: with their absolute values, a network that changes nothing learns nothing. Squares make it
    # change a little everywhere, so absolute values come last.
    beta = MOST_SQUARED * (LEAST_SQUARED / MOST_SQUARED) ** past
    cost = F.smooth_l1_loss(error, torch.zeros_like(error), reduction='none', beta=beta)
    edges = sum((F.smooth_l1_loss(error.roll(-1, axis), error, reduction='none', beta=beta / 2) * weights)[..., :-1, :-1].sum()
                for axis in (2, 3))
    return 10 * ((cost * weights).sum() + edges) / (3 * weights.sum() + 1)


def measure(network, faces, chosen, batches=4):
    """Returns the share of the faults that is left, and how far clean texels move, levels."""
    rng = random.Random(7)
    left, drawn, moved, area = 0, 0, 0, 0
    for _ in range(batches):
        seen, clean = batch_of(faces, chosen, rng)
        steps, fault, opaque = network(seen), (seen[:, :3] - clean).abs(), seen[:, 4:]
        faulty, sound = ((test(fault.amax(1, keepdim=True))).float() * opaque for test in (
            lambda most: most > 0.02, lambda most: most < 0.002))
        left += float(((seen[:, :3] + steps - clean).abs() * faulty).sum())
        drawn += float((fault * faulty).sum())
        moved += float((steps.abs() * sound).sum()) * 255 / 3
        area += float(sound.sum())
    return {'left': left / drawn, 'moved': moved / area}


def also(faces, held):
    """Faces with glasses, hands and masks, as they are: of nobody who is held out."""
    people = {faces.faces[at]['person'] for at in held}
    return [at for at, face in enumerate(faces.faces) if at not in faces.drawn and face['person'] not in people]


if __name__ == '__main__':
    run(Task(Mend, batch_of, loss_of, measure, also))
