import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';

/** How a picture's steps against its light are carried to another light. */
export interface RelightShares {
  /** Added to both lights before they are compared. */
  readonly darkFloor: number;
  /** How far what is darker than the light may be amplified: on skin, and where `features` is 1. */
  readonly skinKnee: number;
  readonly featureKnee: number;
  /**
   * What counts of the gain beyond the knee, times `features`; and of a gain above 1, for what is
   * brighter.
   */
  readonly darkening: number;
  readonly brightening: number;
  /** Colour fades with luma over light between these. */
  readonly leastChroma: number;
  readonly mostChroma: number;
  /** Colours of its own beyond this are bent. */
  readonly mostOwnColour: number;
  /** Luma above this is bent towards 255. */
  readonly shoulder: number;
  /** Own colours follow the gain between these. */
  readonly leastOffset: number;
  readonly mostOffset: number;
}

/** The planes a picture lies in: `side` squared, and its lights' `lightSide` squared. */
export interface RelightPlace {
  readonly lightSide: number;
  /** A multiple of `lightSide` and of 4. */
  readonly side: number;
  /** Where it is 0, so is the result. */
  readonly mask: Float32Array;
  /** 0 skin, 1 features. */
  readonly features: Float32Array;
}

/** See ../face/relight.ts. */
export function relight(
  picture: ColourPlanes,
  from: ColourPlanes,
  to: ColourPlanes,
  { lightSide, side, mask, features }: RelightPlace,
  colour: number,
  shares: RelightShares,
  out: ColourPlanes,
): void {
  const { darkFloor, skinKnee, featureKnee, darkening, brightening, shoulder, mostOwnColour } = shares;
  const { leastChroma, mostChroma, leastOffset, mostOffset } = shares;
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
      const shade = held(value / (base + 1), leastChroma, mostChroma);
      // Dark skin has small colour differences: only what differs from the shaded skin colour is
      // colour of its own.
      const ownShade = held(own / (fromLuma[x]! + 1), leastChroma, mostChroma);
      const offset = colour * held(gain, leastOffset, mostOffset);
      const ownBlue = bounded(picture.blue[i]! - fromBlue[x]! * ownShade, mostOwnColour);
      const ownRed = bounded(picture.red[i]! - fromRed[x]! * ownShade, mostOwnColour);
      out.luma[i] = value;
      out.blue[i] = toBlue[x]! * shade + ownBlue * offset;
      out.red[i] = toRed[x]! * shade + ownRed * offset;
    }
  }
}

function held(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}

/** Nearly the value while small, never beyond `most`. */
function bounded(value: number, most: number): number {
  return value / (1 + Math.abs(value) / most);
}

/** See ../face/relight.ts. */
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

/** See ../face/relight.ts. */
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
