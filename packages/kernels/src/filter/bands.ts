import {
  type BandChange,
  keepInRange as plainKeepInRange,
  mixBands as plainMixBands,
  type RangeLimit,
  sharpen as plainSharpen,
  type Sharpening,
  splitBands as plainSplitBands,
} from '../plain/bands.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

/**
 * Sharpens a plane in place, in two bands of detail. The second band is twice as broad as the
 * first.
 */
export function sharpen(plane: Float32Array, width: number, height: number, sharpening: Sharpening): void {
  const { radius, strength, fineGain, coarseGain, core, most } = sharpening;
  const bytes = plane.byteLength;
  const lineBytes = 4 * (width + 4 * radius + 12);
  if (!fitsStage(4 * bytes + lineBytes)) {
    plainSharpen(plane, width, height, sharpening);
    return;
  }
  const at = copyIn(plane);
  const [fine, coarse, scratch, lines] = [reserve(bytes), reserve(bytes), reserve(bytes), reserve(lineBytes)];
  kernels().sharpen(
    at,
    fine,
    coarse,
    scratch,
    lines,
    width,
    height,
    radius,
    strength,
    fineGain,
    coarseGain,
    core,
    most,
  );
  copyOut(plane, at);
}

/**
 * Limits changed values, in place, to the range of the surrounding `raw` values plus some
 * overshoot, and then weakens the change by `strength`. Nearer to the border than `reach`, the
 * change is only weakened.
 */
export function keepInRange(
  changed: Float32Array,
  raw: Float32Array,
  width: number,
  height: number,
  limit: RangeLimit,
): void {
  const { reach, overshoot, overshootShare, strength } = limit;
  const lineBytes = 8 * (2 * reach + 1) * (width + 4);
  if (!fitsStage(2 * changed.byteLength + lineBytes)) {
    plainKeepInRange(changed, raw, width, height, limit);
    return;
  }
  const at = copyIn(changed);
  const lines = reserve(lineBytes);
  kernels().keepInRange(at, copyIn(raw), lines, width, height, reach, overshoot, overshootShare, strength);
  copyOut(changed, at);
}

/**
 * Splits the part of a plane where the mask is above 0 into bands. Band k is the detail that box
 * blur k removes from the result of the previous blurs.
 * @param shares one plane for each band, by which the blur is multiplied: 1 divided by the share of
 * the box that lies in the mask, and 0 outside the mask
 * @param bands the planes to which the bands are written
 */
export function splitBands(
  plane: Float32Array,
  mask: Float32Array,
  shares: readonly Float32Array[],
  radii: readonly number[],
  width: number,
  height: number,
  bands: readonly Float32Array[],
): void {
  const bytes = plane.byteLength;
  const widest = Math.max(...radii);
  const ringBytes = 4 * (2 * widest + 2) * width;
  const lineBytes = 4 * (2 * width + 2 * widest + 16);
  if (!fitsStage((3 + 2 * bands.length) * bytes + ringBytes + lineBytes)) {
    plainSplitBands(plane, mask, shares, radii, width, height, bands);
    return;
  }
  const { masked, splitBand } = kernels();
  const [smooth, ring, lines] = [reserve(bytes), reserve(ringBytes), reserve(lineBytes)];
  masked(copyIn(plane), copyIn(mask), smooth, plane.length);
  for (const [k, band] of bands.entries()) {
    const at = reserveFor(band);
    splitBand(smooth, copyIn(shares[k]!), at, ring, lines, width, height, radii[k]!);
    copyOut(band, at);
  }
}

/** Changes the three bands of a plane by factors, in place. The bands are given finest first. */
export function mixBands(
  plane: Float32Array,
  [fine, medium, broad]: readonly [Float32Array, Float32Array, Float32Array],
  change: BandChange,
): void {
  if (!fitsStage(4 * plane.byteLength)) {
    plainMixBands(plane, [fine, medium, broad], change);
    return;
  }
  const at = copyIn(plane);
  kernels().mixBands(
    at,
    copyIn(fine),
    copyIn(medium),
    copyIn(broad),
    plane.length,
    change.fine,
    change.core * change.core,
    change.medium - 1,
    change.broad - 1,
  );
  copyOut(plane, at);
}
