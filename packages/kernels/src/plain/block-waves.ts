/** Waves of the cosine transform of square blocks that are wanted. */
export interface BlockWaves {
  /** Side of a block, samples: 8. */
  readonly side: number;
  /** Orthonormal waves, `side` values for each frequency from 0 on. */
  readonly waves: Float32Array;
  /** Horizontal and vertical frequency of each wanted wave, two numbers each. */
  readonly frequencies: Int32Array;
}

/** Writes the coefficients of the wanted waves, for each block of a square grid in turn. */
export function toBlockWaves(
  grid: Float32Array,
  gridSide: number,
  { side, waves, frequencies }: BlockWaves,
  coefficients: Float32Array,
): void {
  let k = 0;
  for (let top = 0; top < gridSide; top += side) {
    for (let left = 0; left < gridSide; left += side) {
      for (let f = 0; f < frequencies.length; f += 2) {
        let sum = 0;
        for (let y = 0; y < side; y++)
          for (let x = 0; x < side; x++)
            sum +=
              waves[frequencies[f]! * side + x]! *
              waves[frequencies[f + 1]! * side + y]! *
              grid[(top + y) * gridSide + left + x]!;
        coefficients[k++] = sum;
      }
    }
  }
}

/**
 * Adds waves that have these coefficients to a square grid.
 * @param room largest size of each sample; what is beyond is cut off
 */
export function addBlockWaves(
  grid: Float32Array,
  room: Float32Array,
  coefficients: Float32Array,
  gridSide: number,
  { side, waves, frequencies }: BlockWaves,
): void {
  let k = 0;
  for (let top = 0; top < gridSide; top += side) {
    for (let left = 0; left < gridSide; left += side) {
      for (let f = 0; f < frequencies.length; f += 2) {
        const coefficient = coefficients[k++]!;
        for (let y = 0; y < side; y++)
          for (let x = 0; x < side; x++)
            grid[(top + y) * gridSide + left + x]! +=
              coefficient * waves[frequencies[f]! * side + x]! * waves[frequencies[f + 1]! * side + y]!;
      }
    }
  }
  for (let at = 0; at < grid.length; at++) grid[at] = Math.max(-room[at]!, Math.min(room[at]!, grid[at]!));
}
