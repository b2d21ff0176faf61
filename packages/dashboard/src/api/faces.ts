import type {
  DeletedFaceBody,
  FaceListBody,
  SavedFaceBody,
  WithdrawableBody,
  WithdrawalBody,
} from '@guise/contract/ai-tasks/face-schemas.ts';
import { FACE_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { account } from './account.ts';
import { callWithToken } from './ai-tasks.ts';

/** Lists the saved faces of this account, newest first. */
export async function listFaces(): Promise<readonly SavedFaceBody[]> {
  return (await callWithToken<FaceListBody>('GET', FACE_FORM.path)).faces;
}

export function saveFace(body: FormData): Promise<SavedFaceBody> {
  return callWithToken('POST', FACE_FORM.path, { body });
}

export function withdrawFace(id: string): Promise<WithdrawalBody> {
  return callWithToken('POST', `${FACE_FORM.path}/${id}/withdraw`);
}

export function deleteFace(id: string): Promise<DeletedFaceBody> {
  return callWithToken('DELETE', `${FACE_FORM.path}/${id}`);
}

/** Reads what a withdrawal link is about. Needs no account. */
export function readWithdrawal(token: string): Promise<WithdrawableBody> {
  return account('POST', 'withdrawal/look', { token });
}

/** Withdraws the consent by a withdrawal link. Needs no account. */
export function withdrawByLink(token: string): Promise<WithdrawalBody> {
  return account('POST', 'withdrawal', { token });
}
