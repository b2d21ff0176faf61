import { MIN_PART_SECONDS } from '../clip-part.ts';
import { AI_TASKS_LIMITS, V1_LIMITS } from '../limits.ts';
import type { BodyDeclaration, JsonField } from './body.ts';
import { DEFAULT_QUALITY, QUALITIES, type Quality, STILL_FORMATS, VIDEO_FORMATS } from './values.ts';

/** The field `quality`. */
const QUALITY = {
  kind: 'choice',
  name: 'quality',
  description: `The longer side of a result has at most ${Object.entries(QUALITIES)
    .map(([name, pixels]) => `${pixels} (${name})`)
    .join(', ')} pixels; nothing is enlarged. By default, 4k costs twice as much.`,
  values: Object.keys(QUALITIES) as Quality[],
  default: DEFAULT_QUALITY,
} as const;

/** The field for the output format of a picture. */
const STILL_FORMAT = {
  kind: 'choice',
  name: 'output_format',
  description: 'Format of the result.',
  values: STILL_FORMATS,
  default: 'png',
} as const;

/** The field for the engine that draws the faces. */
const ENGINE = {
  kind: 'engine',
  name: 'engine',
  description: 'What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).',
} as const;

/** The field for the visible label. */
const LABEL = {
  kind: 'switch',
  name: 'label',
  description:
    'Whether a visible label, "AI face swapped", is put on every result. If it is false, the operator decides.',
  default: false,
} as const;

/** The field for what the person whose face is used has agreed to. */
const CONSENT = {
  kind: 'text',
  name: 'consent',
  description:
    'Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is kept with the job. The operator may require it.',
  maxLength: AI_TASKS_LIMITS.consentLength,
} as const;

/** The field for a saved face in place of a photo. */
const SAVED_FACE = {
  kind: 'saved-face',
  name: 'source_face_id',
  description: 'The id of a saved face (POST /api/faces), instead of source_image.',
} as const;

/** The field for the URL of the completion webhook. */
const WEBHOOK_URL = {
  kind: 'webhook',
  name: 'webhook_url',
  description: 'URL to which the completion webhook is sent.',
} as const;

function image<const Name extends string>(name: Name, description: string) {
  return { kind: 'image', name, description } as const;
}

/** The body of an image swap (docs/spec/v1#image-swap). */
export const IMAGE_SWAP_BODY = {
  path: '/v1/image-swap',
  maxBodyBytes: V1_LIMITS.imageBodyBytes,
  fields: [
    {
      ...image(
        'source_image',
        'The photo of the face to use. If it shows several faces, the largest is used. Required unless source_face_id is sent.',
      ),
      optional: true,
      unless: 'source_face_id',
    },
    SAVED_FACE,
    image('target_image', 'The image in which a face is replaced.'),
    STILL_FORMAT,
    QUALITY,
    {
      kind: 'index',
      name: 'face_index',
      description:
        'Number of the face of the target to replace, from left to right, beginning with 0. If it is missing, the largest face is replaced.',
    },
    ENGINE,
    LABEL,
    CONSENT,
  ],
} as const satisfies BodyDeclaration;

/** Members of a box. */
const BOX_FIELDS: readonly JsonField[] = [
  { kind: 'number', name: 'x', description: "The box's left edge." },
  { kind: 'number', name: 'y', description: "The box's top edge." },
  { kind: 'number', name: 'width', description: 'Above 0.' },
  { kind: 'number', name: 'height', description: 'Above 0.' },
];

/** The body of a video swap (docs/spec/v1#video-swap). */
export const VIDEO_SWAP_BODY = {
  path: '/v1/video-swap',
  maxBodyBytes: V1_LIMITS.bodyBytes,
  fields: [
    {
      kind: 'image',
      name: 'source_image',
      description:
        'The photo of the face to use (the largest, if there are several). Required unless source_face_id or face_mappings is sent.',
      optional: true,
    },
    SAVED_FACE,
    {
      kind: 'video',
      name: 'target_video',
      description: 'The video in which the face of the main person is replaced.',
    },
    QUALITY,
    {
      kind: 'choice',
      name: 'output_format',
      description: 'Format of the result.',
      values: VIDEO_FORMATS,
      default: 'mp4',
    },
    {
      kind: 'switch',
      name: 'face_enhance',
      description: 'Whether the new face is sharpened and its detail recovered.',
      default: true,
    },
    {
      kind: 'objects',
      name: 'face_mappings',
      description:
        'Instead of source_image: up to ten people, each with a face of their own; all other people stay unchanged. The price is ' +
        'multiplied by their number. Each has source_image or source_face_id, and either person_index or at_seconds and box.',
      maxItems: AI_TASKS_LIMITS.groupFaces,
      fields: [
        {
          ...image(
            'source_image',
            'The photo of the face to use. If it shows several faces, the largest is used.',
          ),
          optional: true,
        },
        SAVED_FACE,
        {
          kind: 'index',
          name: 'person_index',
          description: 'The person, as detect-faces of the other interface numbers the people of a video.',
        },
        { kind: 'number', name: 'at_seconds', description: 'A moment at which the face is in the box.' },
        {
          kind: 'object',
          name: 'box',
          description:
            'Box of the face at that moment, in pixels of the upright picture. If all four numbers are at most 1, they are fractions.',
          fields: BOX_FIELDS,
        },
      ],
    },
    {
      kind: 'number',
      name: 'start_seconds',
      description:
        'Start of the part of the video to swap, in seconds (default: the beginning). Only that part is returned and charged.',
    },
    {
      kind: 'number',
      name: 'end_seconds',
      description: `End of the part of the video to swap, in seconds, at least ${MIN_PART_SECONDS} seconds after its start (default: the end).`,
    },
    ENGINE,
    LABEL,
    CONSENT,
    WEBHOOK_URL,
  ],
} as const satisfies BodyDeclaration;

/** The body of a batch swap (docs/spec/v1#batch-swap). */
export const BATCH_SWAP_BODY = {
  path: '/v1/batch-swap',
  maxBodyBytes: V1_LIMITS.bodyBytes,
  fields: [
    {
      ...image(
        'source_image',
        'The photo of the face to put onto all targets. If it shows several faces, the largest is used. Required unless source_face_id is sent.',
      ),
      optional: true,
      unless: 'source_face_id',
    },
    SAVED_FACE,
    {
      kind: 'images',
      name: 'target_images',
      description:
        "As many as the account's plan allows; those given as URLs are fetched later, each by itself.",
    },
    QUALITY,
    STILL_FORMAT,
    ENGINE,
    LABEL,
    CONSENT,
    WEBHOOK_URL,
  ],
} as const satisfies BodyDeclaration;
