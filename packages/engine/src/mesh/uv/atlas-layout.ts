import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { CanonicalFace } from '../../face/canonical-face.ts';
import { BuiltLayout } from './built-layout.ts';
import { BEARDLESS_CORE_COUNT, CORE_SKIN } from './face-regions.ts';

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
  /** How much a texel lies where beards grow. */
  readonly beardZone: Float32Array;
  /** How much a texel lies where the frames of glasses run. */
  readonly glassesZone: Float32Array;
  /** Lets go of what few steps ask for; whoever asks again waits for it to be made again. */
  letGoOfSeldomPlanes(): void;
}

/** The layouts of one canonical face, each built on first use. `side` is a power of two, at least `LIGHT_SIDE`. */
export function createAtlasLayouts(canonical: CanonicalFace): (side: number) => AtlasLayout {
  const built = new Map<number, AtlasLayout>();
  return (side) => {
    let layout = built.get(side);
    if (!layout) {
      layout = new BuiltLayout(canonical, side);
      built.set(side, layout);
    }
    return layout;
  };
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

/** A copy in the kernels' memory, as long as the process: for planes of a layout that kernels are lent. */
export function residentCopy(plane: Float32Array): Float32Array {
  return new Workspace().copyOf(plane);
}

/** The texels `from` up to but without `to` are the rows that the oval is in, one above and one below: 85 % of them. */
const ovalRows = perLayout(({ side, oval }): { readonly from: number; readonly to: number } => ({
  from: side * Math.max(0, Math.floor(oval.findIndex((inside) => inside > 0) / side) - 1),
  to: side * Math.min(side, Math.floor(oval.findLastIndex((inside) => inside > 0) / side) + 2),
}));

/** Those rows of a plane of the layout's size (of one or more values a texel), not a copy. */
export function rowsOfOval<Plane extends Float32Array | Int16Array>(
  plane: Plane,
  layout: AtlasLayout,
): Plane {
  const { from, to } = ovalRows(layout);
  const values = plane.length / layout.side ** 2;
  return plane.subarray(values * from, values * to) as Plane;
}

/** How wide a pixel of a picture is in the atlas, texels. `facePixels`: longer side of the face's box. */
export function pixelTexels(side: number, facePixels: number): number {
  return (FACE_SHARE * side) / facePixels;
}
