/**
 * A part of a video frame as it is stored: 8-bit luma and two chroma planes, each a view that
 * begins at the part's first sample.
 *
 * Chroma is as large as luma, or halved both ways (rounded up) with its samples sited left as in
 * MPEG-2: on every even column, half way between two rows.
 */
export interface FramePlanes {
  /** Left column of the part in the frame; even if chroma is halved, and so is `y`. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly chromaIsHalved: boolean;
  /** Samples of luma, blue difference and red difference. */
  readonly data: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** Bytes from row to row, for each plane. */
  readonly strides: readonly [number, number, number];
  readonly colours: PlaneColours;
}

/**
 * Conversion of red, green and blue of 0..255 to stored samples: for each plane `offset + r R + g G
 * + b B`.
 */
export interface PlaneColours {
  readonly offset: readonly [number, number, number];
  /** Weights (r, g, b) for luma, for blue difference and for red difference, nine numbers. */
  readonly weights: readonly number[];
}
