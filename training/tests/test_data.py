"""The drawn data: shapes, ranges, and masks that agree with what was drawn."""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent / 'in_front'))

from data import BARE, CHANNELS, CLASSES, FRAME, HAIR, LENS, THING, Faces  # noqa: E402
from data import Sample, draw_glasses, draw_hair, draw_thing, make_sample, weights_of  # noqa: E402
from network import InFront, inputs_of  # noqa: E402

SIDE = 64
FACES = 3


def write_faces(folder):
    """Writes files as training/prepare.ts does: grey faces, and a bar or a box for all that is drawn."""
    rng = np.random.default_rng(1)
    faces = [{'file': f'{n}.jpg', 'person': f'{n}', 'isBare': n != 1} for n in range(FACES)]
    index = {'side': SIDE, 'glassesAFace': 2, 'hairAFace': 1, 'faces': faces}
    (folder / 'index.json').write_text(json.dumps(index))
    bare = FACES - 1
    counts = {'rgb': FACES, 'oval': FACES, 'hair': bare, 'frame': 2 * bare, 'lens': 2 * bare,
              'shadow': 2 * bare, 'inside': 2 * bare}
    for name, channels in CHANNELS.items():
        files = np.zeros((counts[name], SIDE, SIDE, channels), np.uint8)
        if name == 'rgb':
            files[:] = rng.integers(90, 160, files.shape)
        elif name == 'oval':
            files[:, 10:54, 14:50] = 255
        elif name == 'frame':
            # A black bar.
            files[:, 20:24, 12:52, 3] = 255
        elif name == 'inside':
            files[:, 24:34, 16:28] = 255
        elif name == 'hair':
            files[:, 0:30, 30:34] = (40, 20, 10, 255)
        files.tofile(folder / f'{name}.bin')


class DrawnData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        write_faces(Path(cls.folder.name))
        cls.faces = Faces(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def others(self, rng):
        return self.faces.read('rgb', rng.randrange(FACES))

    def fresh(self, at=0):
        return Sample(self.faces.read('rgb', at), self.faces.read('oval', at))

    def test_samples_have_shapes_and_ranges_and_shares_add_up(self):
        for seed in range(40):
            sample = make_sample(self.faces, 0, self.others, random.Random(seed))
            self.assertEqual(tuple(sample.picture.shape), (3, SIDE, SIDE))
            self.assertEqual(tuple(sample.shares.shape), (len(CLASSES), SIDE, SIDE))
            self.assertTrue(bool(((sample.picture >= 0) & (sample.picture <= 1)).all()))
            self.assertTrue(bool(((sample.shares >= -1e-6) & (sample.shares <= 1 + 1e-6)).all()))
            self.assertLess(float((sample.shares.sum(0) - 1).abs().max()), 1e-5)
            weights = weights_of(sample)
            self.assertEqual(tuple(weights.shape), (1, SIDE, SIDE))
            self.assertTrue(bool(((weights >= 0) & (weights <= 1)).all()))

    def test_the_same_seed_gives_the_same_sample(self):
        one, other = (make_sample(self.faces, 2, self.others, random.Random(5)) for _ in range(2))
        self.assertTrue(torch.equal(one.picture, other.picture))
        self.assertTrue(torch.equal(one.shares, other.shares))

    def test_the_mask_of_a_frame_is_where_the_frame_was_drawn(self):
        sample, before = self.fresh(), self.faces.read('rgb', 0)
        draw_glasses(sample, self.faces, 0, random.Random(1))
        frame = sample.shares[FRAME] > 0.5
        self.assertEqual(frame.nonzero().tolist(), [[y, x] for y in range(20, 24) for x in range(12, 52)])
        self.assertLess(float(sample.picture[:, frame].max()), 0.05)
        self.assertTrue(bool((sample.shares[LENS][24:34, 16:28] == 1).all()))
        beyond = torch.ones(SIDE, SIDE, dtype=torch.bool)
        beyond[20:34, 12:52] = False
        self.assertTrue(torch.equal(sample.picture[:, beyond], before[:, beyond]))
        self.assertTrue(bool((sample.shares[BARE][beyond] == 1).all()))

    def test_what_is_drawn_later_covers_what_was_drawn_before(self):
        sample = self.fresh()
        draw_glasses(sample, self.faces, 0, random.Random(1))
        draw_hair(sample, self.faces, 0, random.Random(2))
        crossing = sample.shares[:, 20:24].argmax(0)
        self.assertIn(HAIR, crossing.unique().tolist())
        self.assertIn(FRAME, crossing.unique().tolist())
        self.assertTrue(bool((sample.shares[FRAME] * sample.shares[HAIR] == 0).all()))

    def test_a_thing_changes_the_picture_where_its_mask_is(self):
        for seed in range(10):
            sample, before = self.fresh(), self.faces.read('rgb', 0)
            draw_thing(sample, self.others, random.Random(seed))
            changed = (sample.picture - before).abs().amax(0) > 0.2
            covered = torch.nn.functional.max_pool2d(sample.shares[THING:, :, :], 41, 1, 20)[0] > 0
            self.assertTrue(bool((~changed | covered).all()), f'seed {seed}')

    def test_people_held_out_are_in_no_training(self):
        learned, held = self.faces.split(1)
        people = lambda chosen: {self.faces.faces[at]['person'] for at in chosen}
        self.assertEqual((len(learned), len(held)), (1, 1))
        self.assertFalse(people(learned) & people(held))
        self.assertEqual(self.faces.split(1), (learned, held))

    def test_the_network_answers_each_pixel(self):
        network = InFront(widths=(4, 6, 8, 8, 8)).eval()
        picture, oval = self.faces.read('rgb', 0)[None], self.faces.read('oval', 0)[None]
        with torch.no_grad():
            logits = network(inputs_of(picture, oval))
        self.assertEqual(tuple(logits.shape), (1, len(CLASSES), SIDE, SIDE))


if __name__ == '__main__':
    unittest.main()
