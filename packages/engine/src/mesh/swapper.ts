import { packTexture } from '@guise/kernels/draw-triangles.ts';
import { faceOpacity } from '@guise/kernels/face-opacity.ts';
import type { OpacityShares } from '@guise/kernels/face-opacity.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { ImagePyramid } from '@guise/kernels/pyramid.ts';
import { ordinaryPlanes, Workspace } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { CanonicalFace } from '../face/canonical-face.ts';
import type { Face } from '../face/face.ts';
import { FACE_SHARE, LIGHT_SIDE, pixelTexels, rowsOfOval } from './uv/atlas-layout.ts';
import { createAtlasLayouts } from './uv/atlas-layouts.ts';
import type { AtlasLayout } from './uv/atlas-layout.ts';
import { atlasOutline } from './uv/atlas-outline.ts';
import type { Atlas } from './uv/atlas.ts';
import { compositeFace } from './draw/composite.ts';
import { relight } from './match/compose.ts';
import type { Light } from './skin/light.ts';
import { mixLight } from './skin/light.ts';
import type { MergedSource } from './source/merge-sources.ts';
import { mergeSources } from './source/merge-sources.ts';
import type { SourcePhoto } from './source/photo-worth.ts';
import { followGaze } from './match/eyes.ts';
import { applyMatch, measureTexture, textureMatch } from './match/restore.ts';
import { mostGrain } from './match/pixel-noise.ts';
import { restoreDetail } from './match/restore-detail.ts';
import { isBetterMirrored, mirrorSource, suitSide } from './source/mirror-source.ts';
import { createShapeModel } from './shape/shape-model.ts';
import { transferShape } from './shape/shape.ts';
import type { SourceFace } from './source/source-face.ts';
import { prepareSourceFace } from './source/source-face.ts';
import { facingAtOutline } from './uv/nose-zone.ts';
import { readTargetFace } from './target/target-face.ts';
import type { TargetFace } from './target/target-face.ts';
import { matchTone } from './match/tone.ts';
import { TrackSwapper } from './video/track-swapper.ts';
import { addToAll } from './skin/veil.ts';

export interface RestoreStrength {
  /** 0..1: opacity of the sharpened face over the raw one. */
  readonly faceRestoreVisibility: number;
  /** 0..1: how strongly the target's local light, grain and sharpness come back. */
  readonly restoreVisibility: number;
}

/** The built-in swapper: texture and proportions of one face on another, by mesh. */
export interface MeshSwapper {
  /** The atlas side that suits a source and a target face of these sizes (longer side of the box, pixels). */
  atlasSide(sourcePixels: number, targetPixels: number): number;
  /** @param lasting where its atlas is to lie, in the kernels' memory; by default in ordinary memory */
  prepareSource(pyramid: ImagePyramid, face: Face, side: number, lasting?: Workspace): SourceFace;
  /** Several photos of one person, each prepared at the same side, as one source. */
  mergeSources(photos: readonly SourcePhoto[]): MergedSource;
  /**
   * For a video: the same source, or its mirror image, on one face, frame after frame. `meshes`: that face in some frames,
   * 468 x (x, y, z).
   */
  follow(
    source: SourceFace,
    isMirrored: boolean,
    meshes: readonly Float32Array[],
    strength: RestoreStrength,
  ): TrackSwapper;
  /** Whether the source's mirror image suits faces like these better. */
  isBetterMirrored(source: Pick<SourceFace, 'seen'>, meshes: readonly Float32Array[]): boolean;
  /**
   * The target with the source's face, drawn into `data`: a copy of the target's pixels, or those themselves. `timingsMs`
   * receives what each part took.
   */
  swap(
    source: SourceFace,
    pyramid: ImagePyramid,
    face: Face,
    strength: RestoreStrength,
    data: Uint8Array,
    timingsMs: Record<string, number>,
  ): RgbImage;
}

/** How much of the source's proportions the target takes: more costs expression and pose (measured, bench/quality.ts). */
const SHAPE_STRENGTH = 1;
const USUAL_SIDE = 512;
const LARGEST_SIDE = 1024;
/** Both faces at least this large: a larger atlas has something to show (and four times the work). */
const LARGE_FACE_PX = 760;
/** A face reduced further than this from the atlas would alias under bilinear sampling: half the side is enough then. */
const MOST_REDUCTION = 0.7;
/** Facing of the target's surface between which the swapped face fades in; how soon its eyes are the target's own. */
const FADE: OpacityShares = { from: 0.03, to: 0.14, eyeGain: 1.15 };

export function createMeshSwapper(canonical: CanonicalFace): MeshSwapper {
  const layouts = createAtlasLayouts(canonical);
  const shapes = createShapeModel(canonical, atlasOutline(canonical, USUAL_SIDE));
  return {
    atlasSide(sourcePixels, targetPixels) {
      if (Math.min(sourcePixels, targetPixels) >= LARGE_FACE_PX) return LARGEST_SIDE;
      let side = USUAL_SIDE;
      while (side > LIGHT_SIDE && targetPixels <= side * FACE_SHARE * MOST_REDUCTION) side >>= 1;
      return side;
    },
    prepareSource: (pyramid, face, side, lasting) => prepareSourceFace(layouts(side), pyramid, face, lasting),
    mergeSources: (photos) => mergeSources(canonical, layouts(photos[0]!.face.atlas.side), photos),
    follow(given, isMirrored, meshes, strength) {
      const source = isMirrored ? mirrorSource(given, layouts(LIGHT_SIDE)) : given;
      const layout = layouts(source.atlas.side);
      const detailed = withDetail(source, layout, strength.faceRestoreVisibility);
      const parts = { layout, shapes, canonical };
      return new TrackSwapper(parts, source, detailed.luma, meshes, strength.restoreVisibility);
    },
    isBetterMirrored: (source, meshes) => isBetterMirrored(source, meshes, layouts(LIGHT_SIDE)),
    swap(given, pyramid, face, strength, data, timingsMs) {
      const layout = layouts(given.atlas.side);
      let since = performance.now();
      const lap = (name: string): void => {
        const now = performance.now();
        timingsMs[name] = now - since;
        since = now;
      };
      // Planes that nobody needs after the swap.
      using space = new Workspace();
      const target = readTargetFace(layout, pyramid, face.landmarks, space);
      lap('readTarget');
      const source = suitSide(given, [face.landmarks], layouts(LIGHT_SIDE));
      const mesh = transferShape(shapes, source.landmarks, face.landmarks, SHAPE_STRENGTH);
      lap('shape');
      const light = mixLight(target.broad, target.light, strength.restoreVisibility, space);
      const lit = lightSource(source, target, light, layout, strength, space);
      matchTone(lit, target, light, strength.restoreVisibility, layout, space);
      if (target.veil > 0) addToAll(lit.luma, target.veil);
      lap('light');
      const eyes = followGaze(lit, layout, source.eyes, face.landmarks, space);
      const grain = matchTexture(lit, target, layout, pyramid.image, face, strength.restoreVisibility, space);
      const rgba = toTexture(lit, target, layout, eyes, space);
      lap('texture');
      const texture = { side: layout.side, rgba, grain, occluded: target.occluded };
      const image = compositeFace(pyramid.image, layout, texture, face.landmarks, mesh, space, data);
      lap('composite');
      return image;
    },
  };
}

function lightSource(
  source: SourceFace,
  target: TargetFace,
  light: Light,
  layout: AtlasLayout,
  strength: RestoreStrength,
  make: PlaneMaker,
): Atlas {
  const atlas = withDetail(source, layout, strength.faceRestoreVisibility, make);
  return relight(atlas, source.light, light, target.colour, layout, make);
}

/** The source's atlas with its detail brought out. */
function withDetail(
  { atlas, facePixels, texture }: SourceFace,
  layout: AtlasLayout,
  visibility: number,
  make: PlaneMaker = ordinaryPlanes,
): Atlas {
  if (visibility <= 0) return atlas;
  const softness = { pixelTexels: pixelTexels(layout.side, facePixels), blur: texture.blur };
  return { ...atlas, luma: restoreDetail(atlas.luma, layout, softness, visibility, make) };
}

/** Brings the lit face's sharpness to the target's, in place; returns the grain that is still missing. */
function matchTexture(
  lit: Atlas,
  target: TargetFace,
  layout: AtlasLayout,
  image: RgbImage,
  { box, landmarks }: Face,
  visibility: number,
  make: PlaneMaker,
): number {
  if (visibility <= 0) return 0;
  const { facing } = target.atlas;
  const own = measureTexture(lit.luma, facing, layout, make);
  const facePixels = Math.max(box.width, box.height);
  const wide = pixelTexels(layout.side, facePixels);
  const wanted = measureTexture(target.atlas.luma, facing, layout, make);
  const match = textureMatch(own, wanted, visibility, wide, mostGrain(image, landmarks, facePixels));
  applyMatch(lit.luma, own.bands, layout, match);
  return match.grain;
}

function toTexture(
  lit: Atlas,
  target: TargetFace,
  layout: AtlasLayout,
  eyes: Float32Array,
  space: Workspace,
): Int16Array {
  const facing = facingAtOutline(target.atlas.facing, layout, FADE.to, space);
  // What is above and below the oval is drawn by no triangle.
  const rows = (plane: Float32Array): Float32Array => rowsOfOval(plane, layout);
  const shown = rows(layout.opacity);
  const opacity = space.unset(shown.length);
  // At the silhouette the face ends in the image, not in the atlas: fade there too, or the edge is a staircase.
  faceOpacity(
    { shown, softEyes: rows(layout.softEyes), eyes: rows(eyes), facing: rows(facing) },
    FADE,
    opacity,
  );
  const rgba = space.unsetInt16s(4 * facing.length);
  const colours = { luma: rows(lit.luma), blue: rows(lit.blue), red: rows(lit.red) };
  packTexture(colours, opacity, rowsOfOval(rgba, layout));
  return rgba;
}
