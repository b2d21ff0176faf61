/**
 * How the stored picture becomes upright: FFmpeg's filters, and whether width and height swap.
 * Follows `get_rotation` and `configure_input_video_filter` of FFmpeg's tools, so that players show
 * the same orientation.
 */
export interface Orientation {
  /** Degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  filters: readonly string[];
  swapsSides: boolean;
}

/** Orientation of a picture that is stored upright. */
export const UPRIGHT_ORIENTATION: Orientation = { rotation: 0, filters: [], swapsSides: false };

/**
 * Reads the orientation from a display matrix. Angles other than quarter turns count as upright.
 * @param matrix nine little-endian 32-bit numbers, 16.16 fixed point (ISO 14496-12, 8.3.2.3); null
 * or a shorter one means upright
 */
export function orientationOf(matrix: Buffer | null): Orientation {
  if (matrix === null || matrix.length < 36) return UPRIGHT_ORIENTATION;
  const at = (index: number) => matrix.readInt32LE(index * 4) / 65_536;
  const scale = [Math.hypot(at(0), at(3)), Math.hypot(at(1), at(4))] as const;
  if (scale[0] === 0 || scale[1] === 0) return UPRIGHT_ORIENTATION;
  const degrees = (Math.atan2(at(1) / scale[1], at(0) / scale[0]) * 180) / Math.PI;
  const turn = ((Math.round(degrees) % 360) + 360) % 360;
  if (Math.abs(turn - 90) <= 1) {
    return { rotation: 90, filters: [`transpose=${at(3) > 0 ? 'cclock_flip' : 'clock'}`], swapsSides: true };
  }
  if (Math.abs(turn - 270) <= 1) {
    return { rotation: 270, filters: [`transpose=${at(3) < 0 ? 'clock_flip' : 'cclock'}`], swapsSides: true };
  }
  if (Math.abs(turn - 180) <= 1) {
    const filters = [at(0) < 0 ? 'hflip' : '', at(4) < 0 ? 'vflip' : ''].filter((name) => name !== '');
    return { rotation: 180, filters, swapsSides: false };
  }
  if (turn <= 1 || turn >= 359) return { ...UPRIGHT_ORIENTATION, filters: at(4) < 0 ? ['vflip'] : [] };
  return UPRIGHT_ORIENTATION;
}
