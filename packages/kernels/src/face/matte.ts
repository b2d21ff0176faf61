import type { ColourPlanes } from '../colour-planes.ts';
import { matte as plainMatte, type MattePlace, type MatteShares } from '../plain/matte.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInTogether, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export type { MatteShares } from '../plain/matte.ts';

/**
 * Writes to `out` the share of each texel that belongs to an object in front, 0..1. The share
 * depends on the nearness (`near`, 0..1) and on the position of the texel's colour between the
 * colours of `front` and `back`. The planes of `near`, `front` and `back` are of `smallSide`
 * squared.
 */
export function matte(
  picture: ColourPlanes,
  near: Float32Array,
  front: ColourPlanes,
  back: ColourPlanes,
  place: MattePlace,
  shares: MatteShares,
  out: Float32Array,
): void {
  const { smallSide, side, mask } = place;
  const lineBytes = 4 * (8 * side + 8);
  if (!fitsStage(5 * mask.byteLength + 7 * near.byteLength + lineBytes)) {
    plainMatte(picture, near, front, back, place, shares, out);
    return;
  }
  const at = reserveFor(out);
  kernels().matte(
    copyIn(picture.luma),
    copyIn(picture.blue),
    copyIn(picture.red),
    copyInTogether([near, front.luma, front.blue, front.red, back.luma, back.blue, back.red]),
    copyIn(mask),
    smallSide,
    side,
    copyIn(numbersOf(shares)),
    reserve(lineBytes),
    at,
  );
  copyOut(out, at);
}

/** Lists the parameters in the order in which the kernel reads them. */
function numbersOf(shares: MatteShares): Float32Array {
  return Float32Array.of(
    shares.nearOnset,
    1 / (shares.nearFull - shares.nearOnset),
    shares.deepOnset,
    1 / (1 - shares.deepOnset),
    shares.mixed,
    1 / (shares.pure - shares.mixed),
    shares.colourWeight,
    shares.leastContrast,
  );
}
