import type { PlaneColours } from '@guise/kernels/frame-planes.ts';
import { enlargeSquare } from '@guise/kernels/plane-scale.ts';
import type { Workspace } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';
import type { Atlas } from './atlas.ts';
import {
  bounded,
  BRIGHTENING_SHARE,
  DARK_FLOOR,
  DARKENING_SHARE,
  FEATURE_KNEE,
  LEAST_CHROMA,
  MOST_CHROMA,
  SHOULDER,
  SKIN_KNEE,
} from './compose.ts';
import type { Light } from './light.ts';
import { TRACK_LIGHT_SIDE } from './track-light.ts';

/** Facing of the target's surface between which the swapped face fades in, as for stills. */
const SILHOUETTE = 0.03;
const INNER = 0.14;

/** Bands of 16 rows. */
const BAND_BITS = 4;

/** What a frame asks of the texture. */
export interface TextureMoment {
  /** Planes of `TRACK_LIGHT_SIDE` squared. */
  readonly light: Light;
  /** How much the target's surface looks at the camera, of the same size. */
  readonly facing: Float32Array;
  /** 0: black-and-white target, 1: colour. */
  readonly colour: number;
  /** How the frame stores colours; the same throughout a clip, or `isWhole`. */
  readonly colours: PlaneColours;
  readonly opacity: number;
  /** Where occluders are now, 0..1, in the atlas's size; followed by `ease` (0..1). */
  readonly occluded: Float32Array;
  readonly ease: number;
  /** Every texel now; else every other band, in turns: light moves slowly, and half the work is saved. */
  readonly isWhole: boolean;
}

/**
 * `relight` for the same source again and again: all that does not depend on the target's light is computed once, and the
 * result is written as the texture that `TrackComposite` draws, for the visible texels only.
 */
export class TrackTexture {
  /** `side * side * 4`: luma, blue and red difference as the frame stores them, opacity 0..1. */
  readonly texels: Float32Array;
  readonly #layout: AtlasLayout;
  /** Opacity of the swapped face: the eyes are the target's own, whose gaze and blinks a still source has not. */
  readonly #mask: Float32Array;
  /** First and behind-last visible column of each row. */
  readonly #from: Uint16Array;
  readonly #to: Uint16Array;
  readonly #fromLuma: Float32Array;
  readonly #fromBlue: Float32Array;
  readonly #fromRed: Float32Array;
  readonly #perFrom: Float32Array;
  readonly #knee: Float32Array;
  readonly #step: Float32Array;
  readonly #ownBlue: Float32Array;
  readonly #ownRed: Float32Array;
  readonly #occluded: Float32Array;
  #turn = 0;
  readonly #rows = [0, 1, 2, 3].map(() => new Float32Array(TRACK_LIGHT_SIDE));

  /** @param space for what is drawn from; the texture lasts as long as it */
  constructor(layout: AtlasLayout, light: Light, space: Workspace) {
    const { side } = layout;
    this.#layout = layout;
    this.texels = space.floats(side * side * 4);
    this.#mask = layout.opacity.map((value, i) => value * (1 - Math.min(1, 1.15 * layout.softEyes[i]!)));
    this.#from = new Uint16Array(side);
    this.#to = new Uint16Array(side);
    for (let y = 0; y < side; y++) {
      const row = this.#mask.subarray(y * side, (y + 1) * side);
      const first = row.findIndex((value) => value > 0);
      if (first < 0) continue;
      this.#from[y] = first;
      this.#to[y] = row.findLastIndex((value) => value > 0) + 1;
    }
    const factor = side / LIGHT_SIDE;
    this.#fromLuma = enlargeSquare(light.luma, LIGHT_SIDE, factor);
    this.#fromBlue = enlargeSquare(light.blue, LIGHT_SIDE, factor);
    this.#fromRed = enlargeSquare(light.red, LIGHT_SIDE, factor);
    this.#perFrom = this.#fromLuma.map((value) => 1 / (value + DARK_FLOOR));
    this.#knee = layout.features.map((value) => SKIN_KNEE + (FEATURE_KNEE - SKIN_KNEE) * value);
    this.#step = new Float32Array(side * side);
    this.#ownBlue = new Float32Array(side * side);
    this.#ownRed = new Float32Array(side * side);
    this.#occluded = new Float32Array(side * side);
  }

  /** Takes the source, as sharp as it is to be from now on. */
  take({ luma, blue, red }: Atlas): void {
    for (let i = 0; i < luma.length; i++) {
      this.#step[i] = luma[i]! - this.#fromLuma[i]!;
      const ratio = luma[i]! / (this.#fromLuma[i]! + 1);
      const shade = ratio < LEAST_CHROMA ? LEAST_CHROMA : ratio > MOST_CHROMA ? MOST_CHROMA : ratio;
      this.#ownBlue[i] = bounded(blue[i]! - this.#fromBlue[i]! * shade);
      this.#ownRed[i] = bounded(red[i]! - this.#fromRed[i]! * shade);
    }
  }

  write(moment: TextureMoment): void {
    const { light, facing, colour, colours, opacity, occluded: wanted, ease, isWhole } = moment;
    this.#turn ^= 1;
    const { side, features } = this.#layout;
    const mask = this.#mask;
    const texels = this.texels;
    const { lumaGain, lumaOffset, mixed } = storage(colours);
    const [yb, yr, bb, br, rb, rr] = mixed as [number, number, number, number, number, number];
    const [, blueOffset, redOffset] = colours.offset;
    const steps = this.#step;
    const knees = this.#knee;
    const perFrom = this.#perFrom;
    const ownBlue = this.#ownBlue;
    const ownRed = this.#ownRed;
    const occluded = this.#occluded;
    const [lumaRow, blueRow, redRow, facingRow] = this.#rows as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const factor = side / TRACK_LIGHT_SIDE;
    const perFactor = 1 / factor;
    const lastCell = TRACK_LIGHT_SIDE - 2;
    for (let y = 0; y < side; y++) {
      const end = this.#to[y]!;
      if (end === 0 || (!isWhole && ((y >> BAND_BITS) & 1) === this.#turn)) continue;
      const at = Math.max(0, Math.min(TRACK_LIGHT_SIDE - 1, (y + 0.5) * perFactor - 0.5));
      const top = Math.min(lastCell, Math.floor(at));
      mixRows(light.luma, top, at - top, lumaRow);
      mixRows(light.blue, top, at - top, blueRow);
      mixRows(light.red, top, at - top, redRow);
      mixRows(facing, top, at - top, facingRow);
      for (let x = this.#from[y]!; x < end;) {
        const position = (x + 0.5) * perFactor - 0.5;
        const cell = position < 0 ? 0 : position > lastCell ? lastCell : Math.floor(position);
        const stop =
          cell === lastCell ? end : Math.min(end, Math.max(x + 1, Math.ceil((cell + 1.5) * factor - 0.5)));
        const baseStep = (lumaRow[cell + 1]! - lumaRow[cell]!) * perFactor;
        const blueStep = (blueRow[cell + 1]! - blueRow[cell]!) * perFactor;
        const redStep = (redRow[cell + 1]! - redRow[cell]!) * perFactor;
        const facingStep = (facingRow[cell + 1]! - facingRow[cell]!) * perFactor;
        const along = (position - cell) * factor;
        let base = lumaRow[cell]! + along * baseStep;
        let toBlue = blueRow[cell]! + along * blueStep;
        let toRed = redRow[cell]! + along * redStep;
        let face = facingRow[cell]! + along * facingStep;
        for (let i = y * side + x; x < stop; x++, i++) {
          const o = 4 * i;
          const own = mask[i]!;
          if (own > 0) {
            const cover = occluded[i]! + ease * (wanted[i]! - occluded[i]!);
            occluded[i] = cover;
            const edge = (face - SILHOUETTE) * (1 / (INNER - SILHOUETTE));
            texels[o + 3] =
              edge <= 0 ? 0 : opacity * own * (1 - cover) * (edge >= 1 ? 1 : edge * edge * (3 - 2 * edge));
            const gain = (base + DARK_FLOOR) * perFrom[i]!;
            const step = steps[i]!;
            let value: number;
            if (step < 0) {
              const knee = knees[i]!;
              value =
                base + step * (gain < knee ? gain : knee + DARKENING_SHARE * features[i]! * (gain - knee));
            } else value = base + step * (gain < 1 ? gain : 1 + BRIGHTENING_SHARE * (gain - 1));
            if (value > SHOULDER)
              value = SHOULDER + (255 - SHOULDER) * (1 - Math.exp((SHOULDER - value) / (255 - SHOULDER)));
            else if (value < 0) value = 0;
            const ratio = value / (base + 1);
            const shade = ratio < LEAST_CHROMA ? LEAST_CHROMA : ratio > MOST_CHROMA ? MOST_CHROMA : ratio;
            const offset = colour * (gain < 0.6 ? 0.6 : gain > 1.2 ? 1.2 : gain);
            const b = toBlue * shade + ownBlue[i]! * offset;
            const r = toRed * shade + ownRed[i]! * offset;
            texels[o] = lumaOffset + lumaGain * value + yb * b + yr * r;
            texels[o + 1] = blueOffset + bb * b + br * r;
            texels[o + 2] = redOffset + rb * b + rr * r;
          }
          base += baseStep;
          toBlue += blueStep;
          toRed += redStep;
          face += facingStep;
        }
      }
    }
  }
}

/** Row `top` of a plane, `share` of the way to the next. */
function mixRows(plane: Float32Array, top: number, share: number, out: Float32Array): void {
  const from = top * TRACK_LIGHT_SIDE;
  for (let x = 0; x < TRACK_LIGHT_SIDE; x++) {
    const value = plane[from + x]!;
    out[x] = value + share * (plane[from + TRACK_LIGHT_SIDE + x]! - value);
  }
}

/**
 * The way from an atlas's luma and colour differences to a frame's planes. Grey has no differences in either, so
 * `mixed` (luma, blue, red; of blue, of red) is only what the atlas's differences add.
 */
function storage({ offset, weights }: PlaneColours): {
  readonly lumaGain: number;
  readonly lumaOffset: number;
  readonly mixed: readonly number[];
} {
  const [r, g, b] = weights as [number, number, number];
  const mixed = [0, 3, 6].flatMap((at) => [
    weights[at + 2]! / 0.564 - (weights[at + 1]! * 0.114) / (0.587 * 0.564),
    weights[at]! / 0.713 - (weights[at + 1]! * 0.299) / (0.587 * 0.713),
  ]);
  return { lumaGain: r + g + b, lumaOffset: offset[0], mixed };
}
