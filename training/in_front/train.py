"""Trains the network that tells what lies in front of a face.

    /usr/bin/python3 training/in_front/train.py --data DIR --out FILE.pt [--minutes N] [--seed N]
"""

import argparse
import math
import os
import random
import time

import torch
import torch.nn.functional as F

from data import BARE, CLASSES, Faces, make_sample, weights_of
from network import InFront, inputs_of

# People held out of training, for the figures printed on the way.
HELD_OUT = 20
BATCH = 8
PEAK_RATE = 2e-3
# Seconds between two lines of figures.
REPORT_SECONDS = 30


def batch_of(faces, chosen, rng):
    others = lambda own: faces.read('rgb', own.randrange(len(faces.faces)))
    samples = [make_sample(faces, rng.choice(chosen), others, rng) for _ in range(BATCH)]
    stack = lambda part: torch.stack([part(sample) for sample in samples])
    return (stack(lambda s: s.picture), stack(lambda s: s.oval), stack(lambda s: s.shares), stack(weights_of))


def loss_of(logits, shares, weights):
    """Cross entropy with soft shares, and an overlap of each class, which small ones need."""
    log_shares = F.log_softmax(logits, 1)
    entropy = -(shares * log_shares).sum(1, keepdim=True)
    told = log_shares.exp() * weights
    true = shares * weights
    both = (told * true).sum((0, 2, 3))
    overlap = (2 * both + 1) / ((told * told).sum((0, 2, 3)) + (true * true).sum((0, 2, 3)) + 1)
    return (entropy * weights).sum() / weights.sum() + 0.5 * (1 - overlap).mean()


def measure(network, faces, chosen, batches=6):
    """Returns intersection over union of each class, and the share of bare pixels that are lost."""
    rng = random.Random(7)
    both, either = torch.zeros(len(CLASSES)), torch.zeros(len(CLASSES))
    network.eval()
    with torch.no_grad():
        for _ in range(batches):
            picture, oval, shares, weights = batch_of(faces, chosen, rng)
            told = network(inputs_of(picture, oval)).argmax(1)
            true = shares.argmax(1)
            known = weights[:, 0] > 0.5
            for kind in range(len(CLASSES)):
                both[kind] += ((told == kind) & (true == kind) & known).sum()
                either[kind] += (((told == kind) | (true == kind)) & known).sum()
    network.train()
    return (both / either.clamp(min=1)).tolist()


def train(data, out, minutes, seed):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    faces = Faces(data)
    learned, held = faces.split(HELD_OUT)
    network = InFront()
    print(f'{sum(p.numel() for p in network.parameters())} parameters, {len(learned)} faces, {len(held)} held out')
    optimizer = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE, weight_decay=1e-4)
    began = reported = time.time()
    losses, iteration = [], 0
    while (past := (time.time() - began) / (60 * minutes)) < 1:
        rate = PEAK_RATE * min(1, (iteration + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * past)))
        for group in optimizer.param_groups:
            group['lr'] = rate
        picture, oval, shares, weights = batch_of(faces, learned, rng)
        loss = loss_of(network(inputs_of(picture, oval)), shares, weights)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1)
        optimizer.step()
        losses.append(float(loss))
        iteration += 1
        if time.time() - reported > REPORT_SECONDS:
            reported = time.time()
            figures = ' '.join(f'{name} {iou:.3f}' for name, iou in zip(CLASSES, measure(network, faces, held)))
            print(f'{100 * past:.0f} % iteration {iteration} loss {sum(losses) / len(losses):.4f} {figures}', flush=True)
            losses = []
            save(network, out)
    save(network, out)


def save(network, out):
    torch.save(network.state_dict(), f'{out}.part')
    os.replace(f'{out}.part', out)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    train(options.data, options.out, options.minutes, options.seed)
