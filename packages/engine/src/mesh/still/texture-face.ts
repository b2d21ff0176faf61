import { packTexture } from '@guise/kernels/face/draw-triangles.ts';
import { faceOpacity } from '@guise/kernels/face/face-opacity.ts';
import type { OpacityShares } from '@guise/kernels/face/face-opacity.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { PlaneMaker, Workspace } from '@guise/kernels/workspace.ts';
import { type Face, longerSide } from '../../face/geometry/face.ts';
import { SILHOUETTE_FADE } from '../draw/silhouette-fade.ts';
import { mostGrain } from '../match/pixel-noise.ts';
import type { TextureMatch } from '../match/restore.ts';
import {
  applyMatch,
  bandsOf,
  measuredTexels,
  measureTexture,
  textureMatch,
  UNMATCHED,
} from '../match/restore.ts';
import { type TargetFace, without } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { pixelTexels, rowsOfOval } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { facingAtOutline } from '../uv/nose-zone.ts';

/** Fade of the swapped face; `eyeGain` sets how soon its eyes become the target's own. */
const FADE: OpacityShares = { ...SILHOUETTE_FADE, eyeGain: 1.15 };

/**
 * Changes the face's sharpness to the target's, in place.
 * @param shown the face to change @param lit the same face without its beard, which is measured
 * @param image that shows the target @param visibility 0..1: the share of the change
 * @returns the grain that is still missing
 */
export function matchSharpness(
  shown: Atlas,
  lit: Atlas,
  target: TargetFace,
  layout: AtlasLayout,
  image: RgbImage,
  { box, landmarks }: Face,
  visibility: number,
  make: PlaneMaker,
): Pick<TextureMatch, 'grain'> {
  if (visibility <= 0) return UNMATCHED;
  const facing = seenFacing(target, layout, make);
  const own = measureTexture(lit.luma, facing, layout, make);
  const facePixels = longerSide(box);
  const wide = pixelTexels(layout.side, facePixels);
  const wanted = measureTexture(target.atlas.luma, facing, layout, make);
  const match = textureMatch(own, wanted, visibility, {
    pixelTexels: wide,
    mostGrain: mostGrain(image, landmarks, facePixels),
  });
  const bands = shown === lit ? own.bands : bandsOf(shown.luma, layout, make);
  applyMatch(shown.luma, bands, layout, match);
  return match;
}

/**
 * Returns the facing, lowered where something covers the face: edges of glasses and hair must not
 * count as the skin's texture.
 */
function seenFacing({ atlas, occluded }: TargetFace, layout: AtlasLayout, make: PlaneMaker): Float32Array {
  const facing = make.uninitialised(occluded.length);
  for (const texels of Object.values(measuredTexels(layout)))
    for (let k = 0; k < texels.length; k++) {
      const i = texels[k]!;
      facing[i] = atlas.facing[i]! * (1 - occluded[i]!);
    }
  return facing;
}

/**
 * Returns how opaque the swapped face is in each texel of the oval's rows. In a beard the face is
 * transparent, so the target's own hairs are drawn, moved with the mesh.
 * @param eyes opacity of the swapped eyes, see `followGaze`
 */
export function opacityOf(
  { atlas, beard }: Pick<TargetFace, 'atlas' | 'beard'>,
  layout: AtlasLayout,
  eyes: Float32Array,
  make: PlaneMaker,
): Float32Array {
  const facing = facingAtOutline(atlas.facing, layout, FADE.to, make);
  // No triangle draws texels above and below the oval.
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  const shown = rows(beard ? without(layout.opacity, beard, make) : layout.opacity);
  const opacity = make.floats(facing.length);
  // At the silhouette the face ends in the image, not in the atlas. It fades there too, or its edge
  // would be a staircase.
  faceOpacity(
    { shown, softEyes: rows(layout.softEyes), eyes: rows(eyes), facing: rows(facing) },
    FADE,
    rows(opacity),
  );
  return opacity;
}

/** Packs the lit face for drawing. */
export function packFace(
  lit: Atlas,
  opacity: Float32Array,
  layout: AtlasLayout,
  space: Workspace,
): Int16Array {
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  const rgba = space.uninitialisedInt16s(4 * opacity.length);
  const colours = { luma: rows(lit.luma), blue: rows(lit.blue), red: rows(lit.red) };
  packTexture(colours, rows(opacity), rowsOfOval(rgba, layout));
  return rgba;
}
