import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { perLayout } from './atlas-layout.ts';
import { filledRings } from './atlas-outline.ts';
import { INNER_LIPS, OUTER_LIPS } from './face-regions.ts';
import { texelsWhere } from './texel.ts';

/** Width of the lips' soft edge, in sides of the atlas. */
const EDGE_SIDES = 1 / 100;
/** Blur that grows the mouth's area beyond the lips, in sides of the atlas. */
const GROWTH_SIDES = 1 / 40;
/** Steepness of the grown area's edge. */
const GROWTH_GAIN = 4;

/** Lips and mouth in one layout. */
interface LipMasks {
  /** Lips and the mouth between them, hard. */
  readonly whole: Float32Array;
  /** Lips alone, soft at their edges. */
  readonly soft: Float32Array;
  /** Lips and the mouth between them, with a soft edge around them. */
  readonly withEdge: Float32Array;
  /** Texels of the lips alone. */
  readonly texels: Uint32Array;
  /** Mouth with the skin close to it, soft, for steps that treat a mouth as a whole. */
  readonly area: Float32Array;
}

/** Draws the lips and their surroundings. */
export const lipMasks = perLayout(({ points, side, oval }: AtlasLayout): LipMasks => {
  const whole = filledRings(points, side, [OUTER_LIPS]);
  const inner = filledRings(points, side, [INNER_LIPS]);
  const soft = whole.map((value, i) => value * (1 - inner[i]!));
  const texels = texelsWhere(soft.length, (i) => soft[i]! > 0.9);
  boxBlur(soft, side, side, boxRadius(EDGE_SIDES * side));
  const withEdge = whole.slice();
  boxBlur(withEdge, side, side, boxRadius(EDGE_SIDES * side));
  for (let i = 0; i < withEdge.length; i++) withEdge[i] = Math.min(1, 2 * withEdge[i]!);
  const grown = whole.slice();
  boxBlur(grown, side, side, boxRadius(GROWTH_SIDES * side));
  const area = grown.map((value, i) => oval[i]! * Math.min(1, Math.max(0, GROWTH_GAIN * value)));
  return { whole, soft, withEdge, texels, area };
});
