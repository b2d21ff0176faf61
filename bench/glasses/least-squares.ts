/** Sums that a least-squares fit needs; those of parts add up, so that a part can be left out. */
export interface Moments {
  /** Number of values of a row. */
  readonly size: number;
  /** Sums of the products of each two values, `size` x `size`; only its lower triangle is kept. */
  readonly products: Float64Array;
  /** Sums of the products of each value with what the row is to give. */
  readonly towards: Float64Array;
  weight: number;
}

export function noMoments(size: number): Moments {
  return { size, products: new Float64Array(size * size), towards: new Float64Array(size), weight: 0 };
}

/** Adds a row, which is to give `wanted`. */
export function addRow(moments: Moments, row: Float64Array, wanted: number, weight: number): void {
  const { size, products, towards } = moments;
  for (let i = 0; i < size; i++) {
    const value = weight * row[i]!;
    towards[i]! += value * wanted;
    const at = i * size;
    for (let j = 0; j <= i; j++) products[at + j]! += value * row[j]!;
  }
  moments.weight += weight;
}

/** Adds other moments `times` (1 or -1). */
export function addMoments(moments: Moments, other: Moments, times: number): void {
  for (let i = 0; i < moments.products.length; i++) moments.products[i]! += times * other.products[i]!;
  for (let i = 0; i < moments.size; i++) moments.towards[i]! += times * other.towards[i]!;
  moments.weight += times * other.weight;
}

/**
 * Finds the coefficients that give what is wanted with the least squared error, small ones
 * preferred (ridge regression, by Cholesky's decomposition).
 */
export function solve({ size, products, towards, weight }: Moments, ridge: number): Float64Array {
  const lower = products.slice();
  const out = towards.slice();
  for (let i = 0; i < size; i++) lower[i * size + i]! += ridge * weight;
  for (let i = 0; i < size; i++) {
    const atI = i * size;
    for (let j = 0; j <= i; j++) {
      const atJ = j * size;
      let sum = lower[atI + j]!;
      for (let k = 0; k < j; k++) sum -= lower[atI + k]! * lower[atJ + k]!;
      lower[atI + j] = i === j ? Math.sqrt(sum) : sum / lower[atJ + j]!;
    }
    for (let k = 0; k < i; k++) out[i]! -= lower[atI + k]! * out[k]!;
    out[i]! /= lower[atI + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    out[i]! /= lower[i * size + i]!;
    for (let k = 0; k < i; k++) out[k]! -= lower[i * size + k]! * out[i]!;
  }
  return out;
}
