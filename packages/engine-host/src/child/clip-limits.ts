/**
 * Limits of any clip: the longest duration that an interface (v1) accepts. Lower limits are checked
 * before.
 */
export const CLIP_LIMITS = { maxSeconds: 600 };
