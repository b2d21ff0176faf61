"""Trains the network that tells what lies in front of a face, and how the face looks behind it.

    /usr/bin/python3 training/in_front/train.py --data DIR --out FILE.pt [--minutes N] [--seed N] [--begin FILE.pt]
        [--processes N] [--rate N]
"""

import argparse
import math
import os
import random
import time

import torch
from torch import distributed, multiprocessing
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel

from data import BARE, CLASSES, Faces, make_sample, window
from network import InFront, mended

# People held out of training, for the figures printed on the way.
HELD_OUT = 20
BATCH = 8
# Share of the past in the averaged weights, which are steadier than the last ones, and are what is kept.
PAST_SHARE = 0.998
# Seconds between two lines of figures.
REPORT_SECONDS = 240


def batch_of(faces, chosen, rng):
    """Returns what is seen (picture and facing), the shares of the classes, the bare face, where skin and face are known,
    and the shade and where it is known."""
    others = lambda own: faces.read('rgb', own.randrange(len(faces.faces)))
    samples = [make_sample(faces, rng.choice(chosen), others, rng) for _ in range(BATCH)]
    stack = lambda part: torch.stack([window(part(sample)) for sample in samples])
    seen = stack(lambda s: torch.cat([s.picture, s.facing]))
    return (seen, stack(lambda s: s.shares), stack(lambda s: s.bare), stack(lambda s: s.skin),
            stack(lambda s: s.known), stack(lambda s: torch.cat([s.shade, s.told])))


def loss_of(network, seen, shares, bare, skin, known, light):
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
    share of the shade that is left."""
    rng = random.Random(7)
    both, either = torch.zeros(len(CLASSES)), torch.zeros(len(CLASSES))
    error, area, left, drawn = 0, 0, 0, 0
    network.eval()
    with torch.no_grad():
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
    network.train()
    return [*(both / either.clamp(min=1)).tolist(), error / area, left / drawn]


def train(rank, processes, options):
    """Trains in one of several processes, each of which draws faces of its own; they share their gradients."""
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(options.port))
    distributed.init_process_group('gloo', rank=rank, world_size=processes)
    torch.manual_seed(options.seed)
    rng = random.Random(f'{options.seed} {rank}')
    faces = Faces(options.data)
    learned, held = faces.split(HELD_OUT)
    network = InFront().to(memory_format=torch.channels_last)
    if options.begin:
        network.load_state_dict(torch.load(options.begin))
    averaged = AveragedModel(network, avg_fn=lambda past, now, _: now + PAST_SHARE * (past - now), use_buffers=True)
    parameters = list(network.parameters())
    if rank == 0:
        print(f'{sum(p.numel() for p in parameters)} parameters, {len(learned)} faces, {len(held)} held out')
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=1e-4)
    began = reported = time.time()
    losses, iteration, past = [], 0, 0
    while past < 1:
        rate = options.rate * min(1, (iteration + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * past)))
        for group in optimizer.param_groups:
            group['lr'] = rate
        loss = loss_of(network, *batch_of(faces, learned, rng))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        # The time goes with the gradients, so that all processes stop together.
        past = share([p.grad for p in parameters], (time.time() - began) / (60 * options.minutes), processes)
        torch.nn.utils.clip_grad_norm_(parameters, 1)
        optimizer.step()
        if rank == 0:
            averaged.update_parameters(network)
        losses.append(float(loss))
        iteration += 1
        if rank == 0 and time.time() - reported > REPORT_SECONDS:
            reported = time.time()
            names = (*CLASSES, 'error', 'shade')
            figures = ' '.join(f'{name} {value:.3f}' for name, value in zip(names, measure(averaged.module, faces, held)))
            print(f'{100 * past:.0f} % iteration {iteration} loss {sum(losses) / len(losses):.4f} {figures}', flush=True)
            losses = []
            save(averaged.module, options.out)
    if rank == 0:
        save(averaged.module, options.out)


def share(gradients, past, processes):
    """Averages gradients over all processes, in place, and returns the mean of a number."""
    flat = torch.cat([*(gradient.flatten() for gradient in gradients), torch.tensor([past])])
    distributed.all_reduce(flat)
    flat /= processes
    at = 0
    for gradient in gradients:
        gradient.copy_(flat[at:at + gradient.numel()].view_as(gradient))
        at += gradient.numel()
    return float(flat[-1])


def save(network, out):
    torch.save(network.state_dict(), f'{out}.part')
    os.replace(f'{out}.part', out)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rate', type=float, default=2e-3, help='of learning, at its peak')
    parser.add_argument('--begin', help='weights to go on from')
    parser.add_argument('--processes', type=int, default=2, help='one a core')
    parser.add_argument('--port', type=int, default=29511, help='on which they meet, on this machine')
    options = parser.parse_args()
    multiprocessing.spawn(train, (options.processes, options), options.processes)
