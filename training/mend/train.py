"""Trains the network that takes the faults off a swapped face.

    /usr/bin/python3 -m mend.train --data DIR --out FILE.pt [--minutes N] [--seed N] [--begin FILE.pt] [...]
"""

from functools import lru_cache

import torch
import torch.nn.functional as F

from in_front.data import move, photograph, window
from mend.faults import make_sample
from mend.network import Mend
from mend.swaps import Swaps
from training_loop import Task, run

# Share of the samples that are real swaps, if there are any.
SWAP_SHARE = 0.5
# How much of their faults is left, or added.
LEAST_FAULT, MOST_FAULT = 0.5, 1.2
# Error up to which its square counts, at the beginning and at the end.
MOST_SQUARED, LEAST_SQUARED = 0.1, 0.01
# Sides of the squares whose mean colours count, texels, and how much they do: tones of parts of a face.
TONE_SIDES, TONE_SHARE = (8, 32), 5


@lru_cache(maxsize=None)
def swaps_of(folder, people):
    """Returns the real swaps in a folder, and the numbers of these people's; none if there are no swaps."""
    if not (folder / 'swaps.json').exists():
        return None, []
    swaps = Swaps(folder)
    return swaps, swaps.of(people)


def sample_of(faces, chosen, rng):
    """Draws a sample: colours of what is seen and of the face without faults, facing, where the swap drew, and whether it
    is a real one, everywhere 0 or 1."""
    swaps, numbers = swaps_of(faces.folder, frozenset(faces.faces[at]['person'] for at in chosen))
    real = bool(numbers) and rng.random() < SWAP_SHARE
    if real:
        sample = swaps.sample(rng.choice(numbers))
        share = rng.uniform(LEAST_FAULT, MOST_FAULT)
        sample.picture = torch.lerp(sample.bare, sample.picture, share).clamp(0, 1)
        if rng.random() < 0.5:
            move(sample, rng)
        if rng.random() < 0.5:
            photograph(sample, rng)
    else:
        sample = make_sample(faces, rng.choice(chosen), faces.other, rng)
    planes = [sample.picture, sample.bare, sample.facing, sample.skin, torch.full_like(sample.skin, real)]
    return window(torch.cat(planes))


def seen_of(batch):
    return torch.cat([batch[:, :3], batch[:, 6:8]], 1)


def clean_of(batch):
    return batch[:, 3:6]


def is_real(batch):
    return batch[:, 8, 0, 0] == 1


def loss_of(network, past, batch):
    """How far the mended face is from the clean one: its colours, their steps from texel to texel, and its tones."""
    seen, clean = seen_of(batch), clean_of(batch)
    # In bfloat16, and with each pixel's channels side by side, it takes 0.37 of the time.
    with torch.autocast(seen.device.type, dtype=torch.bfloat16):
        steps = network(seen.to(memory_format=torch.channels_last)).float().contiguous()
    error = seen[:, :3] + steps - clean
    opaque = seen[:, 4:]
    changed = ((seen[:, :3] - clean).abs().amax(1, keepdim=True) * 12).clamp(max=1)
    weights = opaque * (1 + 6 * changed)
    # First the squares of most errors: with their absolute values, a network that changes nothing learns nothing. Squares make it
    # change a little everywhere, so absolute values come last.
    beta = MOST_SQUARED * (LEAST_SQUARED / MOST_SQUARED) ** past

    def distance(values, beta):
        return F.smooth_l1_loss(values, torch.zeros_like(values), reduction='none', beta=beta)

    edges = sum((distance(error.roll(-1, axis) - error, beta / 2) * weights)[..., :-1, :-1].sum() for axis in (2, 3))
    tones = sum(distance(F.avg_pool2d(error * opaque, side), beta / 2).mean() for side in TONE_SIDES)
    return 10 * ((distance(error, beta) * weights).sum() + edges) / (3 * weights.sum() + 1) + TONE_SHARE * tones


def measure(network, batch):
    """Returns the share of the faults that is left, of drawn ones and of real swaps, and how far clean texels move, levels."""
    figures = {}
    for name, chosen in (('drawn', batch[~is_real(batch)]), ('real', batch[is_real(batch)])):
        if len(chosen) == 0:
            continue
        seen, clean = seen_of(chosen), clean_of(chosen)
        steps, fault, opaque = network(seen), (seen[:, :3] - clean).abs(), seen[:, 4:]
        faulty, sound = ((test(fault.amax(1, keepdim=True))).float() * opaque for test in (
            lambda most: most > 0.02, lambda most: most < 0.002))
        figures[name] = float(((seen[:, :3] + steps - clean).abs() * faulty).sum() / (fault * faulty).sum())
        if name == 'drawn':
            figures['moved'] = float((steps.abs() * sound).sum() * 255 / 3 / sound.sum())
    return figures


def also(faces, held):
    """Faces with glasses, hands and masks, as they are: of nobody who is held out."""
    people = {faces.faces[at]['person'] for at in held}
    return [at for at, face in enumerate(faces.faces) if at not in faces.drawn and face['person'] not in people]


if __name__ == '__main__':
    run(Task(Mend, sample_of, seen_of, loss_of, measure, also))
