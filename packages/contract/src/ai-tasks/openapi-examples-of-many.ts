import { EXAMPLES } from './openapi-examples.ts';

/** Example bodies of the batch and group workflows. A test checks each against its schema. */
const { accepted, quote, pending, completed, failed, cancelled } = EXAMPLES;
const { startedAt, completedAt } = completed;
const [output] = completed.result.outputs;
const { receipt } = completed.result;
const [face] = quote.faces.targetImage;
const { sourceImage, targetImage, ...restore } = pending.parameters;

const noFace = { code: 'NO_FACE_DETECTED', message: 'No face was found in the target image.' } as const;
const batch = {
  ...pending,
  taskType: 'BATCH_FACE_SWAP',
  costCredits: 6,
  parameters: {
    mode: 'singleToMulti',
    ...restore,
    sourceImages: [sourceImage],
    targetImages: [targetImage, { ...targetImage, name: 'dunes.png' }],
  },
};
const oneDelivered = {
  outputs: [output],
  failures: [{ index: 1, ...noFace }],
  receipt,
};

/** Example answers of the batch workflow. */
export const BATCH_EXAMPLES = {
  accepted: { ...accepted, requiredCredits: 6 },
  quote: {
    dryRun: true,
    requiredCredits: 6,
    faces: { 'sourceImages[0]': [face], 'targetImages[0]': [face], 'targetImages[1]': [] },
    warnings: [
      { field: 'targetImages[1]', code: 'NO_FACE', message: 'No face was found in targetImages[1].' },
    ],
  },
  pending: batch,
  processing: { ...batch, status: 'PROCESSING', startedAt, result: { progress: 0.5, outputs: [output] } },
  completed: {
    ...batch,
    status: 'COMPLETED',
    costCredits: 3,
    startedAt,
    completedAt,
    result: oneDelivered,
  },
  failed: {
    ...batch,
    status: 'FAILED',
    costCredits: 0,
    startedAt,
    completedAt,
    result: {
      error: noFace,
      failures: [
        { index: 0, ...noFace },
        { index: 1, ...noFace },
      ],
    },
  },
  cancelled: {
    ...batch,
    status: 'CANCELLED',
    costCredits: 3,
    startedAt,
    completedAt,
    result: { ...oneDelivered, failures: [] },
  },
} as const;

const group = {
  taskType: 'MULTI_FACE_SWAP',
  costCredits: 6,
  parameters: {
    faceBox0: { x: 210, y: 95, width: 140, height: 190 },
    faceBox1: { faceIndex: 1, x: 0.6, y: 0.1, width: 0.12, height: 0.2 },
    ...restore,
    sourceImage: { ...targetImage, name: 'team.png' },
    targetFace0: sourceImage,
    targetFace1: { ...sourceImage, name: 'you.jpg' },
  },
} as const;

/** Example answers of the group photo workflow. */
export const GROUP_EXAMPLES = {
  accepted: { ...accepted, requiredCredits: 6 },
  quote: {
    dryRun: true,
    requiredCredits: 6,
    faces: {
      sourceImage: [face, { ...face, faceIndex: 1, x: 730.5 }],
      targetFace0: [face],
      targetFace1: [face],
    },
    warnings: [
      {
        field: 'faceBox1',
        code: 'FACE_NOT_FOUND',
        message: 'faceBox1: the group photo has no face in this box.',
      },
    ],
  },
  pending: { ...pending, ...group },
  completed: {
    ...completed,
    ...group,
    result: { ...completed.result, receipt: { ...receipt, facesFound: 5, credits: 6 } },
  },
  failed: {
    ...failed,
    ...group,
    costCredits: 0,
    result: {
      error: { code: 'FACE_BOX_MISMATCH', message: 'faceBox1 does not match the face with faceIndex 1.' },
    },
  },
  cancelled: { ...cancelled, ...group, costCredits: 0 },
} as const;
