import { enlargedRow } from '@guise/kernels/plane-scale.ts';
import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';
import type { Light } from './light.ts';

/** Added to both lights before they are compared: black has noise, not reflectance. */
export const DARK_FLOOR = 4;
/**
 * How far detail darker and brighter than the skin is amplified for a target lighter than the source: brows and lashes keep
 * their contrast, unevenness of the skin (hard light, shine, stubble) is not made larger than it was.
 */
export const FEATURE_KNEE = 1.3;
export const SKIN_KNEE = 1;
export const DARKENING_SHARE = 0.4;
export const BRIGHTENING_SHARE = 0.35;
/** Chroma of a texel fades with its luma only down to this share. */
export const LEAST_CHROMA = 0.2;
export const MOST_CHROMA = 1.1;
/** Own colour beyond this much is bent: lipstick stays, casts of light do not. */
const MOST_OWN_COLOUR = 30;
/** Luma above this is bent so that highlights keep their shape instead of clipping. */
export const SHOULDER = 225;

/**
 * The source's reflectance under the target's light: a new atlas luma and colour differences. What is darker than the
 * source's skin (brows, lashes, creases) keeps its ratio to the skin; what is brighter (highlights) keeps at most its step,
 * so that nothing burns on a light target or from a dark source. Tone follows the target with a smooth colour offset.
 */
export function relight(atlas: Atlas, from: Light, to: Light, colour: number, layout: AtlasLayout): Atlas {
  const { side } = atlas;
  const factor = side / LIGHT_SIDE;
  const luma = new Float32Array(side * side);
  const blue = new Float32Array(side * side);
  const red = new Float32Array(side * side);
  const rows = Array.from({ length: 6 }, () => new Float32Array(side));
  const [fromLuma, fromBlue, fromRed, toLuma, toBlue, toRed] = rows as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    enlargedRow(from.luma, LIGHT_SIDE, factor, y, fromLuma);
    enlargedRow(from.blue, LIGHT_SIDE, factor, y, fromBlue);
    enlargedRow(from.red, LIGHT_SIDE, factor, y, fromRed);
    enlargedRow(to.luma, LIGHT_SIDE, factor, y, toLuma);
    enlargedRow(to.blue, LIGHT_SIDE, factor, y, toBlue);
    enlargedRow(to.red, LIGHT_SIDE, factor, y, toRed);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (layout.oval[i] === 0) continue;
      const base = toLuma[x]!;
      const gain = (base + DARK_FLOOR) / (fromLuma[x]! + DARK_FLOOR);
      const step = atlas.luma[i]! - fromLuma[x]!;
      let value: number;
      if (step < 0) {
        const knee = SKIN_KNEE + (FEATURE_KNEE - SKIN_KNEE) * layout.features[i]!;
        value =
          base + step * (gain < knee ? gain : knee + DARKENING_SHARE * layout.features[i]! * (gain - knee));
      } else value = base + step * (gain < 1 ? gain : 1 + BRIGHTENING_SHARE * (gain - 1));
      if (value > SHOULDER)
        value = SHOULDER + (255 - SHOULDER) * (1 - Math.exp((SHOULDER - value) / (255 - SHOULDER)));
      if (value < 0) value = 0;
      const ratio = value / (base + 1);
      const shade = ratio < LEAST_CHROMA ? LEAST_CHROMA : ratio > MOST_CHROMA ? MOST_CHROMA : ratio;
      // Dark skin has small colour differences: only what differs from the shaded skin colour is colour of its own.
      const ownRatio = atlas.luma[i]! / (fromLuma[x]! + 1);
      const ownShade =
        ownRatio < LEAST_CHROMA ? LEAST_CHROMA : ownRatio > MOST_CHROMA ? MOST_CHROMA : ownRatio;
      const offset = colour * (gain < 0.6 ? 0.6 : gain > 1.2 ? 1.2 : gain);
      luma[i] = value;
      blue[i] = toBlue[x]! * shade + bounded(atlas.blue[i]! - fromBlue[x]! * ownShade) * offset;
      red[i] = toRed[x]! * shade + bounded(atlas.red[i]! - fromRed[x]! * ownShade) * offset;
    }
  }
  return { side, luma, blue, red, facing: atlas.facing };
}

/** Nearly the value while small, never beyond `MOST_OWN_COLOUR`. */
export function bounded(value: number): number {
  return value / (1 + Math.abs(value) / MOST_OWN_COLOUR);
}
