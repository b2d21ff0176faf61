import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';
import { clamp } from '../clamp.ts';

/** Parameters that carry a picture's contrast against its light to another light. */
export interface RelightShares {
  /** Luma added to both lights before they are compared. */
  readonly darkFloor: number;
  /** Gain on skin up to which pixels darker than the light are amplified fully. */
  readonly skinKnee: number;
  /** Gain on features up to which pixels darker than the light are amplified fully. */
  readonly featureKnee: number;
  /** Share of the gain beyond the knee that counts on features. */
  readonly darkening: number;
  /** Share of the gain above 1 that counts for pixels brighter than the light. */
  readonly brightening: number;
  /** Smallest factor, luma over light, by which the light's colours are scaled. */
  readonly leastChroma: number;
  /** Largest factor, luma over light, by which the light's colours are scaled. */
  readonly mostChroma: number;
  /** Size beyond which skin's own colours are compressed. */
  readonly mostSkinColour: number;
  /** Size beyond which features' own colours are compressed. */
  readonly mostFeatureColour: number;
  /** Luma above which values are compressed towards 255. */
  readonly shoulder: number;
  /** Smallest gain by which own colours are scaled. */
  readonly leastOffset: number;
  /** Largest gain by which own colours are scaled. */
  readonly mostOffset: number;
}

/**
 * Sizes and masks. The picture has `side` squared values per plane, its lights `lightSide` squared.
 */
export interface RelightPlace {
  readonly lightSide: number;
  /** Side of the picture, a multiple of `lightSide` and of 4. */
  readonly side: number;
  /** Mask. Where it is 0, the result is 0. */
  readonly mask: Float32Array;
  /** Kind of surface: 0 for skin, 1 for features. */
  readonly features: Float32Array;
}

/** Reference version of the kernel in ../face/relight.ts. */
export function relight(
  picture: ColourPlanes,
  from: ColourPlanes,
  to: ColourPlanes,
  { lightSide, side, mask, features }: RelightPlace,
  colour: number,
  shares: RelightShares,
  out: ColourPlanes,
): void {
  const { darkFloor, skinKnee, featureKnee, darkening, brightening, shoulder } = shares;
  const { leastChroma, mostChroma, mostSkinColour, mostFeatureColour, leastOffset, mostOffset } = shares;
  const factor = side / lightSide;
  const rows = [from.luma, from.blue, from.red, to.luma, to.blue, to.red].map((plane) => ({
    plane,
    row: new Float32Array(side),
  }));
  const [fromLuma, fromBlue, fromRed, toLuma, toBlue, toRed] = rows.map(({ row }) => row) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    for (const { plane, row } of rows) enlargedRow(plane, lightSide, factor, y, row);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (mask[i] === 0) {
        out.luma[i] = 0;
        out.blue[i] = 0;
        out.red[i] = 0;
        continue;
      }
      const own = picture.luma[i]!;
      const base = toLuma[x]!;
      const gain = (base + darkFloor) / (fromLuma[x]! + darkFloor);
      const step = own - fromLuma[x]!;
      let value: number;
      if (step < 0) {
        const feature = features[i]!;
        const knee = skinKnee + (featureKnee - skinKnee) * feature;
        value = base + step * (gain < knee ? gain : knee + darkening * feature * (gain - knee));
      } else value = base + step * (gain < 1 ? gain : 1 + brightening * (gain - 1));
      if (value > shoulder)
        value = shoulder + (255 - shoulder) * (1 - Math.exp((shoulder - value) / (255 - shoulder)));
      if (value < 0) value = 0;
      const shade = clamp(value / (base + 1), leastChroma, mostChroma);
      // Dark skin has small colour differences, so only the difference from the shaded skin colour
      // counts as an own colour.
      const ownShade = clamp(own / (fromLuma[x]! + 1), leastChroma, mostChroma);
      const offset = colour * clamp(gain, leastOffset, mostOffset);
      const perOwnColour = (1 - features[i]!) / mostSkinColour + features[i]! / mostFeatureColour;
      const ownBlue = bounded(picture.blue[i]! - fromBlue[x]! * ownShade, perOwnColour);
      const ownRed = bounded(picture.red[i]! - fromRed[x]! * ownShade, perOwnColour);
      out.luma[i] = value;
      out.blue[i] = toBlue[x]! * shade + ownBlue * offset;
      out.red[i] = toRed[x]! * shade + ownRed * offset;
    }
  }
}

/** Compresses a value: small values hardly change, and none exceeds `1 / per`. */
function bounded(value: number, per: number): number {
  return value / (1 + per * Math.abs(value));
}

/** Reference version of the kernel in ../face/relight.ts. */
export function addEnlarged(
  plane: Float32Array,
  small: Float32Array,
  mask: Float32Array,
  smallSide: number,
  side: number,
): void {
  const row = new Float32Array(side);
  for (let y = 0; y < side; y++) {
    enlargedRow(small, smallSide, side / smallSide, y, row);
    for (let x = 0, i = y * side; x < side; x++, i++) if (mask[i] !== 0) plane[i]! += row[x]!;
  }
}

/** Reference version of the kernel in ../face/relight.ts. */
export function mixEnlarged(
  plane: Float32Array,
  small: Float32Array,
  share: Float32Array,
  smallSide: number,
  side: number,
): void {
  const row = new Float32Array(side);
  const shares = new Float32Array(side);
  for (let y = 0; y < side; y++) {
    enlargedRow(small, smallSide, side / smallSide, y, row);
    enlargedRow(share, smallSide, side / smallSide, y, shares);
    for (let x = 0, i = y * side; x < side; x++, i++) plane[i]! += shares[x]! * (row[x]! - plane[i]!);
  }
}
