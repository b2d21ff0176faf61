import { type Affine, applyAffine, invertAffine } from '@guise/kernels/affine.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { type Front, FRONT_SIDE, OPAQUE_KINDS } from './front.ts';

/** What hides a face, as another network sees it, on a square part of the picture. */
export interface Evidence {
  /** Maps the part to the picture, both edge based: a similarity. */
  readonly toImage: Affine;
  /** Side, pixels. */
  readonly side: number;
  /** Share of each pixel, row by row, in which something hides the face, 0..1. */
  readonly covered: Float32Array;
}

/** Level of a pixel that is covered whole. */
const WHITE = 255;

/**
 * Adds what another network sees to what lies in front of a face: as things, where guise's own
 * network sees no thing.
 * @param layout of `FRONT_SIDE` @param landmarks pixels of the picture
 */
export function withEvidence(
  front: Front,
  layout: AtlasLayout,
  landmarks: Float32Array,
  { toImage, side, covered }: Evidence,
): Front {
  using space = new Workspace();
  const data = new Uint8Array(3 * side * side);
  for (let i = 0; i < data.length; i++) data[i] = Math.round(WHITE * covered[Math.floor(i / 3)]!);
  const pyramid = new ImagePyramid({ data, width: side, height: side });
  const { luma } = unwrapFace(layout, pyramid, placedIn(toImage, landmarks), space);
  const thing = front.shares.thing.slice();
  const needed = front.needed.slice();
  for (let texel = 0; texel < FRONT_SIDE * FRONT_SIDE; texel++) {
    const share = Math.min(1, luma[texel]! / WHITE);
    const known = OPAQUE_KINDS.reduce((sum, kind) => sum + front.shares[kind][texel]!, 0);
    const added = Math.max(0, share - known);
    thing[texel]! += added;
    needed[texel] = Math.max(needed[texel]!, thing[texel]!);
  }
  return { ...front, shares: { ...front.shares, thing }, needed };
}

/** Moves landmarks from the picture to the part. Returns a new array. */
function placedIn(toImage: Affine, landmarks: Float32Array): Float32Array {
  const toPart = invertAffine(toImage);
  const scale = Math.hypot(toPart[0], toPart[3]);
  const placed = new Float32Array(landmarks.length);
  for (let i = 0; i < landmarks.length; i += 3) {
    const [x, y] = applyAffine(toPart, landmarks[i]!, landmarks[i + 1]!);
    placed[i] = x!;
    placed[i + 1] = y!;
    placed[i + 2] = scale * landmarks[i + 2]!;
  }
  return placed;
}
