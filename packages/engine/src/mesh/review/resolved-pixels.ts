import { Workspace } from '@guise/kernels/workspace.ts';
import { measureTexture } from '../match/restore.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { FACE_SHARE } from '../uv/atlas-layout.ts';

/** Variance of blur, in pixels squared, that the pixels of a sharp photo add. */
const PIXEL_BLUR = 0.7;

/**
 * Measures how many pixels high a sharp photo would need to be to show as much of the face as this
 * one, because enlargement and lenses remove detail.
 */
export function resolvedPixels({ luma, facing }: Atlas, layout: AtlasLayout): number {
  using space = new Workspace();
  const { blur } = measureTexture(luma, facing, layout, space);
  return (FACE_SHARE * layout.side) / Math.sqrt(blur / PIXEL_BLUR);
}
