/** Square planes of equal side: luma 0..255 and two colour differences around 0. */
export interface ColourPlanes {
  readonly luma: Float32Array;
  readonly blue: Float32Array;
  readonly red: Float32Array;
}
