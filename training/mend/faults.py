"""Draws the faults of a swap on portraits. The portrait without the faults is the correct result.

Pictures are float32 tensors of 3 x SIDE x SIDE, sRGB 0..1, in the engine's atlas; masks are 1 x SIDE x SIDE, 0..1.
"""

import math

import torch
import torch.nn.functional as F

from in_front.data import (
    Sample, blob, blur, brow_zone, draw_beard, draw_flyaways, draw_glasses, draw_hair, draw_locks, field, grid, grow,
    move, photograph, some_colour, some_step, tone_of)

# Share of the samples without a fault: the network must not change them.
CLEAN_SHARE = 0.25


def patch(side, rng):
    """Returns a random mask with a soft or a hard edge: a blob, a band along the oval, or one side of a line."""
    shape = rng.random()
    x, y = (axis / side for axis in grid(side))
    angle = rng.uniform(0, 2 * math.pi)
    waves = 0.15 * (field(side, rng.choice([3, 5, 8]), rng) - 0.5)
    if shape < 0.55:
        mask = blob(side, rng)
    elif shape < 0.75:
        away = torch.hypot((x - 0.5) / 0.36, (y - 0.52) / 0.44)
        begin = rng.uniform(0.6, 0.95)
        band = ((away + waves - begin) * side * 0.2 + 0.5).clamp(0, 1)
        band = band * ((begin + rng.uniform(0.1, 0.4) - away) * 10).clamp(0, 1)
        mask = band * ((x - 0.5) * math.cos(angle) + (y - 0.5) * math.sin(angle) + waves > -0.1)
    else:
        across = (x - rng.uniform(0.2, 0.8)) * math.cos(angle) + (y - rng.uniform(0.2, 0.8)) * math.sin(angle)
        mask = ((across + waves) * side * 0.3 + 0.5).clamp(0, 1)
    mask = mask.reshape(1, side, side)
    softness = rng.choice([0, 1, 1, 2, 3, 5, 8])
    return blur(mask, softness) if softness else mask


def draw_tone(picture, rng):
    """Changes the brightness and the colour of a patch."""
    side = picture.shape[1]
    factor = math.exp(rng.choice([-1, 1]) * rng.uniform(0.05, 0.4)) * some_colour(rng, 0.92, 1.08)
    if rng.random() < 0.3:
        factor = factor ** (2 * field(side, 4, rng))
    return torch.lerp(picture, picture * factor, patch(side, rng))


def draw_wax(picture, rng):
    """Makes a patch of skin blurred, as if of wax, or blocky."""
    side = picture.shape[1]
    if rng.random() < 0.7:
        smooth = blur(picture, rng.choice([1, 2, 3, 5]))
    else:
        smooth = F.interpolate(F.avg_pool2d(picture[None], rng.choice([2, 4])), (side, side))[0]
    return torch.lerp(picture, smooth, patch(side, rng))


def draw_brow(picture, faces, rng):
    """Draws a part of another person's brow beside, above or over the face's own."""
    side = faces.side
    luma = faces.against_mean(rng.choice(list(faces.bare_index)))[1]
    dark = (luma / grow(blur(luma, 1), 8)).clamp(0.05, 1) ** rng.uniform(0.5, 1.6)
    dark = torch.roll(dark, some_step(side, 0.05, 0.04, 0.05, rng), (1, 2))
    if rng.random() < 0.5:
        dark = dark.flip(2)
    part = blur(brow_zone(side, 0.03), 3) * patch(side, rng) * rng.uniform(0.3, 1)
    return picture * (1 + part * (dark * some_colour(rng, 0.95, 1.05) - 1))


def draw_trace(picture, rng, draw):
    """Draws a faint trace of hair, glasses or a beard, as a swap leaves it. A quarter are bright instead of dark."""
    none = torch.zeros_like(picture[:1])
    sample = Sample(picture, picture, none + 1, none, none, none, none)
    draw(sample)
    step = sample.picture - picture
    share = rng.uniform(0.08, 0.6) * (patch(picture.shape[1], rng) if rng.random() < 0.8 else 1)
    if rng.random() < 0.25:
        step = -0.5 * step
    if rng.random() < 0.4:
        step = blur(step, rng.choice([1, 2, 3]))
    return picture + share * step


def draw_double(picture, rng):
    """Draws a part of the face a second time, shifted by a few texels: doubled lids and lips."""
    side = picture.shape[1]
    step = torch.roll(picture, some_step(side, 0.025, 0.025, 0.025, rng), (1, 2))
    return torch.lerp(picture, step, rng.uniform(0.2, 0.8) * patch(side, rng))


def draw_other(picture, faces, rng):
    """Draws a patch of another face in the tone of this one, as a swap leaves parts of the target."""
    other = faces.read('atlas-rgb', rng.choice(list(faces.bare_index)))
    other = other * tone_of(picture) / tone_of(other) * some_colour(rng, 0.93, 1.07)
    return torch.lerp(picture, other, rng.uniform(0.3, 1) * patch(faces.side, rng))


# For each kind of fault: the share of the faulty samples that have it, and the function that draws it.
FAULTS = {
    'tone': (0.5, lambda picture, faces, at, others, rng: draw_tone(picture, rng)),
    'second tone': (0.2, lambda picture, faces, at, others, rng: draw_tone(picture, rng)),
    'wax': (0.2, lambda picture, faces, at, others, rng: draw_wax(picture, rng)),
    'brow': (0.3, lambda picture, faces, at, others, rng: draw_brow(picture, faces, rng)),
    'glasses': (0.3, lambda picture, faces, at, others, rng: draw_trace(
        picture, rng, lambda sample: draw_glasses(sample, faces, at, others, rng))),
    'locks': (0.2, lambda picture, faces, at, others, rng: draw_trace(
        picture, rng, lambda sample: draw_locks(sample, faces, at, rng))),
    'hairs': (0.1, lambda picture, faces, at, others, rng: draw_trace(
        picture, rng, lambda sample: draw_flyaways(sample, faces, at, rng))),
    'hair': (0.15, lambda picture, faces, at, others, rng: draw_trace(
        picture, rng, lambda sample: draw_hair(sample, faces, rng))),
    'beard': (0.2, lambda picture, faces, at, others, rng: draw_trace(
        picture, rng, lambda sample: draw_beard(sample, faces, rng))),
    'double': (0.1, lambda picture, faces, at, others, rng: draw_double(picture, rng)),
    'other': (0.2, lambda picture, faces, at, others, rng: draw_other(picture, faces, rng)),
}


def draw_faults(picture, faces, at, others, rng):
    kinds = list(FAULTS.values())
    rng.shuffle(kinds)
    for share, draw in kinds:
        if rng.random() < share:
            picture = draw(picture, faces, at, others, rng).clamp(0, 1)
    return picture


def make_sample(faces, at, others, rng):
    """Draws faults on a face, only where a swap would draw: this area is `skin`. `bare` is the face without faults.

    Faces with glasses or hands in front of them get no faults, because such things are not faults.
    others: returns a random picture, for textures.
    """
    clean, facing = faces.read('atlas-rgb', at), faces.read('atlas-facing', at)
    drawn = drawn_area(facing, rng)
    picture = clean
    if at in faces.bare_index and rng.random() >= CLEAN_SHARE:
        picture = torch.lerp(clean, draw_faults(clean, faces, at, others, rng), drawn)
    none = torch.zeros_like(facing)
    sample = Sample(picture, clean, facing, drawn, none, none, none)
    if rng.random() < 0.3:
        shade, _ = faces.lamps.light(rng)
        light = (shade * some_colour(rng, 0.85, 1.15)).exp()
        sample.picture, sample.bare = sample.picture * light, sample.bare * light
    move(sample, rng)
    photograph(sample, rng)
    return sample


def drawn_area(facing, rng):
    """Returns a random area where a swap draws: the face without its rim, and sometimes without an occluder."""
    side = facing.shape[1]
    x, y = (axis / side - 0.5 for axis in grid(side))
    away = torch.hypot(x / 0.44, (y - 0.02) / 0.48)[None]
    drawn = blur(((rng.uniform(0.8, 1.1) - away) * side * 0.1).clamp(0, 1) * (facing > 0.12), 2)
    return drawn * (1 - patch(side, rng)) if rng.random() < 0.3 else drawn
