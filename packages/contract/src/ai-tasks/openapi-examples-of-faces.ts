import type { DeletedFaceBody, SavedFaceBody, WithdrawalBody } from './face-schemas.ts';

const saved: SavedFaceBody = {
  id: '0199a1b2-0000-4000-8000-00000000face',
  name: 'Ada',
  consent: 'Ada agreed in writing on 3 May 2026.',
  photos: 2,
  createdAt: '2026-05-03T10:00:00.000Z',
  withdrawnAt: null,
  withdrawalUrl: 'http://127.0.0.1:3000/withdraw#token=KJ7r2S0cXw1mVtq4aP9dZbGyHn3uEiLf',
};

/** Examples of answers of `/api/faces`. */
export const FACE_EXAMPLES = {
  saved,
  deleted: { id: saved.id, deletedPhotos: 2 } satisfies DeletedFaceBody,
  withdrawal: {
    withdrawnAt: '2026-06-01T08:30:00.000Z',
    endedTasks: 1,
    deletedOutputs: 3,
  } satisfies WithdrawalBody,
} as const;
