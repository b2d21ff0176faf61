import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';

/** Places in the atlas at which a rim is looked for: the cells of rays side by side. */
export interface RimStrip {
  readonly rays: number;
  readonly cells: number;
  /** Texel x, y of each cell, ray by ray. */
  readonly places: Float32Array;
  /** Whether the last ray is beside the first. */
  readonly isClosed: boolean;
}

/** Half-axes of the smallest lens, sides: rims may run just above a pupil. */
const MIN_LENS = { x: 0.075, y: 0.02 };
/** Half-axes of the largest lens, sides. */
const MAX_LENS = { x: 0.175, y: 0.17 };
/** Exponent of the largest lens's outline: a rounded box, since lenses reach far into corners. */
const MAX_LENS_SQUARENESS = 3;
/** How far below the middle of the eye the middle of a lens lies, sides. */
const LENS_DROP_SIDES = 0.012;
/** Rays around a lens, so many that they lie at most two texels of 256 apart. */
const LENS_RAYS = 160;
/** Cells along a ray of a lens, about one for each texel of 256. */
const LENS_CELLS = 44;
/** Half the width of the nose that the bridge is followed over, sides. */
const BRIDGE_HALF_SIDES = 0.05;
/** Height at which the bridge is looked for first, sides. */
const BRIDGE_TOP_SIDES = 0.28;
/** Height at which it is looked for last, sides. */
const BRIDGE_BOTTOM_SIDES = 0.45;

/** Where the rims of both lenses (of the person's right eye first) and the bridge can run. */
export const rimStrips = perLayout((layout: AtlasLayout) => ({
  lenses: [lensStrip(layout, 0), lensStrip(layout, 1)] as const,
  bridge: bridgeStrip(layout.side),
}));

/** Lays rays around an eye; those of the two eyes are each other's mirror images. */
function lensStrip({ side, points }: AtlasLayout, eye: 0 | 1): RimStrip {
  const [one, other] = EYES[eye].corners;
  const x = (points[2 * one]! + points[2 * other]!) / 2;
  const y = (points[2 * one + 1]! + points[2 * other + 1]!) / 2 + LENS_DROP_SIDES * side;
  const outwards = eye === 0 ? -1 : 1;
  const places = new Float32Array(2 * LENS_RAYS * LENS_CELLS);
  for (let ray = 0, at = 0; ray < LENS_RAYS; ray++) {
    const dx = Math.cos((2 * Math.PI * ray) / LENS_RAYS);
    const dy = Math.sin((2 * Math.PI * ray) / LENS_RAYS);
    const from = side / Math.hypot(dx / MIN_LENS.x, dy / MIN_LENS.y);
    const square = MAX_LENS_SQUARENESS;
    const to =
      side / (Math.abs(dx / MAX_LENS.x) ** square + Math.abs(dy / MAX_LENS.y) ** square) ** (1 / square);
    for (let cell = 0; cell < LENS_CELLS; cell++, at += 2) {
      const reach = from + ((to - from) * cell) / (LENS_CELLS - 1);
      places[at] = x + outwards * reach * dx;
      places[at + 1] = y + reach * dy;
    }
  }
  return { rays: LENS_RAYS, cells: LENS_CELLS, places, isClosed: true };
}

/** Lays rays down the nose, from side to side. */
function bridgeStrip(side: number): RimStrip {
  const rays = Math.round(2 * BRIDGE_HALF_SIDES * side);
  const cells = Math.round((BRIDGE_BOTTOM_SIDES - BRIDGE_TOP_SIDES) * side);
  const places = new Float32Array(2 * rays * cells);
  for (let ray = 0, at = 0; ray < rays; ray++) {
    for (let cell = 0; cell < cells; cell++, at += 2) {
      places[at] = (0.5 - BRIDGE_HALF_SIDES) * side + ray;
      places[at + 1] = BRIDGE_TOP_SIDES * side + cell;
    }
  }
  return { rays, cells, places, isClosed: false };
}
