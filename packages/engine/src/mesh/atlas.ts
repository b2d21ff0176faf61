import type { ImagePyramid } from '@guise/kernels/pyramid.ts';
import { shrinkSquare } from '@guise/kernels/plane-scale.ts';
import { levelForStep } from '@guise/kernels/warp.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { planeOfTriangle } from './triangle-plane.ts';
import { vertexFacing } from './vertex-facing.ts';

/**
 * A face spread out flat, `side` x `side`, row-major. Colours as luma 0..255 (Rec. 601) and two colour differences
 * around 0: blue = 0.564 (B - Y), red = 0.713 (R - Y). Texels outside the mesh are 0.
 */
export interface Atlas {
  readonly side: number;
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
  /** How much the surface looks at the camera: 1 straight, 0 sideways or turned away. */
  readonly facing: Float32Array;
}

/**
 * Spreads a face out into its atlas. Each triangle is sampled bilinearly on the pyramid level that suits its own scale,
 * so a huge face does not alias. `landmarks` are pixels of the image, x, y, z, edge based.
 */
export function spreadFace(layout: AtlasLayout, pyramid: ImagePyramid, landmarks: Float32Array): Atlas {
  const { side, points, triangles, spans } = layout;
  const luma = new Float32Array(side * side);
  const blue = new Float32Array(side * side);
  const red = new Float32Array(side * side);
  const facing = new Float32Array(side * side);
  const atVertex = vertexFacing(landmarks, triangles);
  const mapX = new Float64Array(3);
  const mapY = new Float64Array(3);
  const mapFacing = new Float64Array(3);

  for (let t = 0, n = triangles.length / 3; t < n; t++) {
    const a = triangles[3 * t]!;
    const b = triangles[3 * t + 1]!;
    const c = triangles[3 * t + 2]!;
    planeOfTriangle(points, 2, a, b, c, landmarks[3 * a]!, landmarks[3 * b]!, landmarks[3 * c]!, mapX);
    planeOfTriangle(
      points,
      2,
      a,
      b,
      c,
      landmarks[3 * a + 1]!,
      landmarks[3 * b + 1]!,
      landmarks[3 * c + 1]!,
      mapY,
    );
    planeOfTriangle(points, 2, a, b, c, atVertex[a]!, atVertex[b]!, atVertex[c]!, mapFacing);
    const step = Math.sqrt(Math.abs(mapX[0]! * mapY[1]! - mapX[1]! * mapY[0]!));
    const level = pyramid.level(levelForStep(step));
    const shrink = 1 / (1 << level.number);
    const from = level.image.data;
    const lastX = level.image.width - 1;
    const lastY = level.image.height - 1;
    const stride = level.image.width * 3;
    const dx = mapX[0]! * shrink;
    const dy = mapY[0]! * shrink;
    const dFacing = mapFacing[0]!;

    for (let run = spans.first[t]!, end = spans.first[t + 1]!; run < end; run++) {
      const row = spans.row[run]!;
      const left = spans.left[run]!;
      const right = spans.right[run]!;
      const v = row + 0.5;
      const u = left + 0.5;
      let x = (mapX[0]! * u + mapX[1]! * v + mapX[2]!) * shrink - 0.5;
      let y = (mapY[0]! * u + mapY[1]! * v + mapY[2]!) * shrink - 0.5;
      let f = dFacing * u + mapFacing[1]! * v + mapFacing[2]!;
      for (
        let i = row * side + left, last = row * side + right;
        i < last;
        i++, x += dx, y += dy, f += dFacing
      ) {
        const cx = x < 0 ? 0 : x > lastX ? lastX : x;
        const cy = y < 0 ? 0 : y > lastY ? lastY : y;
        const ix = cx | 0;
        const iy = cy | 0;
        const fx = cx - ix;
        const fy = cy - iy;
        const p = iy * stride + ix * 3;
        const q = ix < lastX ? p + 3 : p;
        const down = iy < lastY ? stride : 0;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        const r = from[p]! * w00 + from[q]! * w10 + from[p + down]! * w01 + from[q + down]! * w11;
        const g =
          from[p + 1]! * w00 + from[q + 1]! * w10 + from[p + 1 + down]! * w01 + from[q + 1 + down]! * w11;
        const bl =
          from[p + 2]! * w00 + from[q + 2]! * w10 + from[p + 2 + down]! * w01 + from[q + 2 + down]! * w11;
        const l = 0.299 * r + 0.587 * g + 0.114 * bl;
        luma[i] = l;
        blue[i] = 0.564 * (bl - l);
        red[i] = 0.713 * (r - l);
        // Beyond the image there is nothing to see.
        facing[i] = f > 0 && cx === x && cy === y ? f : 0;
      }
    }
  }
  return { side, luma, blue, red, facing };
}

/** The same face in a smaller atlas. Both sides are powers of two. */
export function shrinkAtlas(atlas: Atlas, side: number): Atlas {
  return {
    side,
    luma: shrinkSquare(atlas.luma, atlas.side, side),
    blue: shrinkSquare(atlas.blue, atlas.side, side),
    red: shrinkSquare(atlas.red, atlas.side, side),
    facing: shrinkSquare(atlas.facing, atlas.side, side),
  };
}
