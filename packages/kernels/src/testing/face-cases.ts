import { faceAllowance } from '../face/face-allowance.ts';
import { paintFace } from '../face/paint-face.ts';
import type { FramePlanes } from '../frame-planes.ts';
import { faceAllowance as plainFaceAllowance } from '../plain/face-allowance.ts';
import { type PaintedTriangles, paintFace as plainPaintFace, STILL, UNPAINTED } from '../plain/paint-face.ts';
import { noiseBytes } from './case-noise.ts';
import type { ArrayMaker, KernelCase } from './kernel-case.ts';

const CELLS = 6;

type Picture = Omit<FramePlanes, 'x' | 'y' | 'colours'>;

/**
 * Lists cases of the kernels that draw a face: triangles over most of a picture, of which some are
 * turned away, some still and some unpainted.
 */
export function faceCases(make: ArrayMaker, width: number, height: number, wantedSide: number): KernelCase[] {
  const side = Math.max(2, wantedSide);
  const count = width * height;
  const face = wavyGrid(width, height, side);
  const { triangles } = face;
  const occluders = { plane: smooth(make.floats(side * side), side), side, triangles };
  // Some triangles are completely free, and some completely covered.
  const covered = make.floats(side * side);
  for (let i = 0; i < covered.length; i++) covered[i] = i % side < side / 2 ? 0 : 1;
  const half = { plane: covered, side, triangles };
  const texels = make.floats(4 * side * side);
  smooth(texels.subarray(0, 2 * side * side), side, 200);
  smooth(texels.subarray(2 * side * side), side, 200);
  for (let i = 1; i < 2 * side * side; i += 2) texels[i]! /= 200;
  const [allowance, otherAllowance] = [make.floats(count), make.floats(count)];
  const [free, otherFree] = [make.floats(count), make.floats(count)];
  const texture = { side, texels, grain: 3, grainShift: 17 };
  const all = make.floats(count).fill(0.7);
  // Chroma is as large as luma, or halved.
  const picture = (chromaIsHalved: boolean): Picture => {
    const columns = chromaIsHalved ? (width + 1) >> 1 : width;
    const rows = chromaIsHalved ? (height + 1) >> 1 : height;
    const data = [make.bytes(count), make.bytes(columns * rows), make.bytes(columns * rows)] as const;
    return { width, height, chromaIsHalved, data, strides: [width, columns, columns] };
  };
  const [own, other] = [
    [picture(false), picture(true)],
    [picture(false), picture(true)],
  ] as const;
  const paint = (paintOver: typeof paintFace, pictures: readonly Picture[]): Uint8Array[] => {
    for (const each of pictures) {
      for (const [k, plane] of each.data.entries()) noiseBytes(plane, 21 + k);
      paintOver(each, face, texture, all);
    }
    return pictures.flatMap(({ data }) => data);
  };
  return [
    {
      name: 'allowance of a face',
      pixels: count,
      bytes: 12 * count,
      tolerance: 1e-3,
      kernel: () => (faceAllowance(face, width, height, 2, occluders, allowance), [allowance]),
      reference: () => (
        plainFaceAllowance(face, width, height, 2, occluders, otherAllowance),
        [otherAllowance]
      ),
    },
    {
      name: 'allowance of a face that is half covered',
      pixels: count,
      bytes: 12 * count,
      tolerance: 1e-3,
      kernel: () => (faceAllowance(face, width, height, 2, half, free), [free]),
      reference: () => (plainFaceAllowance(face, width, height, 2, half, otherFree), [otherFree]),
    },
    {
      name: 'paint a face',
      pixels: 4.5 * count,
      bytes: 4.5 * 10 * count,
      tolerance: 1,
      kernel: () => paint(paintFace, own),
      reference: () => paint(plainPaintFace, other),
    },
  ];
}

function wavyGrid(width: number, height: number, side: number): PaintedTriangles {
  const across = CELLS + 1;
  const vertices = across * across;
  const points = new Float32Array(2 * vertices);
  const texelAt = new Float32Array(2 * vertices);
  const sourceAt = new Float32Array(2 * vertices);
  for (let v = 0; v < vertices; v++) {
    const x = (v % across) / CELLS;
    const y = Math.floor(v / across) / CELLS;
    texelAt.set([x * side, y * side], 2 * v);
    points.set(
      [(0.1 + 0.85 * x + 0.02 * Math.sin(v)) * width, (0.95 * y + 0.02 * Math.cos(3 * v)) * height],
      2 * v,
    );
    // The first row of cells does not move.
    const step = v < 2 * across ? 0 : 1.7;
    sourceAt.set([points[2 * v]! + step * Math.sin(v), points[2 * v + 1]! + step * Math.cos(v)], 2 * v);
  }
  const triangles: number[] = [];
  for (let cell = 0; cell < CELLS * CELLS; cell++) {
    const a = (cell % CELLS) + Math.floor(cell / CELLS) * across;
    triangles.push(a, a + 1, a + across, a + 1, a + across + 1, a + across);
  }
  const flags = Uint8Array.from({ length: triangles.length / 3 }, (_, t) =>
    t < 2 * CELLS ? STILL | (t % 2 === 0 ? UNPAINTED : 0) : t % 7 === 0 ? UNPAINTED : 0,
  );
  return { points, texelAt, sourceAt, triangles: Uint16Array.from(triangles), flags };
}

/**
 * Fills a plane with smooth waves of 0..`most`, so that rounding of coordinates has no more effect
 * than in a face.
 */
function smooth(plane: Float32Array, side: number, most = 1): Float32Array {
  const channels = plane.length / (side * side);
  for (let i = 0; i < plane.length; i++) {
    const texel = Math.floor(i / channels);
    const u = (texel % side) / side;
    const v = Math.floor(texel / side) / side;
    plane[i] = most * (0.5 + 0.5 * Math.sin(9 * u + (i % channels)) * Math.cos(7 * v));
  }
  return plane;
}
