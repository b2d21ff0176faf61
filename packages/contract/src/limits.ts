/** Bytes of a mebibyte, the unit of sizes in both interfaces (docs/spec/ai-tasks#limits). */
export const MEBIBYTE = 1024 * 1024;

/** Limits of `/api/ai-tasks` (docs/spec/ai-tasks#limits, docs/spec/details#big-pictures). */
export const AI_TASKS_LIMITS = {
  imageBytes: 30 * MEBIBYTE,
  requestBytes: 95 * MEBIBYTE,
  /** Largest number of images in a batch, sources and targets together. */
  batchImages: 20,
  /** Largest number of images in one field of a batch. */
  batchFieldImages: 19,
  /** Largest number of additional photos of the source's person. */
  additionalSourceImages: 4,
  /** Largest number of faces that are replaced in a group photo or clip. */
  groupFaces: 10,
  /** Largest number of pixels of a still. Larger ones are refused before decoding. */
  imagePixels: 100_000_000,
  videoSeconds: 300,
  gifSeconds: 30,
  /** Largest number of pixels of a frame of a video or GIF, and of pixels of its longer side. */
  clipPixels: 4096 * 2304,
  clipSide: 4096,
  /** Largest number of pixels of all frames of a GIF together. */
  gifTotalPixels: 400_000_000,
  /** Highest average frame rate of a video or GIF. */
  framesPerSecond: 240,
  idempotencyKeyLength: 255,
  /** Largest number of saved faces, of photos of each, and of characters of a name. */
  savedFaces: 200,
  facePhotos: 5,
  faceNameLength: 100,
  /** Largest number of characters of `consent`. */
  consentLength: 500,
} as const;

/** Limits of `POST /verify`, which needs no account. Rates are for each address. */
export const PUBLIC_VERIFY_LIMITS = {
  fileBytes: 30 * MEBIBYTE,
  perMinute: 4,
  perHour: 20,
} as const;

/** Limits of `/v1` (docs/spec/v1#other-limits). */
export const V1_LIMITS = {
  imageBytes: 50 * MEBIBYTE,
  videoBytes: 500 * MEBIBYTE,
  videoSeconds: 600,
  videoLongSide: 4096,
  videoShortSide: 2304,
  framesPerSecond: 240,
  /** Largest number of images in a batch of any plan. */
  batchImages: 100,
  urlLength: 2048,
  imageBodyBytes: 140 * MEBIBYTE,
  /** Largest body of a video or batch swap. */
  bodyBytes: 750 * MEBIBYTE,
} as const;

/** Time for which an output and its link exist after the output was stored. */
export const OUTPUT_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Time for which a repeated request with the same Idempotency-Key gets the first answer. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1000;
