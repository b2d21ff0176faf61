import { Workspace } from '@guise/kernels/workspace.ts';
import type { AtlasGeometry } from './atlas-geometry.ts';
import { filledRings } from './atlas-outline.ts';
import { BEARDLESS_CORE_COUNT, CORE_SKIN } from './face-regions.ts';
import type { RegionMasks } from './region-masks.ts';

/** Side of the coarse atlas for light, skin and fills, which are smooth. */
export const COARSE_SIDE = 128;
/** Longer side of a face in the atlas, as a share of the atlas. */
export const FACE_SHARE = 0.62;

/**
 * Layout of every face in an atlas of `side` x `side` texels: the mesh's position and named
 * regions.
 */
export interface AtlasLayout extends AtlasGeometry, RegionMasks {
  readonly side: number;
  /**
   * Returns the layout of the same mesh with another side: a power of two, at least `COARSE_SIDE`.
   */
  readonly at: (side: number) => AtlasLayout;
}

/**
 * Makes `build` run once for each layout. Its result lives as long as the layout, and must stay
 * unchanged.
 */
export function perLayout<T, Layout extends object = AtlasLayout>(
  build: (layout: Layout) => T,
): (layout: Layout) => T {
  const built = new WeakMap<Layout, { readonly value: T }>();
  return (layout) => {
    let known = built.get(layout);
    if (!known) {
      known = { value: build(layout) };
      built.set(layout, known);
    }
    return known.value;
  };
}

/** Bare skin that no beard covers, as one plane of the layout's size. */
export const beardlessCore = perLayout(({ points, side, features }): Float32Array =>
  filledRings(points, side, CORE_SKIN.slice(0, BEARDLESS_CORE_COUNT)).map(
    (value, i) => value * (1 - features[i]!),
  ),
);

/**
 * Copies a plane into the memory of WebAssembly, where kernels can read it, for the life of the
 * process.
 */
export function residentCopy(plane: Float32Array): Float32Array {
  return new Workspace().copyOf(plane);
}

/**
 * Range of texels (without `to`) in the oval's rows and one row above and below: 85 % of all
 * texels.
 */
const ovalRows = perLayout(({ side, oval }: RegionMasks): { readonly from: number; readonly to: number } => ({
  from: side * Math.max(0, Math.floor(oval.findIndex((inside) => inside > 0) / side) - 1),
  to: side * Math.min(side, Math.floor(oval.findLastIndex((inside) => inside > 0) / side) + 2),
}));

/** Returns the oval's rows of a plane as a view. The plane may have several values per texel. */
export function rowsOfOval<Plane extends Float32Array | Int16Array>(
  plane: Plane,
  layout: RegionMasks,
): Plane {
  const { from, to } = ovalRows(layout);
  const values = plane.length / layout.side ** 2;
  return plane.subarray(values * from, values * to) as Plane;
}

/**
 * Returns the width of a picture's pixel in the atlas, texels. `facePixels` is the longer side of
 * the face's box.
 */
export function pixelTexels(side: number, facePixels: number): number {
  return (FACE_SHARE * side) / facePixels;
}
