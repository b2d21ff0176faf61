"""Computes the light of a lamp or the sun on the canonical face: diffuse light, cast shadows and gloss."""

import json
import math
from functools import lru_cache
from pathlib import Path

import torch
import torch.nn.functional as F

# Side of the height map that is used to find shadows, pixels.
HEIGHTS_SIDE = 128
# Number of steps from a texel towards the lamp, and their total length in halves of the face's height.
SHADOW_STEPS = 28
SHADOW_REACH = 0.8
# Number of different lamps, and of light sources in each: several of them give shadows soft edges.
LAMPS = 240
LAMPS_BESIDE = 4
# Exponent that approximates the sRGB encoding of linear light.
ENCODED = 1 / 2.2


class Lamps:
    """The light of lamps on each texel of the canonical face."""

    def __init__(self, folder, side):
        mesh = json.loads((Path(folder) / 'mesh.json').read_text())
        vertices = torch.tensor(mesh['vertices']).view(-1, 3)
        middle = (vertices.amax(0) + vertices.amin(0)) / 2
        # x to the right, y up, z to the camera; the face is 2 high.
        vertices = (vertices - middle) * 2 / (vertices[:, 1].amax() - vertices[:, 1].amin())
        triangles = torch.tensor(mesh['triangles']).view(-1, 3)
        points = torch.tensor(mesh['points']).view(-1, 2)
        self.places = drawn_mesh(points / mesh['side'] * side, triangles, vertices, side)
        frontal = (vertices[:, :2] * torch.tensor([1., -1.]) + 1) / 2 * HEIGHTS_SIDE
        self.heights = drawn_mesh(frontal, triangles, vertices[:, 2:], HEIGHTS_SIDE)
        self.inside = (self.places[3:] > 0).float()
        self.places = self.places[:3]
        # Differences across the mesh's rim are not valid.
        whole = self.inside * math.prod(self.inside.roll(step, axis) for axis in (1, 2) for step in (-3, 3))
        down, aside = (self.places.roll(-3, axis) - self.places.roll(3, axis) for axis in (1, 2))
        normals = F.normalize(torch.cross(down, aside, dim=0), dim=0) * whole
        self.normals = F.normalize(F.avg_pool2d(normals[None], 9, 1, 4)[0], dim=0)

    @lru_cache(maxsize=None)
    def lit(self, number):
        """Returns how much light of one lamp each texel gets, and the cosine between its normal and the half vector.

        The half vector lies between the directions to the lamp and to the camera: gloss is brightest where both agree.
        """
        rng = torch.Generator().manual_seed(number)
        turn, height, relief, wide = torch.rand(4, generator=rng).tolist()
        turn, height = (turn - 0.5) * 2.6, 1.45 * height - 0.25
        total = 0
        for _ in range(LAMPS_BESIDE):
            aside, above = (0.5 * wide * (torch.rand(2, generator=rng) - 0.5)).tolist()
            total += self.lit_from(direction(turn + aside, height + above), 1 + relief) / LAMPS_BESIDE
        between = F.normalize(direction(turn, height) + torch.tensor([0., 0., 1.]), dim=0)
        mirrored = (self.normals * between.view(3, 1, 1)).sum(0, keepdim=True).clamp(min=0)
        return total, mirrored * (total > 0.2)

    def lit_from(self, towards, relief):
        """Returns Lambert's light with shadows from one direction, on a face `relief` times as deep as the canonical one."""
        deeper = torch.tensor([1, 1, relief]).view(3, 1, 1)
        normals = F.normalize(self.normals / deeper, dim=0)
        falling = (normals * towards.view(3, 1, 1)).sum(0, keepdim=True).clamp(min=0)
        hidden = torch.zeros_like(falling)
        for step in range(1, SHADOW_STEPS + 1):
            away = SHADOW_REACH * step / SHADOW_STEPS
            at = self.places * deeper + towards.view(3, 1, 1) * away
            found = F.grid_sample(
                self.heights[None], torch.stack([at[0], -at[1]], 2)[None], align_corners=False)[0]
            # A texel is in shadow if a step towards the lamp is below the surface: the deeper, the darker. Outside the face
            # nothing casts a shadow.
            below = (found[:1] * relief - at[2:] - 0.02) * 25
            hidden = torch.maximum(hidden, below.clamp(0, 1) * (found[1:] > 0.99))
        return falling * (1 - hidden)

    def light(self, rng):
        """Returns a random light: the shade and the gloss of oily skin.

        The shade is the logarithm of the factor on sRGB values; the gloss is added to the picture. The shade's mean is 0,
        because a picture does not show whether the light is dim or the skin is dark.
        """
        lit, mirrored = self.lit(rng.randrange(LAMPS))
        if rng.random() < 0.5:
            lit, mirrored = lit.flip(2), mirrored.flip(2)
        gloss = mirrored ** rng.uniform(6, 40) * rng.uniform(0, 0.5) * (rng.random() < 0.5)
        around = math.exp(rng.uniform(math.log(0.04), math.log(0.7)))
        light = around + (1 - around) * lit / lit.mean().clamp(min=0.1)
        shade = light.log() * ENCODED
        shade = ((shade - (shade * self.inside).sum() / self.inside.sum()) * self.inside).clamp(-1.4, 0.7)
        return shade, gloss * self.inside


def direction(turn, height):
    """Returns the unit vector to a lamp: `turn` to the right and `height` up from the camera, radians."""
    return torch.tensor([math.sin(turn) * math.cos(height), math.sin(height), math.cos(turn) * math.cos(height)])


def drawn_mesh(points, triangles, values, side):
    """Rasterizes the values of vertices, and adds a plane that is 1 inside the mesh.

    Where triangles overlap, the one whose last value is larger is drawn.
    """
    out = torch.zeros(values.shape[1] + 1, side, side)
    nearest = torch.full((side, side), -math.inf)
    for triangle in triangles:
        (ax, ay), (bx, by), (cx, cy) = points[triangle].tolist()
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-6:
            continue
        left, right = max(0, int(min(ax, bx, cx))), min(side, int(max(ax, bx, cx)) + 2)
        top, bottom = max(0, int(min(ay, by, cy))), min(side, int(max(ay, by, cy)) + 2)
        if left >= right or top >= bottom:
            continue
        y, x = torch.meshgrid(
            torch.arange(top, bottom) + 0.5, torch.arange(left, right) + 0.5, indexing='ij')
        b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
        c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
        a = 1 - b - c
        drawn = torch.einsum('kyx,kv->vyx', torch.stack([a, b, c]), values[triangle])
        part = (slice(top, bottom), slice(left, right))
        inside = (torch.minimum(torch.minimum(a, b), c) >= -1e-3) & (drawn[-1] > nearest[part])
        nearest[part] = torch.where(inside, drawn[-1], nearest[part])
        filled = torch.cat([drawn, torch.ones_like(drawn[:1])])
        out[(slice(None), *part)] = torch.where(inside, filled, out[(slice(None), *part)])
    return out
