import { invalidField } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { sourceOf, type TakenFace } from '../../intake/take-faces.ts';
import type { SourcePhotos, StoredInput } from '../../tasks/task.ts';

/** A new face and its place. */
export interface NumberedPair<Box> {
  readonly person: SourcePhotos;
  readonly number: number;
  /** Name of the box's form field. */
  readonly name: string;
  readonly box: Box;
}

/** Fields that hold new faces. */
interface FaceFields {
  readonly inputs: Readonly<Record<string, StoredInput | undefined>>;
  readonly savedFaces: ReadonlyMap<string, TakenFace>;
}

/**
 * Pairs each `targetFaceN` or `sourceFaceIdN` with its `faceBoxN`. Numbers must start at 0 without
 * gaps, and each face needs exactly one box.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function numberedPairs<Box>(
  { inputs, savedFaces }: FaceFields,
  boxes: Readonly<Record<string, Box | undefined>>,
): NumberedPair<Box>[] {
  const pairs: NumberedPair<Box>[] = [];
  for (let n = 0; n < AI_TASKS_LIMITS.groupFaces; n++) {
    const name = `faceBox${n}`;
    const [photo, saved, box] = [inputs[`targetFace${n}`], savedFaces.get(`sourceFaceId${n}`), boxes[name]];
    if (photo === undefined && saved === undefined && box === undefined) continue;
    const field = saved === undefined ? `targetFace${n}` : `sourceFaceId${n}`;
    if (photo !== undefined && saved !== undefined)
      throw invalidField(field, `was sent beside targetFace${n}: send one of them.`);
    const person = saved === undefined ? photo && { source: photo } : sourceOf(saved);
    if (person === undefined) throw invalidField(name, `was sent without targetFace${n}.`);
    if (box === undefined) throw invalidField(name, `is missing: ${field} needs it.`);
    if (pairs.length < n) throw invalidField(field, `was sent without targetFace${pairs.length}.`);
    pairs.push({ number: n, person, name, box });
  }
  return pairs;
}
