import type { ColourPlanes } from '../colour-planes.ts';
import {
  addEnlarged as plainAddEnlarged,
  mixEnlarged as plainMixEnlarged,
  relight as plainRelight,
  type RelightPlace,
  type RelightShares,
} from '../plain/relight.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInTogether, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export type { ColourPlanes } from '../colour-planes.ts';
export type { RelightShares } from '../plain/relight.ts';

/**
 * Writes a picture in another light to `out`. Its present light (`from`) and the new light (`to`)
 * are enlarged bilinearly. `colour` (0..1) is the share of its own colours that is kept.
 */
export function relight(
  picture: ColourPlanes,
  from: ColourPlanes,
  to: ColourPlanes,
  place: RelightPlace,
  colour: number,
  shares: RelightShares,
  out: ColourPlanes,
): void {
  const { lightSide, side, mask, features } = place;
  const lineBytes = 4 * (7 * side + 24);
  const lightBytes = from.luma.byteLength;
  if (!fitsStage(8 * mask.byteLength + 6 * lightBytes + lineBytes)) {
    plainRelight(picture, from, to, place, colour, shares, out);
    return;
  }
  const results = [out.luma, out.blue, out.red];
  const addresses = results.map(reserveFor);
  kernels().relight(
    copyIn(picture.luma),
    copyIn(picture.blue),
    copyIn(picture.red),
    copyInTogether([from.luma, from.blue, from.red]),
    copyInTogether([to.luma, to.blue, to.red]),
    copyIn(mask),
    copyIn(features),
    lightSide,
    side,
    colour,
    copyIn(numbersOf(shares)),
    reserve(lineBytes),
    ...addresses,
  );
  for (const [k, plane] of results.entries()) copyOut(plane, addresses[k]!);
}

/** Lists the parameters in the order in which the kernel reads them. */
function numbersOf(shares: RelightShares): Float32Array {
  return Float32Array.of(
    shares.darkFloor,
    shares.skinKnee,
    shares.featureKnee,
    shares.darkening,
    shares.brightening,
    shares.leastChroma,
    shares.mostChroma,
    shares.mostSkinColour,
    shares.mostFeatureColour,
    shares.shoulder,
    shares.leastOffset,
    shares.mostOffset,
    1,
  );
}

/**
 * Adds a plane of `smallSide` squared, enlarged bilinearly, to a plane of `side` squared, in place,
 * where the mask is not 0. `side` is a multiple of `smallSide` and of 4.
 */
export function addEnlarged(
  plane: Float32Array,
  small: Float32Array,
  mask: Float32Array,
  smallSide: number,
  side: number,
): void {
  const lineBytes = 4 * (side + smallSide + 8);
  if (!fitsStage(2 * plane.byteLength + small.byteLength + lineBytes)) {
    plainAddEnlarged(plane, small, mask, smallSide, side);
    return;
  }
  const at = copyIn(plane);
  kernels().addEnlarged(at, copyIn(small), copyIn(mask), smallSide, side, reserve(lineBytes));
  copyOut(plane, at);
}

/**
 * Mixes a plane of `side` squared with a plane of `smallSide` squared by a share (0..1, also of
 * `smallSide` squared), in place. Both small planes are enlarged bilinearly. A share of 0 keeps
 * every bit of a value. `side` is a multiple of `smallSide` and of 4.
 */
export function mixEnlarged(
  plane: Float32Array,
  small: Float32Array,
  share: Float32Array,
  smallSide: number,
  side: number,
): void {
  const lineBytes = 4 * (2 * side + smallSide + 8);
  if (!fitsStage(plane.byteLength + 2 * small.byteLength + lineBytes)) {
    plainMixEnlarged(plane, small, share, smallSide, side);
    return;
  }
  const at = copyIn(plane);
  kernels().mixEnlarged(at, copyIn(small), copyIn(share), smallSide, side, reserve(lineBytes));
  copyOut(plane, at);
}
