import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { AtlasGeometry } from './atlas-geometry.ts';
import { FACE_OVAL } from './face-regions.ts';
import type { RegionMasks } from './region-masks.ts';

/**
 * The few properties of a layout that give the face's position. A clip with small faces needs no
 * more of the large layout.
 */
export type AtlasOutline = Pick<AtlasGeometry, 'side' | 'points'> & Pick<RegionMasks, 'oval'>;

export function atlasOutline(canonical: CanonicalFace, side: number): AtlasOutline {
  const points = canonical.uv.map((value) => value * side);
  return { side, points, oval: filledRings(points, side, [FACE_OVAL]) };
}

/** Draws a plane that is 1 inside the rings of vertices. */
export function filledRings(
  points: Float32Array,
  side: number,
  rings: readonly (readonly number[])[],
): Float32Array {
  const plane = new Float32Array(side * side);
  for (const ring of rings) {
    fillPolygon(
      plane,
      side,
      side,
      ring.flatMap((v) => [points[2 * v]!, points[2 * v + 1]!]),
    );
  }
  return plane;
}
