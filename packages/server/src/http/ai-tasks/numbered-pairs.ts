import { AppError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { StoredInput } from '../../tasks/task.ts';

/** A replacement identity and where it goes. */
export interface NumberedPair<Box> {
  readonly number: number;
  readonly source: StoredInput;
  /** Name of the box's field. */
  readonly name: string;
  readonly box: Box;
}

/**
 * Pairs each `targetFaceN` with its `faceBoxN`: numbered without a gap, exactly one box each.
 * @throws AppError INVALID_REQUEST naming the field
 */
export function numberedPairs<Box>(
  inputs: Readonly<Record<string, StoredInput>>,
  boxes: Readonly<Record<string, Box>>,
): NumberedPair<Box>[] {
  const pairs: NumberedPair<Box>[] = [];
  for (let n = 0; n < AI_TASKS_LIMITS.groupFaces; n++) {
    const name = `faceBox${n}`;
    const [source, box] = [inputs[`targetFace${n}`], boxes[name]];
    if (source === undefined && box === undefined) continue;
    if (source === undefined) throw invalid(`${name} was sent without targetFace${n}.`);
    if (box === undefined) throw invalid(`${name} is missing: targetFace${n} needs it.`);
    if (pairs.length < n) throw invalid(`targetFace${n} was sent without targetFace${pairs.length}.`);
    pairs.push({ number: n, source, name, box });
  }
  return pairs;
}

/** Where a box lies, in the numbers that were sent. */
interface SentBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tolerance for the rounding of fractions that add up to 1. */
const ROUNDING = 1e-9;

/**
 * Converts a box to shares of its picture and checks that it lies in it
 * (docs/decisions/0009#facebox): numbers of at most 1 are shares already.
 * @throws AppError INVALID_REQUEST naming the box
 */
export function inShares(name: string, sent: SentBox, picture: StoredInput): SentBox {
  const isFraction = Math.max(sent.x, sent.y, sent.width, sent.height) <= 1;
  const [right, bottom] = isFraction ? [1, 1] : [picture.width, picture.height];
  if (
    sent.x < 0 ||
    sent.y < 0 ||
    sent.x + sent.width > right * (1 + ROUNDING) ||
    sent.y + sent.height > bottom * (1 + ROUNDING)
  ) {
    const { field, width, height } = picture;
    throw invalid(`${name} must lie within ${field}, which is ${width} x ${height} pixels.`);
  }
  return {
    x: sent.x / right,
    y: sent.y / bottom,
    width: sent.width / right,
    height: sent.height / bottom,
  };
}

function invalid(message: string): AppError {
  return new AppError('INVALID_REQUEST', message);
}
