import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';

/** A brow this much darker than the other (shares of the skin's luma) has hair lying over it. */
const ODD = 0.08;
const SURELY_ODD = 0.16;
/** Share of a brow and what is around it that was hair. */
const TOUCHED = 0.04;
const SURELY_COVERED = 0.15;
/** Rows of the atlas where brows are. */
const TOP = 0.18;
const BOTTOM = 0.36;

/**
 * Hair over one brow, in place: a brow that is far darker than the other, each against the skin around it, is replaced by
 * the other's mirror image, if something lay on the skin around it (`foreign`, 0..1, what the cleaning filled): one brow in
 * the sun and one in the shade differ as much. Run on a cleaned atlas: the skin around must be skin.
 */
export function evenBrows(atlas: Atlas, layout: AtlasLayout, foreign: Float32Array): void {
  const { side, luma, blue, red, facing } = atlas;
  const brow = [0, 0];
  const browCount = [0, 0];
  const skin = [0, 0];
  const skinCount = [0, 0];
  const covered = [0, 0];
  const area = [0, 0];
  const top = Math.floor(TOP * side);
  const bottom = Math.ceil(BOTTOM * side);
  for (let i = top * side; i < bottom * side; i++) {
    if (layout.browArea[i] === 0 || facing[i]! < 0.2) continue;
    const half = 2 * (i % side) < side ? 0 : 1;
    covered[half]! += foreign[i]!;
    area[half]! += 1;
    if (layout.brows[i]! > 0) {
      brow[half]! += luma[i]!;
      browCount[half]! += 1;
    } else if (layout.features[i]! < 0.2) {
      skin[half]! += luma[i]!;
      skinCount[half]! += 1;
    }
  }
  if (browCount[0]! * browCount[1]! * skinCount[0]! * skinCount[1] === 0) return;
  const skinLeft = skin[0]! / skinCount[0]! + 8;
  const skinRight = skin[1]! / skinCount[1]! + 8;
  const difference = brow[1]! / browCount[1]! / skinRight - brow[0]! / browCount[0]! / skinLeft;
  const worse = difference > 0 ? 0 : 1;
  const share =
    smoothstep(ODD, SURELY_ODD, Math.abs(difference)) *
    smoothstep(TOUCHED, SURELY_COVERED, covered[worse]! / area[worse]!);
  if (share === 0) return;
  const worseLeft = worse === 0;
  const gain = worseLeft ? skinLeft / skinRight : skinRight / skinLeft;
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < side >> 1; x++) {
      const left = y * side + x;
      const right = y * side + side - 1 - x;
      const to = worseLeft ? left : right;
      const from = worseLeft ? right : left;
      const weight = share * layout.browArea[to]!;
      if (weight === 0) continue;
      luma[to]! += weight * (luma[from]! * gain - luma[to]!);
      blue[to]! += weight * (blue[from]! * gain - blue[to]!);
      red[to]! += weight * (red[from]! * gain - red[to]!);
    }
  }
}
