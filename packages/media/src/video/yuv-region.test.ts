import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Yuv420 } from '@guise/kernels/yuv/yuv-region.ts';
import { addRgbDifference, regionToRgb } from '@guise/kernels/yuv/yuv-region.ts';
import { loadNodeAv, type NodeAv } from './node-av.ts';
import { colourMatrix } from './colour.ts';
import { reducedToRgb } from './reduced-rgb.ts';

const WIDTH = 61;
const HEIGHT = 47;

function plane(width: number, height: number, value: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => value(i % width, Math.floor(i / width)));
}

function grey(level: number): Yuv420 {
  return {
    planes: [new Uint8Array(4).fill(level), Uint8Array.of(128), Uint8Array.of(128)],
    strides: [2, 1, 1],
    width: 2,
    height: 2,
  };
}

/** Makes a smooth frame in gamut with odd sides. */
function frame(): Yuv420 {
  const chroma = { width: (WIDTH + 1) >> 1, height: (HEIGHT + 1) >> 1 };
  return {
    planes: [
      plane(WIDTH, HEIGHT, (x, y) => 80 + x + y),
      plane(chroma.width, chroma.height, (x) => 112 + x),
      plane(chroma.width, chroma.height, (_x, y) => 140 - y),
    ],
    strides: [WIDTH, chroma.width, chroma.width],
    width: WIDTH,
    height: HEIGHT,
  };
}

const whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
const matrices = [1, 6, 9].flatMap((m) => [false, true].map((full) => ({ m, full })));

describe('regionToRgb', () => {
  it('gives a pixel the same colour whatever region it is read with', () => {
    const yuv = frame();
    const matrix = colourMatrix(1, false, WIDTH, HEIGHT);
    const all = new Uint8Array(WIDTH * HEIGHT * 3);
    regionToRgb(yuv, matrix, whole, all);
    for (const region of [
      { x: 0, y: 0, width: 1, height: 1 },
      { x: 13, y: 7, width: 20, height: 11 },
      { x: 60, y: 46, width: 1, height: 1 },
      { x: 1, y: 1, width: 59, height: 45 },
    ]) {
      const part = new Uint8Array(region.width * region.height * 3);
      regionToRgb(yuv, matrix, region, part);
      for (let row = 0; row < region.height; row += 1) {
        const from = ((region.y + row) * WIDTH + region.x) * 3;
        const expected = all.subarray(from, from + region.width * 3);
        assert.deepEqual(part.subarray(row * region.width * 3, (row + 1) * region.width * 3), expected);
      }
    }
  });

  it('puts black, white and grey where the range says', () => {
    for (const [full, black, white] of [
      [false, 16, 235],
      [true, 0, 255],
    ] as const) {
      const matrix = colourMatrix(1, full, 2, 2);
      const out = new Uint8Array(12);
      regionToRgb(grey(black), matrix, { x: 0, y: 0, width: 2, height: 2 }, out);
      assert.ok(out.every((value) => value === 0));
      regionToRgb(grey(white), matrix, { x: 0, y: 0, width: 2, height: 2 }, out);
      assert.ok(out.every((value) => value === 255));
    }
  });

  it('agrees with FFmpeg for every matrix and range', async (t) => {
    const av = await loadNodeAv();
    if (av === null) return t.skip('node-av is not installed');
    for (const { m, full } of matrices) {
      const ours = new Uint8Array(WIDTH * HEIGHT * 3);
      regionToRgb(frame(), colourMatrix(m, full, WIDTH, HEIGHT), whole, ours);
      const theirs = convert(av, frame(), m, full);
      const worst = ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i]!)), 0);
      assert.ok(worst <= 3, `matrix ${m}, full ${full}: off by ${worst}`);
    }
    return undefined;
  });
});

describe('addRgbDifference', () => {
  it('changes nothing at all where nothing was edited', () => {
    const yuv = frame();
    const before = yuv.planes.map((plane) => plane.slice());
    const matrix = colourMatrix(1, false, WIDTH, HEIGHT);
    const region = { x: 3, y: 5, width: 31, height: 22 };
    const rgb = new Uint8Array(region.width * region.height * 3);
    regionToRgb(yuv, matrix, region, rgb);
    addRgbDifference(yuv, matrix, region, rgb, rgb.slice());
    assert.deepEqual(yuv.planes, before);
  });

  it('gives back the colour that was written, for every matrix and range', () => {
    for (const { m, full } of matrices) {
      const yuv = frame();
      const matrix = colourMatrix(m, full, WIDTH, HEIGHT);
      const region = { x: 9, y: 9, width: 24, height: 24 };
      const before = new Uint8Array(region.width * region.height * 3);
      regionToRgb(yuv, matrix, region, before);
      const after = before.slice();
      for (let i = 0; i < after.length; i += 3) after.set([180, 120, 100], i);
      addRgbDifference(yuv, matrix, region, before, after);
      const inner = { x: 13, y: 13, width: 16, height: 16 };
      const seen = new Uint8Array(16 * 16 * 3);
      regionToRgb(yuv, matrix, inner, seen);
      for (let i = 0; i < seen.length; i += 3) {
        const off = Math.max(
          Math.abs(seen[i]! - 180),
          Math.abs(seen[i + 1]! - 120),
          Math.abs(seen[i + 2]! - 100),
        );
        assert.ok(off <= 3, `matrix ${m}, full ${full}: off by ${off}`);
      }
    }
  });

  it('touches only samples of the region and its chroma neighbours', () => {
    const yuv = frame();
    const untouched = frame();
    const matrix = colourMatrix(1, false, WIDTH, HEIGHT);
    const region = { x: 20, y: 20, width: 10, height: 10 };
    const before = new Uint8Array(300);
    regionToRgb(yuv, matrix, region, before);
    addRgbDifference(yuv, matrix, region, before, new Uint8Array(300).fill(255));
    for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
      const x = i % WIDTH;
      const y = Math.floor(i / WIDTH);
      const inside = x >= 20 && x < 30 && y >= 20 && y < 30;
      if (!inside) assert.equal(yuv.planes[0]![i], untouched.planes[0]![i]);
    }
    const stride = yuv.strides[1]!;
    yuv.planes[1]!.forEach((value, i) => {
      const x = i % stride;
      const y = Math.floor(i / stride);
      if (x < 10 || x > 15 || y < 10 || y > 14) assert.equal(value, untouched.planes[1]![i]);
    });
  });
});

describe('reducedToRgb', () => {
  it('is the mean of each block on a smooth picture', () => {
    const yuv = frame();
    const matrix = colourMatrix(1, false, WIDTH, HEIGHT);
    const full = new Uint8Array(WIDTH * HEIGHT * 3);
    regionToRgb(yuv, matrix, whole, full);
    for (const factor of [2, 3, 5]) {
      const width = Math.floor(WIDTH / factor);
      const height = Math.floor(HEIGHT / factor);
      const out = new Uint8Array(width * height * 3);
      reducedToRgb(yuv, matrix, factor, out);
      for (let i = 0; i < out.length; i += 1) {
        const pixel = Math.floor(i / 3);
        let sum = 0;
        for (let y = 0; y < factor; y += 1) {
          for (let x = 0; x < factor; x += 1) {
            const at = (Math.floor(pixel / width) * factor + y) * WIDTH + (pixel % width) * factor + x;
            sum += full[at * 3 + (i % 3)]!;
          }
        }
        assert.ok(Math.abs(out[i]! - sum / factor / factor) <= 4);
      }
    }
  });
});

/** Converts by FFmpeg's swscale with the same matrix, range and chroma site. */
function convert(av: NodeAv, yuv: Yuv420, matrix: number, full: boolean): Uint8Array {
  const C = av.constants;
  const make = (format: number) => {
    const made = new av.Frame();
    made.alloc();
    made.width = yuv.width;
    made.height = yuv.height;
    made.format = format as typeof made.format;
    av.FFmpegError.throwIfError(made.getBuffer(0), 'test');
    return made;
  };
  const from = make(C.AV_PIX_FMT_YUV420P);
  from.colorSpace = matrix as typeof from.colorSpace;
  from.colorRange = full ? C.AVCOL_RANGE_JPEG : C.AVCOL_RANGE_MPEG;
  from.chromaLocation = C.AVCHROMA_LOC_LEFT;
  yuv.planes.forEach((plane, index) => {
    const stride = yuv.strides[index]!;
    for (let row = 0; row * stride < plane.length; row += 1) {
      from.data![index]!.set(plane.subarray(row * stride, (row + 1) * stride), row * from.linesize[index]!);
    }
  });
  const to = make(C.AV_PIX_FMT_RGB24);
  to.colorSpace = C.AVCOL_SPC_RGB;
  to.colorRange = C.AVCOL_RANGE_JPEG;
  const scaler = new av.SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', 'bilinear+accurate_rnd+full_chroma_int+full_chroma_inp');
  av.FFmpegError.throwIfError(scaler.scaleFrameSync(to, from), 'test');
  const out = new Uint8Array(yuv.width * yuv.height * 3);
  for (let row = 0; row < yuv.height; row += 1) {
    const at = row * to.linesize[0]!;
    out.set(to.data![0]!.subarray(at, at + yuv.width * 3), row * yuv.width * 3);
  }
  scaler.freeContext();
  from.free();
  to.free();
  return out;
}
