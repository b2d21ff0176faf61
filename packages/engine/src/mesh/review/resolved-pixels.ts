import { Workspace } from '@guise/kernels/workspace.ts';
import { measureTexture } from '../match/restore.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { FACE_SHARE } from '../uv/atlas-layout.ts';

/** Variance of blur, in pixels squared, that the pixels of a sharp photo add. */
const PIXEL_BLUR = 0.48;

/**
 * Measures the size in pixels that a sharp photo of the face would need to show as much detail as
 * this photo. Enlargement and lenses remove detail.
 */
export function resolvedPixels({ luma, facing }: Atlas, layout: AtlasLayout): number {
  using space = new Workspace();
  const { blur } = measureTexture(luma, facing, layout, space);
  return (FACE_SHARE * layout.side) / Math.sqrt(blur / PIXEL_BLUR);
}
