import { invalidField } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { StoredInput } from '../../tasks/task.ts';

/** A new face and its place. */
export interface NumberedPair<Box> {
  readonly number: number;
  readonly source: StoredInput;
  /** Name of the box's form field. */
  readonly name: string;
  readonly box: Box;
}

/**
 * Pairs each `targetFaceN` with its `faceBoxN`. Numbers must start at 0 without gaps, and each face
 * needs exactly one box.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function numberedPairs<Box>(
  inputs: Readonly<Record<string, StoredInput | undefined>>,
  boxes: Readonly<Record<string, Box | undefined>>,
): NumberedPair<Box>[] {
  const pairs: NumberedPair<Box>[] = [];
  for (let n = 0; n < AI_TASKS_LIMITS.groupFaces; n++) {
    const name = `faceBox${n}`;
    const [source, box] = [inputs[`targetFace${n}`], boxes[name]];
    if (source === undefined && box === undefined) continue;
    if (source === undefined) throw invalidField(name, `was sent without targetFace${n}.`);
    if (box === undefined) throw invalidField(name, `is missing: targetFace${n} needs it.`);
    if (pairs.length < n) throw invalidField(`targetFace${n}`, `was sent without targetFace${pairs.length}.`);
    pairs.push({ number: n, source, name, box });
  }
  return pairs;
}
