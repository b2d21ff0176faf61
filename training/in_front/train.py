"""Trains the network that tells what lies in front of a face, and how the face looks behind it.

    /usr/bin/python3 -m in_front.train --data DIR --out FILE.pt [--minutes N] [--seed N] [--begin FILE.pt]
        [...]
"""

import torch
import torch.nn.functional as F

from in_front.data import BARE, CLASSES, make_sample, window
from in_front.network import InFront, mended
from training_loop import Task, run


def sample_of(faces, chosen, rng):
    """Draws a sample: colours of what is seen and of the bare face, facing, shares of the classes, where skin and face are
    known, the shade and where it is known."""
    s = make_sample(faces, rng.choice(chosen), faces.other, rng)
    return window(torch.cat([s.picture, s.bare, s.facing, s.shares, s.skin, s.known, s.shade, s.told]))


def parts_of(batch):
    """Returns what the network sees, the bare face, and the rest of the truth."""
    colours, bare, facing, *truth = batch.split([3, 3, 1, len(CLASSES), 1, 1, 1, 1], 1)
    return torch.cat([colours, facing], 1), bare, *truth


def seen_of(batch):
    return parts_of(batch)[0]


def loss_of(network, _past, batch):
    seen, bare, shares, skin, known, shade, told = parts_of(batch)
    # In bfloat16, and with each pixel's channels side by side, it takes 0.37 of the time.
    with torch.autocast(seen.device.type, dtype=torch.bfloat16):
        answers = network.logits(seen.to(memory_format=torch.channels_last))
    classes, colours, needed, light = (each.float().contiguous() for each in answers)
    drawn = 1 - shares[:, BARE:BARE + 1]
    # What was drawn is known even where the face below is not.
    weights = torch.maximum(skin, (drawn > 0.5).float())
    return (classes_loss(classes, shares, weights)
            + 6 * face_loss(seen, colours, needed, bare, known, drawn)
            + 0.5 * needed_loss(needed, seen[:, :3], bare, known)
            + 3 * shade_loss(light, shade, told))


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


def measure(network, batch):
    """Returns intersection over union of each class, the bare face's mean error where things were drawn, levels, and the
    share of the shade that is left, by name."""
    seen, bare, shares, skin, known, shade, told = parts_of(batch)
    classes, face, light = network(seen)
    found, true = classes.argmax(1), shares.argmax(1)
    is_known = (skin[:, 0] > 0.5) | (true != BARE)
    overlaps = {}
    for kind, name in enumerate(CLASSES):
        both = ((found == kind) & (true == kind) & is_known).sum()
        overlaps[name] = float(both / (((found == kind) | (true == kind)) & is_known).sum().clamp(min=1))
    weights = known * (1 - shares[:, BARE:BARE + 1])
    error = float(((face - bare).abs() * weights).sum() * 255 / 3 / weights.sum())
    return {**overlaps, 'error': error, 'shade': float(((light - shade).abs() * told).sum() / (shade.abs() * told).sum())}


if __name__ == '__main__':
    run(Task(InFront, sample_of, seen_of, loss_of, measure))
