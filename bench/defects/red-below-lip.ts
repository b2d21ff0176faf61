import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { type FacePair, meanOf, quantile, seenTexels } from './face-pair.ts';

/** Vertices of the lower edge of the lower lip, without the corners. */
const LOWER_EDGE = [91, 181, 84, 17, 314, 405, 321] as const;
/** Range of distances below that edge in which a red spot would be, as shares of the side. */
const BELOW = { from: 0.01, to: 0.045 } as const;
/** Luma to which colour differences are scaled, because they are smaller in dim light. */
const USUAL_LUMA = 150;
/**
 * Quantile of the redness below the lip that is measured. It is high, because the spot is small.
 */
const BLOT_QUANTILE = 0.9;

/** The zones of the strip below the lower lip, and of the chin. */
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

/** Returns the y coordinate of the lip's lower edge, texels; null beside the lip. */
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
 * Measures how much redder the skin right below the lower lip is than the chin, compared with the
 * target, in levels at a usual luma. It is large if a lip is drawn twice or too low.
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
