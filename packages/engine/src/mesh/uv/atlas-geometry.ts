import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';

/**
 * Where the mesh lies in an atlas of `side` x `side` texels, mirrored left to right by `side - 1 -
 * x`.
 */
export interface AtlasGeometry {
  readonly side: number;
  /** 468 x (x, y) in texels, edge based. */
  readonly points: Float32Array;
  readonly triangles: Uint16Array;
  readonly spans: TriangleSpans;
  /** 1 for each triangle that spans the open mouth: the target's teeth and tongue. */
  readonly isMouth: Uint8Array;
}
