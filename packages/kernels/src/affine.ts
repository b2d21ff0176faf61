/**
 * An affine map of the plane: `[a, b, c, d, e, f]` maps (x, y) to (a x + b y + c, d x + e y + f).
 * Coordinates are edge based everywhere: the first pixel's centre is (0.5, 0.5).
 */
export type Affine = readonly [number, number, number, number, number, number];

export function applyAffine(map: Affine, x: number, y: number): [number, number] {
  return [map[0] * x + map[1] * y + map[2], map[3] * x + map[4] * y + map[5]];
}

/** Returns the inverse of `map`, which must not be degenerate. */
export function invertAffine(map: Affine): Affine {
  const [a, b, c, d, e, f] = map;
  const determinant = a * e - b * d;
  const ia = e / determinant;
  const ib = -b / determinant;
  const id = -d / determinant;
  const ie = a / determinant;
  return [ia, ib, -(ia * c + ib * f), id, ie, -(id * c + ie * f)];
}

/** Returns the map that applies `inner` first, then `outer`. */
export function chainAffine(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + b * j, a * h + b * k, a * i + b * l + c, d * g + e * j, d * h + e * k, d * i + e * l + f];
}

/**
 * Fits the similarity (rotation, one scale, shift) that maps the points `from` to `to` with the
 * least squared error. Both are flat lists x0, y0, x1, y1, ... of equal length, with at least two
 * distinct points.
 */
export function fitSimilarity(from: ArrayLike<number>, to: ArrayLike<number>): Affine {
  const count = from.length / 2;
  let fromX = 0;
  let fromY = 0;
  let toX = 0;
  let toY = 0;
  for (let i = 0; i < count; i++) {
    fromX += from[2 * i]! / count;
    fromY += from[2 * i + 1]! / count;
    toX += to[2 * i]! / count;
    toY += to[2 * i + 1]! / count;
  }
  let along = 0;
  let across = 0;
  let spread = 0;
  for (let i = 0; i < count; i++) {
    const x = from[2 * i]! - fromX;
    const y = from[2 * i + 1]! - fromY;
    const u = to[2 * i]! - toX;
    const v = to[2 * i + 1]! - toY;
    along += x * u + y * v;
    across += x * v - y * u;
    spread += x * x + y * y;
  }
  const a = along / spread;
  const d = across / spread;
  return [a, -d, toX - a * fromX + d * fromY, d, a, toY - d * fromX - a * fromY];
}
