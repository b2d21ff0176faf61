import type { RgbImage } from '@guise/kernels/image.ts';
import { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { type AtlasColours, unwrapFace } from '@guise/engine/mesh/uv/atlas.ts';
import { atlasRgb } from '@guise/engine/mesh/uv/atlas-rgb.ts';
import type { AtlasLayout } from '@guise/engine/mesh/uv/atlas-layout.ts';
import type { Overlay } from './overlay.ts';

/** A face in the atlas, as bytes. */
export interface AtlasPicture {
  /** Red, green and blue per texel. */
  readonly rgb: Uint8Array;
  /** How much each texel faces the camera; 255: fully. */
  readonly facing: Uint8Array;
}

/** Unwraps a face into the atlas. @param landmarks pixels of the image */
export function atlasPicture(layout: AtlasLayout, image: RgbImage, landmarks: Float32Array): AtlasPicture {
  using space = new Workspace();
  const face = unwrapFace(layout, new ImagePyramid(image, space), landmarks, space);
  return { rgb: rgbOf(face), facing: bytesOf(face.facing) };
}

/** Returns red, green and blue of each texel, as bytes. */
export function rgbOf({ luma, blue, red }: AtlasColours): Uint8Array {
  const rgb = new Uint8ClampedArray(3 * luma.length);
  for (let i = 0; i < luma.length; i++) rgb.set(atlasRgb(luma[i]!, blue[i]!, red[i]!), 3 * i);
  return new Uint8Array(rgb.buffer);
}

/** Converts shares, 0..1, to bytes. */
export function bytesOf(shares: Float32Array): Uint8Array {
  return new Uint8Array(Uint8ClampedArray.from(shares, (value) => 255 * value).buffer);
}

/** Unwraps an overlay with the mesh of the face below it. @param landmarks pixels of the overlay */
export function atlasOverlay(
  layout: AtlasLayout,
  overlay: Overlay,
  side: number,
  landmarks: Float32Array,
): Overlay {
  const count = side * side;
  const [colour, opacity] = [new Uint8Array(3 * count), new Uint8Array(3 * count)];
  for (let i = 0; i < count; i++) {
    colour.set(overlay.subarray(4 * i, 4 * i + 3), 3 * i);
    opacity.fill(overlay[4 * i + 3]!, 3 * i, 3 * i + 3);
  }
  const [colours, opacities] = [colour, opacity].map(
    (data) => atlasPicture(layout, { data, width: side, height: side }, landmarks).rgb,
  ) as [Uint8Array, Uint8Array];
  const out = new Uint8Array(4 * layout.side ** 2);
  for (let i = 0; 4 * i < out.length; i++) {
    out.set(colours.subarray(3 * i, 3 * i + 3), 4 * i);
    out[4 * i + 3] = opacities[3 * i]!;
  }
  return out;
}
