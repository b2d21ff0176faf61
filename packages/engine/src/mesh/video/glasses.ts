import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import type { Occluders } from '@guise/kernels/face/face-allowance.ts';
import type { FramePlanes } from '@guise/kernels/frame-planes.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { trianglesUnder } from '../draw/allowance.ts';
import { shareBehindLenses } from '../front/covered-eyes.ts';
import type { Front } from '../front/front.ts';
import { angleBetween } from '../shape/glasses-mesh.ts';
import type { Light } from '../skin/light.ts';
import type { Glasses } from '../source/glasses.ts';
import { wholeGlasses } from '../source/whole-glasses.ts';
import {
  inLightOf,
  type LitTarget,
  OWN_GLASSES_SHARE,
  placeGlasses,
  rimTexels,
} from '../source/fit-glasses.ts';
import { type AtlasLayout, COARSE_SIDE } from '../uv/atlas-layout.ts';
import { TrackComposite } from './composite.ts';
import { EASE, eased } from './ease.ts';
import { storage } from './texture.ts';

/**
 * Angle between source and target, degrees. 0 at `from`: the glasses are invisible, since they
 * would look flat; 1 at `to`: they are drawn whole.
 */
const TURNED: Ramp = { from: 55, to: 40 };
/** Box radius around rims in which triangles are drawn, sides. */
const REACH_SIDES = 1 / 32;
/** Share by which each study changes whether the target wears glasses of its own. */
const STUDY_SHARE = 0.15;

/** What a study tells of the target. */
interface StudiedTarget extends LitTarget {
  readonly front: Front;
}

/** The moment to draw. */
interface GlassesMoment {
  /** Mesh of the swapped face, and the target's own. */
  readonly mesh: Float32Array;
  readonly landmarks: Float32Array;
  readonly occluders: Occluders;
  readonly veil: number;
  readonly opacity: number;
  readonly grain: number;
  readonly grainShift: number;
}

/** One part of the glasses, see `wholeGlasses`. */
interface Part {
  readonly glasses: Glasses;
  /** Texels around the rims, see `rimTexels`. */
  readonly near: Uint32Array;
  readonly texels: Float32Array;
  readonly composite: TrackComposite;
}

/** Draws a source's glasses over a followed face that has none of its own. */
export class TrackGlasses {
  readonly #layout: AtlasLayout;
  readonly #parts: readonly Part[];
  readonly #light: Light = { luma: coarse(), blue: coarse(), red: coarse() };
  #colour = 1;
  #ownShare = 0;
  /** Opacity and light that the textures have now. */
  #shown = 0;
  #isLit = false;

  /** @param space for the textures, which live as long as it */
  constructor(glasses: Glasses, layout: AtlasLayout, space: Workspace) {
    const { side } = layout;
    this.#layout = layout;
    this.#parts = wholeGlasses(glasses, layout).map((part) => {
      const reached = part.rims.slice();
      boxBlur(reached, side, side, boxRadius(REACH_SIDES * side), 1);
      const triangles = trianglesUnder(reached, layout).slice();
      const isMouth = new Uint8Array(triangles.length / 3);
      const composite = new TrackComposite({ ...layout, triangles, isMouth });
      return {
        glasses: part,
        near: rimTexels(part, space),
        texels: space.floats(side * side * 4),
        composite,
      };
    });
  }

  /** Follows the target's light, and whether it has glasses of its own. */
  study({ front, light, colour }: StudiedTarget, isFirst: boolean): void {
    using space = new Workspace();
    const own = shareBehindLenses(front, this.#layout.at(COARSE_SIDE), space);
    this.#ownShare = isFirst ? own : this.#ownShare + STUDY_SHARE * (own - this.#ownShare);
    for (const name of ['luma', 'blue', 'red'] as const)
      for (let i = 0; i < light[name].length; i++)
        this.#light[name][i]! += (isFirst ? 1 : EASE) * (light[name][i]! - this.#light[name][i]!);
    this.#colour = eased(this.#colour, colour, isFirst);
    this.#isLit = false;
  }

  /** Draws the glasses into a part of a frame. */
  draw(planes: FramePlanes, moment: GlassesMoment): void {
    if (this.#ownShare >= OWN_GLASSES_SHARE) return;
    const { mesh, landmarks, occluders, opacity, grain, grainShift } = moment;
    const shown = opacity * ramp(TURNED, angleBetween(this.#parts[0]!.glasses.landmarks, landmarks));
    if (shown === 0) return;
    if (!this.#isLit) this.#paint(planes, moment.veil);
    if (shown !== this.#shown) this.#show(shown);
    const { side } = this.#layout;
    for (const { glasses, texels, composite } of this.#parts) {
      const placed = placeGlasses(glasses, mesh, this.#layout);
      composite.draw(planes, { side, texels, grain, grainShift }, occluders, placed, placed);
    }
  }

  /** Writes the opacity of the textures. */
  #show(share: number): void {
    this.#shown = share;
    for (const { glasses, near, texels } of this.#parts)
      for (let k = 0; k < near.length; k++) texels[2 * near[k]! + 1] = share * glasses.rims[near[k]!]!;
  }

  /** Writes the colours of the textures, in the frame's colours. */
  #paint({ colours }: FramePlanes, veil: number): void {
    using space = new Workspace();
    const { lumaGain, offset, mixed } = storage(colours, veil);
    const [yb, yr, bb, br, rb, rr] = mixed as [number, number, number, number, number, number];
    const target = { light: this.#light, colour: this.#colour };
    for (const { glasses, near, texels } of this.#parts) {
      const lit = inLightOf(glasses, near, target, this.#layout, space);
      const count = lit.luma.length;
      for (let k = 0; k < near.length; k++) {
        const i = near[k]!;
        const [luma, blue, red] = [lit.luma[i]!, lit.blue[i]!, lit.red[i]!];
        texels[2 * i] = offset[0] + lumaGain * luma + yb * blue + yr * red;
        texels[2 * (count + i)] = offset[1] + bb * blue + br * red;
        texels[2 * (count + i) + 1] = offset[2] + rb * blue + rr * red;
      }
    }
    this.#isLit = true;
  }
}

function coarse(): Float32Array {
  return new Float32Array(COARSE_SIDE ** 2);
}
