/** Of coordinates in steps of 1/65,536. */
export const PER_STEP: f32 = 1.0 / 65536.0;
