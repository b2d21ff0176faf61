import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { type FacePair, meanOf, quantile, seenTexels } from './face-pair.ts';

/** Lower edge of the lower lip, without its corners. */
const LOWER_EDGE = [91, 181, 84, 17, 314, 405, 321] as const;
/** Distances below that edge, in sides, between which a blot of the lip would lie. */
const BELOW = { from: 0.01, to: 0.045 } as const;
/** Luma that colour differences are scaled to, since they fade with the light. */
const USUAL_LUMA = 150;
/** Share of the texels below the lip that may be redder: a blot is small. */
const BLOT_QUANTILE = 0.9;

/** The strip below the lower lip, and the chin. */
const zonesOf = perLayout((layout: AtlasLayout) => {
  const { side, points, oval, chin, features } = layout;
  const below = oval.map((inside, i) => {
    const x = (i % side) + 0.5;
    const edge = edgeAt(points, x);
    if (edge === null) return 0;
    const depth = (Math.floor(i / side) + 0.5 - edge) / side;
    return depth > BELOW.from && depth < BELOW.to ? inside : 0;
  });
  return {
    below,
    chin: chin.map((value, i) => (below[i] === 0 && features[i]! < 0.5 ? value : 0)),
  };
});

/** Returns the height of the lip's lower edge, texels; null beside it. */
function edgeAt(points: Float32Array, x: number): number | null {
  for (let k = 0; k + 1 < LOWER_EDGE.length; k++) {
    const [a, b] = [LOWER_EDGE[k]!, LOWER_EDGE[k + 1]!];
    const [from, to] = [points[2 * a]!, points[2 * b]!];
    if (x < Math.min(from, to) || x > Math.max(from, to)) continue;
    return points[2 * a + 1]! + ((x - from) / (to - from)) * (points[2 * b + 1]! - points[2 * a + 1]!);
  }
  return null;
}

/**
 * Measures how much redder than the chin the skin right below the lower lip is, over the target's
 * own, in levels at a usual light: a lip that was drawn twice, or too low.
 */
export function redBelowLip(pair: FacePair): number {
  const { below, chin } = zonesOf(pair.layout);
  const [belowTexels, chinTexels] = [seenTexels(pair, below), seenTexels(pair, chin)];
  const [output, target] = [pair.output, pair.target].map(
    (atlas) => quantile(rednesses(atlas, belowTexels), BLOT_QUANTILE) - meanOf(rednesses(atlas, chinTexels)),
  );
  return Math.max(0, output! - Math.max(0, target!));
}

function rednesses({ luma, red }: Atlas, texels: readonly number[]): number[] {
  return texels.map((i) => (red[i]! * USUAL_LUMA) / (luma[i]! + 8));
}
