import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { midlineDistance } from '../../packages/engine/src/mesh/uv/texel.ts';
import { type FacePair, meanOf, seenTexels } from './face-pair.ts';

/** Half the width of a line, in sides: what is wider is no rim, arm or bridge. */
const LINE_SIDES = 1 / 128;
/** Distance, in sides, within which the target's own line is the same. */
const SAME_LINE_SIDES = 1 / 85;
/** Part of the nose, in sides, that a bridge crosses. */
const BRIDGE_BOX = { aside: 0.06, top: 0.3, bottom: 0.45 } as const;
/** Part beside the eyes, in sides, that arms and hinges cross; further out hair begins. */
const TEMPLE_BOX = { from: 0.27, to: 0.37, top: 0.24, bottom: 0.42 } as const;

/** Bridge and temples, where a bare face has no lines. */
const zonesOf = perLayout((layout: AtlasLayout): readonly Float32Array[] => {
  const { side, opacity, lids, browsSoft } = layout;
  const bare = (isInside: (aside: number, v: number) => boolean): Float32Array =>
    opacity.map((shown, i) => {
      if (!isInside(midlineDistance(i, side), (Math.floor(i / side) + 0.5) / side)) return 0;
      return shown * (1 - lids[i]!) * (1 - browsSoft[i]!);
    });
  return [
    bare((aside, v) => aside < BRIDGE_BOX.aside && v > BRIDGE_BOX.top && v < BRIDGE_BOX.bottom),
    bare(
      (aside, v) =>
        aside > TEMPLE_BOX.from && aside < TEMPLE_BOX.to && v > TEMPLE_BOX.top && v < TEMPLE_BOX.bottom,
    ),
  ];
});

/**
 * Measures the thin lines on bridge or temples, whichever have more, where the target has none, in
 * per cent of the luma: remains of the source's glasses.
 */
export function thinLines(pair: FacePair): number {
  const { side } = pair.output;
  const [output, target] = [pair.output, pair.target].map(linesOf);
  const own = widest(target!, side, Math.round(SAME_LINE_SIDES * side), Math.max);
  const zones = zonesOf(pair.layout).map((zone) => seenTexels(pair, zone));
  const extras = zones
    .filter((texels) => texels.length > 0)
    .map((texels) => meanOf(texels.map((i) => Math.max(0, output![i]! - own[i]!))));
  return 100 * Math.max(...extras);
}

/** Returns the height of a line, dark or bright, at each texel, as a share of the luma. */
function linesOf({ side, luma }: Atlas): Float32Array {
  const radius = Math.max(1, Math.round(LINE_SIDES * side));
  const closed = widest(widest(luma, side, radius, Math.max), side, radius, Math.min);
  const opened = widest(widest(luma, side, radius, Math.min), side, radius, Math.max);
  return luma.map(
    (value, i) => Math.max(closed[i]! - value, value - opened[i]!) / (value + LUMA_NOISE_FLOOR),
  );
}

/** Returns the largest, or by `Math.min` the least, value within a square around each texel. */
function widest(
  plane: Float32Array,
  side: number,
  radius: number,
  pick: (a: number, b: number) => number,
): Float32Array {
  const rows = plane.map((value, i) => {
    const x = i % side;
    for (let k = -Math.min(radius, x); k <= Math.min(radius, side - 1 - x); k++)
      value = pick(value, plane[i + k]!);
    return value;
  });
  return rows.map((value, i) => {
    const y = Math.floor(i / side);
    for (let k = -Math.min(radius, y); k <= Math.min(radius, side - 1 - y); k++)
      value = pick(value, rows[i + k * side]!);
    return value;
  });
}
