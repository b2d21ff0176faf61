/**
 * A part of a video frame as it is stored: 8-bit luma and two chroma planes, each a view that
 * begins at the part's first sample. Chroma is as large as luma, or halved both ways (rounded up)
 * with its samples sited left, as MPEG-2 has it: on every even column, half way between two rows.
 */
export interface FramePlanes {
  /** In the frame, whole pixels; even where chroma is halved. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly chromaIsHalved: boolean;
  /** Luma, blue difference, red difference. */
  readonly data: readonly [Uint8Array, Uint8Array, Uint8Array];
  /** Bytes from row to row, for each plane. */
  readonly strides: readonly [number, number, number];
  readonly colours: PlaneColours;
}

/**
 * What the planes hold for a red, green and blue of 0..255: for each plane `offset + r R + g G + b
 * B`.
 */
export interface PlaneColours {
  readonly offset: readonly [number, number, number];
  /** Of luma, blue difference, red difference: 3 x (r, g, b). */
  readonly weights: readonly number[];
}
