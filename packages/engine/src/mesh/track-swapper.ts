import type { Occluders } from '@guise/kernels/face-allowance.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/plane-scale.ts';
import { addEnlarged } from '@guise/kernels/relight.ts';
import { ImagePyramid } from '@guise/kernels/pyramid.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { CanonicalFace } from '../face/canonical-face.ts';
import { boxOfPoints } from '../face/box.ts';
import type { FaceBox } from '../face/face.ts';
import { MESH_VERTEX_COUNT } from '../face/face.ts';
import type { VideoFrame } from '../face/video-frame.ts';
import { trianglesUnder } from './allowance.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE, pixelTexels } from './atlas-layout.ts';
import type { Atlas } from './atlas.ts';
import { shrinkAtlas, spreadFace } from './atlas.ts';
import { breathe } from '../face/breathe.ts';
import { relight } from './compose.ts';
import type { Light } from './light.ts';
import { mixLight } from './light.ts';
import { facingAtOutline } from './nose-zone.ts';
import { mostGrain } from './pixel-noise.ts';
import { applyMatch, bandsOf, measureTexture, textureMatch, UNMATCHED } from './restore.ts';
import type { TextureMatch } from './restore.ts';
import type { ShapeModel } from './shape-model.ts';
import type { SourceFace } from './source-face.ts';
import { readTargetFace } from './target-face.ts';
import { TrackComposite } from './track-composite.ts';
import { TrackIrises } from './track-irises.ts';
import { matchTone } from './tone.ts';
import { TRACK_LIGHT_SIDE, TrackLight } from './track-light.ts';
import { TrackOccluders } from './track-occluders.ts';
import { spreadSmall } from './small-face.ts';
import { StudyRhythm } from './study-rhythm.ts';
import { TrackShape } from './track-shape.ts';
import { INNER, TrackTexture } from './track-texture.ts';
import { addToAll } from './veil.ts';

/** What the frame before does not tell. */
export interface TrackMoment {
  /** 0..1 of the swapped face. */
  readonly opacity: number;
  /** Nothing of the frame before carries over. */
  readonly isFresh: boolean;
  /** Since the frame before. */
  readonly elapsedSeconds: number;
  /** Another one for each frame: film grain does not stand still. */
  readonly grainSeed: number;
}

export interface TrackSwapperParts {
  readonly layouts: (side: number) => AtlasLayout;
  readonly shapes: ShapeModel;
  readonly canonical: CanonicalFace;
}

/**
 * What changes slowly is measured anew now and then (see `StudyRhythm`): bare skin, occluders, sharpness, grain. For light and
 * occluders this atlas is fine enough; of so many studies one looks at every texel, for sharpness and grain.
 */
const STUDY_SIDE = 256;
const FULL_STUDIES = 3;
/** How fast the frames between follow what was measured last. */
const EASE = 0.3;
/** What is added to the light follows what was measured last over this time. */
const STEPS_SECONDS = 0.4;
/** What hides less than this of the face is nothing. */
const LEAST_OCCLUDER = 0.01;
/** How far the grain of the next frame is from that of this one, pixels: no film is so wide. */
const GRAIN_STEP = 7919;
/** Sharpness that differs by less is not worth a new atlas. */
const SAME_GAIN = 0.02;
const SAME_CORE = 0.15;

/**
 * One source on one face of a video, frame after frame. The source's atlas and the shape's displacement are made once; light and
 * occluders follow the target smoothly, so that nothing flickers that does not flicker in the target.
 */
export class TrackSwapper {
  readonly #parts: TrackSwapperParts;
  readonly #sourceLight: Light;
  readonly #layout: AtlasLayout;
  readonly #studyLayout: AtlasLayout;
  readonly #restore: number;
  readonly #shape: TrackShape;
  readonly #plain: Atlas;
  /** The same in `STUDY_SIDE`. */
  #small: Atlas | null = null;
  readonly #texture: TrackTexture;
  readonly #composite: TrackComposite;
  readonly #irises: TrackIrises;
  readonly #trackOccluders: TrackOccluders;
  readonly #light = new TrackLight();
  /** The light with the steps that are added to it. */
  readonly #lit: Light = {
    luma: new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE),
    blue: new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE),
    red: new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE),
  };
  /** How sharp the texture's source is, and how sharp it is to be. */
  #matched: TextureMatch | null = null;
  #match: TextureMatch = UNMATCHED;

  readonly #rhythm = new StudyRhythm(TRACK_LIGHT_SIDE);
  #hasBegun = false;
  /** Since the scene's first one. */
  #studies = 0;
  #opacity = 0;
  #colour = 1;
  /** Lies over the target, see `veilOf`. */
  #veil = 0;
  readonly #trust = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  readonly #wantedTrust = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  readonly #weight = new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE);
  /** Added to the light: the relief and colours of the target's skin, and what meets it at the mask's edge. */
  readonly #steps = [0, 1, 2].map(() => new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE));
  readonly #wantedSteps = [0, 1, 2].map(() => new Float32Array(TRACK_LIGHT_SIDE * TRACK_LIGHT_SIDE));
  readonly #occluded: Float32Array;
  #occluders: Occluders | null = null;
  readonly #space = new Workspace();
  /** What is made for one frame. */
  readonly #frameSpace = new Workspace();

  /**
   * @param detail the source's luma with its detail brought out; as long as its atlas
   * @param meshes the target's face in some frames, 468 x (x, y, z)
   */
  constructor(
    parts: TrackSwapperParts,
    source: SourceFace,
    detail: Float32Array,
    meshes: readonly Float32Array[],
    restoreVisibility: number,
  ) {
    const { side } = source.atlas;
    this.#parts = parts;
    this.#sourceLight = source.light;
    this.#layout = parts.layouts(side);
    this.#restore = restoreVisibility;
    this.#shape = new TrackShape(parts.shapes, parts.canonical, source.landmarks, meshes);
    this.#plain = { ...source.atlas, luma: detail };
    this.#occluded = this.#space.floats(side * side);
    this.#texture = new TrackTexture(this.#layout, source.light, this.#space);
    this.#composite = new TrackComposite(this.#layout);
    this.#irises = new TrackIrises(this.#layout, source.eyes);
    this.#studyLayout = parts.layouts(Math.min(side, STUDY_SIDE));
    this.#trackOccluders = new TrackOccluders(this.#studyLayout);
    // The source and the irises' rings needed them; no frame does.
    if (this.#layout !== this.#studyLayout) this.#layout.letGoOfSeldomPlanes();
  }

  /**
   * Draws into a part of the frame that holds the face.
   * @param rect whole pixels, x and y even @param landmarks 478 x (x, y, z), pixels of the part
   * @returns whether anything was drawn
   */
  async draw(
    frame: VideoFrame,
    rect: FaceBox,
    landmarks: Float32Array,
    moment: TrackMoment,
  ): Promise<boolean> {
    const { opacity } = moment;
    if (opacity <= 0) return false;
    const mesh = this.#shape.place(landmarks, opacity);
    const isFirst = moment.isFresh || !this.#hasBegun;
    this.#hasBegun = true;
    const face = this.#smallFace(frame, rect, landmarks);
    const small = this.#parts.layouts(TRACK_LIGHT_SIDE);
    if (this.#rhythm.isDue(face, small, moment.elapsedSeconds, isFirst)) {
      this.#studies = isFirst ? 0 : this.#studies + 1;
      this.#shape.learn(landmarks);
      await this.#study(frame, rect, landmarks, isFirst);
      await breathe();
    }
    this.#weigh(face.facing, isFirst ? 1 : EASE);
    this.#light.follow(face, this.#weight, this.#restore, moment.elapsedSeconds, isFirst);
    const lit = this.#litEdge(isFirst ? 1 : moment.elapsedSeconds / (STEPS_SECONDS + moment.elapsedSeconds));
    const hasNewSource = this.#matchSharpness();
    const isWhole = isFirst || hasNewSource || this.#light.hasJumped || opacity !== this.#opacity;
    this.#opacity = opacity;
    const shown = facingAtOutline(face.facing, small, INNER, this.#frameSpace);
    await breathe();
    frame.edit(rect, (planes) => {
      this.#irises.draw(planes, landmarks, { ...moment, opacity, isFresh: isFirst });
      this.#texture.write({
        light: lit,
        facing: shown,
        colour: this.#colour,
        veil: this.#veil,
        colours: planes.colours,
        opacity,
        occluded: this.#occluded,
        ease: isFirst ? 1 : 2 * EASE,
        isWhole,
      });
    });
    await breathe();
    frame.edit(rect, (planes) => {
      const texture = {
        side: this.#layout.side,
        texels: this.#texture.texels,
        grain: this.#match.grain,
        grainShift: Math.imul(moment.grainSeed, GRAIN_STEP),
      };
      this.#composite.draw(planes, texture, this.#occluders, landmarks, mesh);
    });
    return true;
  }

  /** Gives its memory back. */
  close(): void {
    this.#space.release();
    this.#frameSpace.release();
  }

  /** The face as small as its light is, until the next one. */
  #smallFace(frame: VideoFrame, rect: FaceBox, landmarks: Float32Array): Atlas {
    const factor = Math.max(1, Math.floor(Math.max(rect.width, rect.height) / TRACK_LIGHT_SIDE));
    const space = this.#frameSpace;
    space.release();
    // What does not fill a whole small pixel would be left out.
    const image = frame.reducedRegion(
      { ...rect, width: rect.width + factor, height: rect.height + factor },
      factor,
      space,
    );
    return spreadSmall(this.#parts.layouts(TRACK_LIGHT_SIDE), image, landmarks, factor, space);
  }

  async #study(frame: VideoFrame, rect: FaceBox, landmarks: Float32Array, isFirst: boolean): Promise<void> {
    const space = new Workspace();
    try {
      const pyramid = new ImagePyramid(frame.reducedRegion(rect, 1, space), space);
      const lighting = await this.#studyLight(pyramid, landmarks, isFirst, space);
      if (this.#studies % FULL_STUDIES !== 0) return;
      await breathe();
      this.#studyTexture(pyramid, landmarks, lighting, isFirst);
    } finally {
      space.release();
    }
  }

  /** Light, what is added to it, and occluders. `kept`: for what it gives. */
  async #studyLight(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    isFirst: boolean,
    kept: Workspace,
  ): Promise<Lighting> {
    const { layouts } = this.#parts;
    const layout = this.#studyLayout;
    const { side } = layout;
    const space = new Workspace();
    try {
      const target = readTargetFace(layouts, side, pyramid, landmarks, space);
      const trust = trustOf(target.skin, target.small.facing, space);
      await breathe();
      shrinkSquare(trust, LIGHT_SIDE, TRACK_LIGHT_SIDE, this.#wantedTrust);
      const hides = this.#trackOccluders.follow(target.occluded, isFirst, LEAST_OCCLUDER);
      enlargeSquare(target.occluded, side, this.#layout.side / side, this.#occluded);
      this.#occluders = hides ? this.#occludersOf(target.occluded) : null;
      this.#colour = followed(this.#colour, target.colour, isFirst);
      this.#veil = followed(this.#veil, target.veil, isFirst);
      const light = mixLight(target.broad, target.light, this.#restore, kept);
      const plain = layout === this.#layout ? this.#plain : (this.#small ??= shrinkAtlas(this.#plain, side));
      const lit = relight(plain, this.#sourceLight, light, this.#colour, layout, space);
      const steps = matchTone(lit, target, light, this.#restore, layout, layouts(LIGHT_SIDE), kept);
      for (const [k, plane] of steps.entries())
        shrinkSquare(plane, LIGHT_SIDE, TRACK_LIGHT_SIDE, this.#wantedSteps[k]!);
      return { light, steps, veil: target.veil };
    } finally {
      space.release();
    }
  }

  /** Sharpness, grain and the irises' colour. One atlas after the other, which keeps the memory in use small. */
  #studyTexture(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    { light, steps, veil }: Lighting,
    isFirst: boolean,
  ): void {
    const layout = this.#layout;
    const space = new Workspace();
    const kept = new Workspace();
    try {
      const face = spreadFace(layout, pyramid, landmarks, space);
      const wanted = measureTexture(face.luma, face.facing, layout, kept);
      // Its bands are of no use here.
      kept.release();
      const facing = kept.copyOf(face.facing);
      space.release();
      const lit = relight(this.#plain, this.#sourceLight, light, this.#colour, layout, space);
      for (const [k, plane] of [lit.luma, lit.blue, lit.red].entries())
        addEnlarged(plane, steps[k]!, layout.oval, LIGHT_SIDE, layout.side);
      addToAll(lit.luma, veil);
      this.#irises.relight(lit, isFirst ? 1 : EASE);
      if (this.#restore <= 0) return;
      const own = measureTexture(lit.luma, facing, layout, space);
      const { left, top, right, bottom } = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
      const facePixels = Math.max(right - left, bottom - top);
      const wide = pixelTexels(layout.side, facePixels);
      const most = mostGrain(pyramid.image, landmarks, facePixels);
      const match = textureMatch(own, wanted, this.#restore, wide, most);
      this.#followMatch(match, light, isFirst);
    } finally {
      space.release();
      kept.release();
    }
  }

  /** `occluded` in front, as large as a study and as `#occluded` now. */
  #occludersOf(occluded: Float32Array): Occluders {
    const { side } = this.#layout;
    return { plane: this.#occluded, side, triangles: trianglesUnder(occluded, this.#studyLayout) };
  }

  #followMatch(to: TextureMatch, light: Light, isFirst: boolean): void {
    const lightGain =
      meanOf(light.luma, this.#layout) / Math.max(1, meanOf(this.#sourceLight.luma, this.#layout));
    const { fine, medium, broad, core, grain } = this.#match;
    this.#match = {
      fine: followed(fine, to.fine, isFirst),
      medium: followed(medium, to.medium, isFirst),
      broad: followed(broad, to.broad, isFirst),
      core: followed(core, to.core / Math.max(0.1, lightGain), isFirst),
      grain: followed(grain, to.grain, isFirst),
    };
  }

  /** The light with what is added to it, without the veil. @param ease how far the steps follow what was measured last */
  #litEdge(ease: number): Light {
    const { luma, blue, red } = this.#lit;
    const [lumaSteps, blueSteps, redSteps] = this.#steps as [Float32Array, Float32Array, Float32Array];
    const [wantedLuma, wantedBlue, wantedRed] = this.#wantedSteps as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    addFollowed(this.#light.luma, -this.#veil, lumaSteps, wantedLuma, ease, luma);
    addFollowed(this.#light.blue, 0, blueSteps, wantedBlue, ease, blue);
    addFollowed(this.#light.red, 0, redSteps, wantedRed, ease, red);
    return this.#lit;
  }

  #weigh(facing: Float32Array, ease: number): void {
    const trust = this.#trust;
    const wanted = this.#wantedTrust;
    for (let i = 0; i < trust.length; i++) {
      trust[i]! += ease * (wanted[i]! - trust[i]!);
      this.#weight[i] = trust[i]! * Math.max(0.02, facing[i]!);
    }
  }

  /** Whether the texture has another source now. */
  #matchSharpness(): boolean {
    const match = this.#match;
    const matched = this.#matched;
    if (
      matched !== null &&
      Math.abs(match.fine - matched.fine) < SAME_GAIN &&
      Math.abs(match.medium - matched.medium) < SAME_GAIN &&
      Math.abs(match.broad - matched.broad) < SAME_GAIN &&
      Math.abs(match.core - matched.core) < SAME_CORE
    )
      return false;
    const space = this.#frameSpace;
    const luma = space.copyOf(this.#plain.luma);
    applyMatch(luma, bandsOf(luma, this.#layout, space), this.#layout, match);
    this.#texture.take({ ...this.#plain, luma });
    this.#matched = match;
    return true;
  }
}

/** What the target's face is lit with, and what is added to it: planes of `LIGHT_SIDE` squared. */
interface Lighting {
  readonly light: Light;
  readonly steps: readonly Float32Array[];
  readonly veil: number;
}

/** A step from what was measured before to what is measured now. */
function followed(before: number, now: number, isFirst: boolean): number {
  return isFirst ? now : before + EASE * (now - before);
}

/** How surely what is seen is skin, whichever way it looks. */
function trustOf(skin: Float32Array, facing: Float32Array, make: PlaneMaker): Float32Array {
  const trust = make.unset(skin.length);
  for (let i = 0; i < trust.length; i++) {
    const towards = facing[i]!;
    trust[i] = skin[i]! / (towards < 0.02 ? 0.02 : towards);
  }
  return trust;
}

/** `steps` go `ease` of the way to `wanted`; `out` is what they come to with `plane` and `by`. */
function addFollowed(
  plane: Float32Array,
  by: number,
  steps: Float32Array,
  wanted: Float32Array,
  ease: number,
  out: Float32Array,
): void {
  for (let i = 0; i < out.length; i++) {
    const step = steps[i]! + ease * (wanted[i]! - steps[i]!);
    steps[i] = step;
    out[i] = plane[i]! + step + by;
  }
}

function meanOf(plane: Float32Array, layout: AtlasLayout): number {
  const factor = layout.side / LIGHT_SIDE;
  let sum = 0;
  let total = 0;
  for (let y = 0, i = 0; y < LIGHT_SIDE; y++) {
    for (let x = 0; x < LIGHT_SIDE; x++, i++) {
      if (layout.oval[Math.floor((y + 0.5) * factor) * layout.side + Math.floor((x + 0.5) * factor)] === 0)
        continue;
      sum += plane[i]!;
      total += 1;
    }
  }
  return sum / Math.max(1, total);
}
