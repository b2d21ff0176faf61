import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { midlineDistance } from '../uv/texel.ts';
import type { GlassesBand } from './glasses-band.ts';
import { closeGaps } from './glasses-band.ts';
import { glassesHull } from './glasses-hull.ts';

/** Evidence down to which glasses are followed. */
const FOLLOWED_EVIDENCE = 0.09;
/** Half the gap over which they are followed still, sides. */
const GAP_RADIUS_SIDES = 1 / 128;
/** Share of a way from which it leads on. */
const LEADING_SHARE = 0.5;
/**
 * Facing below which glasses, which stand off the face, lie elsewhere in the atlas than on a face
 * seen from the front: outside of the loops that are traced.
 */
const ASIDE_FACING: Ramp = { from: 0.65, to: 0.5 };
/** Distance from the midline over which arms leave for the ears, sides. */
const ARMS_ASIDE: Ramp = { from: 0.2, to: 0.23 };
/** Distance from the midline up to which pads lie, sides. */
const PADS_ASIDE: Ramp = { from: 0.11, to: 0.09 };
/** Height over which brows end and pads begin, sides. */
const PADS_TOP: Ramp = { from: 0.3, to: 0.32 };
/** Height over which pads end and the folds of the nose begin, sides. */
const PADS_BOTTOM: Ramp = { from: 0.44, to: 0.42 };
/** Height over which rims that run off a face that is turned away begin, sides. */
const FAR_TOP: Ramp = { from: 0.26, to: 0.28 };
/** Height over which they end, sides. */
const FAR_BOTTOM: Ramp = { from: 0.6, to: 0.58 };

/**
 * Where glasses go on from the loops around the lenses: `near` on any face (pads, arms), `far` on
 * the side of a face that is turned away.
 */
const waysOf = perLayout((layout: AtlasLayout) => {
  const { side, oval } = layout;
  const hull = glassesHull(layout);
  const near = new Float32Array(side * side);
  const far = new Float32Array(side * side);
  for (let i = 0; i < near.length; i++) {
    const aside = midlineDistance(i, side);
    const v = Math.floor(i / side) / side;
    const pads = ramp(PADS_ASIDE, aside) * ramp(PADS_TOP, v) * ramp(PADS_BOTTOM, v);
    near[i] = hull[i]! * Math.max(pads, ramp(ARMS_ASIDE, aside));
    const off = ramp(ARMS_ASIDE, aside) * ramp(FAR_TOP, v) * ramp(FAR_BOTTOM, v);
    far[i] = oval[i]! * Math.max(hull[i]! * ramp(PADS_BOTTOM, v), off);
  }
  return { near, far };
});

/**
 * Marks in `kept` what hangs together with it along the evidence: pads, arms, and rims that run off
 * a side that is turned away. What lies `inside` the loops, behind the lenses, is no part of it.
 */
export function followRims(
  evidence: Float32Array,
  facing: Float32Array,
  inside: Float32Array,
  layout: AtlasLayout,
  band: GlassesBand,
  kept: Float32Array,
): void {
  const { side, top } = band;
  const { near, far } = waysOf(layout);
  const lead = evidence.slice();
  closeGaps(lead, band, GAP_RADIUS_SIDES);
  const queue = new Int32Array(lead.length);
  let tail = 0;
  for (let cell = 0; cell < kept.length; cell++) if (kept[cell]! > 0) queue[tail++] = cell;
  const steps = [-1, 1, -side, side, -side - 1, -side + 1, side - 1, side + 1];
  for (let head = 0; head < tail; head++) {
    for (const step of steps) {
      const next = queue[head]! + step;
      if (next < 0 || next >= lead.length || kept[next] !== 0 || lead[next]! < FOLLOWED_EVIDENCE) continue;
      const texel = next + top * side;
      const here = near[texel]! * (1 - inside[next]!);
      if (Math.max(here, far[texel]! * ramp(ASIDE_FACING, facing[texel]!)) < LEADING_SHARE) continue;
      kept[next] = 1;
      queue[tail++] = next;
    }
  }
}
