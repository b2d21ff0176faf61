import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { midlineDistance } from '../../packages/engine/src/mesh/uv/texel.ts';

/** Coverage below which nothing of a thing is kept, and above which all of it is. */
const HALF = { from: 0.15, to: 0.85 } as const;
/** Least size of a thing, as a share of its zone: less is a stray hair. */
const LEAST_THING = 0.15;
/** Part of the upper lip, in sides, where a moustache grows. */
const MOUSTACHE_BOX = { aside: 0.11, top: 0.6, bottom: 0.66 } as const;

/** Both brows, and the moustache. */
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
 * Measures the largest share of a brow or moustache that is kept only in part, 0..1: a thing is to
 * be kept or covered as a whole, but for its soft edge.
 * @param kept how much of each texel of the target lies in front of the new face and stays, 0..1
 */
export function halfKept(layout: AtlasLayout, kept: Float32Array): number {
  return Math.max(...zonesOf(layout).map((zone) => worstThing(layout.side, zone, kept)));
}

/** Returns the share of texels kept in part, of the connected thing that has the largest. */
function worstThing(side: number, zone: Float32Array, kept: Float32Array): number {
  const zoneSize = zone.filter((value) => value > 0.5).length;
  const isOpen = zone.map((value, i) => (value > 0.5 && kept[i]! > HALF.from ? 1 : 0));
  let worst = 0;
  for (let start = 0; start < isOpen.length; start++) {
    if (isOpen[start] === 0) continue;
    const things = connected(isOpen, side, start);
    if (things.length < LEAST_THING * zoneSize) continue;
    worst = Math.max(worst, things.filter((i) => kept[i]! < HALF.to).length / things.length);
  }
  return worst;
}

/** Takes the open texels that hang together with one, which are closed by that. */
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
