"""Trains the network that corrects the faults of a swapped face.

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

# Share of the samples that are real swaps, if the folder has any.
SWAP_SHARE = 0.5
# The faults of a real swap are scaled by a random factor in this range.
LEAST_FAULT, MOST_FAULT = 0.5, 1.2
# Error (`beta` of a smooth L1 loss) below which the loss is quadratic, at the beginning and at the end.
MOST_SQUARED, LEAST_SQUARED = 0.1, 0.01
# Sides of the squares whose mean colours are compared, texels, and the weight of this part of the loss. It corrects
# the tone of whole parts of a face.
TONE_SIDES, TONE_SHARE = (8, 32), 5


@lru_cache(maxsize=None)
def swaps_of(folder, people):
    """Returns the real swaps in a folder, and the indices of those of these people. None and [] if there are none."""
    if not (folder / 'swaps.json').exists():
        return None, []
    swaps = Swaps(folder)
    return swaps, swaps.of(people)


def sample_of(faces, chosen, rng):
    """Draws a sample.

    Its planes are the picture, the face without faults, facing, where the swap drew, and whether the swap is real: 1 or 0
    in all texels.
    """
    swaps, indices = swaps_of(faces.folder, frozenset(faces.faces[at]['person'] for at in chosen))
    real = bool(indices) and rng.random() < SWAP_SHARE
    if real:
        sample = swaps.sample(rng.choice(indices))
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
    """Error of the corrected face: of its colours, of their differences between neighbouring texels, and of its tones."""
    seen, clean = seen_of(batch), clean_of(batch)
    # With bfloat16 and the memory format channels_last, an iteration takes 0.37 of the time.
    with torch.autocast(seen.device.type, dtype=torch.bfloat16):
        steps = network(seen.to(memory_format=torch.channels_last)).float().contiguous()
    error = seen[:, :3] + steps - clean
    opaque = seen[:, 4:]
    changed = ((seen[:, :3] - clean).abs().amax(1, keepdim=True) * 12).clamp(max=1)
    weights = opaque * (1 + 6 * changed)
    # At first the loss is quadratic in most errors, and at the end nearly absolute. With absolute errors from the
    # beginning, the network never starts to learn, because most texels have no fault. With squares alone, it changes
    # faultless skin a little.
    beta = MOST_SQUARED * (LEAST_SQUARED / MOST_SQUARED) ** past

    def distance(values, beta):
        return F.smooth_l1_loss(values, torch.zeros_like(values), reduction='none', beta=beta)

    edges = sum((distance(error.roll(-1, axis) - error, beta / 2) * weights)[..., :-1, :-1].sum() for axis in (2, 3))
    tones = sum(distance(F.avg_pool2d(error * opaque, side), beta / 2).mean() for side in TONE_SIDES)
    return 10 * ((distance(error, beta) * weights).sum() + edges) / (3 * weights.sum() + 1) + TONE_SHARE * tones


def measure(network, batch):
    """Returns figures by name.

    They are the remaining share of drawn faults and of those of real swaps, and the mean change of faultless texels
    (levels).
    """
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


def more_faces(faces, held):
    """Returns the faces with glasses, hands and masks, without the people who are held out."""
    people = {faces.faces[at]['person'] for at in held}
    return [at for at, face in enumerate(faces.faces) if at not in faces.bare_index and face['person'] not in people]


if __name__ == '__main__':
    run(Task(Mend, sample_of, seen_of, loss_of, measure, more_faces))
