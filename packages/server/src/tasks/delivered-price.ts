import type { WorkSpec } from './task.ts';

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
    case 'look-at-clip':
      return 0;
  }
}
