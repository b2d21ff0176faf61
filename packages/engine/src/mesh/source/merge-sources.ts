import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { AtlasGeometry } from '../uv/atlas-geometry.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { meanShape } from '../shape/mean-shape.ts';
import { inLightOf } from './photo-light.ts';
import type { SourcePhoto } from './photo-worth.ts';
import { judgePhotos } from './photo-worth.ts';
import type { SourceFace } from './source-face.ts';
import { textureOf } from './source-face.ts';

export interface MergedSource {
  readonly face: SourceFace;
  /** Shares of the photos in the texture of the face; their sum is 1. */
  readonly shares: readonly number[];
}

/** Radius, in coarse texels, in which the photo for a place's detail is chosen. */
const PLACE_RADIUS_TEXELS = 5;
/** Radius of the seams between places, in coarse texels. */
const SEAM_RADIUS_TEXELS = 2;
/** Box radius, in sides, up to which detail comes from one photo; broader detail is averaged. */
const DETAIL_RADIUS_SIDES = 1 / 128;

/**
 * Combines several photos of one person into one source, in the first one's light and tone, and
 * with its beard, and its glasses if all photos show glasses. Averages everything broader than fine
 * detail by how well each photo shows each place: passing shadows and expressions cancel out, and
 * the first photo's hidden half is filled in. Takes fine detail from the photo that shows the place
 * best, with narrow seams, so that no edge is doubled. Takes both eyes from one photo, because
 * gazes differ. The shape is the mean of the meshes.
 * @param photos the client's first one first; all atlases of one side
 */
export function mergeSources(
  canonical: CanonicalFace,
  layout: AtlasLayout,
  photos: readonly SourcePhoto[],
): MergedSource {
  const faces = photos.map(({ face }) => face);
  const first = faces[0]!;
  if (faces.length === 1) return { face: first, shares: [1] };
  const coarseLayout = layout.at(COARSE_SIDE);
  const alike = faces.map((face) => inLightOf(face, first.light, layout));
  const { worths, counts } = judgePhotos(photos, alike);
  // Glasses are worn with the eyes that are seen through them.
  const glasses = faces.every((face) => face.glasses) ? first.glasses : null;
  const eyes = glasses ? 0 : bestOf(counts, coarseLayout.lids);
  const best = bestPlaces(counts);
  const mean = meanPlaces(counts);
  for (const places of [best, mean]) keepWhole(places, coarseLayout.lids, eyes);
  const shares = sharesOf(mean, coarseLayout);
  const atlas = mergeAtlases(alike, mean, best, layout);
  return {
    face: {
      atlas,
      texture: textureOf(atlas, layout),
      light: first.light,
      landmarks: meanShape(
        canonical,
        faces.map(({ landmarks }) => landmarks),
        worths,
      ),
      eyes: faces[eyes]!.eyes,
      hasDoubtfulEyes: faces[eyes]!.hasDoubtfulEyes,
      seen: first.seen.map((_, i) => Math.max(...faces.map(({ seen }) => seen[i]!))),
      shown: first.shown.map((_, i) => Math.max(...faces.map(({ shown }) => shown[i]!))),
      lost: lostInAll(faces),
      beard: first.beard,
      glasses,
      colour: faces.reduce((sum, { colour }, k) => sum + shares[k]! * colour, 0),
      gloss: faces.reduce((sum, { gloss }, k) => sum + shares[k]! * gloss, 0),
      facePixels: faces.reduce((sum, { facePixels }, k) => sum + shares[k]! * facePixels, 0),
    },
    shares,
  };
}

/** Returns the photo that shows all of `mask` best. */
function bestOf(counts: readonly Float32Array[], mask: Float32Array): number {
  const sums = counts.map((plane) => plane.reduce((sum, value, i) => sum + value * mask[i]!, 0));
  return sums.indexOf(Math.max(...sums));
}

/**
 * Makes a mask for each photo: 1 where it shows a place best, 0 elsewhere, with narrow seams; their
 * sum is 1.
 */
function bestPlaces(counts: readonly Float32Array[]): Float32Array[] {
  const near = counts.map((plane) => blurred(plane, PLACE_RADIUS_TEXELS));
  const places = near.map((plane) => new Float32Array(plane.length));
  for (let i = 0; i < COARSE_SIDE * COARSE_SIDE; i++) {
    let best = 0;
    for (let k = 1; k < near.length; k++) if (near[k]![i]! > near[best]![i]!) best = k;
    places[best]![i] = 1;
  }
  return places.map((plane) => blurred(plane, SEAM_RADIUS_TEXELS));
}

/** Computes the photos' shares in the average; their sum is 1. */
function meanPlaces(counts: readonly Float32Array[]): Float32Array[] {
  const places = counts.map((plane) => blurred(plane, SEAM_RADIUS_TEXELS));
  for (let i = 0; i < COARSE_SIDE * COARSE_SIDE; i++) {
    let sum = 0;
    for (const plane of places) sum += plane[i]!;
    for (const plane of places) plane[i]! /= sum;
  }
  return places;
}

/** Gives the place under `mask` to one photo, in place. */
function keepWhole(places: readonly Float32Array[], mask: Float32Array, photo: number): void {
  const whole = blurred(mask, SEAM_RADIUS_TEXELS);
  for (const [k, plane] of places.entries()) {
    const wanted = k === photo ? 1 : 0;
    for (let i = 0; i < plane.length; i++) plane[i]! += Math.min(1, 1.5 * whole[i]!) * (wanted - plane[i]!);
  }
}

/** Blurs a coarse plane into a new one. */
function blurred(plane: Float32Array, radius: number): Float32Array {
  const copy = plane.slice();
  boxBlur(copy, COARSE_SIDE, COARSE_SIDE, radius, 2);
  return copy;
}

function sharesOf(places: readonly Float32Array[], { oval }: RegionMasks): number[] {
  const sums = places.map((plane) => plane.reduce((sum, value, i) => sum + value * oval[i]!, 0));
  const total = sums.reduce((sum, value) => sum + value, 0);
  return sums.map((value) => value / total);
}

/** Mixes the atlases by their shares in the mean, and detail by their shares among the best. */
function mergeAtlases(
  atlases: readonly Atlas[],
  mean: readonly Float32Array[],
  best: readonly Float32Array[],
  { side }: AtlasGeometry,
): Atlas {
  const count = side * side;
  const luma = new Float32Array(count);
  const blue = new Float32Array(count);
  const red = new Float32Array(count);
  const facing = new Float32Array(count);
  for (const [k, atlas] of atlases.entries()) {
    const share = enlargeSquare(mean[k]!, COARSE_SIDE, side / COARSE_SIDE);
    const own = enlargeSquare(best[k]!, COARSE_SIDE, side / COARSE_SIDE);
    const broad = atlas.luma.slice();
    boxBlur(broad, side, side, Math.round(DETAIL_RADIUS_SIDES * side), 2);
    for (let i = 0; i < count; i++) {
      const w = share[i]!;
      luma[i]! += w * broad[i]! + own[i]! * (atlas.luma[i]! - broad[i]!);
      blue[i]! += w * atlas.blue[i]!;
      red[i]! += w * atlas.red[i]!;
      facing[i]! += w * atlas.facing[i]!;
    }
  }
  return { side, luma, blue, red, facing };
}

/** Returns what no photo shows. */
function lostInAll(faces: readonly SourceFace[]): Float32Array | null {
  const planes = faces.map(({ lost }) => lost);
  if (!planes.every((plane) => plane !== null)) return null;
  return planes[0]!.map((_, i) => Math.min(...planes.map((plane) => plane[i]!)));
}
