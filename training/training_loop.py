"""Trains a network on all cores for some minutes."""

import argparse
import math
import os
import random
import time
from dataclasses import dataclass
from typing import Callable

import torch
from torch import distributed, multiprocessing
from torch.optim.swa_utils import AveragedModel

from in_front.data import Faces, window

# Faces of one process in an iteration.
BATCH = 8
# People held out of training, for the figures printed on the way.
HELD_OUT = 20
# Share of the past in the averaged weights, which are steadier than the last ones, and are what is kept.
PAST_SHARE = 0.998
# Seconds between two lines of figures.
REPORT_SECONDS = 240


def draw_batch(faces, chosen, rng, make_sample):
    """Draws samples. Returns a function that stacks a part of each, as the network sees it."""
    samples = [make_sample(faces, rng.choice(chosen), faces.other, rng) for _ in range(BATCH)]
    return lambda part: torch.stack([window(part(sample)) for sample in samples])


def nothing(faces, held):
    return []


@dataclass
class Task:
    """What is trained. Its functions are those of modules, because they go to other processes."""
    make_network: Callable  # ()
    batch_of: Callable  # (faces, numbers of faces, random numbers): tensors
    loss_of: Callable  # (network, share of the time that is past, *tensors): loss
    measure: Callable  # (network, faces, numbers of faces held out): figures by name
    also: Callable = nothing  # (faces, bare faces held out): numbers of faces to learn from, beside bare ones


def run(task):
    """Reads the command's options and trains."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rate', type=float, default=2e-3, help='of learning, at its peak')
    parser.add_argument('--begin', help='weights to go on from, also those of another network')
    parser.add_argument('--processes', type=int, default=2, help='one a core')
    parser.add_argument('--port', type=int, default=29511, help='on which they meet, on this machine')
    options = parser.parse_args()
    multiprocessing.spawn(train, (task, options.processes, options), options.processes)


def train(rank, task, processes, options):
    """Trains in one of several processes, each of which draws faces of its own; they share their gradients."""
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(options.port))
    distributed.init_process_group('gloo', rank=rank, world_size=processes)
    torch.manual_seed(options.seed)
    rng = random.Random(f'{options.seed} {rank}')
    faces = Faces(options.data)
    learned, held = faces.split(HELD_OUT)
    chosen = learned + task.also(faces, held)
    network = task.make_network().to(memory_format=torch.channels_last)
    if options.begin:
        network.begin(torch.load(options.begin))
    averaged = AveragedModel(network, avg_fn=lambda past, now, _: now + PAST_SHARE * (past - now), use_buffers=True)
    parameters = list(network.parameters())
    if rank == 0:
        print(f'{sum(p.numel() for p in parameters)} parameters, {len(chosen)} faces, {len(held)} held out')
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=1e-4)
    began = reported = time.time()
    losses, iteration, past = [], 0, 0
    while past < 1:
        rate = options.rate * min(1, (iteration + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * past)))
        for group in optimizer.param_groups:
            group['lr'] = rate
        loss = task.loss_of(network, past, *task.batch_of(faces, chosen, rng))
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
            averaged.module.eval()
            with torch.no_grad():
                figures = task.measure(averaged.module, faces, held)
            averaged.module.train()
            told = ' '.join(f'{name} {value:.3f}' for name, value in figures.items())
            print(f'{100 * past:.0f} % iteration {iteration} loss {sum(losses) / len(losses):.4f} {told}', flush=True)
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
