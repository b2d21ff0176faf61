import type { Prices } from '@guise/contract/prices.ts';
import { clipSeconds, type WorkSpec } from './task.ts';

/**
 * Returns the credits that a task holds (docs/spec/ai-tasks#credit-costs), without the factor for
 * `quality: "4k"` of v1.
 */
export function priceOf(work: WorkSpec, prices: Prices): number {
  switch (work.kind) {
    case 'swap-image':
      return prices.photo;
    case 'swap-batch':
      return prices.batchOutput * work.items.length;
    case 'swap-group':
      return prices.groupFace * work.replacements.length;
    case 'swap-video':
      return bySecond(clipSeconds(work), prices.videoSecond, prices.videoMinimum);
    case 'swap-gif':
      return bySecond(clipSeconds(work), prices.gifSecond, prices.gifMinimum);
    case 'swap-persons': {
      const [second, minimum] =
        work.as === 'gif' ? [prices.gifSecond, prices.gifMinimum] : [prices.videoSecond, prices.videoMinimum];
      return bySecond(clipSeconds(work), second, minimum) * work.mappings.length;
    }
    case 'detect-faces':
    case 'check-face':
    case 'look-at-clip':
      return 0;
  }
}

/** Returns the price of a clip, for each started second. */
function bySecond(lengthSeconds: number, second: number, minimum: number): number {
  return Math.max(minimum, second * Math.ceil(lengthSeconds));
}

/**
 * Returns the credits to pay: the part of the held credits that belongs to the delivered outputs.
 * The result is a whole number, because the held credits are a whole price times the planned
 * outputs.
 */
export function deliveredPrice(work: WorkSpec, heldCredits: number, deliveredOutputs: number): number {
  const planned = plannedOutputs(work);
  return planned === 0 ? 0 : (heldCredits / planned) * Math.min(deliveredOutputs, planned);
}

function plannedOutputs(work: WorkSpec): number {
  switch (work.kind) {
    case 'swap-image':
    case 'swap-group':
    case 'swap-video':
    case 'swap-gif':
    case 'swap-persons':
      return 1;
    case 'swap-batch':
      return work.items.length;
    case 'detect-faces':
    case 'check-face':
    case 'look-at-clip':
      return 0;
  }
}
