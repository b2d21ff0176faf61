/** Points of a surface between control nodes. The nodes are in rows of `columns`. */
export interface RegisteredPoints {
  readonly count: number;
  readonly columns: number;
  readonly nodeCount: number;
  /** Cell of each point, given by the number of its first node. */
  readonly first: Uint8Array;
  /** Bilinear shares of the cell's four nodes, for each point. */
  readonly shares: Float32Array;
  /** Place of each point on the surface, -1..1 from left to right. */
  readonly across: Float32Array;
  /** Place of each point on the surface, -1..1 from top to bottom. */
  readonly down: Float32Array;
  /**
   * Prior knowledge of the shifts along one axis, `nodeCount` squared: the inverse covariance, per
   * square of a unit. `unitsPerPixel` of these units make a pixel.
   */
  readonly prior: Float64Array;
}

/** Values of a picture at each point: grey 0..255, its slope per pixel, and visibility 0..1. */
export interface PointView {
  readonly grey: Float32Array;
  readonly slopeX: Float32Array;
  readonly slopeY: Float32Array;
  readonly weight: Float32Array;
}

export interface Registration {
  /** Typical remaining difference, grey levels. */
  readonly deviation: number;
  /** Share of the points that agree. */
  readonly agreeing: number;
  /** Number of points that both views show. Below `MIN_POINTS` nothing is found. */
  readonly points: number;
}

/**
 * Limits, in deviations, beyond which a point is an outlier: one for each round. The first rounds
 * have wide limits because the difference still contains the shift itself.
 */
export const OUTLIER_ROUNDS = [12, 6, 3] as const;

/** Smallest deviation that is assumed, in grey levels, so that noise makes no outliers. */
export const MIN_DEVIATION = 0.3;

/** Smallest number of points from which a shift may be estimated. */
export const MIN_POINTS = 200;

/** Number of unknowns that describe a change of light: a step, two slopes and contrast. */
const LIGHT_UNKNOWNS = 4;

/** Number of unknowns in the equation of one point: x and y of its four nodes, and the light. */
const POINT_UNKNOWNS = 8 + LIGHT_UNKNOWNS;

/** Number of bins in the histogram of residuals. */
const BIN_COUNT = 256;

/** Number of bins per grey level. */
const BINS_PER_LEVEL = 8;

/** Reference version of the kernel in ../face/register-points.ts. */
export function registerPoints(
  points: RegisteredPoints,
  before: PointView,
  after: PointView,
  unitsPerPixel: number,
  solution: Float64Array,
): Registration {
  const fit = new Fit(points, before, after, solution);
  solution.fill(0);
  let judged = fit.judge(Infinity);
  for (const outlier of OUTLIER_ROUNDS) {
    const limit = outlier * judged.deviation;
    fit.gather(limit);
    fit.solve((judged.deviation * unitsPerPixel) ** 2);
    judged = fit.judge(limit);
    if (judged.points < MIN_POINTS) return judged;
  }
  return judged;
}

class Fit {
  readonly #points: RegisteredPoints;
  readonly #before: PointView;
  readonly #after: PointView;
  readonly #solution: Float64Array;
  readonly #unknowns: number;
  readonly #matrix: Float64Array;
  readonly #right: Float64Array;
  readonly #residual: Float32Array;
  readonly #row = new Float64Array(POINT_UNKNOWNS);
  readonly #index = new Uint8Array(POINT_UNKNOWNS);

  constructor(points: RegisteredPoints, before: PointView, after: PointView, solution: Float64Array) {
    this.#points = points;
    this.#before = before;
    this.#after = after;
    this.#solution = solution;
    this.#unknowns = solution.length;
    this.#matrix = new Float64Array(solution.length ** 2);
    this.#right = new Float64Array(solution.length);
    this.#residual = new Float32Array(points.count);
  }

  /**
   * Computes the differences that remain after the solution, their typical size, and the share of
   * the points within `limit`.
   */
  judge(limit: number): Registration {
    const row = this.#row;
    const index = this.#index;
    const histogram = new Uint32Array(BIN_COUNT);
    let points = 0;
    let agreeing = 0;
    for (let i = 0; i < this.#points.count; i++) {
      if (this.#seen(i) === 0) continue;
      this.#rowOf(i);
      let left = this.#after.grey[i]! - this.#before.grey[i]!;
      for (let k = 0; k < POINT_UNKNOWNS; k++) left += row[k]! * this.#solution[index[k]!]!;
      this.#residual[i] = left;
      const size = Math.abs(left);
      histogram[Math.min(BIN_COUNT - 1, Math.floor(size * BINS_PER_LEVEL))]! += 1;
      points += 1;
      if (size < limit) agreeing += 1;
    }
    let below = 0;
    let bin = 0;
    while (bin < BIN_COUNT - 1 && (below += histogram[bin]!) < points / 2) bin += 1;
    // The median of the absolute values of a normal distribution is 0.6745 of its deviation.
    const deviation = Math.max(MIN_DEVIATION, (1.4826 * (bin + 0.5)) / BINS_PER_LEVEL);
    return { deviation, agreeing: agreeing / Math.max(1, points), points };
  }

  /** Builds the normal equations. Only the lower half is filled. */
  gather(limit: number): void {
    const matrix = this.#matrix.fill(0);
    const right = this.#right.fill(0);
    const row = this.#row;
    const index = this.#index;
    for (let i = 0; i < this.#points.count; i++) {
      const off = this.#residual[i]! / limit;
      const seen = this.#seen(i);
      if (seen === 0 || off * off >= 1) continue;
      const weight = seen * (1 - off * off) ** 2;
      this.#rowOf(i);
      const change = this.#after.grey[i]! - this.#before.grey[i]!;
      for (let k = 0; k < POINT_UNKNOWNS; k++) {
        const weighted = weight * row[k]!;
        const into = index[k]!;
        right[into]! -= weighted * change;
        for (let l = 0; l <= k; l++) matrix[into * this.#unknowns + index[l]!]! += weighted * row[l]!;
      }
    }
  }

  /** Adds the prior knowledge and solves by Cholesky decomposition, in place. */
  solve(known: number): void {
    const { nodeCount, prior } = this.#points;
    const unknowns = this.#unknowns;
    const matrix = this.#matrix;
    const solution = this.#solution;
    for (let i = 0; i < nodeCount; i++) {
      for (let j = 0; j <= i; j++) {
        const wish = known * prior[i * nodeCount + j]!;
        matrix[i * unknowns + j]! += wish;
        matrix[(nodeCount + i) * unknowns + nodeCount + j]! += wish;
      }
    }
    for (let i = 2 * nodeCount; i < unknowns; i++) matrix[i * (unknowns + 1)]! += 1e-3;
    for (let i = 0; i < unknowns; i++) {
      const rowI = i * unknowns;
      let value = this.#right[i]!;
      for (let j = 0; j <= i; j++) {
        const rowJ = j * unknowns;
        let sum = matrix[rowI + j]!;
        for (let k = 0; k < j; k++) sum -= matrix[rowI + k]! * matrix[rowJ + k]!;
        matrix[rowI + j] = j < i ? sum / matrix[rowJ + j]! : Math.sqrt(Math.max(1e-12, sum));
      }
      for (let k = 0; k < i; k++) value -= matrix[rowI + k]! * solution[k]!;
      solution[i] = value / matrix[rowI + i]!;
    }
    for (let i = unknowns - 1; i >= 0; i--) {
      const value = solution[i]! / matrix[i * (unknowns + 1)]!;
      solution[i] = value;
      for (let k = 0; k < i; k++) solution[k]! -= matrix[i * unknowns + k]! * value;
    }
  }

  #seen(i: number): number {
    return this.#before.weight[i]! * this.#after.weight[i]!;
  }

  /**
   * Computes the equation of one point, which is grey difference = -(row . unknowns), and the
   * indices of its unknowns.
   */
  #rowOf(i: number): void {
    const { columns, nodeCount, first, shares, across, down } = this.#points;
    const { grey, slopeX, slopeY } = this.#before;
    const after = this.#after;
    const row = this.#row;
    const index = this.#index;
    const perX = (slopeX[i]! + after.slopeX[i]!) / 2;
    const perY = (slopeY[i]! + after.slopeY[i]!) / 2;
    for (let k = 0; k < 4; k++) {
      const share = shares[4 * i + k]!;
      const node = first[i]! + (k & 1) + (k >> 1) * columns;
      row[k] = share * perX;
      row[4 + k] = share * perY;
      index[k] = node;
      index[4 + k] = nodeCount + node;
      index[8 + k] = 2 * nodeCount + k;
    }
    row[8] = 1;
    row[9] = across[i]!;
    row[10] = down[i]!;
    row[11] = ((grey[i]! + after.grey[i]!) / 2 - 128) / 64;
  }
}
