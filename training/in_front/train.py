"""Trains the network that tells what lies in front of a face, and how the face looks behind it.

    /usr/bin/python3 -m in_front.train --data DIR --out FILE.pt [--minutes N] [--seed N] [--begin FILE.pt]
        [--processes N] [--rate N]
"""

import random

import torch
import torch.nn.functional as F

from in_front.data import BARE, CLASSES, make_sample
from in_front.network import InFront, mended
from training_loop import Task, draw_batch, run


def batch_of(faces, chosen, rng):
    """Returns what is seen (picture and facing), the shares of the classes, the bare face, where skin and face are known,
    and the shade and where it is known."""
    stack = draw_batch(faces, chosen, rng, make_sample)
    seen = stack(lambda s: torch.cat([s.picture, s.facing]))
    return (seen, stack(lambda s: s.shares), stack(lambda s: s.bare), stack(lambda s: s.skin),
            stack(lambda s: s.known), stack(lambda s: torch.cat([s.shade, s.told])))


def loss_of(network, _past, seen, shares, bare, skin, known, light):
    # In bfloat16, and with each pixel's channels side by side, it takes 0.37 of the time.
    with torch.autocast('cpu', dtype=torch.bfloat16):
        answers = network.logits(seen.to(memory_format=torch.channels_last))
    classes, colours, needed, shade = (each.float().contiguous() for each in answers)
    drawn = 1 - shares[:, BARE:BARE + 1]
    # What was drawn is known even where the face below is not.
    weights = torch.maximum(skin, (drawn > 0.5).float())
    return (classes_loss(classes, shares, weights)
            + 6 * face_loss(seen, colours, needed, bare, known, drawn)
            + 0.5 * needed_loss(needed, seen[:, :3], bare, known)
            + 3 * shade_loss(shade, *light.split(1, 1)))


def classes_loss(logits, shares, weights):
    """Cross entropy with soft shares, and an overlap of each class, which small ones need."""
    log_shares = F.log_softmax(logits, 1)
    entropy = -(shares * log_shares).sum(1, keepdim=True)
    told = log_shares.exp() * weights
    true = shares * weights
    both = (told * true).sum((0, 2, 3))
    overlap = (2 * both + 1) / ((told * told).sum((0, 2, 3)) + (true * true).sum((0, 2, 3)) + 1)
    return (entropy * weights).sum() / weights.sum() + 0.5 * (1 - overlap).mean()


def face_loss(seen, colours, needed, bare, known, drawn):
    """How far the mended face is from the bare one: its colours, and their steps from texel to texel."""
    error = mended(seen, colours, needed) - bare
    weights = known * (1 + 4 * drawn)
    steps = sum(
        ((error.roll(-1, axis) - error).abs() * weights)[..., :-1, :-1].sum() for axis in (2, 3))
    # Colours are the face's everywhere, so that those beside a mask tell how they fit.
    everywhere = 0.3 * ((colours - bare).abs() * known).sum() / known.sum()
    return ((error.abs() * weights).sum() + steps) / (3 * weights.sum()) + everywhere / 3


def needed_loss(needed, picture, bare, known):
    """What was not changed needs nothing."""
    changed = ((picture - bare).abs().amax(1, keepdim=True) * 12).clamp(max=1)
    return (F.binary_cross_entropy_with_logits(needed, changed, reduction='none') * known).sum() / known.sum()


def shade_loss(shade, true, told):
    """How far the shade is from the true one, and its edges from the true ones."""
    error = (shade - true) * told
    steps = sum((error.roll(-1, axis) - error).abs()[..., :-1, :-1].sum() for axis in (2, 3))
    return (error.abs().sum() + 2 * steps) / (told.sum() + 1)


def measure(network, faces, chosen, batches=3):
    """Returns intersection over union of each class, the bare face's mean error where things were drawn, levels, and the
    share of the shade that is left, by name."""
    rng = random.Random(7)
    both, either = torch.zeros(len(CLASSES)), torch.zeros(len(CLASSES))
    error, area, left, drawn = 0, 0, 0, 0
    for _ in range(batches):
        seen, shares, bare, skin, known, light = batch_of(faces, chosen, rng)
        classes, face, shade = network(seen)
        told, true = classes.argmax(1), shares.argmax(1)
        is_known = (skin[:, 0] > 0.5) | (true != BARE)
        for kind in range(len(CLASSES)):
            both[kind] += ((told == kind) & (true == kind) & is_known).sum()
            either[kind] += (((told == kind) | (true == kind)) & is_known).sum()
        weights = known * (1 - shares[:, BARE:BARE + 1])
        error += float(((face - bare).abs() * weights).sum()) * 255 / 3
        area += float(weights.sum())
        true, told = light.split(1, 1)
        left += float(((shade - true).abs() * told).sum())
        drawn += float((true.abs() * told).sum())
    return dict(zip(CLASSES, (both / either.clamp(min=1)).tolist()), error=error / area, shade=left / drawn)


if __name__ == '__main__':
    run(Task(InFront, batch_of, loss_of, measure))
