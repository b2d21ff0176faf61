import { MIN_PART_SECONDS } from '../clip-part.ts';
import type { ImageFormat } from '../formats.ts';
import { AI_TASKS_LIMITS, PUBLIC_VERIFY_LIMITS } from '../limits.ts';
import type { RestoreOptions } from '../work.ts';
import type { FaceBoxField, FileField, FormDeclaration, MediaField, SavedFaceField } from './form.ts';

/** Types of images that a photo swap takes (docs/spec/ai-tasks#photo). */
const PHOTO_FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'gif', 'bmp', 'heif'];

function image<const Name extends string>(name: Name, description: string, formats: readonly ImageFormat[]) {
  return { kind: 'file', name, description, formats, maxBytes: AI_TASKS_LIMITS.imageBytes } as const;
}

/** An extension of the specification: more photos of the person in `sourceImage`. */
function additionalSources(formats: readonly ImageFormat[]) {
  return {
    ...image(
      'additionalSourceImages',
      'Up to four more photos of the person in sourceImage; the largest face of each is used. If one shows another person, the task fails.',
      formats,
    ),
    optional: true,
    maxFiles: AI_TASKS_LIMITS.additionalSourceImages,
  } as const;
}

/** Default restore options of stills (docs/spec/ai-tasks#photo). */
export const STILL_RESTORE: RestoreOptions = { faceRestoreVisibility: 1, restoreVisibility: 1 };
/**
 * Default restore options of videos and GIFs (docs/spec/ai-tasks#video, docs/spec/ai-tasks#gif).
 */
export const CLIP_RESTORE: RestoreOptions = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };

/**
 * Makes the two restore fields, which are optional in every workflow
 * (docs/spec/details#restore-range).
 */
function restoreFields(defaults: RestoreOptions) {
  return [
    {
      kind: 'number',
      name: 'faceRestoreVisibility',
      description: 'How much detail is recovered in the swapped face, from 0 (none) to 1.',
      min: 0,
      max: 1,
      default: defaults.faceRestoreVisibility,
    },
    {
      kind: 'number',
      name: 'restoreVisibility',
      description:
        "How strongly the target's own light, grain and sharpness are restored onto the swapped face; 0 is off.",
      min: 0,
      max: 1,
      default: defaults.restoreVisibility,
    },
  ] as const;
}

/** An extension of the specification: the engine that draws the faces, on every workflow. */
const ENGINE = {
  kind: 'engine',
  name: 'engine',
  description: 'What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).',
  optional: true,
} as const;

/** An extension of the specification: the visible label, on every workflow. */
const LABEL = {
  kind: 'switch',
  name: 'label',
  description:
    'Whether a visible label, "AI face swapped", is put on every result. If it is false or missing, the operator decides.',
} as const;

/** An extension of the specification: what the person whose face is used has agreed to. */
const CONSENT = {
  kind: 'text',
  name: 'consent',
  description:
    'Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is kept and shown with the task. The operator may require it.',
  maxLength: AI_TASKS_LIMITS.consentLength,
  optional: true,
} as const;

/** An extension of the specification: a saved face in place of photos. */
function savedFace<const Name extends string>(name: Name, photos: string) {
  return {
    kind: 'saved-face',
    name,
    description: `The id of a saved face (POST /api/faces), instead of ${photos}.`,
    optional: true,
  } as const;
}

/** The form of a photo (docs/spec/ai-tasks#photo). */
export const PHOTO_FORM = {
  path: '/api/ai-tasks',
  fields: [
    {
      ...image(
        'sourceImage',
        'The face reference; its largest face is used. Required unless sourceFaceId is sent.',
        PHOTO_FORMATS,
      ),
      optional: true,
      unless: 'sourceFaceId',
    },
    savedFace('sourceFaceId', 'sourceImage and additionalSourceImages'),
    image('targetImage', 'The target scene; its largest face is replaced.', PHOTO_FORMATS),
    additionalSources(PHOTO_FORMATS),
    ...restoreFields(STILL_RESTORE),
    ENGINE,
    LABEL,
    CONSENT,
  ],
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** Makes the two optional fields that select a part of a clip. */
function partFields(clip: string) {
  const apart = `at least ${MIN_PART_SECONDS} seconds`;
  return [
    {
      kind: 'number',
      name: 'startSeconds',
      description: `Start of the part of ${clip} to swap, in seconds (default: the beginning). Only that part is returned and charged.`,
      min: 0,
    },
    {
      kind: 'number',
      name: 'endSeconds',
      description: `End of the part of ${clip} to swap, in seconds, ${apart} after its start (default: the end).`,
      min: 0,
    },
  ] as const;
}

/** Types of images that a batch takes (docs/spec/ai-tasks#batch-photo). */
const BATCH_FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'avif', 'heif'];

/** Modes of a batch: one face into many photos, or many faces into one photo. */
export const BATCH_MODES = ['singleToMulti', 'multiToSingle'] as const;

/** The form of a batch (docs/spec/ai-tasks#batch-photo). */
export const BATCH_FORM = {
  path: '/api/ai-tasks/batch-face-swap',
  fields: [
    {
      kind: 'choice',
      name: 'mode',
      description:
        'singleToMulti: one source image; each target image gives one output. multiToSingle: one target image; each source image gives one output.',
      values: BATCH_MODES,
    },
    {
      ...image(
        'sourceImages',
        'A face reference; its largest face is used. Required unless sourceFaceId is sent.',
        BATCH_FORMATS,
      ),
      optional: true,
      unless: 'sourceFaceId',
      maxFiles: AI_TASKS_LIMITS.batchFieldImages,
    },
    savedFace('sourceFaceId', 'the one image of sourceImages, in the mode singleToMulti'),
    {
      ...image('targetImages', 'A target scene; its largest face is replaced.', BATCH_FORMATS),
      maxFiles: AI_TASKS_LIMITS.batchFieldImages,
    },
    ...restoreFields(STILL_RESTORE),
    ENGINE,
    LABEL,
    CONSENT,
  ],
  maxFiles: AI_TASKS_LIMITS.batchImages,
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** Types of images that a group photo takes (docs/spec/ai-tasks#group-photo). */
const GROUP_FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp'];

/** The form of a group photo (docs/spec/ai-tasks#group-photo). Its `sourceImage` is the target. */
export const GROUP_FORM = {
  path: '/api/ai-tasks/multi-face-swap',
  fields: [
    image('sourceImage', 'The group photo; only the mapped faces change.', GROUP_FORMATS),
    ...Array.from({ length: AI_TASKS_LIMITS.groupFaces }, (_, n) => replacementFields(n)).flat(),
    ...restoreFields(STILL_RESTORE),
    ENGINE,
    LABEL,
    CONSENT,
  ],
  maxRequestBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/**
 * Makes the fields of a new face. Only the first one is required, but all have the same type.
 */
function replacementFields(
  n: number,
): [
  FileField & { readonly name: `targetFace${number}`; readonly optional: true },
  SavedFaceField & { readonly name: `sourceFaceId${number}` },
  FaceBoxField & { readonly name: `faceBox${number}` },
] {
  const optional = n === 0 ? {} : ({ optional: true } as const);
  return [
    {
      ...image(
        `targetFace${n}`,
        `New face number ${n}. The fields are numbered from 0, without gaps.`,
        GROUP_FORMATS,
      ),
      optional: true,
      ...(n === 0 ? { unless: 'sourceFaceId0' } : {}),
    },
    savedFace(`sourceFaceId${n}`, `targetFace${n}`),
    {
      kind: 'face-box',
      name: `faceBox${n}`,
      description:
        `The face that targetFace${n} replaces; required if targetFace${n} or sourceFaceId${n} is sent. It has x, y, width and height of the face's ` +
        'box in the group photo and, optionally, its faceIndex, as detect-faces answers them.',
      ...optional,
    },
  ];
}

/** Types of images that a video or GIF takes as its source (docs/spec/ai-tasks#video). */
const CLIP_SOURCE_FORMATS: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'heif'];
/**
 * Largest short side of a video in pixels. Larger videos are scaled down; smaller ones are not
 * enlarged.
 */
export const VIDEO_QUALITIES = { '720p': 720, '1080p': 1080 } as const;
export type VideoQuality = keyof typeof VIDEO_QUALITIES;

/** Source image of a video or GIF. Clients may send mappings in its place. */
const CLIP_SOURCE = {
  ...image(
    'sourceImage',
    'The face reference; its largest face is used. Required unless sourceFaceId, targetFace0 or sourceFaceId0 is sent.',
    CLIP_SOURCE_FORMATS,
  ),
  optional: true,
} as const;
/** A saved face as the source of a video or GIF. */
const CLIP_SAVED_FACE = savedFace('sourceFaceId', 'sourceImage');

/** Makes the fields that map up to ten people of a clip. They replace `sourceImage`. */
function personFields() {
  return Array.from(
    { length: AI_TASKS_LIMITS.groupFaces },
    (_, n) =>
      [
        {
          ...image(
            `targetFace${n}`,
            `The new face for the person in faceBox${n}. Send these fields instead of sourceImage, numbered from 0 without gaps. The price is multiplied by the number of targetFace fields.`,
            CLIP_SOURCE_FORMATS,
          ),
          optional: true,
        },
        savedFace(`sourceFaceId${n}`, `targetFace${n}`),
        {
          kind: 'person-box',
          name: `faceBox${n}`,
          description: `The person whose face targetFace${n} replaces; required if targetFace${n} or sourceFaceId${n} is sent. All other people stay unchanged.`,
          optional: true,
        },
      ] as const,
  ).flat();
}

/** The form of a video (docs/spec/ai-tasks#video). */
export const VIDEO_FORM = {
  path: '/api/ai-tasks/video',
  fields: [
    CLIP_SOURCE,
    CLIP_SAVED_FACE,
    {
      kind: 'clip',
      name: 'targetVideo',
      description: 'The video; the face of the person who is most on camera is replaced.',
      formats: ['mp4', 'mov', 'webm'],
      maxBytes: AI_TASKS_LIMITS.requestBytes,
      maxSeconds: AI_TASKS_LIMITS.videoSeconds,
    },
    {
      kind: 'choice',
      name: 'quality',
      description:
        'Largest short side of the video, in pixels; a larger video is scaled down, a smaller one is not enlarged.',
      values: Object.keys(VIDEO_QUALITIES) as VideoQuality[],
      default: '1080p',
    },
    {
      kind: 'guarantee',
      name: 'preserveScene',
      description: 'Body, clothing, background and framing stay as they are, in any case.',
    },
    additionalSources(CLIP_SOURCE_FORMATS),
    ...personFields(),
    ...partFields('targetVideo'),
    ...restoreFields(CLIP_RESTORE),
    ENGINE,
    LABEL,
    CONSENT,
  ],
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** The form of a GIF (docs/spec/ai-tasks#gif). */
export const GIF_FORM = {
  path: '/api/ai-tasks/gif',
  fields: [
    CLIP_SOURCE,
    CLIP_SAVED_FACE,
    {
      kind: 'clip',
      name: 'targetGif',
      description:
        'The animation; the face of the person who is most on camera is replaced. An MP4 or WebM becomes a GIF with a ' +
        'short side of at most 480 pixels and at most 30 pictures per second; all pictures of a GIF together have at ' +
        `most ${AI_TASKS_LIMITS.gifTotalPixels} pixels.`,
      formats: ['gif', 'mp4', 'webm'],
      maxBytes: AI_TASKS_LIMITS.requestBytes,
      maxSeconds: AI_TASKS_LIMITS.gifSeconds,
    },
    ...personFields(),
    ...partFields('targetGif'),
    ...restoreFields(CLIP_RESTORE),
    ENGINE,
    LABEL,
    CONSENT,
  ],
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** The form of a face to save (docs/spec/details#saved-faces). */
export const FACE_FORM = {
  path: '/api/faces',
  fields: [
    {
      ...image(
        'photos',
        'A photo of the person; its largest face is used. Several are merged.',
        PHOTO_FORMATS,
      ),
      maxFiles: AI_TASKS_LIMITS.facePhotos,
    },
    {
      kind: 'text',
      name: 'name',
      description: 'A name by which you know the face.',
      maxLength: AI_TASKS_LIMITS.faceNameLength,
    },
    {
      kind: 'text',
      name: 'consent',
      description: 'Who agreed to the use of the face, and how: a sentence, or a reference to a document.',
      maxLength: AI_TASKS_LIMITS.consentLength,
    },
  ],
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** The form of a person for the operator's blocklist. */
export const BLOCKLIST_FORM = {
  path: '/account/operator/blocklist',
  fields: [
    image('photo', 'A photo of the person alone. It is not stored.', PHOTO_FORMATS),
    {
      kind: 'text',
      name: 'name',
      description: 'Name of the person.',
      maxLength: AI_TASKS_LIMITS.faceNameLength,
    },
    {
      kind: 'text',
      name: 'why',
      description: 'Why the face must not be used.',
      maxLength: AI_TASKS_LIMITS.consentLength,
    },
  ],
} as const satisfies FormDeclaration;

/** The form of `detect-faces` (docs/spec/details#detect). */
export const DETECT_FORM = {
  path: '/api/ai-tasks/detect-faces',
  fields: [
    {
      ...image('image', 'The picture to look for faces in; required unless video is sent.', PHOTO_FORMATS),
      optional: true,
    },
    {
      kind: 'clip',
      name: 'video',
      description:
        'The video or GIF to look for people in, instead of image: up to 60 of its pictures are looked at, for up to 20 seconds.',
      formats: ['mp4', 'mov', 'webm', 'gif'],
      maxBytes: AI_TASKS_LIMITS.requestBytes,
      maxSeconds: AI_TASKS_LIMITS.videoSeconds,
      optional: true,
    },
    {
      kind: 'choice',
      name: 'preview',
      description: 'Whether the answer has a small WebP of the picture, and of each person of a clip.',
      values: ['false', 'true'],
      default: 'false',
    },
  ],
  maxFilesBytes: AI_TASKS_LIMITS.requestBytes,
} as const satisfies FormDeclaration;

/** Makes the form of a verification. */
function verifyForm(path: string, maxBytes: number): FormDeclaration<MediaField> {
  return {
    path,
    fields: [
      {
        kind: 'media',
        name: 'file',
        description: 'The picture, video or animation to check.',
        formats: ['jpeg', 'png', 'webp', 'gif', 'bmp', 'heif', 'avif', 'mp4', 'mov', 'webm'],
        maxBytes,
      },
    ],
  };
}

/** An extension of the specification: the function of `guise verify`, over HTTP. */
export const VERIFY_FORM = verifyForm('/api/ai-tasks/verify', AI_TASKS_LIMITS.requestBytes);

/** The form of a verification without an account. */
export const PUBLIC_VERIFY_FORM = verifyForm('/verify', PUBLIC_VERIFY_LIMITS.fileBytes);
