/** Bytes of a megabyte in both interfaces (docs/spec/details#sizes). */
export const MEBIBYTE = 1024 * 1024;

/** Limits of `/api/ai-tasks` (docs/spec/ai-tasks#limits, docs/spec/details#big-pictures). */
export const AI_TASKS_LIMITS = {
  imageBytes: 30 * MEBIBYTE,
  requestBytes: 95 * MEBIBYTE,
  /** Images of one batch, sources and targets together. */
  batchImages: 20,
  /** Images of one batch under one of the two names. */
  batchFieldImages: 19,
  /** More photos of the source's person, of a photo or video. */
  additionalSourceImages: 4,
  /** Replacement faces of one group photo. */
  groupFaces: 10,
  /** A larger still is refused before it is decoded. */
  imagePixels: 100_000_000,
  videoSeconds: 300,
  gifSeconds: 30,
  /** Size of a frame of a video or GIF, and its longer side. */
  clipPixels: 4096 * 2304,
  clipSide: 4096,
  /** Pixels of all pictures of a GIF together. */
  gifTotalPixels: 400_000_000,
  /** Average frame rate of a video or GIF. */
  framesPerSecond: 240,
  idempotencyKeyLength: 255,
} as const;

/**
 * Limits of `/v1` (docs/spec/v1#other-limits, docs/spec/details#body-sizes,
 * docs/spec/details#resolution).
 */
export const V1_LIMITS = {
  imageBytes: 50 * MEBIBYTE,
  videoBytes: 500 * MEBIBYTE,
  videoSeconds: 600,
  videoLongSide: 4096,
  videoShortSide: 2304,
  framesPerSecond: 240,
  /** Largest batch of any plan. */
  batchImages: 100,
  urlLength: 2048,
  imageBodyBytes: 140 * MEBIBYTE,
  /** Body of a video or batch swap. */
  bodyBytes: 750 * MEBIBYTE,
} as const;

/** Time for which an output link, and the file behind it, exist after the output was stored. */
export const OUTPUT_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Time for which a repeated request with an Idempotency-Key gets the first answer again. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1000;
