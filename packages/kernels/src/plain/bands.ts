import { boxBlur } from './box-blur.ts';

export interface Sharpening {
  /** Of the finest band, texels. */
  readonly radius: number;
  /** 0..1. */
  readonly strength: number;
  readonly fineGain: number;
  readonly coarseGain: number;
  /** Steps below this fade out. */
  readonly core: number;
  /** No value is moved further than this. */
  readonly most: number;
}

export interface RangeLimit {
  /** How far around a value its range is taken, along rows and columns. */
  readonly reach: number;
  /** By how much the range may be left, and in shares of the range how much further. */
  readonly overshoot: number;
  readonly overshootShare: number;
  /** 0..1: how much of the change is kept after that. */
  readonly strength: number;
}

/** How three bands change. */
export interface BandChange {
  /** Factors. */
  readonly fine: number;
  readonly medium: number;
  readonly broad: number;
  /** Steps of the finest band below this fade out; 0: none do. */
  readonly core: number;
}

/** See ../filter/bands.ts. */
export function sharpen(
  plane: Float32Array,
  width: number,
  height: number,
  { radius, strength, fineGain, coarseGain, core, most }: Sharpening,
): void {
  const scratch = new Float32Array(plane.length);
  const fine = plane.slice();
  boxBlur(fine, width, height, radius, 1, scratch);
  const coarse = fine.slice();
  boxBlur(coarse, width, height, 2 * radius + 1, 1, scratch);
  for (let i = 0; i < plane.length; i++) {
    const fineStep = plane[i]! - fine[i]!;
    const coarseStep = fine[i]! - coarse[i]!;
    const change = fineGain * cored(fineStep, core) + coarseGain * cored(coarseStep, core);
    plane[i]! += (strength * change) / (1 + Math.abs(change) / most);
  }
}

/** Small steps fade out: step^3 / (step^2 + core^2). */
function cored(step: number, core: number): number {
  return (step * step * step) / (step * step + core * core);
}

/** See ../filter/bands.ts. */
export function keepInRange(
  changed: Float32Array,
  raw: Float32Array,
  width: number,
  height: number,
  { reach, overshoot, overshootShare, strength }: RangeLimit,
): void {
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let value = changed[i]!;
      if (x >= reach && x < width - reach && y >= reach && y < height - reach) {
        let least = Infinity;
        let most = -Infinity;
        for (let row = i - reach * width - reach; row <= i + reach * width; row += width) {
          for (let k = row; k <= row + 2 * reach; k++) {
            if (raw[k]! < least) least = raw[k]!;
            if (raw[k]! > most) most = raw[k]!;
          }
        }
        const spare = overshoot + overshootShare * (most - least);
        value = Math.max(least - spare, Math.min(most + spare, value));
      }
      changed[i] = raw[i]! + strength * (value - raw[i]!);
    }
  }
}

/** See ../filter/bands.ts. */
export function splitBands(
  plane: Float32Array,
  mask: Float32Array,
  shares: readonly Float32Array[],
  radii: readonly number[],
  width: number,
  height: number,
  bands: readonly Float32Array[],
): void {
  const scratch = new Float32Array(plane.length);
  const smooth = plane.map((value, i) => (mask[i]! > 0 ? value : 0));
  for (const [k, band] of bands.entries()) {
    const share = shares[k]!;
    band.set(smooth);
    boxBlur(smooth, width, height, radii[k]!, 1, scratch);
    for (let i = 0; i < smooth.length; i++) {
      smooth[i] = share[i]! * smooth[i]!;
      band[i]! -= smooth[i]!;
    }
  }
}

/** See ../filter/bands.ts. */
export function mixBands(
  plane: Float32Array,
  [fine, medium, broad]: readonly [Float32Array, Float32Array, Float32Array],
  change: BandChange,
): void {
  const core = change.core * change.core;
  const mediumChange = change.medium - 1;
  const broadChange = change.broad - 1;
  for (let i = 0; i < plane.length; i++) {
    const step = fine[i]!;
    const kept = core > 0 ? (step * step) / (step * step + core) : 1;
    plane[i]! += (change.fine * kept - 1) * step + mediumChange * medium[i]! + broadChange * broad[i]!;
  }
}
