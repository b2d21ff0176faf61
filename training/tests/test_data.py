"""Tests the drawn data: its shapes and ranges, and that masks agree with what was drawn."""

import importlib.util
import io
import json
import random
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent))

from in_front.data import BARE, CHANNELS, CLASSES, FRAME, HAIR, HAIR_OVER_BROWS, LENS, THING, Faces  # noqa: E402
from in_front.data import BEARD, Sample, brows_and_eyes, draw_background, draw_beard, draw_brows, draw_flyaways, draw_fringe, draw_glasses, draw_hair, draw_light, draw_locks, draw_mask, draw_thing, grid, hair_over_features, known_of, make_sample, over_features  # noqa: E402
from in_front.network import InFront  # noqa: E402
from mend import faults  # noqa: E402
from mend.network import Mend, MOST_STEP  # noqa: E402
from mend.swaps import Swaps  # noqa: E402
from training_loop import COLOURS, augment  # noqa: E402

SIDE = 64
FACES = 4


def write_faces(folder):
    """Writes files as training/prepare.ts does: grey faces, and a bar or a box for each drawing."""
    rng = np.random.default_rng(1)
    faces = [{'file': f'{n}.jpg', 'person': f'{n}', 'isBare': n % 2 == 0} for n in range(FACES)]
    faces[1]['shows'] = ['glasses', 'beard']
    faces[3]['shows'] = ['hair']
    index = {'side': SIDE, 'glassesAFace': 2, 'hairAFace': 1, 'faces': faces}
    (folder / 'index.json').write_text(json.dumps(index))
    bare = FACES // 2
    counts = {'rgb': FACES, 'oval': FACES, 'atlas-rgb': FACES, 'atlas-facing': FACES, 'atlas-hair': bare}
    for name, channels in CHANNELS.items():
        files = np.zeros((counts.get(name, 2 * bare), SIDE, SIDE, channels), np.uint8)
        if name in ('rgb', 'atlas-rgb'):
            files[:] = rng.integers(120, 130, files.shape)
            # A black beard, and a black fringe.
            files[1, 40:] = 30
            files[3, :12] = 30
        elif name == 'atlas-facing':
            files[:] = 255
        elif name == 'oval':
            files[:, 24:54, 14:50] = 255
        elif name == 'atlas-frame':
            # A black bar.
            files[:, 20:24, 12:52, 3] = 255
        elif name == 'atlas-inside':
            files[:, 24:34, 16:28] = 255
        elif name == 'atlas-hair':
            files[:, 0:30, 30:34] = (40, 20, 10, 255)
        files.tofile(folder / f'{name}.bin')
    # The face is a roof that fills the atlas. Its ridge is the vertical middle line.
    mesh = {
        'side': SIDE, 'points': [0, 0, SIDE / 2, 0, SIDE, 0, 0, SIDE, SIDE / 2, SIDE, SIDE, SIDE],
        'vertices': [-6, 8, 0, 0, 8, 6, 6, 8, 0, -6, -8, 0, 0, -8, 6, 6, -8, 0],
        'triangles': [0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5]}
    (folder / 'mesh.json').write_text(json.dumps(mesh))


class DrawnData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        write_faces(Path(cls.folder.name))
        cls.faces = Faces(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def fresh(self, at=0):
        return Sample(*self.faces.bare(at))

    def test_samples_have_shapes_and_ranges_and_shares_add_up(self):
        for seed in range(40):
            sample = make_sample(self.faces, 0, self.faces.other, random.Random(seed))
            self.assertEqual(tuple(sample.picture.shape), (3, SIDE, SIDE))
            self.assertEqual(tuple(sample.shares.shape), (len(CLASSES), SIDE, SIDE))
            self.assertTrue(bool(((sample.picture >= 0) & (sample.picture <= 1)).all()))
            self.assertTrue(bool(((sample.shares >= -1e-6) & (sample.shares <= 1 + 1e-6)).all()))
            self.assertLess(float((sample.shares.sum(0) - 1).abs().max()), 1e-5)
            self.assertTrue(bool(((sample.skin >= -1e-6) & (sample.skin <= HAIR_OVER_BROWS + 1e-4)).all()))
            for mask in (sample.known, sample.shade_known, sample.facing):
                self.assertEqual(tuple(mask.shape), (1, SIDE, SIDE))
                self.assertTrue(bool(((mask >= -1e-6) & (mask <= 1 + 1e-6)).all()))
            self.assertEqual(tuple(sample.bare.shape), (3, SIDE, SIDE))

    def test_the_same_seed_gives_the_same_sample(self):
        one, other = (make_sample(self.faces, 2, self.faces.other, random.Random(5)) for _ in range(2))
        self.assertTrue(torch.equal(one.picture, other.picture))
        self.assertTrue(torch.equal(one.shares, other.shares))

    def test_the_mask_of_a_frame_is_where_the_frame_was_drawn(self):
        for seed in range(30):
            sample = self.fresh()
            draw_glasses(sample, self.faces, 0, self.faces.other, random.Random(seed))
            frame = sample.shares[FRAME] > 0.4
            # The glasses are shifted by up to 2 pixels up or down, and 1 aside. Some frames are thicker by up to 3 pixels.
            self.assertTrue(bool(frame[18:26, 13:51].any(0).all()), f'seed {seed}')
            near = torch.zeros(SIDE, SIDE, dtype=torch.bool)
            near[15:29, 8:56] = True
            self.assertFalse(bool((frame & ~near).any()), f'seed {seed}')
            self.assertTrue(bool((sample.shares[LENS][29:32, 19:25] > 0.99).all()))
            beyond = ~near
            beyond[22:36, 15:29] = False
            self.assertTrue(bool((sample.shares[BARE][beyond] == 1).all()))
            # Outside the glasses there is only a shadow.
            self.assertLess(float((sample.picture - sample.bare).abs()[:, beyond].max()), 0.3)

    def test_the_bare_face_is_what_was_there_before(self):
        sample, before = self.fresh(), self.faces.read('atlas-rgb', 0)
        for seed in range(5):
            draw_glasses(sample, self.faces, 0, self.faces.other, random.Random(seed))
            draw_fringe(sample, self.faces, 0, random.Random(seed))
            draw_hair(sample, self.faces, random.Random(seed))
            draw_mask(sample, self.faces.other, random.Random(seed))
        self.assertTrue(torch.equal(sample.bare, before))

    def test_what_is_drawn_later_covers_what_was_drawn_before(self):
        sample = self.fresh()
        draw_glasses(sample, self.faces, 0, self.faces.other, random.Random(1))
        draw_locks(sample, self.faces, 0, random.Random(2))
        crossing = sample.shares[:, 18:26].argmax(0)
        self.assertIn(HAIR, crossing.unique().tolist())
        self.assertIn(FRAME, crossing.unique().tolist())
        self.assertTrue(bool((sample.shares[FRAME] * sample.shares[HAIR] == 0).all()))

    def test_a_thing_a_fringe_and_a_mask_change_the_picture_where_their_masks_are(self):
        draws = (lambda s, rng: draw_thing(s, self.faces.other, rng), lambda s, rng: draw_fringe(s, self.faces, 0, rng),
                 lambda s, rng: draw_mask(s, self.faces.other, rng), lambda s, rng: draw_flyaways(s, self.faces, 0, rng))
        for kind, draw in zip((THING, HAIR, THING, HAIR), draws):
            for seed in range(10):
                sample = self.fresh()
                draw(sample, random.Random(seed))
                changed = (sample.picture - sample.bare).abs().amax(0) > 0.25
                covered = torch.nn.functional.max_pool2d(sample.shares[kind:kind + 1], 41, 1, 20)[0] > 0
                self.assertTrue(bool((~changed | covered).all()), f'seed {seed}')

    def test_each_kind_of_fault_changes_a_face_and_keeps_its_range(self):
        face = self.faces.read('atlas-rgb', 0)
        for name, (share, draw) in faults.FAULTS.items():
            drawn = [draw(face, self.faces, 0, self.faces.other, random.Random(seed)) for seed in range(6)]
            self.assertTrue(0 < share <= 1, name)
            self.assertTrue(any(float((each - face).abs().max()) > 0.01 for each in drawn), name)
            self.assertTrue(all(bool(torch.isfinite(each).all()) and each.shape == face.shape for each in drawn), name)

    def test_faults_lie_where_the_swap_drew_and_many_samples_have_none(self):
        samples = [faults.make_sample(self.faces, 0, self.faces.other, random.Random(seed)) for seed in range(60)]
        faulty = [float((each.picture - each.bare).abs().max()) > 0.004 for each in samples]
        self.assertTrue(0.4 < sum(faulty) / len(faulty) < 0.95)
        for each in samples:
            elsewhere = (each.picture - each.bare).abs() * (each.skin < 1e-4)
            self.assertLess(float(elsewhere.max()), 0.05)
        worn = [faults.make_sample(self.faces, 1, self.faces.other, random.Random(seed)) for seed in range(8)]
        self.assertTrue(all(torch.equal(each.picture, each.bare) for each in worn))

    def test_an_untrained_network_changes_nothing_even_with_the_weights_of_another_one(self):
        seen = torch.rand(1, 5, 64, 64)
        mend = Mend().eval()
        self.assertEqual(float(mend(seen).abs().max()), 0)
        mend.begin(InFront().state_dict())
        self.assertEqual(float(mend(seen).abs().max()), 0)
        torch.nn.init.constant_(mend.last.bias, 9)
        seen[:, 4] = 0.5
        self.assertLessEqual(float(mend(seen).abs().max()), 0.5 * MOST_STEP + 1e-6)

    def test_a_background_covers_one_side_up_to_an_outline_that_turns_away(self):
        for seed in range(20):
            sample, before = self.fresh(), self.fresh()
            draw_background(sample, self.faces.other, random.Random(seed))
            mask, middle = sample.shares[THING][SIDE // 4:-SIDE // 4], slice(SIDE // 2 - 6, SIDE // 2 + 6)
            # An outline near the rim may lie beyond the mesh.
            sides = [float(mask[:, :SIDE // 4].mean()), float(mask[:, -SIDE // 4:].mean())]
            self.assertEqual(min(sides), 0)
            self.assertEqual(float(mask[:, middle].max()), 0)
            if float(mask.max()) > 0.5:
                self.assertGreater(float((sample.picture - before.picture).abs().max()), 0.02)
                self.assertLess(float(sample.facing[0, SIDE // 4:-SIDE // 4][mask > 0.5].max()), 0.6)

    def test_a_beard_darkens_skin_where_its_mask_is_and_leaves_the_lips(self):
        for seed in range(10):
            sample = self.fresh()
            draw_beard(sample, self.faces, random.Random(seed))
            beard = sample.shares[BEARD]
            self.assertGreater(float(beard.max()), 0.5, f'seed {seed}')
            self.assertEqual(float(beard[4:28].max()), 0)
            self.assertLess(float(beard[45, 32]), 0.1)
            self.assertTrue(torch.equal(sample.picture[:, beard == 0], sample.bare[:, beard == 0]))
            dense = beard > 0.5
            self.assertLess(float(sample.picture[:, dense].mean()), 0.7 * float(sample.bare[:, dense].mean()))

    def test_hair_is_dark_where_its_mask_is_and_grows_down_from_the_top(self):
        self.assertEqual(self.faces.hairy, [3])
        for seed in range(10):
            sample = self.fresh()
            draw_hair(sample, self.faces, random.Random(seed))
            hair = sample.shares[HAIR]
            self.assertGreater(float(hair[4:10, 20:44].min()), 0.9, f'seed {seed}')
            self.assertEqual(float(hair[36:].max()), 0)
            self.assertLess(float(sample.picture[:, hair > 0.9].mean()), 0.5 * float(sample.bare[:, hair > 0.9].mean()))

    def test_below_ones_own_hair_the_mean_face_has_a_small_weight(self):
        picture, bald, _, _, known, hair, _ = self.faces.bare(3)
        self.assertEqual(float(hair[0, 4, 32]), 1)
        self.assertGreater(float(bald[:, 4, 32].min()), float(picture[:, 4, 32].max()) + 0.2)
        self.assertTrue(0 < float(known[0, 4, 32]) < 0.5)
        self.assertTrue(torch.equal(bald[:, 20:], picture[:, 20:]))

    def test_ones_own_beard_has_the_class_of_a_beard_and_the_skin_below_is_unknown(self):
        _, _, _, skin, known, hair, beard = self.faces.bare(1)
        self.assertEqual([float(plane[0, 56, 32]) for plane in (skin, known, hair, beard)], [0, 0, 0, 1])
        self.assertEqual([float(plane[0, 20, 32]) for plane in (skin, beard)], [1, 0])

    def test_dark_texels_beside_the_cheeks_are_hair_and_not_skin(self):
        picture = torch.full((3, SIDE, SIDE), 0.6)
        picture[:, :, :12] = 0.1
        skin, known, hair = known_of(picture, torch.ones(1, SIDE, SIDE))
        self.assertEqual(float(skin[0, 30, 4]), 0)
        self.assertEqual(float(hair[0, 30, 4]), 1)
        self.assertEqual(float(hair[0, 30, 32]), 0)
        self.assertEqual(float(known[0, 30, 32]), 1)
        self.assertEqual(float(known[0, 30, 62]), 0)

    def test_brows_are_bare_even_beside_hair_that_is_as_dark(self):
        picture = torch.full((3, SIDE, SIDE), 0.6)
        picture[:, 16:22, :32] = 0.1
        skin, _, hair = known_of(picture, torch.ones(1, SIDE, SIDE))
        self.assertEqual([float(plane[0, 19, 22]) for plane in (skin, hair)], [1, 0])
        self.assertEqual([float(plane[0, 19, 4]) for plane in (skin, hair)], [0, 1])

    def test_what_hair_surrounds_is_unknown_even_where_brows_may_be(self):
        picture = torch.full((3, SIDE, SIDE), 0.6)
        picture[:, :32, :24] = 0.1
        skin, _, hair = known_of(picture, torch.ones(1, SIDE, SIDE))
        self.assertLess(float(skin[0, 19, 15]), 0.1)
        self.assertEqual(float(hair[0, 19, 15]), 0)
        self.assertEqual(float(skin[0, 19, 40]), 1)

    def test_hair_has_no_gap_where_brows_are_and_ends_where_it_ends_beside_them(self):
        features = brows_and_eyes(SIDE, 0.045)
        x, _ = grid(SIDE)
        cover = (x < 16).float().expand(1, SIDE, SIDE) * (1 - features)
        whole = hair_over_features(cover, features)
        self.assertGreater(float(whole[0, 19, 14]), 0.9)
        self.assertLess(float(whole[0, 19, 24]), 0.1)
        hairs = torch.where(cover > 0, torch.tensor(0.3), torch.tensor(0.9)).expand(3, -1, -1)
        self.assertLess(abs(float(over_features(hairs, cover, features)[0, 19, 15]) - 0.3), 0.01)

    def test_other_brows_darken_the_picture_and_the_bare_face_alike_and_nothing_else(self):
        ratio, luma = self.faces.against_mean(0)
        luma = luma.clone()
        # A black bar where brows are.
        luma[:, 17:21, 18:46] = 0.1
        sample, before = self.fresh(), self.fresh()
        with mock.patch.object(self.faces, 'against_mean', lambda at: (ratio, luma)):
            draw_brows(sample, self.faces, random.Random(3))
        self.assertTrue(torch.equal(sample.shares, before.shares))
        self.assertGreater(float((before.picture - sample.picture)[:, 16:22].max()), 0.2)
        self.assertTrue(torch.equal(sample.picture[:, 34:], before.picture[:, 34:]))
        self.assertLess(float((sample.picture - sample.bare).abs().max()), 1e-6)

    def test_light_from_a_side_makes_that_side_brighter_than_the_other(self):
        lamps = self.faces.lamps
        lit = lamps.lit_from(torch.tensor([0.7, 0.0, 0.714]), 1)
        self.assertGreater(float(lit[0, 32, 48]), 0.9)
        self.assertLess(float(lit[0, 32, 16]), 0.1)

    def test_the_shade_is_what_light_changed_and_darkens_as_much_as_it_lightens(self):
        for seed in range(10):
            sample = self.fresh()
            draw_light(sample, self.faces, random.Random(seed))
            self.assertLess(abs(float(sample.shade.mean())), 0.2, f'seed {seed}')
            dark, bright = sample.shade < -0.1, sample.shade > 0.1
            if bool(dark.any()) and bool(bright.any()):
                luma = sample.picture.mean(0, keepdim=True)
                self.assertLess(float(luma[dark].mean()), 0.9 * float(luma[bright].mean()))
            self.assertLess(float((sample.picture - sample.bare).abs().max()), 1e-5)

    def test_the_shade_is_known_only_on_evenly_lit_faces(self):
        with mock.patch.object(Faces, 'is_evenly_lit', lambda _, at: at == 0):
            samples = [make_sample(self.faces, at, self.faces.other, random.Random(5)) for at in (0, 2)]
        known = [float(sample.shade_known.max()) for sample in samples]
        self.assertGreater(known[0], 0.5)
        self.assertEqual(known[1], 0)
        self.assertTrue(self.faces.is_evenly_lit(0))
        half = torch.ones(1, SIDE, SIDE)
        half[:, :, :SIDE // 2] = 0.5
        with mock.patch.object(Faces, 'against_mean', lambda *_: (half, half)):
            self.assertFalse(Faces.is_evenly_lit.__wrapped__(self.faces, 0))

    def test_held_out_people_are_not_used_for_training(self):
        learned, held = self.faces.split(1)
        people = lambda chosen: {self.faces.faces[at]['person'] for at in chosen}
        self.assertEqual((len(learned), len(held)), (1, 1))
        self.assertFalse(people(learned) & people(held))
        self.assertEqual(self.faces.split(1), (learned, held))

    def test_what_is_drawn_beyond_the_mesh_is_black_and_bare(self):
        sample = Sample(*self.faces.bare(0))
        inside = torch.ones(1, SIDE, SIDE)
        inside[:, 40:] = 0
        draw_mask(sample, lambda rng: self.faces.read('rgb', 1), random.Random(1))
        sample.clip(inside)
        self.assertEqual(float(sample.picture[:, 40:].max()), 0)
        self.assertEqual(float(sample.shares[BARE, 40:].min()), 1)
        self.assertGreater(float(sample.shares[THING, 39].max()), 0.5)
        self.assertLess(float((sample.shares.sum(0) - 1).abs().max()), 1e-5)
        self.assertEqual(float(self.faces.inside().min()), 1)

    def test_a_real_swap_is_its_planes_and_is_found_by_its_person(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / 'swaps.json').write_text(json.dumps({'side': SIDE, 'people': ['0', '2', '0']}))
            for name, (value, channels) in {'seen': (50, 3), 'clean': (100, 3), 'facing': (150, 1), 'drawn': (200, 1)}.items():
                np.full((3, SIDE, SIDE, channels), value, np.uint8).tofile(folder / f'swap-{name}.bin')
            swaps = Swaps(folder)
            self.assertEqual(swaps.of({'0'}), [0, 2])
            sample = swaps.sample(2)
            planes = (sample.picture, sample.bare, sample.facing, sample.skin)
            self.assertEqual([round(float(plane.mean()) * 255) for plane in planes], [50, 100, 150, 200])
            self.assertEqual([len(plane) for plane in planes], [3, 3, 1, 1])

    def test_an_augmented_sample_has_the_same_light_in_the_picture_and_in_the_correct_result(self):
        torch.manual_seed(1)
        batch = torch.rand(8, COLOURS + 1, 4, 6)
        batch[:, 3:6] = batch[:, :3]
        again = augment(batch)
        self.assertTrue(torch.equal(again[:, :3], again[:, 3:6]))
        mirrored = [torch.equal(a[6], b[6].flip(1)) for a, b in zip(again, batch)]
        self.assertTrue(all(m or torch.equal(a[6], b[6]) for m, a, b in zip(mirrored, again, batch)))
        self.assertTrue(any(mirrored) and not all(mirrored))
        self.assertGreater(float((again[:, :3].mean((1, 2, 3)) - batch[:, :3].mean((1, 2, 3))).std()), 0.02)

    @unittest.skipUnless(importlib.util.find_spec('onnx'), 'there is no onnx')
    def test_a_shipped_network_can_be_loaded_for_training(self):
        from export import export
        from shipped import read_shipped
        torch.manual_seed(1)
        shipped = Mend()
        torch.nn.init.normal_(shipped.last.weight, std=0.1)
        seen = torch.rand(4, 5, 32, 64)
        shipped.train()(seen)
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
            torch.save(shipped.state_dict(), f'{folder}/mend.pt')
            export('mend', f'{folder}/mend.pt', f'{folder}/mend.onnx')
            network = Mend()
            read_shipped(network, f'{folder}/mend.onnx', [seen])
        with torch.no_grad():
            wanted = shipped.eval()(seen)
            self.assertLess(float((network.eval()(seen) - wanted).abs().max()), 0.02 * float(wanted.abs().max()))
            # The normalisations fit the input: in training mode, too, the outputs are nearly the same.
            self.assertLess(float((network.train()(seen) - wanted).abs().mean()), 0.1 * float(wanted.abs().mean()))

    def test_the_network_has_outputs_per_texel_and_keeps_the_picture_where_no_colour_is_needed(self):
        network = InFront(widths=(4, 6, 8, 8, 8)).eval()
        seen = torch.cat([self.faces.read('atlas-rgb', 0), self.faces.read('atlas-facing', 0)])[None]
        with torch.no_grad():
            classes, bare, shade = network(seen)
            network.last.bias.zero_()
            network.last.weight.zero_()
            network.last.bias[-8:-4] = -40
            _, left, _ = network(seen)
        self.assertEqual(tuple(classes.shape), (1, len(CLASSES), SIDE, SIDE))
        self.assertLess(float((classes.sum(1) - 1).abs().max()), 1e-5)
        self.assertEqual(tuple(bare.shape), (1, 3, SIDE, SIDE))
        self.assertEqual(tuple(shade.shape), (1, 1, SIDE, SIDE))
        self.assertLess(float((left - seen[:, :3]).abs().max()), 1e-5)


if __name__ == '__main__':
    unittest.main()
