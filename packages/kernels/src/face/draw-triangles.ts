import type { ColourPlanes } from '../colour-planes.ts';
import type { RgbImage } from '../image.ts';
import {
  type Drawing,
  drawTriangles as plainDrawTriangles,
  packTexture as plainPackTexture,
  SEED_STEP,
} from '../plain/draw-triangles.ts';
import { kernels } from '../wasm/kernels.ts';
import {
  copyIn,
  copyInRegion,
  copyOut,
  copyOutRegion,
  fitsStage,
  reserve,
  reserveFor,
  strideOf,
} from '../wasm/stage.ts';

export type { PackedTexture } from '../plain/draw-triangles.ts';
export { PAINTED, STILL } from '../plain/draw-triangles.ts';

/**
 * Draws triangles into `out`, with bilinear sampling. Other pixels keep their values. At each
 * pixel, the texture is drawn by its opacity over the moved pixel of the target, and the result by
 * the allowance over the target's own pixel.
 *
 * @param out a copy of the target's pixels, or those themselves unless they lie in the kernels'
 * memory
 */
export function drawTriangles(drawing: Drawing, out: Uint8Array): void {
  const { texture, target, area, spans, maps, flags, allowance } = drawing;
  const part = grown(area, target);
  const bytes =
    texture.rgba.byteLength +
    3 * part.width * part.height +
    12 * area.width * area.height +
    10 * spans.row.length +
    maps.byteLength +
    5 * flags.length;
  if (part.width > MAX_SIDE_PX || part.height > MAX_SIDE_PX || !fitsStage(bytes)) {
    plainDrawTriangles(target.data === out ? { ...drawing, target: copyOf(target) } : drawing, out);
    return;
  }
  const stride = 3 * target.width;
  const image = copyInRegion(target.data, stride, 3 * part.x, part.y, 3 * part.width, part.height);
  const imageStride = strideOf(target.data, stride, 3 * part.width);
  const outAt = copyInRegion(out, stride, 3 * area.x, area.y, 3 * area.width, area.height);
  const inPart = maps.slice();
  for (let m = 0; m < inPart.length; m += 12) {
    inPart[m + 8]! -= part.x;
    inPart[m + 11]! -= part.y;
  }
  kernels().drawTriangles(
    flags.length,
    copyIn(spans.first),
    copyIn(spans.row),
    copyIn(spans.left),
    copyIn(spans.right),
    copyIn(inPart),
    copyIn(flags),
    copyIn(texture.rgba),
    texture.side,
    image,
    imageStride,
    part.width - 1,
    part.height - 1,
    image + (area.y - part.y) * imageStride + 3 * (area.x - part.x),
    imageStride,
    outAt,
    strideOf(out, stride, 3 * area.width),
    copyIn(allowance),
    reserve(2 * allowance.length),
    area.width,
    area.height,
    drawing.grain,
    area.x + drawing.grainSeed * SEED_STEP,
    area.y,
  );
  copyOutRegion(out, stride, 3 * area.x, area.y, 3 * area.width, area.height, outAt);
}

function copyOf({ data, width, height }: RgbImage): RgbImage {
  return { data: new Uint8Array(data), width, height };
}

/** Largest side of an image for the kernel, whose coordinates have 15 integer bits. */
const MAX_SIDE_PX = 32_767;

/** Number of pixels beyond the area's edge that bilinear samples may reach. */
const MARGIN_PX = 3;

function grown({ x, y, width, height }: Drawing['area'], image: RgbImage): Drawing['area'] {
  const left = Math.max(0, x - MARGIN_PX);
  const top = Math.max(0, y - MARGIN_PX);
  return {
    x: left,
    y: top,
    width: Math.min(image.width, x + width + MARGIN_PX) - left,
    height: Math.min(image.height, y + height + MARGIN_PX) - top,
  };
}

/**
 * Writes planes as a texture. Colours are limited to -64..319.
 * @param planes their length is a multiple of 4
 * @param opacity 0..1
 */
export function packTexture(planes: ColourPlanes, opacity: Float32Array, rgba: Int16Array): void {
  const { luma, blue, red } = planes;
  if (!fitsStage(4 * luma.byteLength + rgba.byteLength)) {
    plainPackTexture(planes, opacity, rgba);
    return;
  }
  const at = reserveFor(rgba);
  kernels().packTexture(copyIn(luma), copyIn(blue), copyIn(red), copyIn(opacity), at, luma.length);
  copyOut(rgba, at);
}
