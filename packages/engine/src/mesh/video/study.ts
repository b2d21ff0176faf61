import type { Occluders } from '@guise/kernels/face/face-allowance.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { addEnlarged } from '@guise/kernels/face/relight.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { boxOfPoints } from '../../face/geometry/box.ts';
import { breathe } from '../../face/track/breathe.ts';
import type { FaceBox } from '../../face/geometry/face.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { MESH_VERTEX_COUNT } from '../../face/geometry/face.ts';
import type { VideoFrame } from '../../face/frame/video-frame.ts';
import { trianglesUnder } from '../draw/allowance.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, pixelTexels } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas, unwrapFace } from '../uv/atlas.ts';
import { keepSkin, unseenShare } from '../match/keep-unseen.ts';
import { relight } from '../match/compose.ts';
import { EASE, eased } from './ease.ts';
import type { Light } from '../skin/light.ts';
import { mixLight } from '../skin/light.ts';
import { mostGrain } from '../match/pixel-noise.ts';
import { measureTexture, textureMatch } from '../match/restore.ts';
import { beforeGlasses } from '../source/fit-glasses.ts';
import type { SourceFace } from '../source/source-face.ts';
import { hiddenBeard, readTargetFace, type TargetFace } from '../target/target-face.ts';
import { type BeardReach, beardReach } from '../shape/beard-mesh.ts';
import type { Beard } from '../source/worn-beard.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import { roughness, seenSkin } from '../skin/roughness.ts';
import { lightenedShare } from '../match/lightened-share.ts';
import { matchTone } from '../match/tone.ts';
import { TrackBeard } from './beard.ts';
import { TrackGlasses } from './glasses.ts';
import type { TrackIrises } from './irises.ts';
import { TrackOccluders } from './occluders.ts';
import { TrackRoughSkin, tooRoughShare } from './rough-skin.ts';
import { TrackSharpness } from './sharpness.ts';
import { TrackSkin } from './skin.ts';
import { ToneOffsets } from './tone-offsets.ts';
import type { Front, LookInFront } from '../front/front.ts';
import { type FaceMoment, TrackFront } from './front.ts';
import { addToAll } from '../skin/veil.ts';

/** Largest side of the atlas in which light and occluders are studied, texels. */
const MAX_STUDY_SIDE = 256;
/** Number of studies of which one reads every texel, to measure sharpness and grain. */
const FULL_STUDY_INTERVAL = 3;
/** Share of the face below which covered parts are ignored. */
const MIN_OCCLUDED_SHARE = 0.01;
/**
 * How strictly the target limits shades and shine, because shades and shine of a photo do not move
 * when the face turns, so that they look painted.
 */
const SHADE_BOUND = 1;
/** Reach below which a beard needs no hiding, as a share of the face's height. */
const MIN_REACH = 0.001;
/** Share of the way to the kept skin that each study moves. */
const KEPT_PACE = 0.5;

/** The source on a followed face, with the detail of its atlas strengthened. */
interface StudiedSource extends Pick<
  SourceFace,
  'atlas' | 'light' | 'gloss' | 'shown' | 'lost' | 'beard' | 'glasses' | 'hasDoubtfulEyes'
> {
  /** Share of the target's light, grain and sharpness to restore, 0..1. */
  readonly restoreVisibility: number;
}

/** Light of the target's face, and steps to add to it: planes of `COARSE_SIDE` squared. */
interface Lighting {
  readonly light: Light;
  readonly toneOffsets: readonly Float32Array[];
  readonly veil: number;
}

/**
 * Measures the slowly changing properties of a followed face from time to time (see `StudyRhythm`):
 * bare skin, steps of its light, occluders, sharpness, grain, the light of its irises. The
 * following frames move towards the results, so that nothing flickers.
 */
export class TrackStudy {
  readonly skin = new TrackSkin();
  readonly toneOffsets = new ToneOffsets();
  readonly sharpness: TrackSharpness;
  readonly roughSkin = new TrackRoughSkin();
  /**
   * Coverage by things in front, 0..1 in the atlas's size. `occluders` is the same for drawing, or
   * null if there are none.
   */
  readonly occluded: Float32Array;
  /** Things in front of the source's glasses: those, without the target's own skin that stays. */
  readonly beforeGlasses: Float32Array | null;
  /** The source's glasses; null if it has none. */
  readonly glasses: TrackGlasses | null;
  occluders: Occluders | null = null;
  /** How far beards reach beyond the mesh; null without any. */
  reach: BeardReach | null = null;
  /** Share of colour in the target: 0 is black and white, 1 is colour. */
  colour = 1;
  /** Luma that haze adds to the target, see `veilOf`. */
  veil = 0;
  /** Layout of the atlases that most studies read: the texture's own, or a smaller one. */
  readonly studyLayout: AtlasLayout;
  readonly #layout: AtlasLayout;
  readonly #source: StudiedSource;
  /** Source's atlas at `MAX_STUDY_SIDE`. */
  #small: Atlas | null = null;
  readonly #irises: TrackIrises;
  readonly #trackOccluders: TrackOccluders;
  readonly #front: TrackFront;
  /** Share of the target's own skin that stays, coarse. */
  readonly #kept = new Float32Array(COARSE_SIDE * COARSE_SIDE);
  readonly #beard: TrackBeard;
  /** How far the target's beard reaches that has to be hidden, see `hiddenBeard`. */
  readonly #hiddenBeard = new Float32Array(COARSE_SIDE * COARSE_SIDE);
  /** Number of studies since the scene's first one. */
  #count = 0;

  /**
   * @param irises whose light each whole study sets
   * @param look finds things in front
   * @param space for the results, which live as long as it
   */
  constructor(
    layout: AtlasLayout,
    source: StudiedSource,
    irises: TrackIrises,
    look: LookInFront,
    space: Workspace,
  ) {
    const { side } = source.atlas;
    this.#layout = layout;
    this.studyLayout = layout.at(Math.min(side, MAX_STUDY_SIDE));
    this.#source = source;
    this.#irises = irises;
    this.#beard = new TrackBeard(source.beard?.score ?? 0);
    this.#front = new TrackFront(look);
    this.#trackOccluders = new TrackOccluders(this.studyLayout);
    this.sharpness = new TrackSharpness(this.#layout, source.light);
    this.occluded = space.floats(side * side);
    this.glasses = source.glasses && new TrackGlasses(source.glasses, layout, space);
    this.beforeGlasses = this.glasses && space.floats(side * side);
  }

  /** Whether the target keeps its own beard. */
  get isBearded(): boolean {
    return this.#beard.isKept;
  }

  /**
   * Measures the properties anew.
   * @param rect as in `TrackSwapper.draw`
   * @param landmarks 478 x (x, y, z), pixels of `rect`
   * @param hands that may be in front of the face; each frame draws its own and forgets them
   */
  async renew(
    frame: VideoFrame,
    rect: FaceBox,
    landmarks: Float32Array,
    hands: readonly Hand[],
    moment: FaceMoment,
  ): Promise<void> {
    const { isFirst } = moment;
    this.#count = isFirst ? 0 : this.#count + 1;
    using space = new Workspace();
    const pyramid = new ImagePyramid(frame.reducedRegion(rect, 1, space), space);
    const front = await this.#front.at(moment, pyramid, landmarks);
    const lighting = await this.#studyLight(pyramid, landmarks, { front, hands }, isFirst, space);
    if (this.#count % FULL_STUDY_INTERVAL !== 0) return;
    await breathe();
    this.#studyTexture(pyramid, landmarks, lighting, isFirst);
  }

  /** Measures light, its steps, and occluders. `kept` is the workspace for the results. */
  async #studyLight(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    { front, hands }: { readonly front: Front; readonly hands: readonly Hand[] },
    isFirst: boolean,
    kept: Workspace,
  ): Promise<Lighting> {
    const { atlas, light: sourceLight, lost, restoreVisibility } = this.#source;
    const layout = this.studyLayout;
    const { side } = layout;
    using space = new Workspace();
    const keepsBeard = (score: number): boolean => this.#beard.follow(score, isFirst);
    const read = readTargetFace(layout, pyramid, landmarks, front, space, keepsBeard, hands);
    if (read.beard) maxInPlace(read.occluded, read.beard);
    this.skin.take(read, space);
    await breathe();
    if (lost) maxInPlace(read.occluded, enlargeSquare(lost, COARSE_SIDE, side / COARSE_SIDE));
    const hides = this.#trackOccluders.follow(read, isFirst, MIN_OCCLUDED_SHARE);
    if (this.beforeGlasses) {
      const before = beforeGlasses(this.#source.glasses!, read.occluded, front, layout, space);
      enlargeSquare(before, side, this.#layout.side / side, this.beforeGlasses);
    }
    const own = this.#followKept(read, isFirst, space);
    this.#followBeards(read, isFirst, space);
    const target = keepSkin(read, own, layout, space);
    enlargeSquare(target.occluded, side, this.#layout.side / side, this.occluded);
    const isWhole = !hides && own.every((share) => share <= MIN_OCCLUDED_SHARE);
    this.occluders = isWhole ? null : this.#occludersOf(target.occluded);
    this.colour = eased(this.colour, target.colour, isFirst);
    this.veil = eased(this.veil, target.veil, isFirst);
    const light = mixLight(target.broad, target.light, restoreVisibility, kept);
    const plain = layout === this.#layout ? atlas : (this.#small ??= shrinkAtlas(atlas, side));
    const lit = relight(plain, sourceLight, light, this.colour, layout, space);
    this.glasses?.study({ front, light: target.light, colour: this.colour }, isFirst);
    const lightened = lightenedShare(this.#source, target.light, layout.at(COARSE_SIDE));
    const toneOffsets = matchTone(
      lit,
      target,
      light,
      restoreVisibility,
      lightened,
      layout,
      kept,
      SHADE_BOUND,
    );
    this.toneOffsets.take(toneOffsets);
    return { light, toneOffsets, veil: target.veil };
  }

  /**
   * Measures sharpness, grain and the colour of the irises. One atlas is made after the other,
   * which needs less memory.
   */
  #studyTexture(
    pyramid: ImagePyramid,
    landmarks: Float32Array,
    { light, toneOffsets, veil }: Lighting,
    isFirst: boolean,
  ): void {
    const { atlas, light: sourceLight, restoreVisibility } = this.#source;
    const layout = this.#layout;
    using space = new Workspace();
    using kept = new Workspace();
    const face = unwrapFace(layout, pyramid, landmarks, space);
    const wanted = measureTexture(face.luma, face.facing, layout, kept);
    // The bands are not needed here.
    kept.release();
    const facing = kept.copyOf(face.facing);
    const seen = seenSkin(facing, this.occluded, layout);
    const wantedRoughness = seen && roughness(face.luma, seen, layout.side);
    space.release();
    const lit = relight(atlas, sourceLight, light, this.colour, layout, space);
    for (const [k, plane] of [lit.luma, lit.blue, lit.red].entries())
      addEnlarged(plane, toneOffsets[k]!, layout.oval, COARSE_SIDE, layout.side);
    addToAll(lit.luma, veil);
    this.#irises.relight(lit, isFirst ? 1 : EASE);
    if (restoreVisibility <= 0) return;
    const own = measureTexture(lit.luma, facing, layout, space);
    if (seen !== null && wantedRoughness !== null) {
      const share = tooRoughShare(roughness(lit.luma, seen, layout.side), wantedRoughness);
      this.roughSkin.take(restoreVisibility * share, isFirst);
    }
    const { left, top, right, bottom } = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    const facePixels = Math.max(right - left, bottom - top);
    const wide = pixelTexels(layout.side, facePixels);
    const match = textureMatch(own, wanted, restoreVisibility, {
      pixelTexels: wide,
      mostGrain: mostGrain(pyramid.image, landmarks, facePixels),
    });
    this.sharpness.take(match, light, isFirst);
  }

  /**
   * Follows the share of the target's skin that stays, because it changes a little as the face
   * turns.
   */
  #followKept(target: TargetFace, isFirst: boolean, make: PlaneMaker): Float32Array {
    const source = { ...this.#source, beard: this.#wornBeard };
    const kept = unseenShare(source, target, this.#layout.at(COARSE_SIDE), make);
    const pace = isFirst ? 1 : KEPT_PACE;
    for (let i = 0; i < kept.length; i++) kept[i] = this.#kept[i]! += pace * (kept[i]! - this.#kept[i]!);
    return kept;
  }

  /** Follows how far beards reach, so that a chin does not become longer at once. */
  #followBeards(target: TargetFace, isFirst: boolean, make: PlaneMaker): void {
    const found = hiddenBeard(target, make);
    const hidden = this.#hiddenBeard;
    for (let i = 0; i < hidden.length; i++) hidden[i] = eased(hidden[i]!, found ? found[i]! : 0, isFirst);
    const worn = this.#wornBeard;
    const isHiding = found !== null || hidden.some((reach) => reach > MIN_REACH);
    this.reach = beardReach(worn && worn.hides, isHiding ? hidden : null, this.#layout);
  }

  /** The source's beard, unless the target keeps its own. */
  get #wornBeard(): Beard | null {
    return this.isBearded ? null : this.#source.beard;
  }

  /** Packs `occluded` in the size of a study. `this.occluded` has the atlas's size. */
  #occludersOf(occluded: Float32Array): Occluders {
    const { side } = this.#layout;
    return { plane: this.occluded, side, triangles: trianglesUnder(occluded, this.studyLayout) };
  }
}
