import { kernels } from './kernels.ts';
import { relightTexture as plainRelightTexture } from './plain/relight-texture.ts';
import type { ColourPlanes, RelightShares } from './relight.ts';
import { fetch, fitsStage, lend, lendTogether, room } from './stage.ts';

/** What of a texture does not depend on the light: planes of `side` squared. */
export interface TextureSource {
  /** A multiple of the light's side and of 4. */
  readonly side: number;
  /** First (a multiple of 4) and behind-last column of each row that the mask is above 0 in; 0 behind-last: none. */
  readonly from: Uint16Array;
  readonly to: Uint16Array;
  /** Opacity 0..1; where it is 0, nothing is written. */
  readonly mask: Float32Array;
  /** 0 skin, 1 features. */
  readonly features: Float32Array;
  /** Luma over its own light, and one over that light with the dark floor. */
  readonly steps: Float32Array;
  readonly perLight: Float32Array;
  /** Colour differences beyond the shaded light's. */
  readonly ownBlue: Float32Array;
  readonly ownRed: Float32Array;
}

/** The light it gets, in planes of `side` squared. */
export interface TextureLight {
  readonly side: number;
  readonly light: ColourPlanes;
  /** How much the surface looks at the camera, 0..1. */
  readonly facing: Float32Array;
}

export interface TextureNumbers {
  /** 0..1 of everything, and 0..1 of the source's own colours. */
  readonly opacity: number;
  readonly colour: number;
  /** 0..1 of the way from `occluded` to `wanted`. */
  readonly ease: number;
  /** Facing between which the texture fades in. */
  readonly silhouette: number;
  readonly inner: number;
  /** Luma as stored, of luma; what colour differences (blue, red) add to luma, blue and red as stored. */
  readonly lumaGain: number;
  readonly offset: readonly [number, number, number];
  readonly mixed: readonly number[];
  /** Of bands of 16 rows the even (0) or the odd ones (1) stay as they are; null: all are written. */
  readonly skippedBands: 0 | 1 | null;
}

/**
 * Writes a texture under another light as `paintFace` takes it, colours as stored. As
 * `relight`, with what does not change from call to call worked out beforehand.
 * @param occluded what hides the texture, 0..1; goes `ease` of the way to `wanted`, in place
 */
export function relightTexture(
  source: TextureSource,
  to: TextureLight,
  numbers: TextureNumbers,
  shares: RelightShares,
  occluded: Float32Array,
  wanted: Float32Array,
  texels: Float32Array,
): void {
  const { side, mask } = source;
  const lineBytes = 4 * (5 * side + 24);
  const wantedBytes = 12 * mask.byteLength + 4 * to.facing.byteLength + lineBytes;
  if (!fitsStage(wantedBytes)) {
    plainRelightTexture(source, to, numbers, shares, occluded, wanted, texels);
    return;
  }
  const { light, facing } = to;
  const [occludedAt, texelsAt] = [lend(occluded), lend(texels)];
  kernels().relightTexture(
    side,
    lend(source.from),
    lend(source.to),
    lend(mask),
    lend(source.features),
    lend(source.steps),
    lend(source.perLight),
    lend(source.ownBlue),
    lend(source.ownRed),
    lendTogether([light.luma, light.blue, light.red, facing]),
    to.side,
    occludedAt,
    lend(wanted),
    lend(vectorOf(numbers, shares)),
    numbers.skippedBands ?? -1,
    room(lineBytes),
    texelsAt,
  );
  fetch(occluded, occludedAt);
  fetch(texels, texelsAt);
}

/** In the order that the kernel reads them. */
function vectorOf(numbers: TextureNumbers, shares: RelightShares): Float32Array {
  const { opacity, colour, ease, silhouette, inner, lumaGain, offset, mixed } = numbers;
  return Float32Array.of(
    opacity,
    ease,
    silhouette,
    1 / (inner - silhouette),
    shares.darkFloor,
    shares.skinKnee,
    shares.featureKnee - shares.skinKnee,
    shares.darkening,
    shares.brightening,
    shares.leastChroma,
    shares.mostChroma,
    shares.shoulder,
    255 - shares.shoulder,
    shares.leastOffset,
    shares.mostOffset,
    colour,
    lumaGain,
    ...offset,
    ...mixed,
    1,
  );
}
