import { PUBLIC_VERIFY_LIMITS } from '../limits.ts';

/** IPTC source type of a picture with a swapped face. */
const SWAPPED_SOURCE_TYPE =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
const file = {
  name: 'swapped.png',
  contentType: 'image/png',
  bytes: 1501877,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
const xmp = { digitalSourceType: SWAPPED_SOURCE_TYPE, creatorTool: 'guise' };
const action = {
  action: 'c2pa.created',
  digitalSourceType: SWAPPED_SOURCE_TYPE,
  softwareAgent: 'guise/0.2.0',
  when: null,
};
const credentials = {
  valid: true,
  trusted: true,
  signer: 'guise operator 97ede9b3',
  issuer: 'guise',
  signedAt: null,
  generator: 'guise/0.2.0',
  digitalSourceType: SWAPPED_SOURCE_TYPE,
  actions: [action],
  problems: [],
};

const noWatermark = { found: false, confidence: 0 };
const watermark = { found: true, confidence: 0.97, id: '5f3a09c2d17e', ownInstallation: true };

/** Example bodies of verification. A test checks each against its schema. */
export const VERIFY_EXAMPLES = {
  own: {
    file,
    marked: true,
    digitalSourceType: SWAPPED_SOURCE_TYPE,
    xmp,
    credentials,
    watermark,
    ownSignature: true,
  },
  changed: {
    file: { ...file, sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
    marked: true,
    digitalSourceType: SWAPPED_SOURCE_TYPE,
    xmp,
    credentials: {
      ...credentials,
      valid: false,
      trusted: false,
      problems: ['assertion.dataHash.mismatch'],
    },
    watermark: { ...watermark, confidence: 0.74 },
    ownSignature: false,
  },
  plain: {
    file: { ...file, name: 'holiday.jpg', contentType: 'image/jpeg' },
    marked: false,
    digitalSourceType: null,
    xmp: null,
    credentials: null,
    watermark: noWatermark,
    ownSignature: false,
  },
} as const;

/** Example errors of `POST /verify`. */
export const PUBLIC_VERIFY_ERRORS = {
  400: {
    error: `file is larger than ${PUBLIC_VERIFY_LIMITS.fileBytes} bytes.`,
    code: 'INVALID_REQUEST',
    field: 'file',
    limit: PUBLIC_VERIFY_LIMITS.fileBytes,
  },
  404: { error: 'There is nothing at this path and method.', code: 'NOT_FOUND' },
  429: {
    error: 'Too many attempts; try again in 42 seconds.',
    code: 'RATE_LIMITED',
    limit: PUBLIC_VERIFY_LIMITS.perMinute,
    resetSeconds: 42,
  },
} as const;
