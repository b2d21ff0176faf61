import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { midlineDistance } from '../../packages/engine/src/mesh/uv/texel.ts';

/**
 * A texel is kept in part if its value is in this range. Below it the texel is covered, above it
 * kept.
 */
const HALF = { from: 0.15, to: 0.85 } as const;
/** Smallest size of a connected area, as a share of its zone. A smaller area is a stray hair. */
const MIN_THING = 0.15;
/** Where a moustache grows, as shares of the atlas's side. */
const MOUSTACHE_BOX = { aside: 0.11, top: 0.6, bottom: 0.66 } as const;

/** The zones of both brows and of the moustache. */
const zonesOf = perLayout((layout: AtlasLayout): readonly Float32Array[] => {
  const { side, brows, oval, features, holes } = layout;
  return [
    brows.map((brow, i) => (i % side < side / 2 ? brow : 0)),
    brows.map((brow, i) => (i % side < side / 2 ? 0 : brow)),
    oval.map((inside, i) => {
      const v = (Math.floor(i / side) + 0.5) / side;
      const isLip = v > MOUSTACHE_BOX.top && v < MOUSTACHE_BOX.bottom;
      const isBare = features[i]! < 0.5 && holes[i]! < 0.5;
      return isLip && isBare && midlineDistance(i, side) < MOUSTACHE_BOX.aside ? inside : 0;
    }),
  ];
});

/**
 * Measures the largest share of a brow or moustache that is kept only in part, 0..1. A brow or a
 * moustache should be kept or covered as a whole, except at its soft edge.
 * @param kept how much of each texel of the target stays in front of the new face, 0..1
 */
export function halfKept(layout: AtlasLayout, kept: Float32Array): number {
  return Math.max(...zonesOf(layout).map((zone) => worstThing(layout.side, zone, kept)));
}

/** Returns the largest share of partly kept texels in a connected area of kept texels. */
function worstThing(side: number, zone: Float32Array, kept: Float32Array): number {
  const zoneSize = zone.filter((value) => value > 0.5).length;
  const isOpen = zone.map((value, i) => (value > 0.5 && kept[i]! > HALF.from ? 1 : 0));
  let worst = 0;
  for (let start = 0; start < isOpen.length; start++) {
    if (isOpen[start] === 0) continue;
    const things = connected(isOpen, side, start);
    if (things.length < MIN_THING * zoneSize) continue;
    worst = Math.max(worst, things.filter((i) => kept[i]! < HALF.to).length / things.length);
  }
  return worst;
}

/** Returns the open texels that are connected with `start`, and marks them as closed. */
function connected(isOpen: Float32Array, side: number, start: number): number[] {
  const found = [start];
  isOpen[start] = 0;
  for (let at = 0; at < found.length; at++) {
    for (const step of [-1, 1, -side, side]) {
      const next = found[at]! + step;
      if (isOpen[next] !== 1) continue;
      isOpen[next] = 0;
      found.push(next);
    }
  }
  return found;
}
