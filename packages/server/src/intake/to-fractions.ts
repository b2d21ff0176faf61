import { invalidField } from '@guise/contract/errors.ts';
import type { Box } from '@guise/contract/work.ts';
import type { StoredInput } from '../tasks/task.ts';

/** Tolerance for rounding errors when fractions add up to 1. */
const ROUNDING = 1e-9;

/**
 * Converts a box to fractions of its picture and checks that it is inside the picture. If no number
 * is above 1, the numbers are fractions already (docs/spec/details#facebox).
 * @param sent the box in the numbers that the client sent
 * @throws AppError INVALID_REQUEST naming the box
 */
export function toFractions(name: string, sent: Box, picture: StoredInput): Box {
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
