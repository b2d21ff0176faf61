import { type Static, Type } from 'typebox';
import { AI_TASKS_LIMITS } from '../limits.ts';
import { closedObject, dateTime, orNull, uuid } from '../schema-parts.ts';

/** Schemas of the bodies of `/api/faces` and `/withdraw`. */

export const savedFaceSchema = closedObject({
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
});
export type SavedFaceBody = Static<typeof savedFaceSchema>;

export const faceListSchema = closedObject({
  faces: Type.Array(savedFaceSchema, { description: 'Newest first.' }),
});
export type FaceListBody = Static<typeof faceListSchema>;

export const deletedFaceSchema = closedObject({
  id: uuid,
  deletedPhotos: Type.Integer({ minimum: 0 }),
});
export type DeletedFaceBody = Static<typeof deletedFaceSchema>;

export const withdrawalSchema = closedObject({
  withdrawnAt: dateTime,
  endedTasks: Type.Integer({
    minimum: 0,
    description: 'Number of unfinished tasks that failed with FACE_WITHDRAWN.',
  }),
  deletedOutputs: Type.Integer({ minimum: 0, description: 'Number of results that were deleted.' }),
});
export type WithdrawalBody = Static<typeof withdrawalSchema>;

/** What `GET` of a withdrawal says before it is done, so that the person knows what it is about. */
export const withdrawableSchema = closedObject({
  name: Type.String(),
  consent: Type.String(),
  createdAt: dateTime,
  withdrawnAt: orNull(dateTime),
});
export type WithdrawableBody = Static<typeof withdrawableSchema>;
