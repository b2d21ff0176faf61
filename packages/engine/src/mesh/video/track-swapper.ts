import type { Occluders } from '@guise/kernels/face/face-allowance.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { breathe } from '../../face/track/breathe.ts';
import type { CanonicalFace } from '../../face/geometry/canonical-face.ts';
import type { FaceBox } from '../../face/geometry/face.ts';
import type { Hand, HandFinder } from '../../face/geometry/hand.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { LookInFront } from '../front/front.ts';
import { EASE } from './ease.ts';
import { facingAtOutline } from '../uv/nose-zone.ts';
import { beardMesh } from '../shape/beard-mesh.ts';
import type { ShapeModel } from '../shape/shape-model.ts';
import { unwrapSmall } from '../target/small-face.ts';
import { bearded } from '../source/worn-beard.ts';
import type { SourceFace } from '../source/source-face.ts';
import { type LitFrame, TrackExpression } from './expression.ts';
import { handMatte } from './hand-matte.ts';
import { TrackHands } from './hands.ts';
import { StudyRhythm } from './study-rhythm.ts';
import { TrackComposite } from './composite.ts';
import { TrackIrises } from './irises.ts';
import { TRACK_SIDE, TrackLight } from './light.ts';
import { type KnownFace, TrackShape } from './shape.ts';
import { TrackStudy } from './study.ts';
import { SILHOUETTE_FADE } from '../draw/silhouette-fade.ts';
import { TrackTexture } from './texture.ts';

/** Values of a frame that do not follow from earlier frames. */
export interface TrackMoment {
  /** Opacity of the swapped face, 0..1. */
  readonly opacity: number;
  /** Whether to ignore earlier frames. */
  readonly isFresh: boolean;
  /** Time since the previous frame. */
  readonly elapsedSeconds: number;
  /** Seed of the grain. Each frame has another seed, so that the grain moves. */
  readonly grainSeed: number;
  /** Whether to measure slow properties in this frame even if no study is due. */
  readonly isStudied?: boolean;
}

export interface TrackSwapperParts {
  /** Layout of the source's atlas. */
  readonly layout: AtlasLayout;
  readonly shapes: ShapeModel;
  readonly canonical: CanonicalFace;
  readonly handFinder: HandFinder;
  readonly lookInFront: LookInFront;
}

/** Things in front of the swapped face, and of the glasses that it wears; null: none. */
interface InFront {
  readonly ofFace: Occluders | null;
  readonly ofGlasses: Occluders | null;
}

/** Time constant with which the tone offsets move to those of the last study. */
const TONE_SECONDS = 0.4;
/**
 * Number of pixels by which the grain moves from frame to frame, more than the width of any video.
 */
const GRAIN_SHIFT_PX = 7919;

/**
 * Puts one source on one face of a video, frame by frame. The source's atlas and the shape's
 * displacement are made once. Light and occluders follow the target smoothly, so that nothing
 * flickers unless it flickers in the target.
 */
export class TrackSwapper {
  readonly #layout: AtlasLayout;
  readonly #smallLayout: AtlasLayout;
  /** Atlas of the source, with its detail strengthened, and the same with the source's beard. */
  readonly #shaven: Atlas;
  readonly #bearded: Atlas | null;
  /** The atlas that is drawn now: `#shaven` or `#bearded`. */
  #atlas: Atlas;
  readonly #restore: number;
  readonly #shape: TrackShape;
  readonly #hands: TrackHands;
  readonly #irises: TrackIrises;
  readonly #study: TrackStudy;
  readonly #texture: TrackTexture;
  readonly #composite: TrackComposite;
  readonly #expression: TrackExpression;
  readonly #light = new TrackLight();
  readonly #rhythm = new StudyRhythm(TRACK_SIDE);
  #hasBegun = false;
  #opacity = 0;
  readonly #space = new Workspace();
  /** Workspace for one frame. */
  readonly #frameSpace = new Workspace();

  /**
   * @param detail the source's luma with its detail strengthened, valid as long as its atlas
   * @param known properties of the target's face before the first frame
   */
  constructor(
    { layout, shapes, canonical, handFinder, lookInFront }: TrackSwapperParts,
    source: SourceFace,
    detail: Float32Array,
    known: KnownFace,
    restoreVisibility: number,
  ) {
    const { light, beard } = source;
    this.#shaven = { ...source.atlas, luma: detail };
    this.#bearded = beard && bearded(this.#shaven, beard, this.#space);
    this.#atlas = this.#shaven;
    this.#layout = layout;
    this.#smallLayout = layout.at(TRACK_SIDE);
    this.#restore = restoreVisibility;
    this.#shape = new TrackShape(shapes, canonical, source.landmarks, known);
    this.#hands = new TrackHands(handFinder);
    this.#irises = new TrackIrises(this.#layout, source);
    const studied = { ...source, atlas: this.#shaven, restoreVisibility };
    this.#study = new TrackStudy(layout, studied, this.#irises, lookInFront, this.#space);
    this.#expression = new TrackExpression(source, layout, restoreVisibility);
    this.#texture = new TrackTexture(this.#layout, light, this.#expression.creases, this.#space);
    this.#composite = new TrackComposite(this.#layout);
    // Frames do not need these masks, which only the source and the rings of the irises needed.
    if (this.#study.studyLayout !== this.#layout) this.#layout.dropSeldomMasks();
  }

  /**
   * Draws into a part of the frame that contains the face.
   * @param rect whole pixels, x and y even @param landmarks 478 x (x, y, z), pixels of the part
   */
  async draw(frame: VideoFrame, rect: FaceBox, landmarks: Float32Array, moment: TrackMoment): Promise<void> {
    if (moment.opacity <= 0) return;
    const isFirst = moment.isFresh || !this.#hasBegun;
    const now = { ...moment, isFresh: isFirst };
    this.#hasBegun = true;

    const mesh = this.#shape.place(landmarks, moment.opacity);
    const target = this.#readTarget(frame, rect, landmarks);
    const hands = await this.#hands.follow(frame, rect, landmarks, now.elapsedSeconds, isFirst);
    await this.#studyIfDue(frame, rect, landmarks, target, hands, now);
    const inFront = this.#inFront(hands, frame, rect, landmarks);
    const lit = this.#lightFrame(target, landmarks, now);
    const isSharpened = this.#sharpen();
    await breathe();
    frame.edit(rect, (planes) => {
      this.#irises.draw(planes, landmarks, now);
      this.#writeTexture(planes, lit, now, isSharpened);
    });
    await breathe();
    frame.edit(rect, (planes) => this.#drawFace(planes, landmarks, mesh, inFront, now));
  }

  /** Frees its memory. */
  close(): void {
    this.#space.release();
    this.#frameSpace.release();
  }

  /** Reads the target's face into a small atlas, which is valid until the next frame. */
  #readTarget(frame: VideoFrame, rect: FaceBox, landmarks: Float32Array): Atlas {
    const factor = Math.max(1, Math.floor(Math.max(rect.width, rect.height) / TRACK_SIDE));
    const space = this.#frameSpace;
    space.release();
    // Adds a small pixel, because pixels that do not fill a whole small pixel would be left out.
    const image = frame.reducedRegion(
      { ...rect, width: rect.width + factor, height: rect.height + factor },
      factor,
      space,
    );
    return unwrapSmall(this.#smallLayout, image, landmarks, factor, space);
  }

  /** Measures the slow properties again if the target has changed or enough time has passed. */
  async #studyIfDue(
    frame: VideoFrame,
    rect: FaceBox,
    landmarks: Float32Array,
    target: Atlas,
    hands: readonly Hand[],
    { elapsedSeconds, isFresh, isStudied = false }: TrackMoment,
  ): Promise<void> {
    if (!this.#rhythm.isDue(target, this.#smallLayout, elapsedSeconds, isFresh, isStudied)) return;
    this.#shape.learn(landmarks);
    const moment = {
      timeSeconds: frame.timeSeconds,
      small: target,
      smallLayout: this.#smallLayout,
      isFirst: isFresh,
      isWanted: isStudied,
    };
    await this.#study.renew(frame, rect, landmarks, hands, moment);
    await breathe();
  }

  /** Returns the things in front of the face in this frame, valid until the next one. */
  #inFront(hands: readonly Hand[], frame: VideoFrame, rect: FaceBox, landmarks: Float32Array): InFront {
    const { occluded, occluders, beforeGlasses, studyLayout } = this.#study;
    const layout = this.#layout;
    const space = this.#frameSpace;
    const matte = handMatte(hands, frame, rect, landmarks, layout, studyLayout, space);
    const { side, triangles } = layout;
    const withHands = (plane: Float32Array): Occluders => {
      if (!matte) return { plane, side, triangles };
      const both = space.copyOf(plane);
      maxInPlace(both, matte);
      return { plane: both, side, triangles };
    };
    return {
      ofFace: matte ? withHands(occluded) : occluders,
      ofGlasses: beforeGlasses && withHands(beforeGlasses),
    };
  }

  /**
   * Follows the light of the target's skin and its expression.
   * @returns the light for the face, valid until the next frame
   */
  #lightFrame(target: Atlas, landmarks: Float32Array, { elapsedSeconds, isFresh }: TrackMoment): LitFrame {
    const { skin: trackSkin, toneOffsets, veil, colour } = this.#study;
    const skin = trackSkin.weigh(target.facing, isFresh ? 1 : EASE);
    this.#light.follow(target, skin, this.#restore, elapsedSeconds, isFresh);
    const ease = isFresh ? 1 : elapsedSeconds / (TONE_SECONDS + elapsedSeconds);
    const light = toneOffsets.addTo(this.#light, veil, ease);
    const facing = facingAtOutline(target.facing, this.#smallLayout, SILHOUETTE_FADE.to, this.#frameSpace);
    const moment = { landmarks, target, skin, light, veil, colour, elapsedSeconds, isFresh };
    return this.#expression.apply(moment, facing);
  }

  /**
   * Gives the source the target's current sharpness and smoothness, and its beard unless the target
   * keeps its own. @returns whether it changed
   */
  #sharpen(): boolean {
    const { sharpness, roughSkin, isBearded } = this.#study;
    const atlas = isBearded ? this.#shaven : (this.#bearded ?? this.#shaven);
    if (!sharpness.isDue && !roughSkin.isDue && atlas === this.#atlas) return false;
    this.#atlas = atlas;
    const luma = sharpness.sharpen(atlas.luma, this.#frameSpace);
    this.#texture.take(roughSkin.smooth({ ...atlas, luma }, this.#layout, this.#frameSpace));
    return true;
  }

  /** Writes the lit face into the texture, in the frame's colours. */
  #writeTexture(
    { colours }: FramePlanes,
    { side, light, facing }: LitFrame,
    { opacity, isFresh }: TrackMoment,
    isSharpened: boolean,
  ): void {
    const { colour, veil, occluded } = this.#study;
    const isWhole = isFresh || isSharpened || this.#light.hasJumped || opacity !== this.#opacity;
    this.#opacity = opacity;
    const ease = isFresh ? 1 : 2 * EASE;
    this.#texture.smooth(Math.max(0, this.#expression.surplus));
    this.#texture.write({ side, light, facing, colour, veil, colours, opacity, occluded, ease, isWhole });
  }

  /** Draws the texture over the mesh, then the glasses. @param landmarks the target's own mesh */
  #drawFace(
    planes: FramePlanes,
    landmarks: Float32Array,
    mesh: Float32Array,
    { ofFace, ofGlasses }: InFront,
    { grainSeed, opacity }: TrackMoment,
  ): void {
    const { side } = this.#layout;
    const { texels } = this.#texture;
    const { glasses, sharpness, veil, reach } = this.#study;
    const grain = { grain: sharpness.grain, grainShift: Math.imul(grainSeed, GRAIN_SHIFT_PX) };
    const [from, to] = [beardMesh(landmarks, reach), beardMesh(mesh, reach)];
    this.#composite.draw(planes, { side, texels, ...grain }, ofFace, from, to);
    if (glasses && ofGlasses)
      glasses.draw(planes, { mesh, landmarks, occluders: ofGlasses, veil, opacity, ...grain });
  }
}
