import type { TriangleSpans } from '@guise/kernels/triangle-spans.ts';
import { triangleSpans } from '@guise/kernels/triangle-spans.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { atlasOutline } from './atlas-outline.ts';
import { BuiltMasks } from './built-masks.ts';
import { INNER_LIPS } from './face-regions.ts';

/**
 * Makes the layouts of one canonical face, each on first use. `AtlasLayout.at` describes the side.
 */
export function createAtlasLayouts(canonical: CanonicalFace): (side: number) => AtlasLayout {
  const built = new Map<number, AtlasLayout>();
  const at = (side: number): AtlasLayout => {
    let layout = built.get(side);
    if (!layout) {
      layout = new BuiltLayout(canonical, side, at);
      built.set(side, layout);
    }
    return layout;
  };
  return at;
}

class BuiltLayout extends BuiltMasks implements AtlasLayout {
  readonly triangles: Uint16Array;
  readonly spans: TriangleSpans;
  readonly isMouth: Uint8Array;
  readonly at: (side: number) => AtlasLayout;

  constructor(canonical: CanonicalFace, side: number, at: (side: number) => AtlasLayout) {
    const { triangles } = canonical;
    super(atlasOutline(canonical, side));
    this.triangles = triangles;
    this.spans = triangleSpans(this.points, triangles, side, side);
    this.isMouth = mouthTriangles(triangles);
    this.at = at;
  }
}

function mouthTriangles(triangles: Uint16Array): Uint8Array {
  const inner = new Set<number>(INNER_LIPS);
  const isMouth = new Uint8Array(triangles.length / 3);
  for (let t = 0; t < isMouth.length; t++) {
    if (triangles.subarray(3 * t, 3 * t + 3).every((v) => inner.has(v))) isMouth[t] = 1;
  }
  return isMouth;
}
