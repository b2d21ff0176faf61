/**
 * A part of a video frame as it is stored: 8-bit luma and two chroma planes. Each is a view that
 * begins at the part's first sample.
 *
 * Chroma is as large as luma, or halved in both directions (rounded up). Halved samples are sited
 * left as in MPEG-2: on every even column, half way between two rows.
 */
export interface FramePlanes {
  /** Left column of the part in the frame. If chroma is halved, `x` and `y` are even. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly chromaIsHalved: boolean;
  /** Samples of luma, blue difference and red difference. */
  readonly data: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** Distance from row to row in bytes, for each plane. */
  readonly strides: readonly [number, number, number];
  readonly colours: PlaneColours;
}

/**
 * Conversion of red, green and blue of 0..255 to stored samples. For each plane: `offset + r R + g
 * G + b B`.
 */
export interface PlaneColours {
  readonly offset: readonly [number, number, number];
  /** Weights (r, g, b) for luma, for blue difference and for red difference: nine numbers. */
  readonly weights: readonly number[];
}
