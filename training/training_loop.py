"""Trains a network for a given time.

Some processes draw samples into a pool; another one trains the network with samples of the pool.
"""

import argparse
import math
import os
import random
import time
from dataclasses import dataclass
from typing import Callable

import torch
from torch import multiprocessing
from torch.optim.swa_utils import AveragedModel

from in_front.data import Faces
from shipped import read_shipped

# Number of people who are held out of training, and of their samples, from which the printed figures are measured.
HELD_OUT = 20
HELD_SAMPLES = 48
# Decay of the moving average of the weights. The average is saved, because it varies less than the last weights.
PAST_SHARE = 0.998
# Number of drawn samples that may wait until the training process takes them.
WAITING = 256
# Number of batches that are drawn before training begins.
FIRST_BATCHES = 4
# Number of the first planes of a sample, which are colours: of the picture, and of the correct result.
COLOURS = 6
# Standard deviations of the random light of a sample, as logarithms: of each colour, of all colours, and of the
# contrast.
COLOUR_GAIN, GAIN, CONTRAST = 0.12, 0.1, 0.1


def no_faces(faces, held):
    return []


@dataclass
class Task:
    """A network and how it is trained. The functions must belong to modules, because they are sent to other processes.

    A sample is planes x HEIGHT x WIDTH, the COLOURS first. A batch of them is samples x planes x HEIGHT x WIDTH.
    """
    make_network: Callable  # ()
    sample_of: Callable  # (faces, indices of faces, random numbers): sample
    seen_of: Callable  # (batch): input of the network
    loss_of: Callable  # (network, elapsed share of the time, batch): loss
    measure: Callable  # (network, batch of faces held out): figures by name
    more_faces: Callable = no_faces  # (faces, held-out bare faces): indices of faces to train with in addition to bare ones


def run(task):
    """Parses the command line and trains."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rate', type=float, default=2e-3, help='highest learning rate')
    parser.add_argument('--begin', help='weights to begin with: of this or another network, or a shipped ONNX file')
    parser.add_argument('--batch', type=int, default=16, help='samples per iteration')
    parser.add_argument('--pool', type=int, default=4000, help='number of latest samples to train with')
    parser.add_argument('--drawing', type=int, default=1, help='number of processes that draw samples')
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--report', type=float, default=240, help='seconds between two printed lines of figures')
    train(task, parser.parse_args())


class Pool:
    """The latest samples. Each is used several times, mirrored and in other light."""

    def __init__(self, task, options, shape):
        context = multiprocessing.get_context('spawn')
        self.slots = torch.zeros(WAITING, *shape, dtype=torch.float16).share_memory_()
        self.free, self.full = context.Queue(), context.Queue()
        for slot in range(WAITING):
            self.free.put(slot)
        self.samples = torch.zeros(options.pool, *shape, dtype=torch.float16, device=options.device)
        self.drawn = 0
        self.processes = [
            context.Process(target=draw, daemon=True, args=(
                task.sample_of, task.more_faces, options.data, f'{options.seed} {number}', self.slots, self.free, self.full))
            for number in range(options.drawing)]
        for process in self.processes:
            process.start()

    def take(self, least=0):
        """Moves drawn samples into the pool. Waits until at least `least` samples were drawn since the beginning."""
        while self.drawn < least or not self.full.empty():
            slot = self.full.get()
            self.samples[self.drawn % len(self.samples)] = self.slots[slot].to(self.samples.device)
            self.free.put(slot)
            self.drawn += 1

    def batch(self, size):
        known = min(self.drawn, len(self.samples))
        return augment(self.samples[torch.randint(known, (size,), device=self.samples.device)].float())

    def close(self):
        for process in self.processes:
            process.kill()


def draw(sample_of, more_faces, data, seed, slots, free, full):
    """Draws samples into free slots until the process is killed."""
    torch.set_num_threads(1)
    rng = random.Random(seed)
    faces = Faces(data)
    learned, held = faces.split(HELD_OUT)
    chosen = learned + more_faces(faces, held)
    while True:
        sample = sample_of(faces, chosen, rng)
        slot = free.get()
        slots[slot] = sample
        full.put(slot)


def augment(batch):
    """Mirrors half of the samples, and changes the light of each: of the picture and the correct result alike."""
    def of_each(*shape):
        return torch.randn(len(batch), *shape, 1, 1, device=batch.device)
    batch = torch.where(torch.rand(len(batch), 1, 1, 1, device=batch.device) < 0.5, batch.flip(3), batch)
    gains = (COLOUR_GAIN * of_each(3) + GAIN * of_each(1)).exp().repeat(1, 2, 1, 1)
    colours = batch[:, :COLOURS].clamp(min=1e-4) ** (CONTRAST * of_each(1)).exp() * gains
    return torch.cat([colours.clamp(0, 1), batch[:, COLOURS:]], 1)


def train(task, options):
    # When a GPU trains, more CPU threads would only wait for each other.
    torch.set_num_threads(os.cpu_count() if options.device == 'cpu' else 1)
    faces = Faces(options.data)
    learned, held = faces.split(HELD_OUT)
    rng = random.Random(7)
    of_held = torch.stack([task.sample_of(faces, held, rng) for _ in range(HELD_SAMPLES)]).to(options.device)
    torch.manual_seed(options.seed)
    network = task.make_network()
    continues = bool(options.begin) and begin(network, options.begin, task.seen_of(of_held.cpu()))
    network = network.to(options.device, memory_format=torch.channels_last)
    averaged = AveragedModel(network, avg_fn=lambda past, now, _: now + PAST_SHARE * (past - now), use_buffers=True)
    parameters = list(network.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=1e-4)
    print(f'{sum(p.numel() for p in parameters)} parameters, {len(learned) + len(task.more_faces(faces, held))} faces, '
          f'{len(held)} held out', flush=True)
    pool = Pool(task, options, of_held.shape[1:])
    pool.take(FIRST_BATCHES * options.batch)
    began = reported = time.time()
    losses, iteration, past = [], 0, 0
    while past < 1:
        pool.take()
        rate = options.rate * min(1, (iteration + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * past)))
        for group in optimizer.param_groups:
            group['lr'] = rate
        loss = task.loss_of(network, 1 if continues else past, pool.batch(options.batch))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1)
        optimizer.step()
        averaged.update_parameters(network)
        losses.append(loss.detach())
        iteration += 1
        now = time.time()
        past = (now - began) / (60 * options.minutes)
        if now - reported > options.report or past >= 1:
            reported = now
            figures = figures_of(task, averaged.module, of_held)
            print(f'{100 * past:.0f} % iteration {iteration} of {pool.drawn} drawn, '
                  f'loss {float(torch.stack(losses).mean()):.4f} {figures}', flush=True)
            losses = []
            save(averaged.module, options.out)
    pool.close()


def begin(network, file, seen):
    """Loads weights of a file or of a shipped network. Returns whether they are this network's own."""
    if file.endswith('.onnx'):
        read_shipped(network, file, seen.split(8))
        return True
    return network.begin(torch.load(file, map_location='cpu'))


def figures_of(task, network, batch):
    network.eval()
    with torch.no_grad():
        figures = task.measure(network, batch)
    network.train()
    return ' '.join(f'{name} {value:.3f}' for name, value in figures.items())


def save(network, out):
    torch.save({name: value.cpu() for name, value in network.state_dict().items()}, f'{out}.part')
    os.replace(f'{out}.part', out)
