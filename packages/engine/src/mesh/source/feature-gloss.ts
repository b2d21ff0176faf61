import { dilate, erode } from '@guise/kernels/filter/extremes.ts';
import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { addEnlarged } from '@guise/kernels/face/relight.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import type { Atlas } from '../uv/atlas.ts';

/** Half the width of the widest line, in sides of the atlas. */
const LINE_RADIUS_SIDES = 1 / 85;
/** Share of the luma around by which a line may be brighter: lips of any face have an edge. */
const OWN_LINE = 0.04;
/** Share of the brightness above that to remove. */
const TAKEN_SHARE = 0.85;

/**
 * Removes bright lines from the lips' edges, the lids and below the nose of a glossy source, in
 * place. On dark skin they are reflections; on light skin they look like a white pencil.
 * @param gloss 0..1, see `glossShare` @param maskLayout in which the lines are found
 */
export function dullFeatures(
  { luma, side }: Pick<Atlas, 'luma' | 'side'>,
  gloss: number,
  layout: AtlasLayout,
  maskLayout: AtlasLayout,
  make: PlaneMaker,
): void {
  if (gloss === 0) return;
  const zone = linedFeatures(maskLayout);
  const small = maskLayout.side;
  const seen = shrinkSquare(luma, side, small, make.uninitialised(small * small));
  const around = make.copyOf(seen);
  const radius = Math.max(1, Math.round(LINE_RADIUS_SIDES * small));
  erode(around, small, small, radius);
  dilate(around, small, small, radius);
  for (let i = 0; i < seen.length; i++) {
    const beyond = seen[i]! - (1 + OWN_LINE) * around[i]!;
    seen[i] = beyond > 0 ? -gloss * TAKEN_SHARE * zone[i]! * beyond : 0;
  }
  addEnlarged(luma, seen, layout.oval, small, side);
}

/** Lips with the skin around them, nostrils and lids, without eyes, brows and the inner mouth. */
const linedFeatures = perLayout((layout: AtlasLayout): Float32Array => {
  const { lids, nostrils, softEyes, holes, browsSoft } = layout;
  const { area } = lipMasks(layout);
  return area.map(
    (lips, i) =>
      Math.max(lips, nostrils[i]!, lids[i]! * (1 - Math.min(1, 2 * softEyes[i]!))) *
      (1 - holes[i]!) *
      (1 - browsSoft[i]!),
  );
});
