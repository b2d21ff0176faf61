const BINS: i32 = 256;
const BINS_PER_LEVEL: f32 = 8;
/**
 * Size of a visible point in the work memory: its row of three vectors, then change, weight,
 * residual and cell.
 */
const POINT_BYTES: usize = 64;

let rows: usize = 0;
let rowsEnd: usize = 0;
let histogram: usize = 0;
let local: usize = 0;
let matrix: usize = 0;
let right: usize = 0;
let solution: usize = 0;
let unknowns: i32 = 0;
let columns: i32 = 0;
let nodes: i32 = 0;
let agreeing: i32 = 0;

/**
 * Kernel of src/face/register-points.ts. `before` and `after` each contain consecutive planes:
 * grey, slope in x, slope in y, and weight. Writes the deviation, the share of agreeing points and
 * the number of points to `numbers`.
 */
export function registerPoints(
  count: i32,
  nodeColumns: i32,
  nodeCount: i32,
  first: usize,
  shares: usize,
  across: usize,
  down: usize,
  prior: usize,
  before: usize,
  after: usize,
  squareUnits: f64,
  leastDeviation: f32,
  leastPoints: i32,
  rounds: usize,
  roundCount: i32,
  work: usize,
  solutionOut: usize,
  numbers: usize,
): void {
  columns = nodeColumns;
  nodes = nodeCount;
  unknowns = 2 * nodeCount + 4;
  solution = solutionOut;
  matrix = work;
  right = matrix + ((usize(unknowns) * usize(unknowns)) << 3);
  histogram = right + (usize(unknowns) << 3);
  local = histogram + (usize(BINS) << 2);
  rows = local + 27 * 16;
  takeRows(count, first, shares, across, down, before, after);
  const points = i32((rowsEnd - rows) / POINT_BYTES);
  memory.fill(solution, 0, usize(unknowns) << 3);
  let deviation = judge(points, f32.MAX_VALUE, leastDeviation);
  for (let round = 0; round < roundCount && (round === 0 || points >= leastPoints); round++) {
    const limit = load<f32>(rounds + (usize(round) << 2)) * deviation;
    gather(limit);
    solve(prior, f64(deviation) * f64(deviation) * squareUnits);
    deviation = judge(points, limit, leastDeviation);
  }
  store<f32>(numbers, deviation);
  store<f32>(numbers, f32(agreeing) / f32(max(1, points)), 4);
  store<f32>(numbers, f32(points), 8);
}

/** Writes the equations of the points that are visible in both views. */
function takeRows(
  count: i32,
  first: usize,
  shares: usize,
  across: usize,
  down: usize,
  before: usize,
  after: usize,
): void {
  const pitch = usize(count) << 2;
  let to = rows;
  for (let i: usize = 0; i < usize(count); i++) {
    const at = i << 2;
    const seen = load<f32>(before + 3 * pitch + at) * load<f32>(after + 3 * pitch + at);
    if (seen === 0) continue;
    const share = v128.load(shares + (i << 4));
    const perX = (load<f32>(before + pitch + at) + load<f32>(after + pitch + at)) * 0.5;
    const perY = (load<f32>(before + 2 * pitch + at) + load<f32>(after + 2 * pitch + at)) * 0.5;
    const grey = load<f32>(before + at);
    const greyAfter = load<f32>(after + at);
    v128.store(to, f32x4.mul(share, f32x4.splat(perX)));
    v128.store(to, f32x4.mul(share, f32x4.splat(perY)), 16);
    store<f32>(to, 1, 32);
    store<f32>(to, load<f32>(across + at), 36);
    store<f32>(to, load<f32>(down + at), 40);
    store<f32>(to, ((grey + greyAfter) * 0.5 - 128) * (1.0 / 64.0), 44);
    store<f32>(to, greyAfter - grey, 48);
    store<f32>(to, seen, 52);
    store<i32>(to, i32(load<u8>(first + i)), 60);
    to += POINT_BYTES;
  }
  rowsEnd = to;
}

/**
 * Writes the residuals and counts those within the limit.
 * @returns a robust estimate of their standard deviation, from the median
 */
function judge(points: i32, limit: f32, leastDeviation: f32): f32 {
  memory.fill(histogram, 0, usize(BINS) << 2);
  agreeing = 0;
  let cell = -1;
  let shiftX = f32x4.splat(0);
  let shiftY = f32x4.splat(0);
  const light = fourOf(2 * nodes, 1, 2);
  for (let at = rows; at < rowsEnd; at += POINT_BYTES) {
    const own = load<i32>(at, 60);
    if (own !== cell) {
      cell = own;
      shiftX = fourOf(cell, 1, columns);
      shiftY = fourOf(nodes + cell, 1, columns);
    }
    const sum = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), shiftX), f32x4.mul(v128.load(at, 16), shiftY)),
      f32x4.mul(v128.load(at, 32), light),
    );
    const left =
      load<f32>(at, 48) +
      (f32x4.extract_lane(sum, 0) +
        f32x4.extract_lane(sum, 1) +
        (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)));
    store<f32>(at, left, 56);
    const size = abs(left);
    const bin = histogram + (usize(min(f32(BINS - 1), floor(size * BINS_PER_LEVEL))) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    if (size < limit) agreeing += 1;
  }
  let below: i32 = 0;
  let bin: i32 = 0;
  while (bin < BINS - 1) {
    below += load<i32>(histogram + (usize(bin) << 2));
    if (2 * below >= points) break;
    bin += 1;
  }
  return max(leastDeviation, (f32(1.4826) * (f32(bin) + 0.5)) / BINS_PER_LEVEL);
}

/**
 * Returns four numbers of the solution: those at `start` and `start + step`, and the two that are
 * `down` numbers after these.
 */
// @ts-ignore: decorator
@inline
function fourOf(start: i32, step: i32, down: i32): v128 {
  const at = solution + (usize(start) << 3);
  const lower = at + (usize(down) << 3);
  let four = f32x4.splat(f32(load<f64>(at)));
  four = f32x4.replace_lane(four, 1, f32(load<f64>(at + (usize(step) << 3))));
  four = f32x4.replace_lane(four, 2, f32(load<f64>(lower)));
  return f32x4.replace_lane(four, 3, f32(load<f64>(lower + (usize(step) << 3))));
}

/** Builds the normal equations, cell by cell; only the lower half is filled. */
function gather(limit: f32): void {
  memory.fill(matrix, 0, right - matrix + (usize(unknowns) << 3));
  memory.fill(local, 0, 27 * 16);
  const perLimit: f32 = 1 / limit;
  let cell = -1;
  for (let at = rows; at < rowsEnd; at += POINT_BYTES) {
    const off = load<f32>(at, 56) * perLimit;
    const rest: f32 = 1 - off * off;
    if (rest <= 0) continue;
    const own = load<i32>(at, 60);
    if (own !== cell) {
      if (cell >= 0) scatter(cell);
      cell = own;
    }
    const x = v128.load(at);
    const y = v128.load(at, 16);
    const light = v128.load(at, 32);
    const weight = f32x4.splat(load<f32>(at, 52) * rest * rest);
    const change = f32x4.splat(load<f32>(at, 48));
    const ofX = f32x4.mul(weight, x);
    const ofY = f32x4.mul(weight, y);
    const ofLight = f32x4.mul(weight, light);
    addTo(0, f32x4.mul(ofX, change));
    addTo(1, f32x4.mul(ofY, change));
    addTo(2, f32x4.mul(ofLight, change));
    addRows(3, ofX, x);
    addRows(7, ofY, x);
    addRows(11, ofY, y);
    addRows(15, ofLight, x);
    addRows(19, ofLight, y);
    addRows(23, ofLight, light);
  }
  if (cell >= 0) scatter(cell);
}

/** Adds the products of each lane of `by` and the vector to four accumulators. */
// @ts-ignore: decorator
@inline
function addRows(k: usize, by: v128, vector: v128): void {
  addTo(k, f32x4.mul(v128.shuffle<f32>(by, by, 0, 0, 0, 0), vector));
  addTo(k + 1, f32x4.mul(v128.shuffle<f32>(by, by, 1, 1, 1, 1), vector));
  addTo(k + 2, f32x4.mul(v128.shuffle<f32>(by, by, 2, 2, 2, 2), vector));
  addTo(k + 3, f32x4.mul(v128.shuffle<f32>(by, by, 3, 3, 3, 3), vector));
}

// @ts-ignore: decorator
@inline
function addTo(k: usize, vector: v128): void {
  const at = local + (k << 4);
  v128.store(at, f32x4.add(v128.load(at), vector));
}

/** Adds the sums of a cell's points to the equations, and clears them. */
function scatter(cell: i32): void {
  for (let k = 0; k < 12; k++) {
    const into = unknownOf(cell, k);
    const entry = right + (usize(into) << 3);
    store<f64>(entry, load<f64>(entry) - f64(load<f32>(local + (usize(k) << 2))));
    // First accumulator of each block: x with x 3; y with x 7, with y 11; light with x 15, with y 19, with light 23.
    const block = k >> 2;
    const start = block === 0 ? 3 : block === 1 ? 7 : 15;
    for (let l = 0; l <= k; l++) {
      const vector = usize(start + 4 * (l >> 2) + (k & 3));
      const at = matrix + (usize(into * unknowns + unknownOf(cell, l)) << 3);
      store<f64>(at, load<f64>(at) + f64(load<f32>(local + (vector << 4) + (usize(l & 3) << 2))));
    }
  }
  memory.fill(local, 0, 27 * 16);
}

// @ts-ignore: decorator
@inline
function unknownOf(cell: i32, k: i32): i32 {
  if (k >= 8) return 2 * nodes + (k & 3);
  return (k >> 2) * nodes + cell + (k & 1) + ((k & 3) >> 1) * columns;
}

/** Adds the prior and solves the equations in place, by Cholesky decomposition. */
function solve(prior: usize, known: f64): void {
  for (let i = 0; i < nodes; i++) {
    for (let j = 0; j <= i; j++) {
      const wish = known * load<f64>(prior + (usize(i * nodes + j) << 3));
      addAt(i * unknowns + j, wish);
      addAt((nodes + i) * unknowns + nodes + j, wish);
    }
  }
  for (let i = 2 * nodes; i < unknowns; i++) addAt(i * (unknowns + 1), 1e-3);
  for (let i = 0; i < unknowns; i++) {
    const rowI = rowAt(i);
    for (let j = 0; j <= i; j++) {
      const at = rowI + (usize(j) << 3);
      const sum = load<f64>(at) - dot(rowI, rowAt(j), j);
      store<f64>(at, j < i ? sum / load<f64>(rowAt(j) + (usize(j) << 3)) : sqrt(max<f64>(1e-12, sum)));
    }
    const value = load<f64>(right + (usize(i) << 3)) - dot(rowI, solution, i);
    store<f64>(solution + (usize(i) << 3), value / load<f64>(rowI + (usize(i) << 3)));
  }
  for (let i = unknowns - 1; i >= 0; i--) {
    const rowI = rowAt(i);
    const at = solution + (usize(i) << 3);
    const value = load<f64>(at) / load<f64>(rowI + (usize(i) << 3));
    store<f64>(at, value);
    for (let k: usize = 0; k < usize(i) << 3; k += 8)
      store<f64>(solution + k, load<f64>(solution + k) - load<f64>(rowI + k) * value);
  }
}

// @ts-ignore: decorator
@inline
function rowAt(i: i32): usize {
  return matrix + (usize(i * unknowns) << 3);
}

// @ts-ignore: decorator
@inline
function addAt(k: i32, value: f64): void {
  const at = matrix + (usize(k) << 3);
  store<f64>(at, load<f64>(at) + value);
}

function dot(a: usize, b: usize, count: i32): f64 {
  let sums = f64x2.splat(0);
  let others = f64x2.splat(0);
  const end = a + (usize(count & ~3) << 3);
  for (; a < end; a += 32, b += 32) {
    sums = f64x2.add(sums, f64x2.mul(v128.load(a), v128.load(b)));
    others = f64x2.add(others, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
  }
  sums = f64x2.add(sums, others);
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  for (let k = count & 3; k > 0; k--, a += 8, b += 8) sum += load<f64>(a) * load<f64>(b);
  return sum;
}
