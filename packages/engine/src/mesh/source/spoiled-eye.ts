import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { type Front, frontAt, shareOf } from '../front/front.ts';
import { gazesOf } from '../match/suited-eyes.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';
import { mirrorMesh } from '../uv/mirror-mesh.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import { meanAt, texelsWhere } from '../uv/texel.ts';

/** Number of an eye in `EYES`: 0 lies in the left half of the atlas, 1 in the right one. */
export type EyeNumber = 0 | 1;

/** Depth in the eye from which a texel is free of lids and lashes. */
const BARE_DEPTH = 0.8;
/**
 * Share of an eye that hair or a thing hides from which it is spoiled, and up to which it is free.
 */
const [HIDDEN, FREE] = [0.2, 0.06];
/** Share of both eyes that lies behind lenses from which their reflections are compared. */
const BEHIND_LENSES = 0.5;
/** Share of an eye's texels that are its pupil and lashes. */
const PUPIL = 0.15;
/**
 * Luma by which a reflection makes the pupil of one eye lighter than that of the other, as a share
 * of the skin's.
 */
const REFLECTION = 0.08;
/** Largest distance of the irises from the middle, in their radii: mirrored ones would squint. */
const MAX_ASIDE = 0.35;

/** Texels of each eye. */
const eyeTexels = perLayout(({ side, softEyes }: RegionMasks) =>
  ([0, 1] as const).map((half) =>
    texelsWhere(softEyes.length, (i) => softEyes[i]! > BARE_DEPTH && isOfEye(i, half, side)),
  ),
);

/** Returns whether a texel is in the half of the atlas in which this eye lies. */
export function isOfEye(texel: number, eye: EyeNumber | null, side: number): boolean {
  return eye === (texel % side < side / 2 ? 0 : 1);
}

/**
 * Finds an eye of a source that hair or a thing hides, or on whose lens something is reflected,
 * while the other one is clear. That one's mirror image can replace it.
 * @param seen the face, of the layout's size @param landmarks 478 x (x, y, z)
 */
export function spoiledEye(
  front: Front,
  seen: AtlasColours,
  landmarks: Float32Array,
  layout: RegionMasks,
  make: PlaneMaker,
): EyeNumber | null {
  const texels = eyeTexels(layout);
  const ofEyes = (plane: Float32Array): [number, number] => {
    const large = frontAt(plane, layout.side, make);
    return [meanAt(large, texels[0]!), meanAt(large, texels[1]!)];
  };
  const hidden = ofEyes(shareOf(front, ['hair', 'thing'], make));
  const lookAside = gazesOf(landmarks).map(([aside]) => Math.abs(aside) > MAX_ASIDE);
  for (const eye of [0, 1] as const)
    if (hidden[eye] > HIDDEN && hidden[1 - eye]! < FREE) return lookAside[1 - eye] ? null : eye;
  if (lookAside.includes(true) || Math.min(...ofEyes(front.shares.lens)) < BEHIND_LENSES) return null;
  const [one, other] = texels.map((each) => pupilLuma(seen.luma, each)) as [number, number];
  const skin = meanAt(
    seen.luma,
    texelsWhere(layout.core.length, (i) => layout.core[i]! > 0.5),
  );
  if (Math.abs(one - other) < REFLECTION * skin) return null;
  return one > other ? 0 : 1;
}

/** Returns landmarks of which this eye is the other one's mirror image. */
export function withMirroredEye(landmarks: Float32Array, eye: EyeNumber, layout: AtlasLayout): Float32Array {
  const mirrored = mirrorMesh(landmarks, layout);
  const out = landmarks.slice();
  const { ring, iris } = EYES[eye]!;
  for (const v of [...ring, iris, iris + 1, iris + 2, iris + 3, iris + 4])
    out.set(mirrored.subarray(3 * v, 3 * v + 3), 3 * v);
  return out;
}

/** Returns the mean luma of an eye's darkest texels. */
function pupilLuma(luma: Float32Array, texels: Uint32Array): number {
  const dark = texels.toSorted((a, b) => luma[a]! - luma[b]!);
  return meanAt(luma, dark.subarray(0, Math.ceil(PUPIL * dark.length)));
}
