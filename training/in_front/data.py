"""Draws occluders in front of portraits, so that the class of each texel and the face behind are known.

Pictures are float32 tensors of 3 x SIDE x SIDE, sRGB 0..1, in the engine's atlas, where a texel is the same place on every
face. Masks are 1 x SIDE x SIDE, 0..1.
"""

import json
import math
import random
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from in_front.light import Lamps

# Classes of a texel, in the order of the network's output. A thing is a hand, a mask, an object or background.
CLASSES = ('bare', 'hair', 'frame', 'lens', 'thing', 'beard')
BARE, HAIR, FRAME, LENS, THING, BEARD = range(len(CLASSES))

# Bytes per pixel of each file that training/prepare.ts writes.
CHANNELS = {
    'rgb': 3, 'oval': 1, 'atlas-rgb': 3, 'atlas-facing': 1,
    'atlas-frame': 4, 'atlas-lens': 4, 'atlas-shadow': 4, 'atlas-inside': 4, 'atlas-hair': 4,
}

# Part of the atlas that the network sees. Outside it are ears, hair and background.
TOP, BOTTOM, LEFT, RIGHT = 24, 248, 32, 224


def window(planes):
    """Crops planes of the atlas to the part that the network sees."""
    return planes[:, TOP:BOTTOM, LEFT:RIGHT]


# Weight of the mean face below a person's own hair, in the loss of the bare face. Visible skin has the weight 1.
BELOW_OWN_HAIR = 0.2
# A face is evenly lit if the logarithm of its light, relative to the mean face, has a smaller standard deviation.
MOST_UNEVEN = 0.16


class Faces:
    """Reads the files of training/prepare.ts, each entry when it is needed."""

    def __init__(self, folder):
        self.folder = folder = Path(folder)
        index = json.loads((folder / 'index.json').read_text())
        self.side = index['side']
        self.faces = index['faces']
        # For the index of each bare face: its position among the bare faces. Things were drawn for these only.
        bare = [at for at, face in enumerate(self.faces) if face['isBare']]
        self.bare_index = {face: at for at, face in enumerate(bare)}
        self.glasses_a_face = index['glassesAFace']
        self.hair_a_face = index['hairAFace']
        self.lamps = Lamps(folder, self.side)
        self.files = {name: self._open(folder, name, count) for name, count in CHANNELS.items()}
        whole = [at for at in range(len(self.faces)) if not self.shows(at, 'thing')]
        # Faces whose beards and hair are drawn on other faces. Frames of glasses would be mistaken for hair.
        self.beards = [at for at in whole if self.is_bearded(at)]
        self.hairy = [at for at in whole if not self.shows(at, 'glasses') and float(self.hair(at)[1].mean()) > 0.01]

    def _open(self, folder, name, channels):
        return np.memmap(folder / f'{name}.bin', np.uint8, 'r').reshape(-1, self.side, self.side, channels)

    def read(self, name, at):
        """Returns one entry of a file, channels first, 0..1."""
        return torch.from_numpy(self.files[name][at].copy()).permute(2, 0, 1).float() / 255

    @lru_cache(maxsize=None)
    def inside(self):
        """Returns where the mesh covers the atlas, 0 or 1. The engine leaves the rest black."""
        seen = [self.read('atlas-rgb', at) for at in range(0, len(self.faces), max(1, len(self.faces) // 24))]
        return (torch.stack(seen).amax((0, 1)) > 0).float()[None]

    def shows(self, at, what):
        return what in self.faces[at].get('shows', [])

    def is_bearded(self, at):
        return self.shows(at, 'beard')

    @lru_cache(maxsize=None)
    def bare(self, at):
        """Returns tensors of a bare face:

        - picture: the face as it was photographed
        - bald: the face without its own hair
        - facing: how much each texel faces the camera
        - skin: where skin is certainly visible
        - known: how well the colours of the bare face are known
        - hair: where the person's own hair is certainly visible
        - beard: where the person's own beard is certainly visible

        The face below a person's own hair is not visible. There, `bald` is the mean face in the light of this face, and
        `known` is small.
        """
        picture, facing = self.read('atlas-rgb', at), self.read('atlas-facing', at)
        skin, known, hair = known_of(picture, facing)
        bald = torch.lerp(picture, self.mean_face(picture), hair)
        known = torch.maximum(known, BELOW_OWN_HAIR * hair)
        beard = torch.zeros_like(skin)
        if self.is_bearded(at):
            _, cover = self.beard(at)
            beard = (cover > 0.6).float() * (facing > 0.2)
            # The skin between the hairs of a beard is unknown.
            shaven = 1 - grow((cover > 0.1).float(), 4)
            skin, known, hair = skin * shaven, known * shaven, hair * shaven
        return picture, bald, facing, skin, known, hair, beard

    @lru_cache(maxsize=None)
    def beard(self, at):
        """Returns the ratio of a bearded face to the mean shaven face, and the mask of its beard, 0..1."""
        ratio, luma = self.against_mean(at)
        darker = (1 - blur(luma, 1)) / 0.3
        coloured = ((ratio[:1] - ratio[2:]) / luma.clamp(min=0.1)).abs() / 0.5
        rough = blur((luma - blur(luma, 1)).abs(), 2) / 0.1
        found = torch.maximum(torch.maximum(darker, coloured), rough).clamp(0, 1)
        return ratio, beard_zone(self.side) * ((blur(found, 2) - 0.25) * 2).clamp(0, 1)

    @lru_cache(maxsize=None)
    def hair(self, at):
        """Returns the ratio of a face to the mean shaven face, and the mask of its own hair with soft edges, 0..1."""
        picture, facing = self.read('atlas-rgb', at), self.read('atlas-facing', at)
        _, _, surely = known_of(picture, facing)
        ratio, luma = self.against_mean(at)
        darker = (0.85 - luma) / 0.35
        coloured = ((ratio[:1] - ratio[2:]).abs() / luma.clamp(min=0.1) - 0.2) / 0.4
        found = torch.maximum(darker, coloured).clamp(0, 1)
        near = blur(grow(surely, 10), 3) * ((facing - 0.1) * 8).clamp(0, 1)
        features = blur(brows_and_eyes(self.side, FEATURES_MARGIN), 2)
        cover = found * near
        return over_features(ratio, cover, features), hair_over_features(cover, features)

    def against_mean(self, at):
        """Returns the ratio of a face's colours to the mean shaven face in the same light, and its mean over the colours."""
        picture = self.read('atlas-rgb', at)
        ratio = (picture / self.mean_face(picture)).clamp(0.02, 2.5)
        return ratio, ratio.mean(0, keepdim=True)

    def mean_face(self, picture):
        """Returns the mean shaven face in the light of this picture's cheeks."""
        return tone_of(picture) * self.relative_mean_face()

    @lru_cache(maxsize=None)
    def relative_mean_face(self):
        """Returns the mean shaven face as a ratio to the colour of its cheeks."""
        total, times = torch.zeros(3, self.side, self.side), torch.zeros(1, self.side, self.side)
        for at in self.bare_index:
            if not self.is_bearded(at):
                picture = self.read('atlas-rgb', at)
                skin, _, _ = known_of(picture, self.read('atlas-facing', at))
                total += picture / tone_of(picture) * skin
                times += skin
        return (blur(total, 3) / blur(times, 3).clamp(min=1e-3)).clamp(min=0.1)

    @lru_cache(maxsize=None)
    def is_evenly_lit(self, at):
        """Returns whether a face is evenly lit. On such a face, all of the shade is the shade that is drawn."""
        _, _, _, _, known, _, _ = self.bare(at)
        known = known * (known > BELOW_OWN_HAIR)
        _, luma = self.against_mean(at)
        radius = self.side // 32
        smooth = blur(luma * known, radius) / blur(known, radius).clamp(min=0.05)
        return float(smooth.clamp(min=0.05).log()[known > 0.5].std()) < MOST_UNEVEN

    def other(self, rng):
        """Returns the upright crop of a random face, for textures."""
        return self.read('rgb', rng.randrange(len(self.faces)))

    def seen(self, at):
        """Returns the input of the network for a face on which nothing is drawn."""
        return window(torch.cat([self.read('atlas-rgb', at), self.read('atlas-facing', at)]))

    def split(self, held_out):
        """Returns the indices of the bare faces for training, and of the held-out ones.

        No person is in both. The choice is always the same.
        """
        people = sorted({self.faces[at]['person'] for at in self.bare_index})
        held = set(random.Random(36).sample(people, min(held_out, len(people) - 1)))
        by = {True: [], False: []}
        for at in self.bare_index:
            by[self.faces[at]['person'] in held].append(at)
        return by[False], by[True]


def blur(picture, radius):
    """Applies a box blur twice, which is nearly a Gaussian blur. `radius` is in pixels, at least 1."""
    size = 2 * radius + 1
    for _ in range(2):
        # With differences of cumulative sums, the time does not depend on the radius.
        sums = F.pad(picture[None], (radius + 1, radius) * 2, mode='replicate')[0].cumsum(2)
        sums = (sums[:, :, size:] - sums[:, :, :-size]).cumsum(1)
        picture = (sums[:, size:] - sums[:, :-size]) / size ** 2
    return picture


def grow(mask, radius):
    """Dilates a mask: returns the largest value in a square around each pixel."""
    size = 2 * radius + 1
    return F.max_pool2d(F.max_pool2d(mask[None], (1, size), 1, (0, radius)), (size, 1), 1, (radius, 0))[0]


def field(side, cells, rng):
    """Returns a smooth random field, 0..1."""
    values = torch.tensor([rng.random() for _ in range(cells * cells)]).view(1, 1, cells, cells)
    grown = F.interpolate(values, (side, side), mode='bicubic', align_corners=False)
    return grown[0].clamp(0, 1)


def over(picture, overlay, opacity=1.0):
    """Draws an overlay (colours times opacity, opacity) over a picture."""
    return picture * (1 - opacity * overlay[3:]) + opacity * overlay[:3]


class Sample:
    """A face on which things are drawn, one over another."""

    def __init__(self, picture, bald, facing, skin, known, hair, beard):
        self.picture = picture
        self.bare = bald
        self.facing = facing
        self.skin = skin
        self.known = known
        # The shade (logarithm of the factor by which light changes each texel), and where it is known.
        self.shade = torch.zeros_like(skin)
        self.shade_known = torch.zeros_like(skin)
        # Share of each class in a texel; they add up to 1.
        self.shares = torch.zeros(len(CLASSES), *picture.shape[1:])
        self.shares[HAIR] = hair
        self.shares[BEARD] = beard
        self.shares[BARE] = 1 - hair - beard

    def clip(self, inside):
        """Makes everything outside the mesh black, and its class bare."""
        self.picture = self.picture * inside
        self.shares = self.shares * inside
        self.shares[BARE] += 1 - inside[0]

    def cover(self, kind, mask):
        """Gives the class `kind` to the part of each texel that a mask covers."""
        self.shares = self.shares * (1 - mask)
        self.shares[kind] += mask[0]


def some_colour(rng, least, most):
    """Returns a random value for each colour, to multiply a picture with, or to mix into it."""
    return torch.tensor([rng.uniform(least, most) for _ in range(3)]).view(3, 1, 1)


def some_step(side, up, down, aside, rng):
    """Returns a random shift (down, aside) in pixels. Its limits are given as shares of the side."""
    return round(side * rng.uniform(-up, down)), round(side * rng.uniform(-aside, aside))


def throw_shadow(sample, mask, step, strength):
    """Darkens the picture below a soft mask that is shifted by `step` (down, aside)."""
    sample.picture = sample.picture * (1 - torch.roll(mask, step, (1, 2)) * strength)


def draw_beard(sample, faces, rng):
    """Draws another person's beard, or only its moustache or its chin, as a factor on the colours of the skin."""
    ratio, cover = faces.beard(rng.choice(faces.beards))
    side = faces.side
    step = some_step(side, 0.01, 0.02, 0.01, rng)
    ratio, cover = (torch.roll(plane, step, (1, 2)) for plane in (ratio, cover))
    if rng.random() < 0.5:
        ratio, cover = ratio.flip(2), cover.flip(2)
    x, y = (axis / side for axis in grid(side))
    part = rng.random()
    if part < 0.15:
        cover = cover * ((0.72 - y) * 30).clamp(0, 1)
    elif part < 0.35:
        cover = cover * ((rng.uniform(0.14, 0.2) - (x - 0.5).abs()) * 20).clamp(0, 1)
    cover = cover * rng.uniform(0.6, 1)
    hairs = ratio ** rng.uniform(0.7, 1.3) * some_colour(rng, 0.93, 1.07)
    sample.picture = (sample.picture * (1 - cover + hairs * cover)).clamp(0, 1)
    sample.cover(BEARD, cover)


def draw_brows(sample, faces, rng):
    """Draws another person's brows, often thicker, over the face's own. Brows are a part of the bare face."""
    side = faces.side
    luma = faces.against_mean(rng.choice(list(faces.bare_index)))[1]
    dark = (luma / grow(blur(luma, 1), 8)).clamp(0.05, 1) ** rng.uniform(0.6, 1.8)
    thicker = rng.randint(0, 4)
    if thicker:
        dark = torch.lerp(dark, -grow(-dark, thicker), rng.random())
    dark = torch.roll(dark, some_step(side, 0.015, 0.01, 0.015, rng), (1, 2))
    if rng.random() < 0.5:
        dark = dark.flip(2)
    brows = 1 + blur(brow_zone(side, 0.03), 3) * (dark * some_colour(rng, 0.95, 1.05) - 1)
    sample.picture = (sample.picture * brows).clamp(0, 1)
    sample.bare = (sample.bare * brows).clamp(0, 1)


def drawn_entry(faces, at, each, rng):
    """Returns the index of a drawing that was made for this face or for another one.

    A drawing for any face fits, because a texel of the atlas is the same place on every face.
    """
    face = faces.bare_index[at] if rng.random() < 0.5 else rng.randrange(len(faces.bare_index))
    return face * each + rng.randrange(each)


def draw_glasses(sample, faces, at, others, rng):
    """Draws a pair of glasses: shadow, lenses, then the frame."""
    entry = drawn_entry(faces, at, faces.glasses_a_face, rng)
    # Glasses are worn higher or lower, so that rims lie on brows as often as below them.
    step = some_step(faces.side, 0.035, 0.028, 0.008, rng)
    frame, lens, shadow, inside = (
        torch.roll(faces.read(f'atlas-{name}', entry), step, (1, 2)) for name in ('frame', 'lens', 'shadow', 'inside'))
    inside = inside[3:]
    sample.picture = over(sample.picture, shadow)
    sample.picture = over(sample.picture, lens)
    if rng.random() < 0.3:
        # Refraction shifts what is visible through a lens.
        sample.picture = sample.picture * (1 - inside) + torch.roll(
            sample.picture, (rng.randint(-3, 3), rng.randint(-3, 3)), (1, 2)) * inside
    tint_lenses(sample, inside, others, rng)
    frame, outline = another_material(frame, rng)
    if rng.random() < 0.4:
        throw_shadow(sample, blur(frame[3:], 3), (rng.randint(2, 9), rng.randint(-3, 3)), rng.uniform(0.1, 0.5))
    sample.picture = over(sample.picture, frame)
    sample.cover(LENS, inside)
    sample.cover(FRAME, outline)


def tint_lenses(sample, inside, others, rng):
    """Makes lenses hazy, then dark as in sunglasses, or reflecting lights, windows or a room."""
    side = inside.shape[1]
    if rng.random() < 0.6:
        # Clear lenses absorb a little light, and have a slight haze.
        haze = rng.uniform(0, 0.12) * inside
        sample.picture = sample.picture * (1 - rng.uniform(0, 0.2) * inside * some_colour(rng, 0.7, 1.3))
        sample.picture = sample.picture * (1 - haze) + haze * some_colour(rng, 0.5, 1)
    if rng.random() < 0.12:
        dark = rng.uniform(0.05, 0.6)
        tint = some_colour(rng, 0, 0.4)
        coat = (tint * field(side, 4, rng)).expand(3, -1, -1)
        sample.picture = sample.picture * (1 - inside) + (sample.picture * dark + coat * (1 - dark)) * inside
    elif rng.random() < 0.3:
        glare = (field(side, rng.choice([5, 9, 14]), rng) - 0.55).clamp(min=0) * rng.uniform(0.5, 2.5)
        colour = some_colour(rng, 0.6, 1)
        share = glare.clamp(max=0.9) * inside
        sample.picture = sample.picture * (1 - share) + colour * share
    elif rng.random() < 0.45:
        # Coated lenses reflect bright things in blue, green or violet. This light is added to what is behind the lens.
        room = (torch.roll(others(rng), (rng.randrange(side), rng.randrange(side)), (1, 2)) - rng.uniform(0.2, 0.5)).clamp(min=0)
        coat = torch.tensor(rng.choice([[0.2, 0.7, 1], [0.3, 1, 0.8], [0.5, 0.4, 1], [0.6, 1, 0.4], [1, 1, 1]])).view(3, 1, 1)
        mirrored = ((room + rng.uniform(0, 0.15)) * coat * rng.uniform(0.5, 2)).clamp(max=1) * inside
        sample.picture = 1 - (1 - sample.picture) * (1 - mirrored)


def another_material(frame, rng):
    """Makes a drawn frame thicker, darker, two-coloured or clear. Also returns the share of each texel that it fills."""
    opacity, colour = frame[3:], frame[:3] / frame[3:].clamp(min=0.02)
    side = frame.shape[1]
    if rng.random() < 0.4:
        radius = rng.choice([1, 1, 2, 3])
        grown = grow(opacity, radius)
        # The added texels get the colour of the frame beside them.
        beside = blur(frame, radius + 1)
        colour = torch.where(opacity > 0.3, colour, beside[:3] / beside[3:].clamp(min=0.02))
        opacity = grown
    # A clear frame fills its texels, too: it has the class of a frame.
    outline = (1.1 * opacity / opacity.amax().clamp(min=0.1)).clamp(max=1)
    tone = some_colour(rng, 0.75, 1.25)
    kind = rng.random()
    if kind < 0.4:
        tone = tone * rng.uniform(0.05, 0.5)
    elif kind < 0.5:
        second = some_colour(rng, 0, 1)
        spots = ((field(side, 40, rng) - 0.5) * 6 + 0.5).clamp(0, 1)
        colour = colour * (1 - spots) + second * spots
    elif kind < 0.62:
        opacity = opacity * rng.uniform(0.3, 0.7)
    colour = (colour * tone * (0.6 + 0.8 * field(side, 12, rng))).clamp(0, 1)
    return torch.cat([colour * opacity, opacity]), outline


def real_hair(faces, own, rng):
    """Returns a texture of hair, often the person's own: a patch from above the forehead, enlarged to a whole crop.

    Returns None if the picture has no such patch.
    """
    at = own if rng.random() < 0.4 else rng.randrange(len(faces.faces))
    oval = faces.files['oval'][at][:, :, 0]
    top = int(np.argmax(oval.max(1) > 127))
    if top < 16:
        return None
    middle = int(oval[top].argmax())
    high, wide = rng.randint(10, min(24, top - 4)), rng.randint(16, 40)
    left = min(max(0, middle - wide // 2 + rng.randint(-12, 12)), faces.side - wide)
    patch = faces.read('rgb', at)[:, top - 3 - high:top - 3, left:left + wide]
    return F.interpolate(patch[None], (faces.side, faces.side), mode='bicubic', align_corners=False)[0].clamp(0, 1)


def draw_locks(sample, faces, at, rng):
    """Draws locks and their shadow, in the colours of the drawing or with the texture of a portrait's hair."""
    entry = drawn_entry(faces, at, faces.hair_a_face, rng)
    hair = torch.roll(faces.read('atlas-hair', entry), some_step(faces.side, 0.05, 0.05, 0.1, rng), (1, 2))
    if rng.random() < 0.5:
        hair = hair.flip(2)
    texture = real_hair(faces, at, rng) if rng.random() < 0.6 else None
    if texture is not None:
        strands = hair[:3].mean(0, keepdim=True) / hair[3:].clamp(min=0.02)
        strands = strands / ((strands * hair[3:]).sum() / hair[3:].sum().clamp(min=1)).clamp(min=0.02)
        hair = torch.cat([(texture * (0.5 + 0.5 * strands)).clamp(0, 1) * hair[3:], hair[3:]])
    throw_shadow(sample, blur(hair[3:], 3), (rng.randint(1, 6), rng.randint(-4, 4)), rng.uniform(0, 0.35))
    light = 0.6 + 0.8 * field(faces.side, 24, rng)
    hair = torch.cat([(hair[:3] * light).clamp(0, 1), hair[3:]])
    sample.picture = over(sample.picture, hair)
    sample.cover(HAIR, hair[3:])


def draw_hair(sample, faces, rng):
    """Draws a portrait's hair at its place in the atlas, longer or wider, as a factor on the colours of the mean face."""
    hairs, cover = faces.hair(rng.choice(faces.hairy))
    if rng.random() < 0.5:
        hairs, cover = hairs.flip(2), cover.flip(2)
    # The hair is stretched downwards, and inwards from one side, so that it also covers brows. The hair of portraits is
    # cut out without the area of brows and eyes.
    wide, high = 1 + 0.3 * rng.random(), 1 + 0.9 * rng.random() ** 1.5
    side_at, top_at = rng.choice([-1, 1]), -0.8
    aside, down = (rng.uniform(0, most) * (rng.random() < 0.7) for most in (0.5, 0.3))
    stretch = torch.tensor([[[1 / wide, 0, side_at * (1 - 1 / wide + aside)],
                             [0, 1 / high, top_at * (1 - 1 / high) - down]]])
    both = torch.cat([hairs, cover])[None]
    hairs, cover = F.grid_sample(
        both, F.affine_grid(stretch, both.shape, align_corners=False), align_corners=False,
        padding_mode='border')[0].split([3, 1])
    hairs = hairs.clamp(min=0.01) ** rng.uniform(0.8, 1.2) * some_colour(rng, 0.9, 1.1)
    if rng.random() < 0.5:
        throw_shadow(sample, blur(cover, 3), (rng.randint(0, 6), rng.randint(-4, 4)), rng.uniform(0, 0.35))
    hairs = (hairs * faces.mean_face(sample.bare)).clamp(0, 1)
    sample.picture = torch.lerp(sample.picture, hairs, cover)
    sample.cover(HAIR, cover)


def draw_fringe(sample, faces, at, rng):
    """Draws a large area of hair and its shadow: a fringe, or hair beside the face, with a ragged edge."""
    hair = real_hair(faces, at, rng)
    if hair is None:
        return
    side = faces.side
    x, y = (axis / side for axis in grid(side))
    waves = sum(rng.uniform(-0.05, 0.05) * torch.sin(count * 2 * math.pi * x + rng.uniform(0, 6.3)) for count in (1, 2, 3))
    edge = (0.05 * torch.from_numpy(np.random.default_rng(rng.getrandbits(32)).standard_normal((1, 1, side, 1)))).float()
    ragged = blur(edge[0].expand(-1, -1, side), 1)[0].T * rng.uniform(0.3, 1.5)
    if rng.random() < 0.3:
        parting = rng.uniform(0, 1)
        inside = rng.uniform(0.12, 0.32) + waves + ragged - y - rng.uniform(0, 0.5) * (x - parting).abs()
    elif rng.random() < 0.6:
        # A fringe that is swept to one side, where it hangs over a brow.
        away = x if rng.random() < 0.5 else 1 - x
        inside = rng.uniform(0.35, 0.75) + waves + ragged - y - rng.uniform(0.6, 1.8) * away
    else:
        inside = (x - 0.5).abs() * rng.choice([1, 1, -1]) + waves.T + 0.3 * ragged.T - rng.uniform(0.26, 0.36)
        inside = torch.where((x > 0.5) | (torch.tensor(rng.random() < 0.5)), inside, torch.full_like(inside, -1))
    mask = (inside * side * rng.uniform(0.15, 0.6)).clamp(0, 1)[None]
    throw_shadow(sample, blur(mask, 4), (rng.randint(0, 8), rng.randint(-5, 5)), rng.uniform(0, 0.4))
    light = 0.4 + 1.2 * field(side, rng.choice([6, 20, 48]), rng)
    sample.picture = sample.picture * (1 - mask) + (hair * light).clamp(0, 1) * mask
    sample.cover(HAIR, mask)


def draw_flyaways(sample, faces, at, rng):
    """Draws single hairs, lighter or darker than skin, over the face."""
    hair = real_hair(faces, at, rng)
    side = faces.side
    mask = torch.zeros(1, side, side)
    along = torch.linspace(0, 1, 2 * side)
    for _ in range(rng.randint(1, 8)):
        # A quadratic curve that begins at the upper edge. The second point bends it, and the third is its end.
        ends = [(rng.random(), rng.uniform(0, 0.15)), (rng.random(), rng.random()), (rng.random(), rng.uniform(0.2, 1))]
        x, y = (
            (1 - along) ** 2 * a + 2 * along * (1 - along) * b + along ** 2 * c for a, b, c in zip(*ends))
        mask[0, (y * (side - 1)).long(), (x * (side - 1)).long()] = rng.uniform(0.3, 1)
    mask = (blur(mask, 1) * rng.uniform(0.8, 3)).clamp(0, 1)
    colour = hair * rng.uniform(0.6, 1.6) if hair is not None else some_colour(rng, 0.1, 0.9).expand(3, side, side)
    sample.picture = torch.lerp(sample.picture, colour.clamp(0, 1), mask)
    sample.cover(HAIR, mask)


def draw_light(sample, faces, rng):
    """Lights a face, and everything that was drawn on it, with a lamp or the sun."""
    sample.shade, gloss = faces.lamps.light(rng)
    # Eyes and brows get little of the gloss of skin.
    gloss = gloss * (0.5 + field(faces.side, 24, rng)) * (1 - 0.8 * blur(brows_and_eyes(faces.side), 3))
    factor = (sample.shade * some_colour(rng, 0.85, 1.15)).exp()
    white = some_colour(rng, 0.9, 1)
    bare = sample.bare * factor
    sample.shade = sample.shade + ((bare + gloss * white).mean(0) / bare.mean(0).clamp(min=0.05)).clamp(1, 3).log()
    sample.picture = sample.picture * factor + gloss * white * sample.shares[BARE]
    sample.bare = bare + gloss * white
    if rng.random() < 0.8:
        # In most photos only a few pixels are overexposed.
        most = float(torch.quantile(sample.picture.mean(0)[::4, ::4], 0.97))
        sample.picture, sample.bare = (each * min(1, 0.95 / most) for each in (sample.picture, sample.bare))


def draw_thing(sample, others, rng):
    """Draws a hand or an object: a shape with soft edges and a texture of another picture."""
    side = sample.picture.shape[1]
    mask = (fingers if rng.random() < 0.5 else blob)(side, rng)
    mask = blur(mask, 1)
    other = others(rng)
    x, y = rng.randint(0, side - 1), rng.randint(0, side - 1)
    texture = torch.roll(other, (y, x), (1, 2))
    tone = some_colour(rng, 0.6, 1.3)
    shade = 0.5 + field(side, rng.choice([3, 5, 9]), rng)
    colour = some_colour(rng, 0, 1)
    share = rng.random()
    if rng.random() < 0.3:
        # The person's own hand: skin of the same tone, darker towards its edge.
        colour, share = tone_of(sample.bare), 0.2 * share
        shade = (0.7 + 0.5 * field(side, 4, rng)) * (rng.uniform(0.4, 0.8) + 0.5 * blur(mask, rng.randint(3, 6)))
        tone = some_colour(rng, 0.9, 1.15)
    texture = ((texture * share + colour * (1 - share)) * tone * shade).clamp(0, 1)
    throw_shadow(sample, blur(mask, 5), (rng.randint(0, 8), rng.randint(-6, 6)), rng.uniform(0, 0.4))
    sample.picture = sample.picture * (1 - mask) + texture * mask
    sample.cover(THING, mask)


def draw_background(sample, others, rng):
    """Draws background over one side of a turned face, where the mesh reaches beyond the outline of the head."""
    side = sample.picture.shape[1]
    x, y = (axis / side for axis in grid(side))
    outline = rng.uniform(0.26, 0.42) - rng.uniform(0, 0.6) * (y - rng.uniform(0.35, 0.6)) ** 2
    outline = outline + sum(
        rng.uniform(-0.012, 0.012) * torch.sin(waves * math.pi * y + rng.uniform(0, 6.3)) for waves in (2, 3, 5))
    away = x - 0.5 if rng.random() < 0.5 else 0.5 - x
    mask = ((away - outline) * side * rng.uniform(0.2, 1) + 0.5).clamp(0, 1)[None]
    # The camera sees the mesh at a flat angle there, so the background is stretched horizontally.
    wide = blur(others(rng), 1).roll((rng.randrange(side), rng.randrange(side)), (1, 2))
    wide = F.interpolate(wide[None, :, :, ::rng.choice([2, 4, 8, 16])], (side, side), mode='bilinear')[0]
    share = rng.random()
    behind = ((wide * share + some_colour(rng, 0, 1) * (1 - share)) * some_colour(rng, 0.7, 1.4)).clamp(0, 1)
    if rng.random() < 0.5:
        # The cheek gets darker towards its outline.
        throw_shadow(sample, blur(mask, rng.randint(3, 8)), (0, 0), rng.uniform(0, 0.3))
    sample.picture = torch.lerp(sample.picture, behind, mask)
    turned = ((away - outline) / rng.uniform(0.1, 0.25) + 1).clamp(0, 1)[None]
    sample.facing = sample.facing * (1 - turned * rng.uniform(0.5, 0.95))
    sample.cover(THING, mask)


def draw_mask(sample, others, rng):
    """Draws a cloth mask or a scarf over nose, mouth and chin."""
    side = sample.picture.shape[1]
    x, y = (axis / side for axis in grid(side))
    top = rng.uniform(0.44, 0.68) + rng.uniform(-0.1, 0.5) * (x - rng.uniform(0.45, 0.55)) ** 2
    top = top + rng.uniform(0, 0.02) * torch.sin(rng.uniform(10, 40) * x + rng.uniform(0, 6.3))
    mask = ((y - top) * side * rng.uniform(0.3, 1)).clamp(0, 1)[None]
    colour = some_colour(rng, 0, 1)
    if rng.random() < 0.5:
        # Many masks are white, light blue or black.
        colour = torch.tensor(rng.choice([[0.85, 0.87, 0.9], [0.6, 0.75, 0.85], [0.12, 0.12, 0.14]])).view(3, 1, 1)
    folds = 1 + rng.uniform(0, 0.25) * torch.sin(y * rng.uniform(30, 120) + 4 * field(side, 5, rng)[0])
    # Some masks have no folds and no shading.
    cloth = colour * (1 if rng.random() < 0.3 else folds * (0.7 + 0.5 * field(side, 4, rng)))
    cloth = cloth.expand(3, side, side)
    if rng.random() < 0.3:
        cloth = 0.5 * cloth + 0.5 * torch.roll(others(rng), (rng.randrange(side), rng.randrange(side)), (1, 2))
    throw_shadow(sample, blur(mask, 3), (-rng.randint(0, 3), 0), rng.uniform(0, 0.3))
    sample.picture = sample.picture * (1 - mask) + cloth.clamp(0, 1) * mask
    sample.cover(THING, mask)


def grid(side):
    """Returns the coordinates of the pixels' centres: x and y, each side x side."""
    y, x = torch.meshgrid(torch.arange(side) + 0.5, torch.arange(side) + 0.5, indexing='ij')
    return x, y


def fingers(side, rng):
    """Returns a mask of capsules side by side, like the fingers of a hand that reaches in from the border."""
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
    """Returns a mask of an ellipse with a wavy outline, such as a microphone, a cup or a scarf."""
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
    """Changes light, sharpness and noise of the picture and the bare face alike, as another camera would."""
    both = torch.cat([sample.picture, sample.bare])
    side = both.shape[1]
    if rng.random() < 0.35:
        share = rng.uniform(0.3, 1)
        both = both * (1 - share) + blur(both, rng.choice([1, 1, 1, 2, 2, 3, 4])) * share
    # Some light has a strong colour.
    least, most = (0.85, 1.15) if rng.random() < 0.85 else (0.55, 1.35)
    gains = torch.tensor([rng.uniform(least, most) for _ in range(3)]) * rng.uniform(0.7, 1.2)
    if rng.random() < 0.2:
        # A dark face, or a dim picture.
        gains = gains * rng.uniform(0.35, 0.8)
    x, y = grid(side)
    slope = 1 + rng.uniform(-0.35, 0.35) * (x / side - 0.5) + rng.uniform(-0.2, 0.2) * (y / side - 0.5)
    both = both.clamp(1e-4, 1) ** math.exp(rng.uniform(-0.35, 0.35)) * gains.repeat(2).view(6, 1, 1) * slope
    if rng.random() < 0.12:
        both = both.view(2, 3, side, side).mean(1, keepdim=True).expand(-1, 3, -1, -1).reshape(6, side, side)
    if rng.random() < 0.4:
        noise = torch.from_numpy(np.random.default_rng(rng.getrandbits(32)).standard_normal((3, side, side)))
        both = both + noise.float().repeat(2, 1, 1) * rng.uniform(0, 0.03)
    sample.picture, sample.bare = both.clamp(0, 1).split(3)


def move(sample, rng):
    """Shifts, scales and mirrors pictures and masks alike, because meshes never fit a face exactly."""
    flip = rng.choice([-1, 1])
    wide, high = (math.exp(rng.gauss(0, 0.03)) for _ in range(2))
    affine = torch.tensor([[flip * wide, rng.gauss(0, 0.02), rng.gauss(0, 0.015)],
                           [rng.gauss(0, 0.02), high, rng.gauss(0, 0.015)]])
    whole = torch.cat([sample.picture, sample.bare, sample.facing, sample.skin, sample.known, sample.shade,
                       sample.shade_known, sample.shares])[None]
    moved = F.grid_sample(
        whole, F.affine_grid(affine[None], whole.shape, align_corners=False),
        align_corners=False, padding_mode='border')[0]
    (sample.picture, sample.bare, sample.facing, sample.skin, sample.known, sample.shade, sample.shade_known,
     shares) = moved.split([3, 3, 1, 1, 1, 1, 1, len(CLASSES)])
    shares = shares.clamp(min=0)
    sample.shares = shares / shares.sum(0, keepdim=True)


def tone_of(picture):
    """Returns the tone of the skin in each column, 3 x 1 x SIDE: a linear function through the colours of both cheeks."""
    side = picture.shape[1]
    rows = picture[:, int(0.45 * side):int(0.58 * side)]
    left, right = (
        rows[:, :, int(a * side):int(b * side)].reshape(3, -1).median(1).values for a, b in ((0.28, 0.4), (0.6, 0.72)))
    along = ((torch.arange(side) / side - 0.34) / 0.32).clamp(-0.3, 1.3)
    return (left[:, None] + (right - left)[:, None] * along).clamp(min=0.04)[:, None]


def beard_zone(side):
    """Returns the area where beards grow, 0..1: below the nose without the lips, and beside the ears."""
    x, y = (axis / side - 0.5 for axis in grid(side))
    below = ((y - 0.085) * 30).clamp(0, 1)
    nose = ((0.085 - x.abs()) * 40).clamp(0, 1) * ((0.125 - y) * 40).clamp(0, 1)
    whiskers = ((x.abs() - 0.3) * 20).clamp(0, 1) * ((y + 0.05) * 20).clamp(0, 1)
    lips = ((1.1 - torch.hypot(x / 0.12, (y - 0.19) / 0.036)) * 5).clamp(0, 1)
    return (torch.maximum(below * (1 - nose), whiskers) * (1 - lips))[None]


def brow_zone(side, wider=0.0):
    """Returns the area of the brows, 0 or 1. `wider`: a margin around them, as a share of the side."""
    x, y = (axis / side - 0.5 for axis in grid(side))
    return (torch.hypot((x.abs() - 0.155) / (0.11 + wider), (y + 0.2) / (0.05 + wider)) < 1).float()[None]


def brows_and_eyes(side, wider=0.0):
    """Returns the area of brows and eyes, which are dark on bare faces, too, 0 or 1. `wider`: as in `brow_zone`."""
    x, y = (axis / side - 0.5 for axis in grid(side))
    eyes = torch.hypot((x.abs() - 0.14) / (0.1 + wider), (y + 0.125) / (0.06 + wider)) < 1
    return torch.maximum(brow_zone(side, wider), eyes.float()[None])


# Margin around brows and eyes in which a dark texel may be hair or the end of a brow, as a share of the side.
FEATURES_MARGIN = 0.045
# A lock is followed over the face for at most this many steps of two texels.
LOCK_STEPS = 24


def known_of(picture, facing):
    """Returns where skin is certainly visible (0..1), the same without the face's rim, and where hair certainly is.

    The pictures also show the people's own hair beside the face, which is not marked. It is darker than the cheek on its
    side, or has another colour. Texels with a small difference are neither skin nor hair, and are not used for training.
    Brows and eyes count as bare, if hair does not surround them: people.json lists the pictures where hair hangs over them.
    """
    side = picture.shape[1]
    x, y = (axis / side - 0.5 for axis in grid(side))
    away = torch.hypot(x / 0.36, (y - 0.02) / 0.44)
    features, beside = (brows_and_eyes(side, wider)[0] > 0 for wider in (0, FEATURES_MARGIN))
    beard = (x.abs() < 0.27) & (y > 0.1)
    luma = picture.mean(0)
    tone = tone_of(picture)
    # Brightness and colour relative to the cheeks. One cheek may be in the shade.
    bright = luma / tone.mean(0)
    colour = picture / luma.clamp(min=0.02) - tone / tone.mean(0)
    aside = (away > 0.6) & ~beard
    dark = (bright < 0.6) | (colour.abs().amax(0) > 0.22)
    odd = grow(((dark | (bright > 1.7)) & aside).float()[None], 4)
    very_dark = ((bright < 0.42) | (colour.abs().amax(0) > 0.32)) & (picture.amax(0) > 0) & ~beside
    # Single dark texels do not count.
    hair = (blur((very_dark & (aside | (away > 0.95))).float()[None], 2) > 0.6).float()
    # A lock continues over the forehead.
    lock = hair
    for _ in range(LOCK_STEPS):
        lock = grow(lock, 2) * (dark & (y < 0) & ~beside)
    odd = torch.maximum(odd, grow(lock, 3))
    hair = torch.maximum(hair, lock * very_dark) * ((facing - 0.1) * 8).clamp(0, 1)
    rim = ((1.0 - away) * 12).clamp(0, 1)
    bare = features.float() * (1 - hair_over_features(hair, beside.float()[None]))
    skin = torch.maximum(1 - odd, bare) * ((facing - 0.1) * 8).clamp(0, 1)
    return skin, skin * rim[None], hair


# Radius over which hair is continued over brows and eyes, as a share of the side.
BESIDE_FEATURES = 0.04


def over_features(plane, weights, features):
    """Continues a plane over brows and eyes from the texels beside them, by their weights."""
    weights = weights * (1 - features)
    radius = round(BESIDE_FEATURES * plane.shape[-1])
    beside = blur(plane * weights, radius) / blur(weights, radius).clamp(min=1e-3)
    return torch.lerp(plane, beside, features)


def hair_over_features(cover, features):
    """Continues the cover of hair, 0..1, over brows and eyes where hair surrounds them.

    Dark texels there may be either. With gaps at brows, the network would learn that hair has such gaps.
    """
    beside = ((over_features(cover, torch.ones_like(cover), features) - 0.5) * 5).clamp(0, 1)
    return torch.lerp(cover, beside, features)


# Share of the samples without an occluder, from which the network learns to leave bare faces as they are.
BARE_SHARE = 0.2
# Weight of hair over brows and eyes in the loss of the classes. Other texels have the weight 1. Without it the network
# would miss this hair, because most dark texels there are brows and eyes.
HAIR_OVER_BROWS = 6
# Share of the evenly lit faces that are lit with a lamp.
LIT_SHARE = 0.6


def make_sample(faces, at, others, rng):
    """Draws random occluders in front of a bare face, and returns the sample.

    others: returns a random picture, for textures.
    """
    sample = Sample(*faces.bare(at))
    if rng.random() < 0.4:
        draw_brows(sample, faces, rng)
    if rng.random() >= BARE_SHARE:
        if rng.random() < 0.4 and not faces.is_bearded(at):
            draw_beard(sample, faces, rng)
        if rng.random() < 0.65:
            draw_glasses(sample, faces, at, others, rng)
        if rng.random() < 0.4:
            draw_hair(sample, faces, rng)
        if rng.random() < 0.2:
            draw_locks(sample, faces, at, rng)
        if rng.random() < 0.1:
            draw_flyaways(sample, faces, at, rng)
        if rng.random() < 0.25:
            draw_fringe(sample, faces, at, rng)
        if rng.random() < 0.3:
            draw_thing(sample, others, rng)
        if rng.random() < 0.08:
            draw_mask(sample, others, rng)
        if rng.random() < 0.15:
            draw_background(sample, others, rng)
    sample.clip(faces.inside())
    hair = sample.shares[HAIR:HAIR + 1] * brows_and_eyes(faces.side)
    sample.skin = torch.maximum(sample.skin, HAIR_OVER_BROWS * hair)
    if faces.is_evenly_lit(at):
        sample.shade_known = sample.known
        if rng.random() < LIT_SHARE:
            draw_light(sample, faces, rng)
    move(sample, rng)
    photograph(sample, rng)
    return sample
