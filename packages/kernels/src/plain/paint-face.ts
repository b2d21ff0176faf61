import { grainAt } from '../grain.ts';
import { OPAQUE } from '../opaque.ts';
import type { FaceTexels, PaintedPlane, PaintedTriangles } from '../paint-face.ts';
import { STILL, UNPAINTED } from '../paint-face.ts';
import { planeOfTriangle } from '../triangle-plane.ts';
import { triangleSpans } from '../triangle-spans.ts';

/** See ../paint-face.ts. */
export function paintFace(
  planes: readonly PaintedPlane[],
  width: number,
  height: number,
  face: PaintedTriangles,
  texture: FaceTexels,
  allowance: Float32Array,
): void {
  for (const [k, plane] of planes.entries()) {
    const channel = planes.length === 1 ? 0 : 2 * texture.side * texture.side + k;
    paintPlane(plane, channel, width, height, face, texture, allowance);
  }
}

function paintPlane(
  { data: to, stride }: PaintedPlane,
  channel: number,
  width: number,
  height: number,
  { points, texelAt, sourceAt, triangles, flags }: PaintedTriangles,
  { side, texels, grain, grainShift }: FaceTexels,
  allowance: Float32Array,
): void {
  const before = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) before.set(to.subarray(y * stride, y * stride + width), y * width);
  const spans = triangleSpans(points, triangles, width, height);
  const mapU = new Float64Array(3);
  const mapV = new Float64Array(3);
  const mapX = new Float64Array(3);
  const mapY = new Float64Array(3);
  const lastX = width - 1;
  const lastY = height - 1;
  const lastTexel = side - 1;
  for (let t = 0; t < flags.length; t++) {
    const isPainted = (flags[t]! & UNPAINTED) === 0;
    const isStill = (flags[t]! & STILL) !== 0;
    if (isStill && !isPainted) continue;
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    const map = (values: Float32Array, axis: number, out: Float64Array): void =>
      planeOfTriangle(
        points,
        2,
        a,
        b,
        c,
        values[2 * a + axis]!,
        values[2 * b + axis]!,
        values[2 * c + axis]!,
        out,
      );
    map(texelAt, 0, mapU);
    map(texelAt, 1, mapV);
    map(sourceAt, 0, mapX);
    map(sourceAt, 1, mapY);
    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      const right = spans.right[run]!;
      const py = row + 0.5;
      const px = left + 0.5;
      let u = mapU[0]! * px + mapU[1]! * py + mapU[2]! - 0.5;
      let v = mapV[0]! * px + mapV[1]! * py + mapV[2]! - 0.5;
      let x = mapX[0]! * px + mapX[1]! * py + mapX[2]! - 0.5;
      let y = mapY[0]! * px + mapY[1]! * py + mapY[2]! - 0.5;
      let cell = row * width + left;
      let out = row * stride + left;
      for (let column = left; column < right; column++, cell++, out++) {
        const allowed = allowance[cell]!;
        if (allowed > 0) {
          let opacity = 0;
          let colour = 0;
          if (isPainted) {
            const cu = u < 0 ? 0 : u > lastTexel ? lastTexel : u;
            const cv = v < 0 ? 0 : v > lastTexel ? lastTexel : v;
            const iu = cu | 0;
            const iv = cv | 0;
            const p = (iv * side + iu) * 2;
            const q = iu < lastTexel ? p + 2 : p;
            const down = iv < lastTexel ? side * 2 : 0;
            opacity = bilinear(texels, p + 1, q + 1, down, cu - iu, cv - iv);
            colour = bilinear(texels, p + channel, q + channel, down, cu - iu, cv - iv);
            if (channel === 0 && grain > 0 && opacity > 0)
              colour += grain * grainAt(column + grainShift, row);
          }
          const own = before[cell]!;
          let value = own;
          // Where the new face covers all, what lies under it need not be found.
          if (!isStill && opacity <= OPAQUE) {
            const cx = x < 0 ? 0 : x > lastX ? lastX : x;
            const cy = y < 0 ? 0 : y > lastY ? lastY : y;
            const ix = cx | 0;
            const iy = cy | 0;
            const i = iy * width + ix;
            const j = ix < lastX ? i + 1 : i;
            value = bilinear(before, i, j, iy < lastY ? width : 0, cx - ix, cy - iy);
          }
          value += opacity * (colour - value);
          value = own + allowed * (value - own) + 0.5;
          to[out] = value < 0 ? 0 : value > 255 ? 255 : value;
        }
        u += mapU[0]!;
        v += mapV[0]!;
        x += mapX[0]!;
        y += mapY[0]!;
      }
    }
  }
}

function bilinear(
  plane: Float32Array | Uint8Array,
  left: number,
  right: number,
  down: number,
  fx: number,
  fy: number,
): number {
  const upper = plane[left]! + fx * (plane[right]! - plane[left]!);
  const lower = plane[left + down]! + fx * (plane[right + down]! - plane[left + down]!);
  return upper + fy * (lower - upper);
}
