import { addBlockWaves, toBlockWaves } from '../filter/block-waves.ts';
import { blockSums, roomOf } from '../filter/room.ts';
import * as plainLevels from '../plain/add-levels.ts';
import * as plainWaves from '../plain/block-waves.ts';
import * as plainGrid from '../plain/luma-grid.ts';
import * as plainRoom from '../plain/room.ts';
import { areaAxis, cubicAxis, inBytes, inShorts, overChannels, partOfAxis } from '../scale/axis.ts';
import { addGrid, lumaGrid } from '../scale/luma-grid.ts';
import { addLevels } from '../yuv/add-levels.ts';
import { noise, noiseBytes } from './case-noise.ts';
import { type ArrayMaker, type KernelCase, RELATIVE } from './kernel-case.ts';

/** Side of the grids. */
const SIDE = 32;
/** Noise of this range is changed to levels around 0 that a watermark may have. */
const LEVELS_PER_NOISE = 12 / 255;
/** Some waves of blocks of 8 x 8, which need not be orthonormal here. */
const WAVES = {
  side: 8,
  waves: noise(new Float32Array(3 * 8), 7),
  frequencies: Int32Array.of(0, 1, 1, 0, 2, 2, 0, 0),
};

const LIMITS = { flat: 1.7, detail: 2, perDeviation: 0.5, reach: 2 };

/** Lists cases of the kernels that reduce pictures to a grid, and add one to them. */
export function gridCases(make: ArrayMaker, width: number, height: number): KernelCase[] {
  const grid = noise(make.floats(SIDE * SIDE), 5).map((value) => LEVELS_PER_NOISE * (value - 128));
  const coefficients = noise(make.floats((SIDE * SIDE * 4) / 64), 6);
  const [changedGrid, otherGrid] = [make.floats(SIDE * SIDE), make.floats(SIDE * SIDE)];
  const room = noise(make.floats(SIDE * SIDE), 11);
  const pixels = width * height;
  const levels = Int8Array.from(noise(new Float32Array(pixels), 4), (value) => value - 128);
  const [luma, otherLuma] = [8, 8].map((seed) => noiseBytes(make.bytes((width + 5) * height), seed)) as [
    Uint8Array,
    Uint8Array,
  ];
  return [
    ...([1, 3] as const).flatMap((channels): KernelCase[] => {
      // Rows of luma are padded, as in frames of a decoder.
      const stride = channels * width + (channels === 1 ? 5 : 0);
      const samples = (): plainGrid.SampleRows => ({
        data: noiseBytes(make.bytes(stride * height), 8),
        width,
        height,
        stride,
        channels,
      });
      const [read, changed, otherChanged] = [samples(), samples(), samples()];
      return [
        {
          name: `reduce ${channels} channels to a grid`,
          pixels,
          bytes: channels * pixels,
          tolerance: RELATIVE,
          kernel: () => [lumaGrid(read, SIDE)],
          reference: () => {
            const reduced = new Float32Array(SIDE * SIDE);
            const columns = overChannels(areaAxis(width, SIDE), channels === 1 ? [1] : [0.299, 0.587, 0.114]);
            plainGrid.reduceToGrid(read.data, stride, inBytes(areaAxis(height, SIDE)), columns, reduced);
            return [reduced];
          },
        },
        {
          name: `add a grid to ${channels} channels`,
          pixels,
          bytes: 2 * channels * pixels,
          tolerance: 1,
          kernel: () => (addGrid(grid, SIDE, changed), [changed.data]),
          reference: () => {
            const rows = partOfAxis(inShorts(cubicAxis(height, SIDE)), 0, height, 0);
            plainGrid.addGrid(grid, SIDE, rows, inShorts(cubicAxis(width, SIDE)), otherChanged);
            return [otherChanged.data];
          },
        },
      ];
    }),
    {
      name: 'add levels to luma',
      pixels,
      bytes: 3 * pixels,
      tolerance: 0,
      kernel: () => (addLevels(luma, width + 5, levels, width, height), [luma]),
      reference: () => (plainLevels.addLevels(otherLuma, width + 5, levels, width, height), [otherLuma]),
    },
    {
      name: 'waves of blocks',
      pixels: SIDE * SIDE,
      bytes: 4 * SIDE * SIDE,
      tolerance: RELATIVE,
      kernel: () => [toBlockWaves(grid, SIDE, WAVES)],
      reference: () => {
        const found = new Float32Array(coefficients.length);
        plainWaves.toBlockWaves(grid, SIDE, WAVES, found);
        return [found];
      },
    },
    {
      name: 'waves added to a grid',
      pixels: SIDE * SIDE,
      bytes: 12 * SIDE * SIDE,
      tolerance: RELATIVE,
      kernel: () => (addBlockWaves(changedGrid, room, coefficients, SIDE, WAVES), [changedGrid]),
      reference: () => {
        plainWaves.addBlockWaves(otherGrid, room, coefficients, SIDE, WAVES);
        return [otherGrid];
      },
    },
    {
      name: 'room for changes',
      pixels: SIDE * SIDE,
      bytes: 8 * SIDE * SIDE,
      tolerance: RELATIVE,
      kernel: () => [roomOf(grid, SIDE, LIMITS)],
      reference: () => {
        const found = new Float32Array(SIDE * SIDE);
        plainRoom.roomOf(grid, SIDE, LIMITS, found);
        return [found];
      },
    },
    {
      name: 'sums of blocks',
      pixels: SIDE * SIDE,
      bytes: 4 * SIDE * SIDE,
      tolerance: RELATIVE,
      kernel: () => [blockSums(room, SIDE)],
      reference: () => {
        const sums = new Float32Array((SIDE / 8) ** 2);
        plainRoom.blockSums(room, SIDE, sums);
        return [sums];
      },
    },
  ];
}
