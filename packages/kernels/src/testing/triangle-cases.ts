import { clearRuns } from '../face/clear-runs.ts';
import { drawTriangles } from '../face/draw-triangles.ts';
import { spreadTexels, texelCorners } from '../face/spread-texels.ts';
import { spreadTriangles } from '../face/spread-triangles.ts';
import { clearRuns as plainClearRuns } from '../plain/clear-runs.ts';
import * as plainDraw from '../plain/draw-triangles.ts';
import { spreadTexels as plainSpreadTexels } from '../plain/spread-texels.ts';
import { type SpreadPlanes, spreadTriangles as plainSpreadTriangles } from '../plain/spread-triangles.ts';
import { triangleSpans } from '../triangle-spans.ts';
import { ordinaryPlanes } from '../workspace.ts';
import { noise, noiseBytes } from './case-noise.ts';
import { type ArrayMaker, type KernelCase, RELATIVE } from './kernel-case.ts';

/**
 * Lists cases with a fan of triangles around the middle, in a plane of `side` squared and in an
 * image.
 */
export function triangleCases(make: ArrayMaker, width: number, height: number, side: number): KernelCase[] {
  const corners = 24;
  const points = [side * 0.47, side * 0.53];
  const triangles: number[] = [];
  for (let k = 0; k < corners; k++) {
    const angle = (2 * Math.PI * k) / corners;
    points.push(side * (0.5 + 0.45 * Math.cos(angle)), side * (0.5 + 0.48 * Math.sin(angle)));
    triangles.push(0, k + 1, 1 + ((k + 1) % corners));
  }
  const image = { data: noiseBytes(make.bytes(3 * width * height), 5), width, height };
  const whole = { x: 0, y: 0, width, height };
  const spans = triangleSpans(points, triangles, side, side);
  const scale = width / side;
  const maps = (k: number): number[] => [scale, 0.1, 0.03 * k, -0.1, height / side, 1 - 0.02 * k];
  const spreadMaps = Float64Array.from({ length: 9 * corners }, (_, i) =>
    i % 9 < 6 ? maps(Math.floor(i / 9))[i % 9]! : [0.3 / side, -0.9 / side, 0.5][(i % 9) - 6]!,
  );
  const triangleMaps = {
    parts: [{ image, ...whole }],
    partOf: new Uint8Array(corners),
    maps: spreadMaps,
  };
  const planes = (): SpreadPlanes => ({
    side,
    luma: make.floats(side * side),
    blue: make.floats(side * side),
    red: make.floats(side * side),
    value: make.floats(side * side),
  });
  const [spread, otherSpread] = [planes(), planes()];
  const [cleared, otherCleared] = [noise(make.floats(side * side), 7), noise(make.floats(side * side), 7)];
  const runs = Uint32Array.from(
    [0, side, side + (side >> 1), side * side].map((at) => Math.min(at, side * side)),
  );
  const texels = texelCorners(
    side,
    spans,
    Float32Array.from(points),
    Uint16Array.from(triangles),
    ordinaryPlanes,
  );
  const vertices = Float32Array.from({ length: 2 * points.length }, (_, i) => {
    const at = 2 * (i >> 2);
    return [
      points[at]! * scale + Math.sin(i),
      (points[at + 1]! * height) / side - 1,
      0.9 - points[at]! / side,
      1,
    ][i & 3]!;
  });
  const [small, otherSmall] = [planes(), planes()];
  const drawnSpans = triangleSpans(
    points.map((value, i) => (value * (i % 2 === 0 ? width : height)) / side),
    triangles,
    width,
    height,
  );
  const rgba = packedNoise(side);
  const drawing = {
    texture: { side, rgba },
    target: image,
    area: whole,
    spans: drawnSpans,
    maps: Float64Array.from(
      { length: 12 * corners },
      (_, i) => [side / width, 0.2, 0.4, -0.1, side / height, 0.3, 1, 0, 0.6, 0.03, 0.97, 0.2][i % 12]!,
    ),
    // Flag values: painted (1), still (2), both (3), none (0).
    flags: Uint8Array.from({ length: corners }, (_, k) => [1, 1, 1, 3, 2, 0][k % 6]!),
    allowance: mound(make.floats(width * height), width, height, 4),
    grain: 2,
    grainSeed: 3,
  };
  const [out, otherOut] = [make.bytes(3 * width * height), make.bytes(3 * width * height)];
  return [
    {
      name: 'spread triangles',
      pixels: side * side,
      bytes: 19 * side * side,
      tolerance: RELATIVE,
      kernel: () => (spreadTriangles(spans, triangleMaps, spread), planesOf(spread)),
      reference: () => (plainSpreadTriangles(spans, triangleMaps, otherSpread), planesOf(otherSpread)),
    },
    {
      name: 'clear runs',
      pixels: side * side,
      bytes: 4 * side * side,
      tolerance: 0,
      kernel: () => (clearRuns(cleared, runs), [cleared]),
      reference: () => (plainClearRuns(otherCleared, runs), [otherCleared]),
    },
    {
      name: 'spread triangles, texel by texel',
      pixels: side * side,
      bytes: 19 * side * side,
      tolerance: RELATIVE,
      kernel: () => (spreadTexels(texels, vertices, image, small), planesOf(small)),
      reference: () => (plainSpreadTexels(texels, vertices, image, otherSmall), planesOf(otherSmall)),
    },
    {
      name: 'composite triangles',
      pixels: width * height,
      bytes: 18 * width * height,
      tolerance: 1,
      kernel: () => (drawTriangles(drawing, out), [out]),
      reference: () => (plainDraw.drawTriangles(drawing, otherOut), [otherOut]),
    },
  ];
}

function planesOf({ luma, blue, red, value }: SpreadPlanes): Float32Array[] {
  return [luma, blue, red, value];
}

/** Fills a plane with 0 along the border, rising inwards to 1 at the given steepness. */
function mound(plane: Float32Array, width: number, height: number, steepness: number): Float32Array {
  for (let i = 0; i < plane.length; i++) {
    const x = ((i % width) + 0.5) / width;
    const y = (Math.floor(i / width) + 0.5) / height;
    plane[i] = Math.min(1, steepness * Math.min(x, 1 - x, y, 1 - y));
  }
  return plane;
}

function packedNoise(side: number): Int16Array {
  const colours = noise(new Float32Array(3 * side * side), 6);
  const shares = mound(new Float32Array(side * side), side, side, 3);
  return Int16Array.from({ length: 4 * side * side }, (_, i) =>
    i % 4 === 3 ? 32_767 * shares[i >> 2]! : 64 * colours[3 * (i >> 2) + (i % 4)]!,
  );
}
