import type { FramePlanes } from '../frame-planes.ts';
import { OPAQUE } from '../opaque.ts';
import type { FaceTexels, PaintedTriangles } from '../plain/paint-face.ts';
import * as plain from '../plain/paint-face.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInRegion, copyOutRegion, fitsStage, reserve, strideOf } from '../wasm/stage.ts';

export type { FaceTexels } from '../plain/paint-face.ts';
export { STILL, UNPAINTED } from '../plain/paint-face.ts';

/**
 * Paints a texture over the triangles of a picture, in place. A sample becomes `own + allowance *
 * (new - own)`.
 *
 * The place of each pixel in the texture is found once, at luma's size. Halved chroma takes its
 * place from the two pixels between which it lies.
 * @param face placed in pixels of luma, edge based
 * @param allowance 0..1 for each pixel of luma; nothing is written where it is 0
 */
export function paintFace(
  planes: Omit<FramePlanes, 'x' | 'y' | 'colours'>,
  face: PaintedTriangles,
  texture: FaceTexels,
  allowance: Float32Array,
): void {
  const { width, height, chromaIsHalved, data, strides } = planes;
  const { points, texelAt, sourceAt, triangles, flags } = face;
  const { side, texels, grain, grainShift } = texture;
  const small = 3 * points.byteLength + triangles.byteLength + flags.byteLength;
  const count = width * height;
  if (!fitsStage(allowance.byteLength + texels.byteLength + 14 * count + small)) {
    plain.paintFace(planes, face, texture, allowance);
    return;
  }
  const { paintChroma, paintLuma, placeFace } = kernels();
  const columns = chromaIsHalved ? (width + 1) >> 1 : width;
  const rows = chromaIsHalved ? (height + 1) >> 1 : height;
  const [luma, blue, red] = [
    lendPlane(data[0], strides[0], width, height),
    lendPlane(data[1], strides[1], columns, rows),
    lendPlane(data[2], strides[2], columns, rows),
  ];
  const [places, moves, before, otherBefore] = [
    reserve(4 * count),
    reserve(4 * count),
    reserve(count),
    reserve(count),
  ];
  const [allowanceAt, texelsAt] = [copyIn(allowance), copyIn(texels)];
  placeFace(
    copyIn(points),
    copyIn(texelAt),
    copyIn(sourceAt),
    copyIn(triangles),
    copyIn(flags),
    flags.length,
    width,
    height,
    side,
    places,
    moves,
  );
  paintLuma(
    places,
    moves,
    width,
    height,
    allowanceAt,
    texelsAt,
    side,
    OPAQUE,
    grain,
    grainShift,
    luma.at,
    luma.stride,
    before,
  );
  paintChroma(
    places,
    moves,
    width,
    height,
    chromaIsHalved ? 1 : 0,
    allowanceAt,
    texelsAt,
    side,
    OPAQUE,
    blue.at,
    blue.stride,
    before,
    red.at,
    red.stride,
    otherBefore,
  );
  copyOutRegion(data[0], strides[0], 0, 0, width, height, luma.at);
  copyOutRegion(data[1], strides[1], 0, 0, columns, rows, blue.at);
  copyOutRegion(data[2], strides[2], 0, 0, columns, rows, red.at);
}

function lendPlane(data: Uint8Array, stride: number, width: number, height: number): LentPlane {
  return {
    at: copyInRegion(data, stride, 0, 0, width, height),
    stride: strideOf(data, stride, width),
  };
}

interface LentPlane {
  readonly at: number;
  readonly stride: number;
}
