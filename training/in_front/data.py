"""Faces with things drawn in front of them, and what each pixel shows.

Pictures are float32 tensors of 3 x SIDE x SIDE, sRGB 0..1; masks are 1 x SIDE x SIDE, 0..1.
"""

import json
import math
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

# What a pixel shows, in the order of the network's output.
CLASSES = ('bare', 'hair', 'frame', 'lens', 'thing')
BARE, HAIR, FRAME, LENS, THING = range(len(CLASSES))

# Bytes a pixel of each file that training/prepare.ts writes.
CHANNELS = {'rgb': 3, 'oval': 1, 'frame': 4, 'lens': 4, 'shadow': 4, 'inside': 1, 'hair': 4}


class Faces:
    """The files that training/prepare.ts wrote, read as they are needed."""

    def __init__(self, folder):
        folder = Path(folder)
        index = json.loads((folder / 'index.json').read_text())
        self.side = index['side']
        self.faces = index['faces']
        # Position of each bare face among those that were drawn on.
        bare = [at for at, face in enumerate(self.faces) if face['isBare']]
        self.drawn = {face: at for at, face in enumerate(bare)}
        self.glasses_a_face = index['glassesAFace']
        self.hair_a_face = index['hairAFace']
        self.files = {name: self._open(folder, name, count) for name, count in CHANNELS.items()}

    def _open(self, folder, name, channels):
        return np.memmap(folder / f'{name}.bin', np.uint8, 'r').reshape(-1, self.side, self.side, channels)

    def read(self, name, at):
        """Returns one entry of a file, channels first, 0..1."""
        return torch.from_numpy(self.files[name][at].copy()).permute(2, 0, 1).float() / 255

    def split(self, held_out):
        """Returns the bare faces to learn from and those held out, by person, always the same ones."""
        people = sorted({self.faces[at]['person'] for at in self.drawn})
        held = set(random.Random(36).sample(people, min(held_out, len(people) - 1)))
        by = {True: [], False: []}
        for at in self.drawn:
            by[self.faces[at]['person'] in held].append(at)
        return by[False], by[True]


def blur(picture, radius):
    """A box blur, twice: nearly a Gaussian. `radius` in pixels, from 1."""
    size = 2 * radius + 1
    for _ in range(2):
        picture = F.avg_pool2d(F.pad(picture[None], (radius,) * 4, mode='replicate'), size, 1)[0]
    return picture


def field(side, cells, rng):
    """A smooth random field, 0..1."""
    values = torch.tensor([rng.random() for _ in range(cells * cells)]).view(1, 1, cells, cells)
    grown = F.interpolate(values, (side, side), mode='bicubic', align_corners=False)
    return grown[0].clamp(0, 1)


def over(picture, overlay, opacity=1.0):
    """Puts an overlay (colours times opacity, opacity) over a picture."""
    return picture * (1 - opacity * overlay[3:]) + opacity * overlay[:3]


class Sample:
    """A face on which things are drawn, one over the other."""

    def __init__(self, picture, oval):
        self.picture = picture
        self.oval = oval
        # Share of each class in a pixel; they add up to 1.
        self.shares = torch.zeros(len(CLASSES), *picture.shape[1:])
        self.shares[BARE] = 1

    def cover(self, kind, mask):
        """Says that a mask of a pixel shows this class now."""
        self.shares = self.shares * (1 - mask)
        self.shares[kind] += mask[0]


def draw_glasses(sample, faces, at, rng):
    """Draws one of a face's pairs of glasses: shadow, lenses, then the frame."""
    entry = faces.drawn[at] * faces.glasses_a_face + rng.randrange(faces.glasses_a_face)
    frame, lens, shadow = (faces.read(name, entry) for name in ('frame', 'lens', 'shadow'))
    inside = faces.read('inside', entry)
    sample.picture = over(sample.picture, shadow)
    sample.picture = over(sample.picture, lens)
    if rng.random() < 0.3:
        # A lens bends what lies behind its edge.
        sample.picture = sample.picture * (1 - inside) + torch.roll(
            sample.picture, (rng.randint(-3, 3), rng.randint(-3, 3)), (1, 2)) * inside
    tone = torch.tensor([rng.uniform(0.75, 1.25) for _ in range(3)]).view(3, 1, 1)
    frame = torch.cat([(frame[:3] * tone * (0.6 + 0.8 * field(faces.side, 12, rng))).clamp(0, 1), frame[3:]])
    sample.picture = over(sample.picture, frame)
    sample.cover(LENS, inside)
    sample.cover(FRAME, frame[3:])


def draw_hair(sample, faces, at, rng):
    """Draws one of a face's heads of hair, with a shadow below it."""
    entry = faces.drawn[at] * faces.hair_a_face + rng.randrange(faces.hair_a_face)
    hair = faces.read('hair', entry)
    if rng.random() < 0.5:
        hair = hair.flip(2)
    fallen = torch.roll(blur(hair[3:], 3), (rng.randint(1, 6), rng.randint(-4, 4)), (1, 2))
    sample.picture = sample.picture * (1 - fallen * rng.uniform(0, 0.35))
    light = 0.6 + 0.8 * field(faces.side, 24, rng)
    hair = torch.cat([(hair[:3] * light).clamp(0, 1), hair[3:]])
    sample.picture = over(sample.picture, hair)
    sample.cover(HAIR, hair[3:])


def draw_thing(sample, others, rng):
    """Draws a hand or an object: a soft-edged shape with the look of a piece of another picture."""
    side = sample.picture.shape[1]
    mask = (fingers if rng.random() < 0.5 else blob)(side, rng)
    mask = blur(mask, 1)
    other = others(rng)
    x, y = rng.randint(0, side - 1), rng.randint(0, side - 1)
    texture = torch.roll(other, (y, x), (1, 2))
    tone = torch.tensor([rng.uniform(0.6, 1.3) for _ in range(3)]).view(3, 1, 1)
    shade = 0.5 + field(side, rng.choice([3, 5, 9]), rng)
    colour = torch.tensor([rng.random() for _ in range(3)]).view(3, 1, 1)
    share = rng.random()
    texture = ((texture * share + colour * (1 - share)) * tone * shade).clamp(0, 1)
    fallen = torch.roll(blur(mask, 5), (rng.randint(0, 8), rng.randint(-6, 6)), (1, 2))
    sample.picture = sample.picture * (1 - fallen * rng.uniform(0, 0.4))
    sample.picture = sample.picture * (1 - mask) + texture * mask
    sample.cover(THING, mask)


def grid(side):
    """Coordinates of the pixels' centres: x and y, each side x side."""
    y, x = torch.meshgrid(torch.arange(side) + 0.5, torch.arange(side) + 0.5, indexing='ij')
    return x, y


def fingers(side, rng):
    """Some capsules side by side, as of a hand that comes from the border."""
    x, y = grid(side)
    angle = rng.uniform(0, 2 * math.pi)
    towards = torch.tensor([math.cos(angle), math.sin(angle)])
    tip_x, tip_y = (side * rng.uniform(0.2, 0.8) for _ in range(2))
    width = side * rng.uniform(0.03, 0.07)
    mask = torch.zeros(side, side)
    for number in range(rng.randint(1, 5)):
        aside = (number - 1.5) * width * rng.uniform(1.7, 2.3)
        bend = angle + rng.uniform(-0.2, 0.2)
        from_x = tip_x - aside * towards[1] + rng.uniform(-1, 1) * width
        from_y = tip_y + aside * towards[0] + rng.uniform(-1, 1) * width
        along = (x - from_x) * math.cos(bend) + (y - from_y) * math.sin(bend)
        across = (y - from_y) * math.cos(bend) - (x - from_x) * math.sin(bend)
        away = torch.where(along < 0, torch.hypot(along, across), across.abs())
        mask = torch.maximum(mask, (width - away + 0.5).clamp(0, 1))
    return mask[None]


def blob(side, rng):
    """A shape whose outline waves around an ellipse: a microphone, a cup, a scarf."""
    x, y = grid(side)
    middle_x, middle_y = side * rng.uniform(0.1, 0.9), side * rng.uniform(0.3, 1.05)
    wide, high = side * rng.uniform(0.06, 0.35), side * rng.uniform(0.06, 0.35)
    turn = rng.uniform(0, math.pi)
    u = ((x - middle_x) * math.cos(turn) + (y - middle_y) * math.sin(turn)) / wide
    v = ((y - middle_y) * math.cos(turn) - (x - middle_x) * math.sin(turn)) / high
    angle = torch.atan2(v, u)
    edge = 1 + sum(
        rng.uniform(0, 0.2) * torch.sin(waves * angle + rng.uniform(0, 2 * math.pi)) for waves in (2, 3, 5))
    return ((edge - torch.hypot(u, v)) * min(wide, high) + 0.5).clamp(0, 1)[None]


def photograph(sample, rng):
    """Changes light, sharpness and grain of the whole picture, as another camera would."""
    picture = sample.picture
    side = picture.shape[1]
    if rng.random() < 0.35:
        share = rng.uniform(0.3, 1)
        picture = picture * (1 - share) + blur(picture, rng.randint(1, 2)) * share
    gains = torch.tensor([rng.uniform(0.85, 1.15) for _ in range(3)]).view(3, 1, 1) * rng.uniform(0.7, 1.2)
    x, y = grid(side)
    slope = 1 + rng.uniform(-0.35, 0.35) * (x / side - 0.5) + rng.uniform(-0.2, 0.2) * (y / side - 0.5)
    picture = picture.clamp(1e-4, 1) ** math.exp(rng.uniform(-0.35, 0.35)) * gains * slope
    if rng.random() < 0.12:
        picture = picture.mean(0, keepdim=True).expand(3, -1, -1)
    if rng.random() < 0.4:
        noise = torch.from_numpy(np.random.default_rng(rng.getrandbits(32)).standard_normal(picture.shape))
        picture = picture + noise.float() * rng.uniform(0, 0.03)
    sample.picture = picture.clamp(0, 1)


def move(sample, rng):
    """Turns, scales and shifts picture and masks alike: meshes are a little off."""
    turn, scale = rng.gauss(0, 0.06), math.exp(rng.gauss(0, 0.06))
    flip = rng.choice([-1, 1])
    cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
    affine = torch.tensor([[flip * cos, -sin, rng.gauss(0, 0.03)], [flip * sin, cos, rng.gauss(0, 0.03)]])
    whole = torch.cat([sample.picture, sample.oval, sample.shares])[None]
    moved = F.grid_sample(
        whole, F.affine_grid(affine[None], whole.shape, align_corners=False),
        align_corners=False, padding_mode='border')[0]
    sample.picture, sample.oval, shares = moved.split([3, 1, len(CLASSES)])
    sample.shares = shares / shares.sum(0, keepdim=True)


# Share of the samples on which nothing is drawn: what is bare must stay bare.
BARE_SHARE = 0.25


def make_sample(faces, at, others, rng):
    """Draws what it likes before a bare face.

    others: returns a picture of somebody else, for textures.
    """
    sample = Sample(faces.read('rgb', at), faces.read('oval', at))
    if rng.random() >= BARE_SHARE:
        if rng.random() < 0.65:
            draw_glasses(sample, faces, at, rng)
        if rng.random() < 0.4:
            draw_hair(sample, faces, at, rng)
        if rng.random() < 0.3:
            draw_thing(sample, others, rng)
    move(sample, rng)
    photograph(sample, rng)
    return sample


def weights_of(sample):
    """Where the truth is known, 0..1: inside the mesh, and wherever something was drawn.

    Beyond the mesh a bare face has hair and clothes of its own, which nobody marked.
    """
    drawn = 1 - sample.shares[BARE:BARE + 1]
    return torch.maximum(-F.max_pool2d(-sample.oval[None], 9, 1, 4)[0], (drawn > 0.5).float())
