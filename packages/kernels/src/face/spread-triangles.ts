import {
  type ImagePart,
  type SpreadPlanes,
  spreadTriangles as plainSpreadTriangles,
  type TriangleMaps,
} from '../plain/spread-triangles.ts';
import type { TriangleSpans } from '../triangle-spans.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyInRegion, copyOut, fitsStage, strideOf } from '../wasm/stage.ts';

export type { ImagePart } from '../plain/spread-triangles.ts';

/**
 * Draws images into planes, triangle by triangle, in place. Samples are bilinear. `value` is at
 * least 0, and is 0 if the sample lies outside the image. Texels that no triangle covers are kept.
 */
export function spreadTriangles(spans: TriangleSpans, triangles: TriangleMaps, out: SpreadPlanes): void {
  const { parts, partOf, maps } = triangles;
  let bytes = 16 * out.luma.length + 10 * spans.row.length + 80 * partOf.length + 32 * parts.length;
  for (const { width, height } of parts) bytes += 3 * width * height;
  if (!fitsStage(bytes)) {
    plainSpreadTriangles(spans, triangles, out);
    return;
  }
  const planes = [out.luma, out.blue, out.red, out.value];
  const addresses = planes.map(copyIn);
  kernels().spreadTriangles(
    partOf.length,
    copyIn(spans.first),
    copyIn(spans.row),
    copyIn(spans.left),
    copyIn(spans.right),
    copyIn(maps),
    copyIn(partOf),
    lendParts(parts),
    out.side,
    ...addresses,
    ...REC_601,
  );
  for (const [k, plane] of planes.entries()) copyOut(plane, addresses[k]!);
}

/**
 * Rec. 601 coefficients: shares of red, green and blue in luma, then scales of the blue and of the
 * red difference.
 */
export const REC_601 = [0.299, 0.587, 0.114, 0.564, 0.713];

/** Size of one image's record in the kernel's table. */
const PART_BYTES = 32;

function lendParts(parts: readonly ImagePart[]): number {
  const table = new DataView(new ArrayBuffer(parts.length * PART_BYTES));
  for (const [k, { image, x, y, width, height }] of parts.entries()) {
    const stride = 3 * image.width;
    const at = k * PART_BYTES;
    table.setUint32(at, copyInRegion(image.data, stride, 3 * x, y, 3 * width, height), true);
    table.setInt32(at + 4, strideOf(image.data, stride, 3 * width), true);
    table.setInt32(at + 8, width - 1, true);
    table.setInt32(at + 12, height - 1, true);
    table.setFloat64(at + 16, x, true);
    table.setFloat64(at + 24, y, true);
  }
  return copyIn(new Uint8Array(table.buffer));
}
