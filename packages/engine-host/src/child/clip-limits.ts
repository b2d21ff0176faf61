/**
 * Limits of any clip: the longest that an interface takes (v1). Shorter ones are checked before.
 */
export const CLIP_LIMITS = { maxSeconds: 600 };
