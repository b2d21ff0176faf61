import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import { lumaOf } from '@guise/kernels/luma.ts';

/** Side of a JPEG's blocks, pixels. */
const BLOCK_PX = 8;
/**
 * Mean step across the blocks' edges minus that within them, levels of luma. 0 at `from`: blocks
 * are invisible; 1 at `to`: they are visible.
 */
const VISIBLE_STEP: Ramp = { from: 0.6, to: 1.6 };
/** Multiple of the mean step above which a step is an edge of the picture itself. */
const MAX_STEP_RATIO = 4;
/** Level of a step above which it is an edge of the picture itself. */
const MAX_STEP_LEVELS = 44;
/**
 * Shares of half a step by which pixels next to it move, the nearest first: a slope between blocks.
 */
const SLOPE_SHARES = [0.875, 0.625, 0.375, 0.125];

/** Largest number of lines to measure along each axis, evenly spaced. */
const MAX_LINES = 128;

/** Position of a compressed picture's blocks along one axis, and how visible they are. */
interface Grid {
  /** 0..7 */
  readonly phase: number;
  /** Mean step of luma across the blocks' edges. */
  readonly step: number;
}

/** The blocks of a picture. */
export interface Blocks {
  readonly columns: Grid;
  readonly rows: Grid;
  /** Visibility of the blocks, 0..1. */
  readonly seen: number;
}

/**
 * Finds the blocks that strong JPEG compression left in a picture, even if it was cropped since;
 * returns null if none are visible.
 */
export function findBlocks({ data, width, height }: RgbImage): Blocks | null {
  const columns = gridOf(data, width, height, 3, 3 * width);
  // Most pictures have no blocks, and need no second pass.
  if (columns.step <= VISIBLE_STEP.from) return null;
  const rows = gridOf(data, height, width, 3 * width, 3);
  const seen = ramp(VISIBLE_STEP, Math.min(columns.step, rows.step));
  return seen === 0 ? null : { columns, rows, seen };
}

/**
 * Makes a new picture without those blocks: turns steps between them into slopes, by `strength`
 * (0..1). Edges of the picture itself stay.
 */
export function smoothBlocks(
  { data, width, height }: RgbImage,
  { columns, rows, seen }: Blocks,
  strength: number,
): RgbImage {
  const planes = Float32Array.from(data);
  for (let channel = 0; channel < 3; channel++) {
    const plane = planes.subarray(channel);
    smoothSteps(plane, columns, width, height, 3, 3 * width, strength * seen);
    smoothSteps(plane, rows, height, width, 3 * width, 3, strength * seen);
  }
  // The array rounds half to even and clamps to 0..255.
  return { width, height, data: new Uint8Array(Uint8ClampedArray.from(planes).buffer) };
}

/**
 * Finds the grid along one axis: the phase at which steps are largest compared with those around.
 * @param along length of the axis
 * @param across of the other
 * @param stride from one value to the next along it, `line` across
 */
function gridOf(data: Uint8Array, along: number, across: number, stride: number, line: number): Grid {
  const sums = new Float64Array(BLOCK_PX);
  let lines = 0;
  const every = Math.max(1, Math.ceil(across / MAX_LINES));
  for (let y = 0; y < across; y += every) {
    let i = y * line + 2 * stride;
    let last = lumaAt(data, i - stride);
    let before = Math.abs(last - lumaAt(data, i - 2 * stride));
    let luma = lumaAt(data, i);
    for (let x = 2; x < along - 1; x++, i += stride) {
      const next = lumaAt(data, i + stride);
      const step = Math.abs(luma - last);
      const after = Math.abs(next - luma);
      sums[x % BLOCK_PX]! += step - (before + after) / 2;
      before = step;
      last = luma;
      luma = next;
    }
    lines += 1;
  }
  const means = sums.map((sum, phase) => sum / Math.max(1, lines * stepCount(phase, along)));
  const phase = means.indexOf(Math.max(...means));
  const others = means.reduce((sum, value) => sum + value, -means[phase]!) / (BLOCK_PX - 1);
  return { phase, step: means[phase]! - others };
}

/** Counts the places of a phase that have two neighbours on one side and one on the other. */
function stepCount(phase: number, along: number): number {
  const first = phase < 2 ? phase + BLOCK_PX : phase;
  return Math.max(0, Math.ceil((along - 1 - first) / BLOCK_PX));
}

function lumaAt(data: Uint8Array, i: number): number {
  return lumaOf(data[i]!, data[i + 1]!, data[i + 2]!);
}

/** Smooths blocks in place, along one axis of one channel. */
function smoothSteps(
  plane: Float32Array,
  { phase, step }: Grid,
  along: number,
  across: number,
  stride: number,
  line: number,
  strength: number,
): void {
  const most = Math.min(MAX_STEP_LEVELS, MAX_STEP_RATIO * step + 4);
  const reach = SLOPE_SHARES.length;
  for (let x = phase; x + reach <= along; x += BLOCK_PX) {
    if (x < reach) continue;
    for (let y = 0, i = x * stride; y < across; y++, i += line) {
      const difference = plane[i]! - plane[i - stride]!;
      const share = smoothstep(most, 0.6 * most, Math.abs(difference));
      if (share === 0) continue;
      const half = (strength * share * difference) / 2;
      for (let k = 0; k < reach; k++) {
        plane[i - (k + 1) * stride]! += half * SLOPE_SHARES[k]!;
        plane[i + k * stride]! -= half * SLOPE_SHARES[k]!;
      }
    }
  }
}
