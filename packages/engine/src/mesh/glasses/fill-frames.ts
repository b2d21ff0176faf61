import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { pushPull } from '@guise/kernels/filter/push-pull.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';

/** Skin nearer to a frame than this, as a fraction of the side, lies in its soft edge or its shadow and is not trusted. */
const MARGIN = 1 / 200;

/**
 * Takes frames of glasses (`frames`, 0..1, of the atlas's size) off a source, in place. They are thin: filled from the skin right beside
 * them, which lies in the same shade, where hair is filled from all of the face. Brows and lids are kept out of the fill.
 */
export function fillFrames(
  make: PlaneMaker,
  { side, luma, blue, red }: Atlas,
  { browsSoft, lids, oval }: AtlasLayout,
  frames: Float32Array,
): void {
  const trust = make.copyOf(frames);
  boxBlur(trust, side, side, Math.max(1, Math.round(side * MARGIN)), 2);
  for (let i = 0; i < trust.length; i++) {
    const clean = Math.max(0, 1 - 5 * trust[i]!);
    trust[i] = oval[i]! * clean * clean * (1 - Math.max(browsSoft[i]!, lids[i]!));
  }
  const planes = [luma, blue, red];
  const fills = planes.map((plane) => make.copyOf(plane));
  pushPull(fills, trust, side);
  for (const [k, plane] of planes.entries()) {
    const fill = fills[k]!;
    for (let i = 0; i < plane.length; i++) plane[i]! += frames[i]! * (fill[i]! - plane[i]!);
  }
}
