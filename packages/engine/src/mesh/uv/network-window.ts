import { clamp } from '@guise/kernels/clamp.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import type { AtlasColours } from './atlas.ts';
import { atlasRgb } from './atlas-rgb.ts';

/** Side of the atlas that trained networks see, texels. */
export const NETWORK_SIDE = 256;

/** Part of this atlas that they see, texels: beside it lie ears, hair and the background. */
export const WINDOW = { left: 32, top: 24, width: 192, height: 224 };
/** Number of texels in the window. */
const WINDOW_TEXELS = WINDOW.width * WINDOW.height;

/** Factor from blue minus luma to the atlas's blue difference. */
const BLUE_SHARE = 0.564;
/** Factor from red minus luma to the atlas's red difference. */
const RED_SHARE = 0.713;

/** Index in the atlas of each texel of the window. */
export const TEXELS_OF_WINDOW = texelsOfWindow();

// A plain loop, because it runs at each start of an engine.
function texelsOfWindow(): Uint32Array {
  const texels = new Uint32Array(WINDOW_TEXELS);
  for (let y = 0, at = 0; y < WINDOW.height; y++)
    for (let x = 0; x < WINDOW.width; x++, at++)
      texels[at] = (WINDOW.top + y) * NETWORK_SIDE + WINDOW.left + x;
  return texels;
}

/** Writes an atlas's colours as a network sees them: planes of sRGB, 0..1. */
export function writeColours(input: Float32Array, { luma, blue, red }: AtlasColours): void {
  for (let at = 0; at < WINDOW_TEXELS; at++) {
    const texel = TEXELS_OF_WINDOW[at]!;
    const [r, g, b] = atlasRgb(luma[texel]!, blue[texel]!, red[texel]!);
    input[at] = clamp(r / 255, 0, 1);
    input[WINDOW_TEXELS + at] = clamp(g / 255, 0, 1);
    input[2 * WINDOW_TEXELS + at] = clamp(b / 255, 0, 1);
  }
}

/** Writes a plane of an atlas as the network's channel `k`. */
export function writePlane(input: Float32Array, k: number, plane: Float32Array): void {
  for (let at = 0; at < WINDOW_TEXELS; at++) input[k * WINDOW_TEXELS + at] = plane[TEXELS_OF_WINDOW[at]!]!;
}

/** Reads channel `k` of a network's output into a plane of an atlas. */
export function readPlane(output: Float32Array, k: number, plane: Float32Array): void {
  for (let at = 0; at < WINDOW_TEXELS; at++) plane[TEXELS_OF_WINDOW[at]!] = output[k * WINDOW_TEXELS + at]!;
}

/** Reads planes of sRGB, or of differences of it, into an atlas. */
export function readColours(output: Float32Array, { luma, blue, red }: AtlasColours): void {
  for (let at = 0; at < WINDOW_TEXELS; at++) {
    const texel = TEXELS_OF_WINDOW[at]!;
    const r = 255 * output[at]!;
    const b = 255 * output[2 * WINDOW_TEXELS + at]!;
    const y = lumaOf(r, 255 * output[WINDOW_TEXELS + at]!, b);
    luma[texel] = y;
    blue[texel] = BLUE_SHARE * (b - y);
    red[texel] = RED_SHARE * (r - y);
  }
}
