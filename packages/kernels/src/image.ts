/**
 * An interleaved 8-bit sRGB image, row-major from the top left, without padding: `data.length ===
 * width * height * 3`.
 */
export interface RgbImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}
