import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { restoreDetail } from '../match/restore-detail.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { pixelTexels } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { SourceFace } from './source-face.ts';

/**
 * Strengthens the detail of the source's atlas.
 * @param visibility 0..1
 * @returns the atlas itself at 0
 */
export function detailedAtlas(
  { atlas, facePixels, texture }: SourceFace,
  layout: AtlasLayout,
  visibility: number,
  make: PlaneMaker = ordinaryPlanes,
): Atlas {
  if (visibility <= 0) return atlas;
  const softness = { pixelTexels: pixelTexels(layout.side, facePixels), blur: texture.blur };
  return { ...atlas, luma: restoreDetail(atlas.luma, layout, softness, visibility, make) };
}
