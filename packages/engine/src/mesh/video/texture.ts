import type { PlaneColours } from '@guise/kernels/frame-planes.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import {
  relightTexture,
  type TextureNumbers,
  type TextureSource,
} from '@guise/kernels/face/relight-texture.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { SILHOUETTE_FADE } from '../draw/silhouette-fade.ts';
import { bounded, RELIGHTING } from '../match/compose.ts';
import type { Light } from '../skin/light.ts';

/**
 * Opacity of texels beside those that are seen. Colours are read between texels: one that was never
 * written is black, and green where a frame stores its differences around 128.
 */
const BESIDE_OPACITY = 1e-6;

/** Share of its fine lines below which a texel has none to lose. */
const MIN_CREASE = 0.02;
/** Change of the share of lines that are taken off below which they stay as they are. */
const MIN_LINE_CHANGE = 0.02;

/** What a frame asks of the texture. */
export interface TextureMoment {
  /** Side of the light's and the facing's planes. */
  readonly side: number;
  readonly light: Light;
  /** How much the target's surface looks at the camera, of the light's size. */
  readonly facing: Float32Array;
  /** 0: black-and-white target, 1: colour. */
  readonly colour: number;
  /** Luma that lies over all of it; `light` is without it. */
  readonly veil: number;
  /** How the frame stores colours; the same throughout a clip, or `isWhole`. */
  readonly colours: PlaneColours;
  readonly opacity: number;
  /** Where occluders are now, 0..1, in the atlas's size; followed by `ease` (0..1). */
  readonly occluded: Float32Array;
  readonly ease: number;
  /**
   * Every texel now; else every other band of 16 rows, in turns: light moves slowly, and half the
   * work is saved.
   */
  readonly isWhole: boolean;
}

/**
 * `relight` for the same source again and again: all that does not depend on the target's light is
 * computed once, and the result is written as the texture that `TrackComposite` draws, for the
 * visible texels only.
 */
export class TrackTexture {
  /** Texels for drawing, see `FaceTexels`; colours as the frame stores them. */
  readonly texels: Float32Array;
  readonly #source: TextureSource;
  readonly #from: Light;
  readonly #occluded: Float32Array;
  #turn: 0 | 1 = 0;

  readonly #creases: Float32Array;
  /** Texels on the lines of folds, what each step loses without them, and the share it has lost. */
  #lines: { texels: Uint32Array; steps: Float32Array; share: number } = {
    texels: new Uint32Array(0),
    steps: new Float32Array(0),
    share: 0,
  };

  /**
   * @param creases how much of its fine lines each texel may lose, 0..1, coarse
   * @param space for what is drawn from; the texture lasts as long as it
   */
  constructor(layout: AtlasLayout, light: Light, creases: Float32Array, space: Workspace) {
    const { side } = layout;
    this.#creases = creases;
    this.texels = space.floats(side * side * 4);
    this.#occluded = space.floats(side * side);
    this.#from = light;
    const plane = (): Float32Array => space.floats(side * side);
    this.#source = {
      side,
      from: new Uint16Array(side),
      to: new Uint16Array(side),
      mask: plane(),
      features: layout.features,
      steps: plane(),
      perLight: plane(),
      ownBlue: plane(),
      ownRed: plane(),
    };
    this.#lookAt(layout);
  }

  /** Fills what depends on layout and light alone. */
  #lookAt(layout: AtlasLayout): void {
    using space = new Workspace();
    fillMask(layout, this.#source, space);
    fillPerLight(this.#enlarged(this.#from.luma, space), this.#source);
  }

  /** Takes the source, as sharp as it is to be from now on. */
  take({ luma, blue, red }: Atlas): void {
    using space = new Workspace();
    const fromLuma = this.#enlarged(this.#from.luma, space);
    fillSteps(luma, fromLuma, this.#source);
    this.#lines = { ...this.#linesOf(luma, space), share: 0 };
    fillOwn(luma, fromLuma, blue, this.#enlarged(this.#from.blue, space), this.#source, this.#source.ownBlue);
    fillOwn(luma, fromLuma, red, this.#enlarged(this.#from.red, space), this.#source, this.#source.ownRed);
  }

  /**
   * Takes so much (0..1) of the lines of folds off: without its shade, a line is a scratch.
   */
  smooth(share: number): void {
    const { texels, steps, share: before } = this.#lines;
    if (Math.abs(share - before) < MIN_LINE_CHANGE) return;
    for (let k = 0; k < texels.length; k++) this.#source.steps[texels[k]!]! -= (share - before) * steps[k]!;
    this.#lines.share = share;
  }

  /** Measures the fine detail of a source's luma where its folds have lines. */
  #linesOf(luma: Float32Array, space: Workspace): { texels: Uint32Array; steps: Float32Array } {
    const { side, mask } = this.#source;
    const creases = this.#enlarged(this.#creases, space);
    const coarse = shrinkSquare(luma, side, COARSE_SIDE, space.uninitialised(COARSE_SIDE * COARSE_SIDE));
    const smooth = this.#enlarged(coarse, space);
    const texels = Uint32Array.from(mask.keys()).filter((i) => mask[i]! > 0 && creases[i]! > MIN_CREASE);
    return { texels, steps: Float32Array.from(texels, (i) => creases[i]! * (luma[i]! - smooth[i]!)) };
  }

  /** Enlarges a coarse plane to the texture's size; seldom needed, so not kept. */
  #enlarged(plane: Float32Array, space: Workspace): Float32Array {
    const { side } = this.#source;
    return enlargeSquare(plane, COARSE_SIDE, side / COARSE_SIDE, space.uninitialised(side * side));
  }

  write({
    side,
    light,
    facing,
    colour,
    veil,
    colours,
    opacity,
    occluded,
    ease,
    isWhole,
  }: TextureMoment): void {
    this.#turn = this.#turn === 0 ? 1 : 0;
    relightTexture(
      this.#source,
      { side, light, facing },
      {
        ...storage(colours, veil),
        opacity,
        colour,
        ease,
        silhouette: SILHOUETTE_FADE.from,
        inner: SILHOUETTE_FADE.to,
        skippedBands: isWhole ? null : this.#turn,
      },
      RELIGHTING,
      this.#occluded,
      occluded,
      this.texels,
    );
  }
}

/** The mask, and the part of each row that it is above 0 in. */
function fillMask(
  { opacity, softEyes, side }: RegionMasks,
  { mask, from, to }: TextureSource,
  space: Workspace,
): void {
  // The eyes are the target's own, whose gaze and blinks a still source has not.
  for (let i = 0; i < mask.length; i++) mask[i] = opacity[i]! * (1 - Math.min(1, 1.15 * softEyes[i]!));
  const shown = space.copyOf(mask);
  // One column more on either side.
  const near = space.floats(side + 2);
  for (let y = 0; y < side; y++) {
    sumRows(shown, side, y, near);
    markRow(near, y * side, side, mask);
    let first = 0;
    let end = side;
    while (first < side && mask[y * side + first] === 0) first += 1;
    while (end > first && mask[y * side + end - 1] === 0) end -= 1;
    from[y] = first & ~3;
    to[y] = end > first ? end : 0;
  }
}

/** Sums a row and those above and below, from the second value of `out` on. */
function sumRows(plane: Float32Array, side: number, y: number, out: Float32Array): void {
  const at = y * side;
  const above = y > 0 ? at - side : at;
  const below = y < side - 1 ? at + side : at;
  for (let x = 0; x < side; x++) out[x + 1] = plane[above + x]! + plane[at + x]! + plane[below + x]!;
}

/** Texels that are not seen themselves, beside some that are. */
function markRow(near: Float32Array, at: number, side: number, mask: Float32Array): void {
  for (let x = 0; x < side; x++)
    if (mask[at + x] === 0 && near[x]! + near[x + 1]! + near[x + 2]! > 0) mask[at + x] = BESIDE_OPACITY;
}

function fillPerLight(fromLuma: Float32Array, { side, from, to, perLight }: TextureSource): void {
  for (let y = 0; y < side; y++) {
    const end = y * side + to[y]!;
    for (let i = y * side + from[y]!; i < end; i++) perLight[i] = 1 / (fromLuma[i]! + RELIGHTING.darkFloor);
  }
}

function fillSteps(
  luma: Float32Array,
  fromLuma: Float32Array,
  { side, from, to, steps }: TextureSource,
): void {
  for (let y = 0; y < side; y++) {
    const end = y * side + to[y]!;
    for (let i = y * side + from[y]!; i < end; i++) steps[i] = luma[i]! - fromLuma[i]!;
  }
}

/** One plane of colour differences beyond the shaded light's. */
function fillOwn(
  luma: Float32Array,
  fromLuma: Float32Array,
  colour: Float32Array,
  fromColour: Float32Array,
  { side, from, to }: TextureSource,
  own: Float32Array,
): void {
  const { leastChroma, mostChroma } = RELIGHTING;
  for (let y = 0; y < side; y++) {
    const end = y * side + to[y]!;
    for (let i = y * side + from[y]!; i < end; i++) {
      const ratio = luma[i]! / (fromLuma[i]! + 1);
      const shade = ratio < leastChroma ? leastChroma : ratio > mostChroma ? mostChroma : ratio;
      own[i] = bounded(colour[i]! - fromColour[i]! * shade);
    }
  }
}

/**
 * The way from an atlas's luma and colour differences to a frame's planes. Grey has no differences
 * in either, so `mixed` (luma, blue, red; of blue, of red) is only what the atlas's differences
 * add. The veil is added.
 */
function storage(
  { offset: [lumaOffset, blueOffset, redOffset], weights }: PlaneColours,
  veil: number,
): Pick<TextureNumbers, 'lumaGain' | 'offset' | 'mixed'> {
  const [r, g, b] = weights as [number, number, number];
  const mixed = [0, 3, 6].flatMap((at) => [
    weights[at + 2]! / 0.564 - (weights[at + 1]! * 0.114) / (0.587 * 0.564),
    weights[at]! / 0.713 - (weights[at + 1]! * 0.299) / (0.587 * 0.713),
  ]);
  const lumaGain = r + g + b;
  return { lumaGain, offset: [lumaOffset + lumaGain * veil, blueOffset, redOffset], mixed };
}
