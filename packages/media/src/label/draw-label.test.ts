import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stamp } from '@guise/kernels/stamp.ts';
import { drawLabel } from './draw-label.ts';

interface Drawn {
  readonly width: number;
  readonly height: number;
  /** Distances from the picture's edges. */
  readonly right: number;
  readonly bottom: number;
}

/** Returns the box of the pixels for which `isIn` holds; by default, of all that is drawn. */
function drawnBox(
  label: Stamp,
  [width, height]: readonly [number, number],
  isIn = (_level: number, alpha: number): boolean => alpha > 0,
): Drawn {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < label.alpha.length; i++) {
    if (!isIn(label.levels[i]!, label.alpha[i]!)) continue;
    const [x, y] = [label.x + (i % label.width), label.y + Math.floor(i / label.width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return { width: right - left, height: bottom - top, right: width - right, bottom: height - bottom };
}

/** Whether a pixel belongs to the letters of the badge, which alone are dark and opaque. */
const isBadgeLetter = (level: number, alpha: number): boolean => alpha === 255 && level < 60;

test('the label is in the lower right corner, a little away from the edges', () => {
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
    [481, 359],
    [101, 99],
    [64, 64],
  ] as const) {
    const box = drawnBox(drawLabel(width, height), [width, height]);
    const said = `${width} x ${height}: ${JSON.stringify(box)}`;
    assert.ok(box.right >= 4 && box.right <= 0.03 * Math.max(width, 300), said);
    assert.ok(box.bottom >= 4 && box.bottom <= 0.03 * Math.max(height, 300), said);
  }
});

test('it grows with the shorter side, is at most 40 % wide, and its letters are never below 11 pixels', () => {
  for (const [width, height, text] of [
    [6000, 4000, 100],
    [1920, 1080, 27],
    [1080, 1920, 27],
    [720, 480, 12],
    [480, 360, 11],
    [64, 64, 11],
  ] as const) {
    const label = drawLabel(width, height);
    assert.ok(drawnBox(label, [width, height]).width <= 0.4 * width, `${width} x ${height}`);
    const drawn = drawnBox(label, [width, height], isBadgeLetter).height;
    assert.ok(Math.abs(drawn - text) <= 2, `${width} x ${height}: ${drawn}`);
  }
});

function shape(width: number, height: number): number {
  const box = drawnBox(drawLabel(width, height), [width, height]);
  return box.width / box.height;
}

test('it has words where there is room for them, else the badge alone', () => {
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
    [400, 400],
  ] as const)
    assert.ok(shape(width, height) > 5, `${width} x ${height}`);
  for (const [width, height] of [
    [300, 300],
    [200, 900],
    [64, 64],
  ] as const)
    assert.ok(shape(width, height) < 1.5, `${width} x ${height}`);
});

test('it stays inside of pictures of any size, and begins and ends at whole blocks of 2 x 2', () => {
  for (const width of [1, 2, 3, 7, 16, 31, 32, 63, 333, 1001])
    for (const height of [1, 2, 5, 16, 33, 64, 777]) {
      const label = drawLabel(width, height);
      const said = `${width} x ${height}: ${label.x}, ${label.y}, ${label.width} x ${label.height}`;
      assert.deepEqual([label.x % 2, label.y % 2, label.width % 2, label.height % 2], [0, 0, 0, 0], said);
      assert.ok(label.x + label.width <= width && label.y + label.height <= height, said);
      assert.equal(label.levels.length, label.width * label.height);
      assert.equal(label.alpha.length, label.width * label.height);
    }
});

test('the ground shows through the plate, and the letters are opaque and stand out from it', () => {
  const { levels, alpha } = drawLabel(1920, 1080);
  const count = (isIn: (level: number, opacity: number) => boolean): number =>
    levels.reduce((sum, level, i) => sum + (isIn(level, alpha[i]!) ? 1 : 0), 0) / levels.length;
  assert.ok(count((level, opacity) => level === 18 && Math.abs(opacity - 0.7 * 255) < 1) > 0.3);
  assert.ok(count((level, opacity) => level === 245 && opacity === 255) > 0.15);
  assert.ok(count((level, opacity) => level === 18 && opacity === 255) > 0.01);
});
