import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { RgbaFrame } from '@guise/media/gif/rgba-frame.ts';
import sharp from 'sharp';
import type { SwapNetworks } from '../networks/open-networks.ts';
import { pasteInFrame } from '../networks/paste-crop.ts';
import { type Effect, testNetwork } from '../networks/testing/test-networks.ts';
import { readSampleFaces } from '../samples/sample-faces.ts';
import { swapFrames } from './swap-video.ts';
import { engine } from './testing/test-engine.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'guise-network-clip-'));
after(() => rm(folder, { recursive: true }));

const WIDTH = 400;
const HEIGHT = 300;
/** Frames of a clip: a first, a last, and one between. */
const FRAMES = 3;
const { face, body } = await readSampleFaces();

async function rgb(image: Buffer): Promise<RgbImage> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

/** Makes a clip of the sample face on grey, which wanders to the right. */
async function wanderingFace(frames: number): Promise<Uint8Array[]> {
  const input = await sharp(face).resize(220).toBuffer();
  const background = { create: { width: WIDTH, height: HEIGHT, channels: 4, background: '#777' } } as const;
  return Promise.all(
    Array.from({ length: frames }, async (_, frame) => {
      const picture = sharp(background).composite([{ input, left: 30 + 4 * frame, top: 20 }]);
      return new Uint8Array(await picture.raw().toBuffer());
    }),
  );
}

async function networks(effect: Effect): Promise<SwapNetworks> {
  const [file, recogniser] = [path.join(folder, `${effect}.onnx`), path.join(folder, 'recogniser.onnx')];
  await writeFile(file, testNetwork('hyperswap', effect));
  await writeFile(recogniser, testNetwork('arcface'));
  return { swapper: { id: effect, sha256: effect, protocol: 'hyperswap', boost: 1, file, recogniser } };
}

/** Swaps a clip. @returns its frames, and the receipt */
async function swapped(
  clip: readonly Uint8Array[],
  wanted: SwapNetworks | undefined,
  faceRestoreVisibility = 1,
) {
  const request = {
    source: await rgb(body),
    targetName: 'target video',
    restore: { faceRestoreVisibility, restoreVisibility: 0 },
  };
  const swap = await engine.openVideoSwap(request, wanted);
  const pictures = await swapFrames(swap, async ({ ahead, onFrame }) => {
    const copies = clip.map((rgba) => rgba.slice());
    const frames = copies.map((rgba, index) => new RgbaFrame(rgba, WIDTH, HEIGHT, index, index / 12));
    for (const frame of frames) await ahead?.onFrame(frame);
    for (const frame of frames) await onFrame(frame);
    return copies;
  });
  const receipt = swap.receipt();
  await swap.close();
  return { pictures, receipt };
}

test('a network that changes nothing leaves every frame as it is', async () => {
  const clip = await wanderingFace(FRAMES);
  const { pictures, receipt } = await swapped(clip, await networks('identity'));
  assert.equal(receipt.frames.swapped, FRAMES);
  for (const [k, picture] of pictures.entries()) assert.deepEqual(picture, clip[k]);
});

test('a network draws the face in every frame, and nothing else', async () => {
  const clip = await wanderingFace(FRAMES);
  const { pictures } = await swapped(clip, await networks('tint'));
  const [found] = await engine.detect(await rgb(await sharp(face).resize(220).toBuffer()));
  const { x, y, width, height } = found!.box;
  for (const [k, picture] of pictures.entries()) {
    const at = (column: number, row: number): number => 4 * (row * WIDTH + column);
    const cheek = at(Math.round(30 + 4 * k + x + width / 2), Math.round(20 + y + 0.62 * height));
    const moved = [0, 1, 2].map((c) => Math.abs(picture[cheek + c]! - clip[k]![cheek + c]!));
    assert.ok(Math.max(...moved) > 15, `frame ${k}: ${moved}`);
    for (const corner of [at(2, 2), at(WIDTH - 3, HEIGHT - 3), at(Math.round(30 + 4 * k + x - 8), 150)])
      assert.deepEqual(picture.subarray(corner, corner + 4), clip[k]!.subarray(corner, corner + 4), `${k}`);
  }
});

async function restorer(effect: Effect): Promise<NonNullable<SwapNetworks['restorer']>> {
  const file = path.join(folder, `restorer-${effect}.onnx`);
  await writeFile(file, testNetwork('gpen-256', effect));
  return { id: effect, sha256: effect, protocol: 'gpen-256', file };
}

/** Returns the largest difference of two clips, levels. */
function largest(one: readonly Uint8Array[], other: readonly Uint8Array[]): number {
  let found = 0;
  for (const [k, picture] of one.entries())
    for (let i = 0; i < picture.length; i++) found = Math.max(found, Math.abs(picture[i]! - other[k]![i]!));
  return found;
}

test('a restorer changes drawn faces as much as it is asked to, whether mesh or network drew', async () => {
  const clip = await wanderingFace(FRAMES);
  const [same, mirror] = [await restorer('identity'), await restorer('mirror')];
  for (const drawn of [undefined, await networks('identity')]) {
    const plain = (await swapped(clip, drawn)).pictures;
    const kept = (await swapped(clip, { ...drawn, restorer: same })).pictures;
    assert.ok(largest(plain, kept) <= 1, `${largest(plain, kept)} levels by a restorer that does nothing`);
    const off = (await swapped(clip, { ...drawn, restorer: mirror }, 0)).pictures;
    assert.equal(largest((await swapped(clip, drawn, 0)).pictures, off), 0);
    const mirrored = (await swapped(clip, { ...drawn, restorer: mirror })).pictures;
    for (const k of clip.keys()) assert.ok(largest([plain[k]!], [mirrored[k]!]) > 15, `frame ${k}`);
  }
});

test('what a masker hides stays as it is in every frame', async () => {
  // Nothing is blue here, so the test's XSeg shows nothing of the face.
  const clip = (await wanderingFace(FRAMES)).map((picture) =>
    picture.map((value, i) => (i % 4 === 2 ? 20 : value)),
  );
  const file = path.join(folder, 'xseg.onnx');
  await writeFile(file, testNetwork('xseg'));
  const maskers = [{ id: 'xseg', sha256: 'xseg', protocol: 'xseg', file } as const];
  for (const drawn of [undefined, await networks('tint')]) {
    const change = (pictures: readonly Uint8Array[]): number =>
      pictures.reduce(
        (sum, picture, k) =>
          sum + picture.reduce((part, value, i) => part + Math.abs(value - clip[k]![i]!), 0),
        0,
      );
    const [open, hidden] = [await swapped(clip, drawn), await swapped(clip, { ...drawn, maskers })];
    assert.ok(change(hidden.pictures) < change(open.pictures) / 10, `${change(hidden.pictures)}`);
  }
});

function grey(length: number): Uint8Array {
  return new Uint8Array(length).fill(128);
}

/** Planes of a grey frame of 8 x 8, with the colours of full-range BT.601. */
function greyPlanes(chromaIsHalved: boolean): FramePlanes {
  const side = chromaIsHalved ? 4 : 8;
  return {
    x: 0,
    y: 0,
    width: 8,
    height: 8,
    chromaIsHalved,
    data: [grey(64), grey(side * side), grey(side * side)],
    strides: [8, side, side],
    colours: {
      offset: [0, 128, 128],
      weights: [0.299, 0.587, 0.114, -0.1687, -0.3313, 0.5, 0.5, -0.4187, -0.0813],
    },
  };
}

for (const isHalved of [false, true])
  test(`steps of colours reach the planes${isHalved ? ', whose chroma is halved' : ''}`, () => {
    const planes = greyPlanes(isHalved);
    const stencil = { x: 2, y: 2, width: 4, height: 4, allowance: new Float32Array(16).fill(1) };
    const change = new Float32Array(48);
    for (let i = 0; i < 16; i++) change[3 * i] = 40;
    pasteInFrame(planes, change, stencil);
    const [luma, blue, red] = planes.data;
    assert.deepEqual([luma[2 * 8 + 2], luma[5 * 8 + 5], luma[0], luma[6 * 8 + 6]], [140, 140, 128, 128]);
    const [inside, outside] = isHalved ? [1 * 4 + 1, 0] : [2 * 8 + 2, 0];
    assert.deepEqual([blue[inside], red[inside], blue[outside], red[outside]], [121, 148, 128, 128]);
  });
