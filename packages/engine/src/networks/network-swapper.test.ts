import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { NetworkSwapper } from './network-swapper.ts';
import { pasteCrop } from './paste-crop.ts';
import { type NamesOf, PROTOCOL_NAMES, type ProtocolName, PROTOCOLS } from './protocols.ts';
import { type Effect, MATRIX_DIAGONAL, testNetwork } from './testing/test-networks.ts';
import { landmarksAt, paintedFace } from './testing/painted-face.ts';

const SWAPPERS = PROTOCOL_NAMES.filter(
  (name): name is NamesOf<'swapper'> => PROTOCOLS[name].kind === 'swapper',
);

const folder = await mkdtemp(path.join(tmpdir(), 'guise-networks-'));
after(() => rm(folder, { recursive: true }));

async function written(name: ProtocolName, effect: Effect, items: 1 | 'any' = 1): Promise<string> {
  const file = path.join(folder, `${name}-${effect}-${items}.onnx`);
  await writeFile(file, testNetwork(name, effect, items));
  return file;
}

async function open(
  protocol: NamesOf<'swapper'>,
  effect: Effect,
  boost = 1,
  items: 1 | 'any' = 1,
): Promise<NetworkSwapper> {
  return NetworkSwapper.open({
    id: protocol,
    sha256: '',
    protocol,
    boost,
    file: await written(protocol, effect, items),
    recogniser: await written('arcface', 'identity'),
    converter: await written('converter', 'identity'),
  });
}

function whole({ width, height }: RgbImage) {
  return { x: 0, y: 0, width, height, allowance: new Float32Array(width * height).fill(1) };
}

for (const protocol of SWAPPERS)
  test(`${protocol}: a network that changes nothing leaves every pixel as it is`, async () => {
    const swapper = await open(protocol, 'identity', protocol === 'inswapper' ? 3 : 1);
    for (const side of [90, 300, 900]) {
      const { image, landmarks } = paintedFace(side);
      const source = await swapper.describe([{ image, landmarks }]);
      const crop = await swapper.swap(pyramidOf(image), landmarks, source);
      const data = image.data.slice();
      pasteCrop(image, crop, whole(image), 1, data);
      let largest = 0;
      for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]! - image.data[i]!));
      assert.ok(largest <= 1, `${largest} levels at ${side} px`);
    }
    await swapper.close();
  });

/** A source of one colour, and its face's place. */
function plainSource(colour: readonly [number, number, number]) {
  const { image, landmarks } = paintedFace(200);
  for (let i = 0; i < image.data.length; i++) image.data[i] = colour[i % 3]!;
  return { image, landmarks };
}

function unit(vector: readonly number[]): number[] {
  return vector.map((value) => value / Math.hypot(...vector));
}

test('the description of the source reaches each network as its protocol says', async () => {
  // A recogniser's input is -1..1, and the one for tests returns the mean red, green and blue.
  const colour = [255, 204, 51] as const;
  const described = colour.map((level) => level / 127.5 - 1);
  const twice = described.map((value) => 2 * value);
  const expected: Record<NamesOf<'swapper'>, readonly number[]> = {
    inswapper: unit(described.map((value, k) => value * MATRIX_DIAGONAL[k]!)),
    simswap: unit(described),
    'simswap-512': unit(described),
    ghost: twice,
    hififace: unit(described),
    hyperswap: unit(described),
    blendswap: colour.map((level) => level / 255),
    uniface: colour.map((level) => level / 255),
  };
  for (const protocol of SWAPPERS) {
    const swapper = await open(protocol, 'tint');
    const source = await swapper.describe([plainSource(colour)]);
    const plane = PROTOCOLS[protocol].source.kind === 'picture' ? source.length / 3 : 1;
    for (const k of [0, 1, 2])
      assert.ok(
        Math.abs(source[k * plane]! - expected[protocol][k]!) < 1 / 255,
        `${protocol}: ${source.subarray(0, 3)}`,
      );
    const { image, landmarks } = paintedFace(300);
    const crop = await swapper.swap(pyramidOf(image), landmarks, source);
    const { deviation } = PROTOCOLS[protocol].input;
    const middle = (crop.side / 2) * (crop.side + 1);
    for (const k of [0, 1, 2]) {
      const at = k * crop.side ** 2 + middle;
      const step = 255 * deviation[k]! * expected[protocol][k]!;
      const wanted = Math.min(255, Math.max(0, crop.levels[at]! + step));
      assert.ok(Math.abs(crop.changed[at]! - wanted) <= 1, `${protocol}: ${crop.changed[at]} ${wanted}`);
    }
    await swapper.close();
  }
});

test('a network that takes several crops at once gets all those of an enlarged face together', async () => {
  for (const protocol of ['hyperswap', 'uniface'] as const) {
    const { image, landmarks } = paintedFace(600);
    const [together, single] = await Promise.all(
      (['any', 1] as const).map(async (items) => {
        const swapper = await open(protocol, 'tint', 3, items);
        const source = await swapper.describe([plainSource([200, 100, 50])]);
        const { changed } = await swapper.swap(pyramidOf(image), landmarks, source);
        await swapper.close();
        return changed;
      }),
    );
    assert.equal(together!.length, 3 * (3 * 256) ** 2);
    together!.forEach((value, i) => assert.ok(Math.abs(value - single![i]!) < 1e-3));
  }
});

test('several photos of the source are averaged', async () => {
  const swapper = await open('ghost', 'tint');
  const [one, other] = [plainSource([255, 0, 0]), plainSource([0, 0, 255])];
  const both = await swapper.describe([one, other]);
  const each = [await swapper.describe([one]), await swapper.describe([other])];
  for (const k of [0, 1, 2])
    assert.ok(Math.abs(both[k]! - (each[0]![k]! + each[1]![k]!) / 2) < 1e-5, `${both.subarray(0, 3)}`);
  await swapper.close();
});

test('only what the stencil allows changes, and nothing outside the crop', async () => {
  const swapper = await open('hyperswap', 'tint');
  const { image } = paintedFace(300);
  const landmarks = landmarksAt(150);
  const source = await swapper.describe([plainSource([255, 0, 0])]);
  const crop = await swapper.swap(pyramidOf(image), landmarks, source);
  const stencil = whole(image);
  stencil.allowance.fill(0, 0, 70 * image.width);
  const data = image.data.slice();
  pasteCrop(image, crop, stencil, 0, data);
  const red = (pixels: Uint8Array, x: number, y: number): number => pixels[3 * (y * image.width + x)]!;
  assert.ok(red(data, 75, 75) > red(image.data, 75, 75) + 20);
  const kept = 3 * 70 * image.width;
  assert.deepEqual(data.subarray(0, kept), image.data.subarray(0, kept));
  for (let y = 70; y < 300; y++)
    for (let x = y < 150 ? 150 : 0; x < 300; x++) assert.equal(red(data, x, y), red(image.data, x, y));
  await swapper.close();
});

test('a face of another tone takes the tone of the picture around it', async () => {
  const swapper = await open('hyperswap', 'tint');
  const { image, landmarks } = paintedFace(300);
  image.data.fill(128);
  const source = await swapper.describe([plainSource([255, 128, 128])]);
  const crop = await swapper.swap(pyramidOf(image), landmarks, source);
  const stencil = whole(image);
  for (let i = 0; i < stencil.allowance.length; i++) {
    const [x, y] = [i % 300, Math.floor(i / 300)];
    if (Math.hypot(x - 150, y - 150) > 110) stencil.allowance[i] = 0;
  }
  const reds = [0, 1].map((toneShare) => {
    const data = image.data.slice();
    pasteCrop(image, crop, stencil, toneShare, data);
    return data[3 * (150 * 300 + 150)]!;
  });
  assert.ok(reds[0]! > 200 && Math.abs(reds[1]! - 128) <= 2, `${reds}`);
  await swapper.close();
});

test("the target's fine detail goes where lines have changed, and stays on the skin", async () => {
  const swapper = await open('inswapper', 'mirror');
  const { image, landmarks } = paintedFace(900);
  // One brow: a dark bar on one half, with hairs that the crop is too coarse to show.
  const bar = { left: 500, right: 640, top: 330, bottom: 350 };
  for (let y = 0; y < 900; y++)
    for (let x = 0; x < 900; x++) {
      const isBar = x >= bar.left && x < bar.right && y >= bar.top && y < bar.bottom;
      const level = (isBar ? 60 : 160) + (x % 2 ? 12 : -12);
      image.data.fill(level, 3 * (y * 900 + x), 3 * (y * 900 + x) + 3);
    }
  const source = await swapper.describe([{ image, landmarks }]);
  const crop = await swapper.swap(pyramidOf(image), landmarks, source);
  const data = image.data.slice();
  pasteCrop(image, crop, whole(image), 1, data);
  const hairs = (y: number): number => {
    let sum = 0;
    for (let x = 540; x < 600; x += 2)
      sum += Math.abs(data[3 * (y * 900 + x)]! - data[3 * (y * 900 + x + 1)]!) / 30;
    return sum;
  };
  assert.ok(hairs(340) < 12, `${hairs(340)} where the bar was`);
  assert.ok(hairs(560) > 22, `${hairs(560)} on the skin`);
});
