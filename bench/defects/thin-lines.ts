import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { midlineDistance } from '../../packages/engine/src/mesh/uv/texel.ts';
import { type FacePair, meanOf, seenTexels } from './face-pair.ts';

/** Half the largest width of a line, as a share of the side. Parts of glasses are not wider. */
const LINE_SIDES = 1 / 128;
/** Distance within which a line of the target counts as the same line, as a share of the side. */
const SAME_LINE_SIDES = 1 / 85;
/** Where a bridge crosses the nose, as shares of the side. */
const BRIDGE_BOX = { aside: 0.06, top: 0.3, bottom: 0.45 } as const;
/** Where arms and hinges are beside the eyes, as shares of the side. Further out there is hair. */
const TEMPLE_BOX = { from: 0.27, to: 0.37, top: 0.24, bottom: 0.42 } as const;

/** The zones of the bridge and of the temples, where a bare face has no lines. */
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
 * Measures thin lines that the target does not have, which are remains of the source's glasses.
 * Returns the mean strength, in per cent of the luma, on the bridge or the temples: the larger one.
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

/** Returns the contrast of a thin dark or bright line at each texel, as a share of the luma. */
function linesOf({ side, luma }: Atlas): Float32Array {
  const radius = Math.max(1, Math.round(LINE_SIDES * side));
  const closed = widest(widest(luma, side, radius, Math.max), side, radius, Math.min);
  const opened = widest(widest(luma, side, radius, Math.min), side, radius, Math.max);
  return luma.map(
    (value, i) => Math.max(closed[i]! - value, value - opened[i]!) / (value + LUMA_NOISE_FLOOR),
  );
}

/**
 * Returns the largest value in a square around each texel, or the smallest if `pick` is `Math.min`.
 */
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
