import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { fixture, skipWithoutFixtures } from '../../../../scripts/fixtures.ts';
import { readRgb } from '../../../../scripts/read-rgb.ts';
import { engine } from './testing/test-engine.ts';

const restore = { faceRestoreVisibility: 1, restoreVisibility: 1 };

/**
 * Swaps, and returns the darkest luma between each eye and its cheek, as a share of the brightest.
 */
async function darkestBelowEyes(source: RgbImage, target: RgbImage): Promise<number> {
  const [found] = await engine.detect(target);
  const { image } = await engine.swapImage({ source, target, targetFaces: [found!], restore });
  const { landmarks } = found!;
  const place = (v: number): [number, number] => [landmarks[3 * v]!, landmarks[3 * v + 1]!];
  const ofEyes = [
    [145, 101],
    [374, 330],
  ].map(([lid, cheek]) => {
    const [from, to] = [place(lid!), place(cheek!)];
    const lumas = Array.from({ length: 40 }, (_, k) => {
      const share = 0.25 + (0.75 * k) / 39;
      const x = Math.round(from[0] + share * (to[0] - from[0]));
      const y = Math.round(from[1] + share * (to[1] - from[1]));
      const at = 3 * (y * image.width + x);
      return lumaOf(image.data[at]!, image.data[at + 1]!, image.data[at + 2]!);
    });
    return Math.min(...lumas) / Math.max(...lumas);
  });
  return Math.max(...ofEyes);
}

test('a bare face wears the glasses of its source', { skip: skipWithoutFixtures }, async () => {
  const target = await readRgb(fixture('portraits/p44_chang.jpg'));
  const bare = await readRgb(fixture('portraits/p43_khandelwal.jpg'));
  const source = await readRgb(fixture('portraits/p40_shawnique_glasses_scarf.jpg'));
  assert.ok((await darkestBelowEyes(bare, target)) > 0.7);
  assert.ok((await darkestBelowEyes(source, target)) < 0.55);
});
