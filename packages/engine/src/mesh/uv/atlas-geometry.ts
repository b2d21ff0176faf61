import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';

/**
 * Position of the mesh in an atlas of `side` x `side` texels. The mirror image of column x is `side
 * - 1 - x`.
 */
export interface AtlasGeometry {
  readonly side: number;
  /** Vertices, 468 x (x, y) in texels, edge based. */
  readonly points: Float32Array;
  readonly triangles: Uint16Array;
  readonly spans: TriangleSpans;
  /** 1 for each triangle of the open mouth, which shows the target's teeth and tongue. */
  readonly isMouth: Uint8Array;
}
