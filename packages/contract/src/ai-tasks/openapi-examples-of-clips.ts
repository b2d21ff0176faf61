import type { DetectPersonsBody } from './schemas.ts';
import { EXAMPLES } from './openapi-examples.ts';

/** Example bodies of the video and GIF workflows. A test checks each against its schema. */
const { accepted, quote, pending, completed, failed, cancelled } = EXAMPLES;
const { taskId, status } = accepted;
const { startedAt, completedAt } = completed;
const { sourceImage } = pending.parameters;
const [output] = completed.result.outputs;
const restore = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };
const faces = { sourceImage: quote.faces.sourceImage };

const video = {
  taskType: 'VIDEO_SWAP',
  costCredits: 26,
  parameters: {
    quality: '1080p',
    preserveScene: true,
    ...restore,
    sourceImage,
    targetVideo: {
      name: 'talk.mov',
      type: 'video/quicktime',
      bytes: 9146520,
      width: 1080,
      height: 1920,
      durationSeconds: 12.48,
    },
  },
} as const;
const videoReceipt = {
  ...completed.result.receipt,
  frames: { total: 312, swapped: 306, bridged: 4, passedThrough: 6 },
  longestGapFrames: 6,
  credits: 26,
};
const noFace = { code: 'NO_FACE_DETECTED', message: 'No face was found in the target video.' } as const;

/** Example answers of the video workflow. */
export const VIDEO_EXAMPLES = {
  accepted: { taskId, status, requiredCredits: 26, quality: '1080p' },
  quote: { dryRun: true, requiredCredits: 26, faces, warnings: [] },
  pending: { ...pending, ...video },
  processing: {
    ...pending,
    ...video,
    status: 'PROCESSING',
    startedAt,
    result: { progress: 0.4, outputs: [] },
  },
  completed: {
    ...completed,
    ...video,
    result: {
      outputs: [
        {
          ...output,
          url: output.url.replace('.png', '.mp4'),
          contentType: 'video/mp4',
          width: 1080,
          height: 1920,
          bytes: 8210344,
          durationSeconds: 12.48,
        },
      ],
      failures: [],
      receipt: videoReceipt,
    },
  },
  failed: { ...failed, ...video, costCredits: 0, result: { error: noFace } },
  cancelled: { ...cancelled, ...video, costCredits: 0 },
} as const;

const gif = {
  taskType: 'GIF_FACE_SWAP',
  costCredits: 9,
  parameters: {
    ...restore,
    sourceImage,
    targetGif: {
      name: 'nod.gif',
      type: 'image/gif',
      bytes: 1204311,
      width: 480,
      height: 270,
      durationSeconds: 2.4,
    },
  },
} as const;

/** Example answers of the GIF workflow. */
export const GIF_EXAMPLES = {
  accepted: { taskId, status, estimatedCredits: 9 },
  quote: { dryRun: true, estimatedCredits: 9, faces, warnings: [] },
  pending: { ...pending, ...gif },
  completed: {
    ...completed,
    ...gif,
    startedAt,
    completedAt,
    result: {
      outputs: [
        {
          ...output,
          url: output.url.replace('.png', '.gif'),
          contentType: 'image/gif',
          width: 480,
          height: 270,
          bytes: 1310877,
          durationSeconds: 2.4,
        },
      ],
      failures: [],
      receipt: {
        ...videoReceipt,
        frames: { total: 30, swapped: 30, bridged: 0, passedThrough: 0 },
        longestGapFrames: 0,
        credits: 9,
      },
    },
  },
  failed: {
    ...failed,
    ...gif,
    costCredits: 0,
    result: { error: { ...noFace, message: 'No face was found in the target GIF.' } },
  },
  cancelled: { ...cancelled, ...gif, costCredits: 0 },
} as const;

/** Example answer of `detect-faces` for a video. */
export const PERSONS_EXAMPLE: DetectPersonsBody = {
  durationSeconds: 12.48,
  width: 1280,
  height: 720,
  framesLooked: 60,
  complete: true,
  persons: [
    {
      personIndex: 0,
      share: 0.9,
      appearances: [[0, 11.232]],
      atSeconds: 4.6,
      faceBox: { x: 412.16, y: 96.88, width: 189.26, height: 228.65 },
      warnings: [],
    },
    {
      personIndex: 1,
      share: 0.35,
      appearances: [
        [0, 2.08],
        [8.1, 10.4],
      ],
      atSeconds: 9.24,
      faceBox: { x: 826.75, y: 114.09, width: 66.49, height: 79.48 },
      warnings: [],
    },
  ],
};
