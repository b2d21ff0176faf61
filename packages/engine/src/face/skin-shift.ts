import type { SkinView } from './skin-patch.ts';
import type { SurfaceSamples } from './surface-samples.ts';
import { NODE_COLUMNS, NODE_COUNT, NODE_ROWS } from './surface-samples.ts';

/** Unknowns: every node's shift in x, then in y, then what light may do between the views. */
const LIGHT = 4;
const UNKNOWNS = 2 * NODE_COUNT + LIGHT;
/** Unknowns that one point tells about: its four nodes' x and y, and light. */
const LOCAL = 8 + LIGHT;

/**
 * What is known of the shifts before looking, as the strength (one over the variance, per square of a 144th of the face)
 * of three wishes: they are small, alike at neighbouring nodes, and follow a plane. They only decide where the skin has
 * no texture to see.
 */
const SMALL = 0.1;
const ALIKE = 0.6;
const EVEN = 6;
const FACE_UNIT = 144;

/** Points whose grey is off by more than so many times the usual do not belong to the skin, round by round: at first it is the shift. */
const OUTLIER_ROUNDS = [12, 6, 3] as const;
const LEAST_DEVIATION = 0.3;

/** Points needed, and share of them that must agree, for a shift to be believed. */
const LEAST_POINTS = 200;
const LEAST_AGREEING = 0.45;
/** Usual difference in grey levels beyond which this is not the same skin any more: motion blur, a flash, an occluder. */
const MOST_DEVIATION = 6;
/** Shift in shares of the face beyond which the slopes say nothing about the way. */
const MOST_SHIFT = 0.03;
const BINS = 256;
const BINS_PER_LEVEL = 8;

/**
 * Finds by how much the mesh errs from one view of the skin to the next: if it followed the head exactly, the same points
 * of the surface would look the same but for light. The grey's differences are explained by a small shift of the mesh,
 * bilinear between the nodes of `surface-samples.ts`, and by a change of light (linear over the face, and its contrast).
 *
 * After Lucas and Kanade 1981, with the mean slope of both views (Benhimane and Malis 2004: second order in one step) and
 * Tukey's weights against what is not skin.
 */
export class SkinRegistration {
  readonly #samples: SurfaceSamples;
  readonly #prior = priorMatrix();
  readonly #matrix = new Float64Array(UNKNOWNS * UNKNOWNS);
  readonly #right = new Float64Array(UNKNOWNS);
  readonly #solution = new Float64Array(UNKNOWNS);
  readonly #local = new Float64Array(LOCAL * LOCAL);
  readonly #localRight = new Float64Array(LOCAL);
  readonly #row = new Float64Array(LOCAL);
  readonly #index = new Uint8Array(LOCAL);
  readonly #residual: Float32Array;
  readonly #histogram = new Uint32Array(BINS);

  constructor(samples: SurfaceSamples) {
    this.#samples = samples;
    this.#residual = new Float32Array(samples.count);
  }

  /**
   * The change of the mesh's error, in the frame's pixels: where the skin moved beyond what the mesh did, from `before`
   * to `after`. First x of all nodes, then y.
   * @returns null where the views do not show the same skin
   */
  shift(before: SkinView, after: SkinView): Float32Array | null {
    if (before.scale !== after.scale) return null;
    const { size, factor } = after.scale;
    this.#solution.fill(0);
    let { deviation } = this.#judge(before, after, Infinity);
    let agreeing = 1;
    for (const outlier of OUTLIER_ROUNDS) {
      this.#gather(before, after, outlier * deviation);
      this.#solve(deviation, size / factor);
      const judged = this.#judge(before, after, outlier * deviation);
      if (judged.points < LEAST_POINTS) return null;
      ({ deviation, agreeing } = judged);
    }
    if (agreeing < LEAST_AGREEING || deviation > MOST_DEVIATION) return null;
    const shift = new Float32Array(2 * NODE_COUNT);
    for (let i = 0; i < shift.length; i++) {
      if (Math.abs(this.#solution[i]!) * factor > MOST_SHIFT * size) return null;
      shift[i] = this.#solution[i]! * factor;
    }
    return shift;
  }

  /** The equation of one point: grey changed = -(row . unknowns). */
  #rowOf(before: SkinView, after: SkinView, i: number): void {
    const row = this.#row;
    const { nodes, across, down } = this.#samples;
    const slopeX = (before.slopeX[i]! + after.slopeX[i]!) / 2;
    const slopeY = (before.slopeY[i]! + after.slopeY[i]!) / 2;
    for (let k = 0; k < 4; k++) {
      const share = nodes.shares[4 * i + k]!;
      row[k] = share * slopeX;
      row[4 + k] = share * slopeY;
    }
    row[8] = 1;
    row[9] = across[i]!;
    row[10] = down[i]!;
    row[11] = ((before.grey[i]! + after.grey[i]!) / 2 - 128) / 64;
  }

  /** The unknowns that a cell's points tell about. */
  #indexOf(first: number): void {
    const index = this.#index;
    for (let k = 0; k < 4; k++) {
      const node = first + (k & 1) + (k >> 1) * NODE_COLUMNS;
      index[k] = node;
      index[4 + k] = NODE_COUNT + node;
      index[8 + k] = 2 * NODE_COUNT + k;
    }
  }

  /** Differences left over by the solution, their usual size, and the share of the points within `limit`. */
  #judge(
    before: SkinView,
    after: SkinView,
    limit: number,
  ): { readonly deviation: number; readonly agreeing: number; readonly points: number } {
    const { count, nodes } = this.#samples;
    const row = this.#row;
    const index = this.#index;
    const solution = this.#solution;
    const histogram = this.#histogram.fill(0);
    let points = 0;
    let agreeing = 0;
    let cell = -1;
    for (let i = 0; i < count; i++) {
      if (before.weight[i] === 0 || after.weight[i] === 0) continue;
      if (nodes.first[i] !== cell) this.#indexOf((cell = nodes.first[i]!));
      this.#rowOf(before, after, i);
      let left = after.grey[i]! - before.grey[i]!;
      for (let k = 0; k < LOCAL; k++) left += row[k]! * solution[index[k]!]!;
      this.#residual[i] = left;
      const size = Math.abs(left);
      histogram[Math.min(BINS - 1, Math.floor(size * BINS_PER_LEVEL))]! += 1;
      points += 1;
      if (size < limit) agreeing += 1;
    }
    let below = 0;
    let bin = 0;
    while (bin < BINS - 1 && (below += histogram[bin]!) < points / 2) bin += 1;
    // The median of a normal distribution's sizes is 0.6745 of its deviation.
    const deviation = Math.max(LEAST_DEVIATION, (1.4826 * (bin + 0.5)) / BINS_PER_LEVEL);
    return { deviation, agreeing: agreeing / Math.max(1, points), points };
  }

  /** Normal equations, cell by cell; only the lower half. */
  #gather(before: SkinView, after: SkinView, limit: number): void {
    const { count, nodes } = this.#samples;
    const row = this.#row;
    const local = this.#local.fill(0);
    const right = this.#localRight.fill(0);
    this.#matrix.fill(0);
    this.#right.fill(0);
    let cell = -1;
    for (let i = 0; i < count; i++) {
      const off = this.#residual[i]! / limit;
      const seen = before.weight[i]! * after.weight[i]!;
      if (seen === 0 || off * off >= 1) continue;
      const weight = seen * (1 - off * off) ** 2;
      if (nodes.first[i] !== cell) {
        if (cell >= 0) this.#scatter(cell);
        cell = nodes.first[i]!;
        local.fill(0);
        right.fill(0);
      }
      this.#rowOf(before, after, i);
      const change = after.grey[i]! - before.grey[i]!;
      for (let k = 0; k < LOCAL; k++) {
        const weighted = weight * row[k]!;
        right[k]! -= weighted * change;
        for (let l = 0, at = k * LOCAL; l <= k; l++) local[at + l]! += weighted * row[l]!;
      }
    }
    if (cell >= 0) this.#scatter(cell);
  }

  #scatter(cell: number): void {
    this.#indexOf(cell);
    const index = this.#index;
    for (let k = 0; k < LOCAL; k++) {
      const into = index[k]!;
      this.#right[into]! += this.#localRight[k]!;
      for (let l = 0; l <= k; l++) this.#matrix[into * UNKNOWNS + index[l]!]! += this.#local[k * LOCAL + l]!;
    }
  }

  /** Adds what is known beforehand and solves by Cholesky's decomposition, in place. */
  #solve(deviation: number, faceSize: number): void {
    const matrix = this.#matrix;
    const solution = this.#solution;
    const known = deviation * deviation * (FACE_UNIT / faceSize) ** 2;
    for (let i = 0; i < NODE_COUNT; i++) {
      for (let j = 0; j <= i; j++) {
        const wish = known * this.#prior[i * NODE_COUNT + j]!;
        matrix[i * UNKNOWNS + j]! += wish;
        matrix[(NODE_COUNT + i) * UNKNOWNS + NODE_COUNT + j]! += wish;
      }
    }
    for (let i = 2 * NODE_COUNT; i < UNKNOWNS; i++) matrix[i * (UNKNOWNS + 1)]! += 1e-3;
    for (let i = 0; i < UNKNOWNS; i++) {
      const rowI = i * UNKNOWNS;
      let value = this.#right[i]!;
      for (let j = 0; j <= i; j++) {
        const rowJ = j * UNKNOWNS;
        let sum = matrix[rowI + j]!;
        for (let k = 0; k < j; k++) sum -= matrix[rowI + k]! * matrix[rowJ + k]!;
        matrix[rowI + j] = j < i ? sum / matrix[rowJ + j]! : Math.sqrt(Math.max(1e-12, sum));
      }
      for (let k = 0; k < i; k++) value -= matrix[rowI + k]! * solution[k]!;
      solution[i] = value / matrix[rowI + i]!;
    }
    for (let i = UNKNOWNS - 1; i >= 0; i--) {
      const value = solution[i]! / matrix[i * (UNKNOWNS + 1)]!;
      solution[i] = value;
      for (let k = 0; k < i; k++) solution[k]! -= matrix[i * UNKNOWNS + k]! * value;
    }
  }
}

/** The wishes about the shifts along one axis, `NODE_COUNT` squared. */
function priorMatrix(): Float64Array {
  const matrix = new Float64Array(NODE_COUNT * NODE_COUNT);
  const wish = (
    strength: number,
    ...terms: readonly (readonly [column: number, row: number, factor: number])[]
  ): void => {
    if (terms.some(([column, row]) => column >= NODE_COLUMNS || row >= NODE_ROWS)) return;
    for (const [c, r, f] of terms)
      for (const [column, row, factor] of terms)
        matrix[(r * NODE_COLUMNS + c) * NODE_COUNT + row * NODE_COLUMNS + column]! += strength * f * factor;
  };
  for (let y = 0; y < NODE_ROWS; y++) {
    for (let x = 0; x < NODE_COLUMNS; x++) {
      wish(SMALL, [x, y, 1]);
      wish(ALIKE, [x, y, 1], [x + 1, y, -1]);
      wish(ALIKE, [x, y, 1], [x, y + 1, -1]);
      wish(EVEN, [x, y, 1], [x + 1, y, -2], [x + 2, y, 1]);
      wish(EVEN, [x, y, 1], [x, y + 1, -2], [x, y + 2, 1]);
      wish(2 * EVEN, [x, y, 1], [x + 1, y, -1], [x, y + 1, -1], [x + 1, y + 1, 1]);
    }
  }
  return matrix;
}
