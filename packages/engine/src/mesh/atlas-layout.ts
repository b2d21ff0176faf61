import { boxBlur, boxRadius } from '@guise/kernels/box-blur.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { CanonicalFace } from '../face/canonical-face.ts';
import {
  BEARDLESS_CORE_COUNT,
  CORE_SKIN,
  FACE_OVAL,
  INNER_LIPS,
  LEFT_BROW,
  LEFT_EYE,
  LEFT_LIDS,
  NOSTRILS,
  OUTER_LIPS,
  RIGHT_BROW,
  RIGHT_EYE,
  RIGHT_LIDS,
} from './face-regions.ts';

/** Light, skin and fills are smooth: they are computed in an atlas of this side whatever the texture's is. */
export const LIGHT_SIDE = 128;
/** The longer side of a face in the atlas, as a share of the atlas. */
export const FACE_SHARE = 0.62;

/**
 * What is the same for every face in an atlas of `side` x `side` texels: the canonical UV spread of the mesh, mirrored
 * left to right by `side - 1 - x`. Every plane is `side * side` values in 0..1, row-major from the forehead down.
 */
export interface AtlasLayout {
  readonly side: number;
  /** 468 x (x, y) in texels, edge based. */
  readonly points: Float32Array;
  readonly triangles: Uint16Array;
  readonly spans: TriangleSpans;
  /** 1 for each triangle that spans the open mouth: the target's teeth and tongue. */
  readonly isMouth: Uint8Array;
  /** 1 inside the face oval. */
  readonly oval: Float32Array;
  /** Opacity of the swapped face: 0 at the oval, 1 a little inside, 0 in the inner mouth. */
  readonly opacity: Float32Array;
  /** 1 in the eyes and the inner mouth, hard. */
  readonly holes: Float32Array;
  /** 1 inside the eyes, 0.5 along the lids' edges. */
  readonly softEyes: Float32Array;
  /** 1 over brows, lids, nostrils and lips, where colours other than the skin's belong. */
  readonly features: Float32Array;
  /** The brows alone, tightly. */
  readonly brows: Float32Array;
  /** The same, edged softly. */
  readonly browsSoft: Float32Array;
  /** The middle of the face, brows to mouth: what is dark there is shading, creases and freckles, hardly ever hair. */
  readonly centre: Float32Array;
  /** Chin and what is below the mouth, soft. */
  readonly chin: Float32Array;
  /** Where the brows' outer ends are, and what is around them. */
  readonly browTails: Float32Array;
  /** The eyes with lids and lashes, soft. */
  readonly lids: Float32Array;
  /** The brows with what is around them, soft. */
  readonly browArea: Float32Array;
  /** 1 where skin is almost always bare. */
  readonly core: Float32Array;
  /** How much a texel lies where hair hangs and background begins: forehead, temples, sides. */
  readonly hairZone: Float32Array;
  /** How far strands of that hair reach in: to the outer halves of brows, eyes and cheeks, above the beard. */
  readonly strandZone: Float32Array;
  /** How much a texel lies where beards grow. */
  readonly beardZone: Float32Array;
  /** How much a texel lies where the frames of glasses run. */
  readonly glassesZone: Float32Array;
}

/** The layouts of one canonical face, each built on first use. `side` is a power of two, at least `LIGHT_SIDE`. */
export function createAtlasLayouts(canonical: CanonicalFace): (side: number) => AtlasLayout {
  const built = new Map<number, AtlasLayout>();
  return (side) => {
    let layout = built.get(side);
    if (!layout) {
      layout = buildLayout(canonical, side);
      built.set(side, layout);
    }
    return layout;
  };
}

/** Feather of the oval, and growth of the features, as fractions of the side. */
const OVAL_FEATHER = 1 / 60;
/** Where the head goes on above the oval as bare skin, with wrinkles and shine of its own. */
const FOREHEAD_FEATHER = 1 / 20;
const HOLE_FEATHER = 1 / 170;

/** The little of a layout that says where a face lies in it: a clip on small faces needs no more of the large one. */
export type AtlasOutline = Pick<AtlasLayout, 'side' | 'points' | 'oval'>;

export function atlasOutline(canonical: CanonicalFace, side: number): AtlasOutline {
  const points = canonical.uv.map((value) => value * side);
  return { side, points, oval: filledRings(points, side, [FACE_OVAL]) };
}

/** 1 inside the rings of vertices. */
function filledRings(
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

function buildLayout(canonical: CanonicalFace, side: number): AtlasLayout {
  const { points, oval } = atlasOutline(canonical, side);
  const region = (...rings: readonly (readonly number[])[]): Float32Array => filledRings(points, side, rings);
  const blurred = (plane: Float32Array, fraction: number): Float32Array => {
    const copy = plane.slice();
    boxBlur(copy, side, side, boxRadius(fraction * side));
    return copy;
  };
  const grown = (fraction: number, ...rings: readonly (readonly number[])[]): Float32Array =>
    blurred(region(...rings), fraction).map((value) => smoothstep(0.08, 0.22, value));

  const holes = region(INNER_LIPS, RIGHT_EYE, LEFT_EYE);
  const softEyes = blurred(region(RIGHT_EYE, LEFT_EYE), HOLE_FEATHER);
  // In the canonical face the mouth is shut: its slit is thinner than the feather and must not drown in it.
  const softMouth = blurred(region(INNER_LIPS), HOLE_FEATHER);
  const widest = softMouth.reduce((most, value) => Math.max(most, value), 1e-6);
  const edge = blurred(oval, OVAL_FEATHER);
  const softEdge = blurred(oval, FOREHEAD_FEATHER);
  const opacity = new Float32Array(side * side);
  for (let i = 0; i < opacity.length; i++) {
    const forehead = foreheadShare(i, side);
    const shown =
      (1 - forehead) * smoothstep(0.5, 0.95, edge[i]!) + forehead * smoothstep(0.5, 0.95, softEdge[i]!);
    opacity[i] = shown * (1 - Math.min(1, (softMouth[i]! / widest) * 1.15));
  }

  const features = grown(1 / 73, RIGHT_BROW, LEFT_BROW);
  for (const other of [grown(1 / 85, OUTER_LIPS, RIGHT_LIDS, LEFT_LIDS), grown(1 / 128, NOSTRILS)]) {
    for (let i = 0; i < features.length; i++) features[i] = Math.max(features[i]!, other[i]!);
  }
  const core = region(...CORE_SKIN).map((value, i) => value * (1 - features[i]!));

  const browTails = new Float32Array(side * side);
  const centre = new Float32Array(side * side);
  const chin = new Float32Array(side * side);
  const hairZone = new Float32Array(side * side);
  const strandZone = new Float32Array(side * side);
  const beardZone = new Float32Array(side * side);
  const glassesZone = new Float32Array(side * side);
  for (let y = 0, i = 0; y < side; y++) {
    const v = (y + 0.5) / side;
    for (let x = 0; x < side; x++, i++) {
      const aside = Math.abs((x + 0.5) / side - 0.5);
      browTails[i] = smoothstep(0.14, 0.19, aside) * smoothstep(0.36, 0.33, v);
      centre[i] = smoothstep(0.3, 0.2, aside) * smoothstep(0.22, 0.27, v) * smoothstep(0.74, 0.66, v);
      chin[i] = smoothstep(0.24, 0.18, aside) * smoothstep(0.72, 0.78, v);
      const temple = smoothstep(0.3, 0.38, aside);
      hairZone[i] = oval[i]! * Math.max(smoothstep(0.275, 0.235, v), temple);
      const reached = smoothstep(0.19, 0.25, aside) * smoothstep(0.56, 0.5, v);
      strandZone[i] = Math.max(hairZone[i]!, oval[i]! * reached);
      const whiskers = smoothstep(0.3, 0.36, aside) * smoothstep(0.45, 0.52, v);
      beardZone[i] = oval[i]! * Math.max(smoothstep(0.585, 0.63, v), whiskers);
      glassesZone[i] = oval[i]! * smoothstep(0.24, 0.28, v) * smoothstep(0.55, 0.5, v);
    }
  }
  const inner = new Set<number>(INNER_LIPS);
  const isMouth = new Uint8Array(canonical.triangles.length / 3);
  for (let t = 0; t < isMouth.length; t++) {
    if (canonical.triangles.subarray(3 * t, 3 * t + 3).every((v) => inner.has(v))) isMouth[t] = 1;
  }
  const spans = triangleSpans(points, canonical.triangles, side, side);
  // Kernels read these for every face: they stay in their memory, as long as the process.
  const resident = new Workspace();
  return {
    side,
    points,
    triangles: canonical.triangles,
    spans,
    isMouth,
    oval: resident.copyOf(oval),
    opacity: resident.copyOf(opacity),
    holes,
    softEyes: resident.copyOf(softEyes),
    features: resident.copyOf(features),
    core,
    brows: region(RIGHT_BROW, LEFT_BROW),
    browsSoft: grown(1 / 200, RIGHT_BROW, LEFT_BROW),
    browTails,
    centre,
    chin,
    lids: grown(1 / 70, RIGHT_LIDS, LEFT_LIDS),
    browArea: grown(1 / 40, RIGHT_BROW, LEFT_BROW),
    hairZone,
    strandZone,
    beardZone,
    glassesZone,
  };
}

/** 1 on the middle of the forehead, 0 from the brows down and at the temples, where hair is. */
function foreheadShare(texel: number, side: number): number {
  const aside = Math.abs(((texel % side) + 0.5) / side - 0.5);
  const v = (Math.floor(texel / side) + 0.5) / side;
  return smoothstep(0.36, 0.28, aside) * smoothstep(0.27, 0.2, v);
}

/** What depends on the layout alone: built on first use, kept as long as the layout, not to be written to. */
export function perLayout<T>(build: (layout: AtlasLayout) => T): (layout: AtlasLayout) => T {
  const built = new WeakMap<AtlasLayout, { readonly value: T }>();
  return (layout) => {
    let known = built.get(layout);
    if (!known) {
      known = { value: build(layout) };
      built.set(layout, known);
    }
    return known.value;
  };
}

/** Bare skin that no beard covers, in one plane of the layout's size. */
export const beardlessCore = perLayout((layout): Float32Array => {
  const plane = new Float32Array(layout.side * layout.side);
  for (const ring of CORE_SKIN.slice(0, BEARDLESS_CORE_COUNT)) {
    fillPolygon(
      plane,
      layout.side,
      layout.side,
      ring.flatMap((v) => [layout.points[2 * v]!, layout.points[2 * v + 1]!]),
    );
  }
  return plane.map((value, i) => value * (1 - layout.features[i]!));
});

/** How wide a pixel of a picture is in the atlas, texels. `facePixels`: longer side of the face's box. */
export function pixelTexels(side: number, facePixels: number): number {
  return (FACE_SHARE * side) / facePixels;
}
