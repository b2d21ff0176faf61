import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';
import type { RelightShares } from './relight.ts';

/** The part of a texture that does not depend on the light: planes of `side` squared. */
export interface TextureSource {
  /** Side of the planes, a multiple of the light's side and of 4. */
  readonly side: number;
  /**
   * First column (a multiple of 4) of each row in which the mask is above 0; `to` is the column
   * after the last, 0 for none.
   */
  readonly from: Uint16Array;
  readonly to: Uint16Array;
  /** Opacity 0..1; nothing is written where it is 0. */
  readonly mask: Float32Array;
  /** Kind of surface: 0 for skin, 1 for features. */
  readonly features: Float32Array;
  /** Luma relative to its own light; the next plane is one over that light plus the dark floor. */
  readonly steps: Float32Array;
  readonly perLight: Float32Array;
  /** Colour differences beyond those of the shaded light. */
  readonly ownBlue: Float32Array;
  readonly ownRed: Float32Array;
}

/** The new light, in planes of `side` squared. */
export interface TextureLight {
  readonly side: number;
  readonly light: ColourPlanes;
  /** Degree to which the surface faces the camera, 0..1. */
  readonly facing: Float32Array;
}

export interface TextureNumbers {
  /** Opacity of everything, 0..1; `colour` is the share of the source's own colours. */
  readonly opacity: number;
  readonly colour: number;
  /** Share of the way from `occluded` to `wanted`, 0..1. */
  readonly ease: number;
  /** Facings between which the texture fades in. */
  readonly silhouette: number;
  readonly inner: number;
  /**
   * Stored luma per luma. The gains that follow say what colour differences (blue, red) add to
   * stored luma, blue and red.
   */
  readonly lumaGain: number;
  readonly offset: readonly [number, number, number];
  readonly mixed: readonly number[];
  /** Bands of 16 rows that are skipped: the even (0) or the odd ones (1), or none (null). */
  readonly skippedBands: 0 | 1 | null;
}

/** Reference version of the kernel in ../face/relight-texture.ts. */
export function relightTexture(
  source: TextureSource,
  { side: lightSide, light, facing }: TextureLight,
  numbers: TextureNumbers,
  shares: RelightShares,
  occluded: Float32Array,
  wanted: Float32Array,
  texels: Float32Array,
): void {
  const { side, from, to, mask, features, steps, perLight, ownBlue, ownRed } = source;
  const { opacity, colour, ease, silhouette, inner, lumaGain, skippedBands } = numbers;
  const { darkFloor, skinKnee, featureKnee, darkening, brightening, shoulder } = shares;
  const { leastChroma, mostChroma, leastOffset, mostOffset } = shares;
  const [lumaOffset, blueOffset, redOffset] = numbers.offset;
  const [yb, yr, bb, br, rb, rr] = numbers.mixed as [number, number, number, number, number, number];
  const factor = side / lightSide;
  const colours = 2 * side * side;
  const [toLuma, toBlue, toRed, facingRow] = [0, 1, 2, 3].map(() => new Float32Array(side)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    if (to[y] === 0 || ((y >> 4) & 1) === skippedBands) continue;
    enlargedRow(light.luma, lightSide, factor, y, toLuma);
    enlargedRow(light.blue, lightSide, factor, y, toBlue);
    enlargedRow(light.red, lightSide, factor, y, toRed);
    enlargedRow(facing, lightSide, factor, y, facingRow);
    for (let x = from[y]!, i = y * side + x; x < to[y]!; x++, i++) {
      const own = mask[i]!;
      if (own <= 0) continue;
      const cover = occluded[i]! + ease * (wanted[i]! - occluded[i]!);
      occluded[i] = cover;
      const edge = held((facingRow[x]! - silhouette) / (inner - silhouette), 0, 1);
      const base = toLuma[x]!;
      const gain = (base + darkFloor) * perLight[i]!;
      const step = steps[i]!;
      let value: number;
      if (step < 0) {
        const feature = features[i]!;
        const knee = skinKnee + (featureKnee - skinKnee) * feature;
        value = base + step * (gain < knee ? gain : knee + darkening * feature * (gain - knee));
      } else value = base + step * (gain < 1 ? gain : 1 + brightening * (gain - 1));
      if (value > shoulder)
        value = shoulder + (255 - shoulder) * (1 - Math.exp((shoulder - value) / (255 - shoulder)));
      else if (value < 0) value = 0;
      const shade = held(value / (base + 1), leastChroma, mostChroma);
      const offset = colour * held(gain, leastOffset, mostOffset);
      const b = toBlue[x]! * shade + ownBlue[i]! * offset;
      const r = toRed[x]! * shade + ownRed[i]! * offset;
      texels[2 * i] = lumaOffset + lumaGain * value + yb * b + yr * r;
      texels[colours + 2 * i] = blueOffset + bb * b + br * r;
      texels[colours + 2 * i + 1] = redOffset + rb * b + rr * r;
      texels[2 * i + 1] = opacity * own * (1 - cover) * edge * edge * (3 - 2 * edge);
    }
  }
}

function held(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}
