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
import { texelsWhere } from '../uv/texel.ts';

/**
 * Opacity of invisible texels next to visible ones, which makes them get a colour. Colours are
 * interpolated between texels, and a texel without a colour is black, or green if a frame stores
 * its colour differences around 128.
 */
const BESIDE_OPACITY = 1e-6;

/** Share of fine lines to remove below which a texel keeps them all. */
const MIN_CREASE = 0.02;
/** Change of the removed share of lines from which it is applied. */
const MIN_LINE_CHANGE = 0.02;

/** Values that the texture needs for a frame. */
export interface TextureMoment {
  /** Side of the planes of light and facing. */
  readonly side: number;
  readonly light: Light;
  /** Facing of the target's surface, in the light's size. */
  readonly facing: Float32Array;
  /** Share of colour in the target: 0 is black and white, 1 is colour. */
  readonly colour: number;
  /** Luma that haze adds to the target. `light` excludes it. */
  readonly veil: number;
  /** Colours of the frame, which are constant throughout a clip, unless `isWhole`. */
  readonly colours: PlaneColours;
  readonly opacity: number;
  /**
   * Current coverage by occluders, 0..1, in the atlas's size. The texture approaches it by `ease`
   * (0..1).
   */
  readonly occluded: Float32Array;
  readonly ease: number;
  /**
   * Whether every texel is written. Otherwise every second band of 16 rows is written, in turns:
   * light changes slowly, and this halves the work.
   */
  readonly isWhole: boolean;
}

/**
 * Relights the same source repeatedly, as `relight` does. Everything that is independent of the
 * target's light is computed once. The texture that `TrackComposite` draws is written for visible
 * texels only.
 */
export class TrackTexture {
  /** Texels for drawing, see `FaceTexels`. Their colours are the frame's. */
  readonly texels: Float32Array;
  readonly #source: TextureSource;
  readonly #from: Light;
  readonly #occluded: Float32Array;
  #turn: 0 | 1 = 0;

  readonly #creases: Float32Array;
  /** Texels on lines of folds, the step that removes each line, and the share removed so far. */
  #lines: { texels: Uint32Array; steps: Float32Array; share: number } = {
    texels: new Uint32Array(0),
    steps: new Float32Array(0),
    share: 0,
  };

  /**
   * @param creases share of its fine lines that each texel may lose, 0..1, coarse
   * @param space for the source's planes, which live as long as the texture
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

  /** Computes what depends only on layout and light. */
  #lookAt(layout: AtlasLayout): void {
    using space = new Workspace();
    fillMask(layout, this.#source, space);
    fillPerLight(this.#enlarged(this.#from.luma, space), this.#source);
  }

  /** Sets the source, sharpened as the following frames need it. */
  take({ luma, blue, red }: Atlas): void {
    using space = new Workspace();
    const fromLuma = this.#enlarged(this.#from.luma, space);
    fillSteps(luma, fromLuma, this.#source);
    this.#lines = { ...this.#linesOf(luma, space), share: 0 };
    fillOwn(luma, fromLuma, blue, this.#enlarged(this.#from.blue, space), this.#source, this.#source.ownBlue);
    fillOwn(luma, fromLuma, red, this.#enlarged(this.#from.red, space), this.#source, this.#source.ownRed);
  }

  /**
   * Removes this share (0..1) of the lines of folds, because a line without shade looks like a
   * scratch.
   */
  smooth(share: number): void {
    const { texels, steps, share: before } = this.#lines;
    if (Math.abs(share - before) < MIN_LINE_CHANGE) return;
    for (let k = 0; k < texels.length; k++) this.#source.steps[texels[k]!]! -= (share - before) * steps[k]!;
    this.#lines.share = share;
  }

  /** Measures the fine detail of a source's luma on the lines of its folds. */
  #linesOf(luma: Float32Array, space: Workspace): { texels: Uint32Array; steps: Float32Array } {
    const { side, mask } = this.#source;
    const creases = this.#enlarged(this.#creases, space);
    const coarse = shrinkSquare(luma, side, COARSE_SIDE, space.uninitialised(COARSE_SIDE * COARSE_SIDE));
    const smooth = this.#enlarged(coarse, space);
    const texels = texelsWhere(mask.length, (i) => mask[i]! > 0 && creases[i]! > MIN_CREASE);
    return { texels, steps: Float32Array.from(texels, (i) => creases[i]! * (luma[i]! - smooth[i]!)) };
  }

  /**
   * Enlarges a coarse plane to the texture's size. The result is needed rarely, so it is not
   * stored.
   */
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

/** Writes the mask, and for each row the range of columns in which the mask is above 0. */
function fillMask(
  { opacity, softEyes, side }: RegionMasks,
  { mask, from, to }: TextureSource,
  space: Workspace,
): void {
  // The target's own eyes stay, because the eyes of a still source cannot move or blink.
  for (let i = 0; i < mask.length; i++) mask[i] = opacity[i]! * (1 - Math.min(1, 1.15 * softEyes[i]!));
  const shown = space.copyOf(mask);
  // The row has one more column on either side.
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

/** Sums each column of a row and the rows above and below into `out`, from its second value on. */
function sumRows(plane: Float32Array, side: number, y: number, out: Float32Array): void {
  const at = y * side;
  const above = y > 0 ? at - side : at;
  const below = y < side - 1 ? at + side : at;
  for (let x = 0; x < side; x++) out[x + 1] = plane[above + x]! + plane[at + x]! + plane[below + x]!;
}

/** Marks invisible texels next to visible ones. */
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

/** Computes one plane of the colour differences that exceed those of the shaded light. */
function fillOwn(
  luma: Float32Array,
  fromLuma: Float32Array,
  colour: Float32Array,
  fromColour: Float32Array,
  { side, from, to, features }: TextureSource,
  own: Float32Array,
): void {
  const { leastChroma, mostChroma } = RELIGHTING;
  for (let y = 0; y < side; y++) {
    const end = y * side + to[y]!;
    for (let i = y * side + from[y]!; i < end; i++) {
      const ratio = luma[i]! / (fromLuma[i]! + 1);
      const shade = ratio < leastChroma ? leastChroma : ratio > mostChroma ? mostChroma : ratio;
      own[i] = bounded(colour[i]! - fromColour[i]! * shade, features[i]);
    }
  }
}

/**
 * Computes how an atlas's luma and colour differences become a frame's planes, with the veil added.
 * Grey has no colour differences in either, so `mixed` (luma, blue, red; each for blue, then for
 * red) holds only what the atlas's differences add.
 */
export function storage(
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
