import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import { createAtlasLayouts } from '@guise/engine/mesh/uv/atlas-layouts.ts';
import { type Atlas, unwrapFace } from '@guise/engine/mesh/uv/atlas.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Workspace } from '@guise/kernels/workspace.ts';
import type { FacePhoto } from './vary-photo.ts';

const layouts = createAtlasLayouts(await loadCanonicalFace());

/** Spreads a face out as the engine does. @param side of the atlas, texels */
export function readAtlas({ image, landmarks }: FacePhoto, side: number, space: Workspace): Atlas {
  return unwrapFace(layouts(side), new ImagePyramid(image, space), landmarks, space);
}
