import { clamp } from '../clamp.ts';
import type { ColourPlanes } from '../colour-planes.ts';
import { enlargedRow } from './plane-scale.ts';
import type { RelightShares } from './relight.ts';

/** The part of a texture that is independent of the light, in planes of `side` squared. */
export interface TextureSource {
  /** Side of the planes, a multiple of the light's side and of 4. */
  readonly side: number;
  /** First column (a multiple of 4) of each row in which the mask is above 0. */
  readonly from: Uint16Array;
  /** Column after the last one in which the mask is above 0; 0 if there is none. */
  readonly to: Uint16Array;
  /** Opacity, 0..1. Nothing is written where it is 0. */
  readonly mask: Float32Array;
  /** Kind of surface: 0 for skin, 1 for features. */
  readonly features: Float32Array;
  /** Luma minus the luma of its own light. */
  readonly steps: Float32Array;
  /** One over the luma of its own light plus the dark floor. */
  readonly perLight: Float32Array;
  /** Blue difference beyond that of the shaded light. */
  readonly ownBlue: Float32Array;
  /** Red difference beyond that of the shaded light. */
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
  /** Opacity of the whole texture, 0..1. */
  readonly opacity: number;
  /** Share of the source's own colours that is kept, 0..1. */
  readonly colour: number;
  /** Share of the way from `occluded` to `wanted`, 0..1. */
  readonly ease: number;
  /** Facing up to which the texture is transparent. */
  readonly silhouette: number;
  /** Facing from which the texture is fully visible. */
  readonly inner: number;
  /** Factor from luma to stored luma. */
  readonly lumaGain: number;
  /** Stored luma, blue and red of black. */
  readonly offset: readonly [number, number, number];
  /**
   * Stored luma, then blue, then red per unit of blue difference and per unit of red difference.
   */
  readonly mixed: readonly number[];
  /** Bands of 16 rows that are skipped: the even ones (0), the odd ones (1), or none (null). */
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
      const edge = clamp((facingRow[x]! - silhouette) / (inner - silhouette), 0, 1);
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
      const shade = clamp(value / (base + 1), leastChroma, mostChroma);
      const offset = colour * clamp(gain, leastOffset, mostOffset);
      const b = toBlue[x]! * shade + ownBlue[i]! * offset;
      const r = toRed[x]! * shade + ownRed[i]! * offset;
      texels[2 * i] = lumaOffset + lumaGain * value + yb * b + yr * r;
      texels[colours + 2 * i] = blueOffset + bb * b + br * r;
      texels[colours + 2 * i + 1] = redOffset + rb * b + rr * r;
      texels[2 * i + 1] = opacity * own * (1 - cover) * edge * edge * (3 - 2 * edge);
    }
  }
}
