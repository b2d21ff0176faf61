/** Size of one step of a fixed-point coordinate, in pixels. */
export const PER_STEP: f32 = 1.0 / 65536.0;
