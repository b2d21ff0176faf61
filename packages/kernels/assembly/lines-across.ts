/**
 * Kernel of src/filter/lines-across.ts. Computes the lines of `rows` rows of `width` values, for
 * the columns `from` to `to`. Writes the sum and the number of visible values to `totals` (64-bit
 * floats).
 */
export function linesAcross(
  plane: usize,
  lines: usize,
  totals: usize,
  width: i32,
  rows: i32,
  from: i32,
  to: i32,
  offset: i32,
): void {
  const half = f64x2.splat(0.5);
  const reach = isize(offset) << 2;
  let sums = f64x2.splat(0);
  let seen = f64x2.splat(0);
  const ones = f64x2.splat(1);
  for (let y = 0; y < rows; y++) {
    const row = usize(y * width + from) << 2;
    for (let at = row, end = row + (usize(to - from) << 2); at < end; at += 8) {
      const middle = plane + at;
      const sides = f64x2.add(pairAt(middle - reach), pairAt(middle + reach));
      const line = f64x2.sub(pairAt(middle), f64x2.mul(half, sides));
      // Values that are not visible are NaN, which is not equal to itself.
      const isSeen = f64x2.eq(line, line);
      const shown = v128.and(line, isSeen);
      sums = f64x2.add(sums, f64x2.abs(shown));
      seen = f64x2.add(seen, v128.and(ones, isSeen));
      v128.store64_lane(lines + at, f32x4.demote_f64x2_zero(shown), 0);
    }
  }
  store<f64>(totals, f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1));
  store<f64>(totals, f64x2.extract_lane(seen, 0) + f64x2.extract_lane(seen, 1), 8);
}

// @ts-ignore: decorator
@inline
function pairAt(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/**
 * Kernel of src/filter/lines-across.ts. Adds rows of lines to `sums`, which has `channels` numbers for
 * each cell: the first for dark lines, the next for bright lines. `step` is 4 or -4: the direction in
 * which cells are read. `shares` are in the order of the cells.
 */
export function addToCells(
  lines: usize,
  pitch: usize,
  step: isize,
  shares: usize,
  sums: usize,
  rows: i32,
  cellHeight: i32,
  cells: i32,
  cellWidth: i32,
  channels: i32,
  most: f64,
): void {
  const perCell = usize(channels) << 2;
  const cellPitch = usize(cellWidth) << 2;
  const cellStep = step * isize(cellWidth);
  for (let y = 0; y < rows; y++, lines += pitch, shares += cellPitch * usize(cells)) {
    if (y > 0 && y % cellHeight === 0) sums += perCell * usize(cells);
    // The inner loop runs over cells, because sums within one cell depend on each other.
    for (let x = 0; x < cellWidth; x++) {
      let line = lines + step * isize(x);
      let share = shares + (usize(x) << 2);
      for (let cell = sums, end = sums + perCell * usize(cells); cell < end; cell += perCell) {
        const isBright = (load<u32>(line) >>> 31) ^ 1;
        const strength = f64(abs(load<f32>(line)));
        const sum = cell + (usize(isBright) << 2);
        const added = (f64(load<f32>(share)) * strength) / (strength + most);
        store<f32>(sum, f32(f64(load<f32>(sum)) + added));
        line += cellStep;
        share += cellPitch;
      }
    }
  }
}
