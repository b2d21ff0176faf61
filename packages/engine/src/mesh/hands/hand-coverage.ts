import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { palmLength } from '../../face/geometry/hand.ts';
import { unwrapFace } from '../uv/atlas.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import type { DrawingPlace } from './draw-hands.ts';
import { drawHands, reachesInto } from './draw-hands.ts';

/** Number of pixels of the drawing per texel of the atlas, along the face's longer side. */
const PIXELS_PER_TEXEL = 0.8;
/** Distance, in palms, within which a joint next to the face may cover a part of it. */
const REACH_PALMS = 0.15;

/**
 * Draws the hands over a face into the atlas, as the covered share of each texel, 0..1. Returns
 * null if no hand reaches the face.
 */
export function handCoverage(
  hands: readonly Hand[],
  landmarks: Float32Array,
  layout: AtlasGeometry,
  thickness: number,
  make: PlaneMaker,
): Float32Array | null {
  const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
  const reaching = hands.filter((hand) => reachesInto(hand, box, REACH_PALMS * palmLength(hand)));
  if (reaching.length === 0) return null;
  return unwrapDrawing((place) => drawHands(reaching, place, thickness), landmarks, layout, make);
}

/** Unwraps a drawing over a face, white on black, into the atlas: 0..1 in each texel. */
function unwrapDrawing(
  draw: (place: DrawingPlace) => RgbImage,
  landmarks: Float32Array,
  layout: AtlasGeometry,
  make: PlaneMaker,
): Float32Array {
  const box = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
  const size = Math.max(box.right - box.left, box.bottom - box.top);
  const scale = (PIXELS_PER_TEXEL * layout.side) / size;
  const place = {
    x: box.left,
    y: box.top,
    scale,
    width: Math.ceil((box.right - box.left) * scale),
    height: Math.ceil((box.bottom - box.top) * scale),
  };
  const placed = landmarks.map((value, k) =>
    k % 3 === 0 ? (value - box.left) * scale : k % 3 === 1 ? (value - box.top) * scale : value * scale,
  );
  const { luma } = unwrapFace(layout, new ImagePyramid(draw(place)), placed, make);
  for (let i = 0; i < luma.length; i++) luma[i]! /= 255;
  return luma;
}
