import { boxBlur } from './box-blur.ts';

export interface Sharpening {
  /** Radius of the finest band, texels. */
  readonly radius: number;
  /** Strength, 0..1. */
  readonly strength: number;
  readonly fineGain: number;
  readonly coarseGain: number;
  /** Size below which detail fades out. */
  readonly core: number;
  /** Largest change of a value. */
  readonly most: number;
}

export interface RangeLimit {
  /** Distance along rows and columns over which the range around a value is measured. */
  readonly reach: number;
  /** Amount by which the range may be exceeded. */
  readonly overshoot: number;
  /** Further amount by which the range may be exceeded, as a share of the range. */
  readonly overshootShare: number;
  /** Share of the limited change that is kept, 0..1. */
  readonly strength: number;
}

/** Factors by which three bands change. */
export interface BandChange {
  /** Factor of the finest band. */
  readonly fine: number;
  /** Factor of the middle band. */
  readonly medium: number;
  /** Factor of the broadest band. */
  readonly broad: number;
  /** Size below which detail of the finest band fades out; 0 if all stays. */
  readonly core: number;
}

/** Reference version of the kernel in ../filter/bands.ts. */
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

/** Fades out small steps: step^3 / (step^2 + core^2). */
function cored(step: number, core: number): number {
  return (step * step * step) / (step * step + core * core);
}

/** Reference version of the kernel in ../filter/bands.ts. */
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

/** Reference version of the kernel in ../filter/bands.ts. */
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

/** Reference version of the kernel in ../filter/bands.ts. */
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
