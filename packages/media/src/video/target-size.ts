export interface SizeCaps {
  maxShortSide?: number | undefined;
  maxLongSide?: number | undefined;
}

export interface TargetSize {
  width: number;
  height: number;
  /** Whether pixels are resampled; false if an odd side only loses its last row or column. */
  scaled: boolean;
}

/**
 * Returns the output's size, which is within the caps and never enlarged. If the encoder needs even
 * sides (H.264 in 4:2:0), an odd side loses one pixel, which avoids resampling.
 */
export function targetSize(width: number, height: number, caps: SizeCaps, even: boolean): TargetSize {
  const scale = Math.min(
    1,
    (caps.maxShortSide ?? Infinity) / Math.min(width, height),
    (caps.maxLongSide ?? Infinity) / Math.max(width, height),
  );
  if (scale < 1) {
    const side = (length: number) => Math.max(2, Math.round((length * scale) / 2) * 2);
    return { width: side(width), height: side(height), scaled: true };
  }
  const mask = even ? ~1 : ~0;
  return {
    width: Math.max(2, width & mask),
    height: Math.max(2, height & mask),
    scaled: width < 2 || height < 2,
  };
}
