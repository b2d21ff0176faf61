import {
  relightTexture as plainRelightTexture,
  type TextureLight,
  type TextureNumbers,
  type TextureSource,
} from '../plain/relight-texture.ts';
import type { RelightShares } from '../plain/relight.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInTogether, copyOut, fitsStage, reserve } from '../wasm/stage.ts';

export type { TextureNumbers, TextureSource } from '../plain/relight-texture.ts';

/**
 * Writes a texture in another light, in the form that `paintFace` takes, with colours as stored. It
 * works like `relight`, but values that are constant between calls are computed beforehand.
 * @param occluded how much hides the texture, 0..1; moves by the share `ease` towards `wanted`, in
 * place
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
  const [occludedAt, texelsAt] = [copyIn(occluded), copyIn(texels)];
  kernels().relightTexture(
    side,
    copyIn(source.from),
    copyIn(source.to),
    copyIn(mask),
    copyIn(source.features),
    copyIn(source.steps),
    copyIn(source.perLight),
    copyIn(source.ownBlue),
    copyIn(source.ownRed),
    copyInTogether([light.luma, light.blue, light.red, facing]),
    to.side,
    occludedAt,
    copyIn(wanted),
    copyIn(vectorOf(numbers, shares)),
    numbers.skippedBands ?? -1,
    reserve(lineBytes),
    texelsAt,
  );
  copyOut(occluded, occludedAt);
  copyOut(texels, texelsAt);
}

/** Lists the parameters in the order in which the kernel reads them. */
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
