import type { ColourPlanes } from '../colour-planes.ts';
import { mixMirrored as plainMixMirrored } from '../plain/mix-mirrored.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

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
