import { boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { enlargeSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { boundedStep, COLOUR_SHARE, creaseShare, shavenShare, softened } from '../match/expression-bounds.ts';
import { smileSurplus } from '../match/expression-relief.ts';
import { expressionZones } from '../match/expression-zones.ts';
import { smileOf } from '../shape/smile.ts';
import type { Light } from '../skin/light.ts';
import type { SourceFace } from '../source/source-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { shrinkAtlas } from '../uv/atlas.ts';
import { TRACK_SIDE } from './light.ts';
import { texelsWhere } from '../uv/texel.ts';

/** Time constant by which expression is smoothed, because landmarks and relief flicker. */
const EXPRESSION_SECONDS = 0.15;
/** Factor from the small atlas to the planes in which folds are measured. */
const ENLARGEMENT = COARSE_SIDE / TRACK_SIDE;
/** Box radius of the blur that separates light from relief, texels of the small atlas. */
const LIGHT_RADIUS_TEXELS = boxRadius(TRACK_SIDE / 10);
/**
 * Certainty of the target's skin. 0 at `from`: its relief is ignored; 1 at `to`: it counts fully.
 */
const SURE_SKIN: Ramp = { from: 0.1, to: 0.4 };
/** Smallest weight in the zones with which a texel belongs to the expression. */
const MIN_WEIGHT = 0.01;
/** Surplus of a smile below which the face's folds stay unchanged. */
const MIN_SURPLUS = 0.004;
/** Smallest luma of a light by which relief is divided. */
const MIN_LUMA = 8;

/** Light of a face, in planes of `side` squared. */
export interface LitFrame {
  readonly side: number;
  readonly light: Light;
  readonly facing: Float32Array;
}

/** Properties of the target in one frame, in planes of `TRACK_SIDE` squared. */
export interface ExpressionMoment {
  /** Landmarks, 468 or 478 x (x, y, z). */
  readonly landmarks: Float32Array;
  readonly target: Atlas;
  /** Certainty that each texel is bare skin, 0..1. */
  readonly skin: Float32Array;
  /** Light for the source, without the `veil`. */
  readonly light: Light;
  readonly veil: number;
  /** Share of colour in the target: 0 is black and white, 1 is colour. */
  readonly colour: number;
  readonly elapsedSeconds: number;
  /** Whether to ignore earlier frames. */
  readonly isFresh: boolean;
}

/**
 * Changes the folds of a smile on a followed face, as `matchExpression` does in a photo: brightens
 * them while the target smiles less than the source, and darkens them while it smiles more. The
 * folds follow the target's landmarks and relief from frame to frame, as offsets of the light.
 */
export class TrackExpression {
  /** Share of the source's fine lines that each texel may lose, 0..1, coarse. */
  readonly creases: Float32Array;
  readonly #smile: number;
  readonly #share: number;
  readonly #source: Light;
  /** Relief of the source's folds at each texel, as shares of its light and levels of colour. */
  readonly #relief: { readonly luma: Float32Array; readonly blue: Float32Array; readonly red: Float32Array };
  readonly #texels: Uint32Array;
  readonly #weights: Float32Array;
  /** Smoothed relief of the target, as shares of its light; `TRACK_SIDE` squared. */
  readonly #followed = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly #now = new Float32Array(TRACK_SIDE * TRACK_SIDE);
  readonly #skin = coarsePlane();
  readonly #target = coarsePlane();
  readonly #lit: LitFrame;
  #surplus = 0;
  #isFollowing = false;

  /** @param share 0..1: how much of the target's local light is used */
  constructor(source: Pick<SourceFace, 'atlas' | 'light' | 'landmarks'>, layout: AtlasLayout, share: number) {
    using space = new Workspace();
    const { light } = source;
    const small = shrinkAtlas(source.atlas, COARSE_SIDE, space);
    const { mouth, cheeks } = expressionZones(layout.at(COARSE_SIDE));
    const shaven = shavenShare(small.luma, light.luma, layout);
    const weights = mouth.map((value, i) => Math.max(shaven * value, cheeks[i]!));
    const texels = texelsWhere(weights.length, (i) => weights[i]! > MIN_WEIGHT);
    this.#smile = smileOf(source.landmarks);
    this.#share = share;
    this.#source = light;
    this.#texels = texels;
    this.#weights = Float32Array.from(texels, (i) => weights[i]!);
    this.#relief = {
      luma: Float32Array.from(texels, (i) => small.luma[i]! / Math.max(MIN_LUMA, light.luma[i]!) - 1),
      blue: Float32Array.from(texels, (i) => softened(small.blue[i]! - light.blue[i]!)),
      red: Float32Array.from(texels, (i) => softened(small.red[i]! - light.red[i]!)),
    };
    this.creases = coarsePlane();
    for (const [k, i] of texels.entries())
      this.creases[i] = this.#weights[k]! * creaseShare(-this.#weights[k]! * this.#relief.luma[k]!);
    this.#lit = {
      side: COARSE_SIDE,
      light: { luma: coarsePlane(), blue: coarsePlane(), red: coarsePlane() },
      facing: coarsePlane(),
    };
  }

  /** Smoothed difference between the source's smile and the target's, -1 to 1. */
  get surplus(): number {
    return this.#surplus;
  }

  /**
   * Adds the folds to the light of a frame. Call this method once per frame. While both smiles are
   * alike, it returns its arguments; otherwise it returns larger planes, which the next call
   * overwrites.
   */
  apply(moment: ExpressionMoment, facing: Float32Array): LitFrame {
    const { light, landmarks, elapsedSeconds, isFresh } = moment;
    const pace = isFresh ? 1 : elapsedSeconds / (EXPRESSION_SECONDS + elapsedSeconds);
    const surplus = this.#share * smileSurplus(this.#smile, smileOf(landmarks));
    this.#surplus += pace * (surplus - this.#surplus);
    const isFollowing = this.#isFollowing && !isFresh;
    this.#isFollowing = Math.abs(this.#surplus) >= MIN_SURPLUS;
    if (!this.#isFollowing) return { side: TRACK_SIDE, light, facing };
    this.#followRelief(moment, isFollowing ? pace : 1);
    const lit = this.#lit;
    for (const [from, to] of [
      [light.luma, lit.light.luma],
      [light.blue, lit.light.blue],
      [light.red, lit.light.red],
      [facing, lit.facing],
      [moment.skin, this.#skin],
      [this.#followed, this.#target],
    ] as const)
      enlargeSquare(from, TRACK_SIDE, ENLARGEMENT, to);
    this.#addSteps(moment.colour);
    return lit;
  }

  /** Smooths the relief of the target's skin over time, without its light. */
  #followRelief({ target, skin, light, veil }: ExpressionMoment, pace: number): void {
    const now = this.#now;
    for (let i = 0; i < now.length; i++)
      now[i] = (target.luma[i]! - veil) / Math.max(MIN_LUMA, light.luma[i]!);
    const relief = this.#followed;
    this.#target.set(now);
    const broad = this.#target.subarray(0, now.length);
    normalisedBlur([broad], skin, TRACK_SIDE, TRACK_SIDE, LIGHT_RADIUS_TEXELS);
    for (let i = 0; i < now.length; i++) relief[i]! += pace * (now[i]! - broad[i]! - relief[i]!);
  }

  /** Adds the steps from the source's folds to the target's to the enlarged light. */
  #addSteps(colour: number): void {
    const { luma, blue, red } = this.#lit.light;
    const surplus = this.#surplus;
    const from = this.#source.luma;
    const own = this.#relief;
    for (let k = 0; k < this.#texels.length; k++) {
      const i = this.#texels[k]!;
      const base = Math.max(MIN_LUMA, luma[i]!);
      // Texels darker than the source's light keep their ratio to it, except on lighter skin.
      const gain = Math.min(1, from[i]! / base);
      const drawn = gain * own.luma[k]!;
      const step = this.#target[i]! - drawn;
      if (step === 0) continue;
      const weight = Math.abs(surplus) * this.#weights[k]! * ramp(SURE_SKIN, this.#skin[i]!);
      const share = weight * boundedStep(step, -drawn, 1, surplus);
      luma[i]! += gain < 1 ? share * base : (share * base) / Math.max(0.5, 1 + drawn);
      const gone =
        surplus > 0 && drawn !== 0 ? colour * COLOUR_SHARE * Math.min(1, Math.abs(share / drawn)) : 0;
      blue[i]! -= gone * own.blue[k]!;
      red[i]! -= gone * own.red[k]!;
    }
  }
}

function coarsePlane(): Float32Array {
  return new Float32Array(COARSE_SIDE * COARSE_SIDE);
}
