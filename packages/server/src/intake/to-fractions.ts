import { invalidField } from '@guise/contract/errors.ts';
import type { StoredInput } from '../tasks/task.ts';

/** Position of a box, in the numbers that the client sent. */
interface SentBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tolerance for rounding errors when fractions add up to 1. */
const ROUNDING = 1e-9;

/**
 * Converts a box to fractions of its picture and checks that it is inside the picture. If no number
 * is above 1, the numbers are fractions already (docs/spec/details#facebox).
 * @throws AppError INVALID_REQUEST naming the box
 */
export function toFractions(name: string, sent: SentBox, picture: StoredInput): SentBox {
  const isFraction = Math.max(sent.x, sent.y, sent.width, sent.height) <= 1;
  const [right, bottom] = isFraction ? [1, 1] : [picture.width, picture.height];
  if (
    sent.x < 0 ||
    sent.y < 0 ||
    sent.x + sent.width > right * (1 + ROUNDING) ||
    sent.y + sent.height > bottom * (1 + ROUNDING)
  ) {
    const { field, width, height } = picture;
    throw invalidField(name, `must lie within ${field}, which is ${width} x ${height} pixels.`);
  }
  return {
    x: sent.x / right,
    y: sent.y / bottom,
    width: sent.width / right,
    height: sent.height / bottom,
  };
}
