import type { ColourPlanes } from '../colour-planes.ts';
import {
  dullGlints as plainDullGlints,
  type Glints,
  holdBelow as plainHoldBelow,
  mixMirrored as plainMixMirrored,
} from '../plain/mend.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInTogether, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

/**
 * Lowers luma that is above that of `to`, in place, by mixing the picture with `to`. The weight is
 * `taken` times the share, and is lower where `kept` (0..1) is higher. A weight of 0 keeps every
 * bit of a pixel.
 *
 * The picture and `kept` are planes of `side` squared. `to` and the share are planes of `smallSide`
 * squared, which are enlarged bilinearly. `side` is a multiple of `smallSide`, and both are
 * multiples of 4.
 */
export function holdBelow(
  { luma, blue, red }: ColourPlanes,
  to: ColourPlanes,
  share: Float32Array,
  kept: Float32Array,
  smallSide: number,
  side: number,
  taken: number,
): void {
  const planes = [luma, blue, red];
  const lineBytes = 4 * (5 * side + 8);
  if (!fitsStage(4 * luma.byteLength + 4 * share.byteLength + lineBytes)) {
    plainHoldBelow({ luma, blue, red }, to, share, kept, smallSide, side, taken);
    return;
  }
  const addresses = planes.map(copyIn);
  const [lumaAt, blueAt, redAt] = addresses as [number, number, number];
  kernels().holdBelow(
    lumaAt,
    blueAt,
    redAt,
    copyIn(kept),
    copyIn(share),
    copyIn(to.luma),
    copyIn(to.blue),
    copyIn(to.red),
    smallSide,
    side,
    taken,
    reserve(lineBytes),
  );
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}

/**
 * Removes glints from a picture, in place. A glint is detail above both the usual detail and the
 * light; it is removed in the light's colours.
 *
 * The picture's planes are of `side` squared. The light's are of `smallSide` squared, with one
 * value per block. `side` is a multiple of `smallSide` and of 4.
 */
export function dullGlints(
  { luma, blue, red }: ColourPlanes,
  light: ColourPlanes,
  glints: Glints,
  smallSide: number,
  side: number,
): void {
  const planes = [luma, blue, red];
  const { bands, skin, usual, lit, taken } = glints;
  if (!fitsStage(7 * luma.byteLength + 3 * light.luma.byteLength)) {
    plainDullGlints({ luma, blue, red }, light, glints, smallSide, side);
    return;
  }
  const addresses = planes.map(copyIn);
  const [lumaAt, blueAt, redAt] = addresses as [number, number, number];
  kernels().dullGlints(
    lumaAt,
    blueAt,
    redAt,
    copyIn(bands[0]),
    copyIn(bands[1]),
    copyIn(bands[2]),
    copyIn(skin),
    copyInTogether([light.luma, light.blue, light.red]),
    smallSide,
    side,
    usual,
    lit,
    taken,
  );
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}

/**
 * Mixes places with their mirror image across the middle column plus a step, in place. Of two
 * places that mirror each other, the one with the larger share is mixed, by that share. `facing`
 * has no step and can only rise.
 *
 * The share and the steps are planes of `smallSide` squared, which are enlarged bilinearly. `side`
 * is a multiple of `smallSide` and of 8.
 */
export function mixMirrored(
  { luma, blue, red, facing }: ColourPlanes & { readonly facing: Float32Array },
  share: Float32Array,
  steps: ColourPlanes,
  smallSide: number,
  side: number,
): void {
  const planes = [luma, blue, red, facing];
  const lineBytes = 4 * (5 * side + 8);
  if (side % 8 !== 0 || !fitsStage(4 * luma.byteLength + 4 * share.byteLength + lineBytes)) {
    plainMixMirrored({ luma, blue, red, facing }, share, steps, smallSide, side);
    return;
  }
  const addresses = planes.map(copyIn);
  const [lumaAt, blueAt, redAt, facingAt] = addresses as [number, number, number, number];
  kernels().mixMirrored(
    lumaAt,
    blueAt,
    redAt,
    facingAt,
    copyIn(share),
    copyIn(steps.luma),
    copyIn(steps.blue),
    copyIn(steps.red),
    smallSide,
    side,
    reserve(lineBytes),
  );
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}
