import { type Static, Type } from 'typebox';
import { AI_TASKS_LIMITS } from '../limits.ts';

/** Schemas of the bodies of `/api/faces` and `/withdraw`. */

const dateTime = Type.String({ format: 'date-time' });

export const savedFaceSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'What every workflow takes as sourceFaceId.' }),
    name: Type.String(),
    consent: Type.String({ description: 'Who agreed to the use of the face, and how.' }),
    photos: Type.Integer({
      minimum: 0,
      maximum: AI_TASKS_LIMITS.facePhotos,
      description: 'Number of stored photos; 0 once the consent was withdrawn.',
    }),
    preview: Type.Optional(
      Type.String({ pattern: '^data:image/webp;base64,', description: 'A small picture of the face.' }),
    ),
    createdAt: dateTime,
    withdrawnAt: Type.Union([dateTime, Type.Null()], {
      description: 'Time at which the consent was withdrawn. The face cannot be used any more.',
    }),
    withdrawalUrl: Type.String({
      format: 'uri',
      description:
        'A page on which the person can withdraw the consent, without an account. Give it to the person whose face it is, and to nobody else.',
    }),
  },
  { additionalProperties: false },
);
export type SavedFaceBody = Static<typeof savedFaceSchema>;

export const faceListSchema = Type.Object(
  { faces: Type.Array(savedFaceSchema, { description: 'Newest first.' }) },
  { additionalProperties: false },
);
export type FaceListBody = Static<typeof faceListSchema>;

export const deletedFaceSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    deletedPhotos: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type DeletedFaceBody = Static<typeof deletedFaceSchema>;

export const withdrawalSchema = Type.Object(
  {
    withdrawnAt: dateTime,
    endedTasks: Type.Integer({
      minimum: 0,
      description: 'Number of unfinished tasks that failed with FACE_WITHDRAWN.',
    }),
    deletedOutputs: Type.Integer({ minimum: 0, description: 'Number of results that were deleted.' }),
  },
  { additionalProperties: false },
);
export type WithdrawalBody = Static<typeof withdrawalSchema>;

/** What `GET` of a withdrawal says before it is done, so that the person knows what it is about. */
export const withdrawableSchema = Type.Object(
  {
    name: Type.String(),
    consent: Type.String(),
    createdAt: dateTime,
    withdrawnAt: Type.Union([dateTime, Type.Null()]),
  },
  { additionalProperties: false },
);
export type WithdrawableBody = Static<typeof withdrawableSchema>;
