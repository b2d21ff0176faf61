/** A similarity in space, which maps a point p to scale * rotation p + translation. */
export interface Similarity3d {
  readonly scale: number;
  /** 3 x 3, row-major. */
  readonly rotation: Float64Array;
  readonly translation: readonly [number, number, number];
}

/** Largest number of sweeps of Jacobi's method, far more than a 4 x 4 matrix needs. */
const MAX_JACOBI_SWEEPS = 30;
/**
 * Size of the off-diagonal entries, as a share of the diagonal, at which the method has converged.
 */
const CONVERGED_SHARE = 1e-14;

/**
 * Returns the similarity that maps the points `from` to `to` (flat x, y, z lists of equal length)
 * with the least weighted squared error. Weights are at least 0, and above 0 for at least three
 * points that are not on a line. After Horn 1987, "Closed-form solution of absolute orientation
 * using unit quaternions".
 */
export function fitSimilarity3d(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  weights: ArrayLike<number>,
): Similarity3d {
  const fromCentre = centroid(from, weights);
  const toCentre = centroid(to, weights);
  // Weighted cross-covariance; rows are `from`, columns are `to`.
  const s = new Float64Array(9);
  let fromSpread = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (weight === 0) continue;
    for (let row = 0; row < 3; row++) {
      const a = from[3 * i + row]! - fromCentre[row]!;
      fromSpread += weight * a * a;
      for (let column = 0; column < 3; column++) {
        s[3 * row + column]! += weight * a * (to[3 * i + column]! - toCentre[column]!);
      }
    }
  }
  const rotation = rotationOfQuaternion(mainEigenvector(hornMatrix(s)));
  let along = 0;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) along += rotation[3 * column + row]! * s[3 * row + column]!;
  }
  const scale = along / fromSpread;
  const shift = (row: number): number =>
    toCentre[row]! -
    scale *
      (rotation[3 * row]! * fromCentre[0] +
        rotation[3 * row + 1]! * fromCentre[1] +
        rotation[3 * row + 2]! * fromCentre[2]);
  return { scale, rotation, translation: [shift(0), shift(1), shift(2)] };
}

function centroid(points: ArrayLike<number>, weights: ArrayLike<number>): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    total += weight;
    for (let axis = 0; axis < 3; axis++) sum[axis]! += weight * points[3 * i + axis]!;
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

/**
 * Returns Horn's symmetric 4 x 4 matrix, whose main eigenvector is the quaternion (w, x, y, z) of
 * the best rotation.
 */
function hornMatrix(s: Float64Array): Float64Array {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Float64Array.of(
    xx + yy + zz,
    yz - zy,
    zx - xz,
    xy - yx,
    yz - zy,
    xx - yy - zz,
    xy + yx,
    zx + xz,
    zx - xz,
    xy + yx,
    yy - xx - zz,
    yz + zy,
    xy - yx,
    zx + xz,
    yz + zy,
    zz - xx - yy,
  );
}

/**
 * Returns the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix, by Jacobi
 * rotations. Destroys `matrix`.
 */
function mainEigenvector(matrix: Float64Array): Float64Array {
  const vectors = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  for (let sweep = 0; sweep < MAX_JACOBI_SWEEPS; sweep++) {
    let diagonal = 0;
    let off = 0;
    for (let p = 0; p < 4; p++) {
      diagonal += matrix[5 * p]! ** 2;
      for (let q = p + 1; q < 4; q++) off += matrix[4 * p + q]! ** 2;
    }
    if (off <= CONVERGED_SHARE * diagonal) break;
    for (let p = 0; p < 3; p++) {
      for (let q = p + 1; q < 4; q++) rotatePair(matrix, vectors, p, q);
    }
  }
  let main = 0;
  for (let i = 1; i < 4; i++) if (matrix[5 * i]! > matrix[5 * main]!) main = i;
  return Float64Array.from({ length: 4 }, (_, row) => vectors[4 * row + main]!);
}

/** Does one Jacobi rotation, which makes the element (p, q) zero. */
function rotatePair(matrix: Float64Array, vectors: Float64Array, p: number, q: number): void {
  const apq = matrix[4 * p + q]!;
  if (apq === 0) return;
  const theta = (matrix[5 * q]! - matrix[5 * p]!) / (2 * apq);
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cos = 1 / Math.sqrt(tangent * tangent + 1);
  const sin = tangent * cos;
  for (let k = 0; k < 4; k++) {
    const kp = matrix[4 * k + p]!;
    const kq = matrix[4 * k + q]!;
    matrix[4 * k + p] = cos * kp - sin * kq;
    matrix[4 * k + q] = sin * kp + cos * kq;
  }
  for (let k = 0; k < 4; k++) {
    const pk = matrix[4 * p + k]!;
    const qk = matrix[4 * q + k]!;
    matrix[4 * p + k] = cos * pk - sin * qk;
    matrix[4 * q + k] = sin * pk + cos * qk;
    const vp = vectors[4 * k + p]!;
    const vq = vectors[4 * k + q]!;
    vectors[4 * k + p] = cos * vp - sin * vq;
    vectors[4 * k + q] = sin * vp + cos * vq;
  }
}

function rotationOfQuaternion(quaternion: Float64Array): Float64Array {
  const [w, x, y, z] = quaternion as unknown as [number, number, number, number];
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}
