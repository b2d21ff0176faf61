import { AI_TASKS_LIMITS } from '../limits.ts';
import { EXAMPLE_FACE } from '../openapi-parts.ts';

const taskId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const parameters = {
  faceRestoreVisibility: 1,
  restoreVisibility: 1,
  sourceImage: { name: 'me.jpg', type: 'image/jpeg', bytes: 183204, width: 800, height: 800 },
  targetImage: { name: 'beach.png', type: 'image/png', bytes: 1482310, width: 1200, height: 900 },
};
const pending = {
  id: taskId,
  taskType: 'IMAGE_SWAP',
  status: 'PENDING',
  costCredits: 3,
  parameters,
  result: null,
  createdAt: '2026-08-14T09:30:00.000Z',
  startedAt: null,
  completedAt: null,
};
const finished = {
  ...pending,
  startedAt: '2026-08-14T09:30:00.040Z',
  completedAt: '2026-08-14T09:30:00.310Z',
};

/** Example bodies for the OpenAPI description. A test checks each against its schema. */
export const EXAMPLES = {
  accepted: { taskId, status: 'PENDING', requiredCredits: 3 },
  quote: {
    dryRun: true,
    requiredCredits: 3,
    faces: { sourceImage: [EXAMPLE_FACE], targetImage: [EXAMPLE_FACE] },
    warnings: [
      {
        field: 'sourceImage',
        code: 'GLASSES',
        role: 'source',
        message:
          'The face in sourceImage wears glasses that hide the eyes; a photo without them gives a better face.',
      },
    ],
  },
  faces: {
    width: 1200,
    height: 900,
    faces: [EXAMPLE_FACE],
    warnings: [
      {
        faceIndex: 0,
        code: 'GLASSES',
        role: 'source',
        message: 'Face 0 wears glasses that hide the eyes; a photo without them gives a better face.',
      },
    ],
  },
  pending,
  completed: {
    ...finished,
    status: 'COMPLETED',
    result: {
      outputs: [
        {
          index: 0,
          url: 'https://guise.example/files/out/3b/9f.png?expires=1786786200&signature=mYk1',
          contentType: 'image/png',
          width: 1200,
          height: 900,
          bytes: 1501877,
          expiresAt: '2026-08-15T09:30:00.300Z',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
      failures: [],
      receipt: {
        facesFound: 1,
        frames: { total: 1, swapped: 1, passedThrough: 0 },
        longestGapFrames: 0,
        engine: { name: 'mesh', version: '0.2.0+26' },
        identitySimilarity: 0.86,
        warnings: [
          {
            field: 'sourceImage',
            code: 'GLASSES',
            role: 'source',
            message:
              'The face in sourceImage wears glasses that hide the eyes; a photo without them gives a better face.',
          },
        ],
        credits: 3,
      },
    },
  },
  failed: {
    ...finished,
    status: 'FAILED',
    costCredits: 0,
    result: { error: { code: 'NO_FACE_DETECTED', message: 'No face was found in the target image.' } },
  },
  cancelled: { ...finished, status: 'CANCELLED', costCredits: 0 },
  errors: {
    400: {
      error: `sourceImage is larger than ${AI_TASKS_LIMITS.imageBytes} bytes.`,
      code: 'IMAGE_TOO_LARGE',
      field: 'sourceImage',
      limit: AI_TASKS_LIMITS.imageBytes,
    },
    401: {
      error: 'A valid API key is needed, once, as "Authorization: Bearer <API_KEY>".',
      code: 'INVALID_API_KEY',
    },
    402: {
      error: 'This task costs 3 credits and the account has 1.',
      code: 'INSUFFICIENT_CREDITS',
      required: 3,
      available: 1,
    },
    403: { error: 'The email address of this account is not verified.', code: 'EMAIL_NOT_VERIFIED' },
    404: { error: 'There is no such task.', code: 'JOB_NOT_FOUND' },
    409: {
      error: 'This Idempotency-Key was already used for another request.',
      code: 'IDEMPOTENCY_CONFLICT',
      field: 'Idempotency-Key',
    },
    429: {
      error: 'At most 10 of these requests are allowed in 60 seconds; try again in 42 seconds.',
      code: 'RATE_LIMITED',
      limit: 10,
      resetSeconds: 42,
    },
    500: { error: 'The service failed to handle this request.', code: 'INTERNAL_ERROR' },
    503: { error: 'The service was too busy to look at the images in time; try again later.', code: 'BUSY' },
  },
} as const;
