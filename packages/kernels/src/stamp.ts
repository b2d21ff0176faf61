/** A small grey picture with transparency, and its place on another picture. */
export interface Stamp {
  /** Left column and top row on the other picture; even numbers. */
  readonly x: number;
  readonly y: number;
  /** Size in pixels; even numbers. */
  readonly width: number;
  readonly height: number;
  /** Grey of each pixel, width * height bytes. */
  readonly levels: Uint8Array;
  /** Straight alpha of each pixel, width * height bytes. */
  readonly alpha: Uint8Array;
}

/** Samples of one kind in a picture that may hold others between them. */
export interface Samples {
  readonly data: Uint8Array;
  /** Index of the sample under the stamp's first pixel. */
  readonly start: number;
  /** Distance from row to row, and from sample to sample. */
  readonly rowStride: number;
  readonly step: number;
}

/**
 * Makes the alpha under a stamp at least as opaque as the stamp.
 * @param alpha straight alpha of the picture; null if every pixel is opaque
 * @returns weight of the stamp at each of its pixels, 0..1
 */
export function stampAlpha({ width, height, alpha }: Stamp, below: Samples | null): Float32Array {
  const weights = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const above = alpha[i]! / 255;
      if (above === 0) continue;
      if (below === null) {
        weights[i] = above;
        continue;
      }
      const at = below.start + y * below.rowStride + x * below.step;
      const both = above + (below.data[at]! / 255) * (1 - above);
      below.data[at] = Math.round(255 * both);
      weights[i] = above / both;
    }
  }
  return weights;
}

/**
 * Blends values over samples. Samples with the weight 0 are kept.
 * @param valueAt returns the value over the sample with this number
 */
export function stampSamples(
  { data, start, rowStride, step }: Samples,
  size: { readonly width: number; readonly height: number },
  weights: Float32Array,
  valueAt: (index: number) => number,
): void {
  for (let y = 0, i = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, i++) {
      const weight = weights[i]!;
      if (weight === 0) continue;
      const at = start + y * rowStride + x * step;
      data[at] = Math.round(data[at]! + weight * (valueAt(i) - data[at]!));
    }
  }
}

/** Averages weights over blocks of 2 x 2. */
export function halvedWeights(weights: Float32Array, { width, height }: Stamp): Float32Array {
  const half = new Float32Array((width / 2) * (height / 2));
  for (let y = 0, i = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2, i++) {
      const at = y * width + x;
      half[i] = (weights[at]! + weights[at + 1]! + weights[at + width]! + weights[at + width + 1]!) / 4;
    }
  }
  return half;
}
